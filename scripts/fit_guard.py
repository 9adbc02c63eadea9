"""Fit the weights of `limpet/guard/tables/weights.bin` to attacks and honest notes, and print how well they do.

    python -m scripts.fit_guard ROWS.jsonl [--write | --measure]

A line of the file is {"text": …, "label": 1 for an attack or 0, "kind": …, "source": …, "kept": true or false}. Rows of
one source (a repository, a corpus, an author) stay together. Kept-back sources are never fitted to, and the threshold
is not chosen by them: it is chosen on the other sources, each scored by weights that were fitted without it. Sentences
of `scripts.invent_texts` are added to what is fitted.

The texts belong to others and are not in the repository; decision 16 in `docs/explanation/decisions` lists where they
came from. numpy is needed here, and only here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scripts.invent_texts import invent_honest_notes, invent_poison

from limpet.guard import classifier
from limpet.guard.classifier import BITS, cut_windows, find_features
from limpet.guard.engine import find_signs
from limpet.guard.neutral import remove_hidden
from limpet.guard.signs import CERTAIN

Array = np.ndarray[Any, np.dtype[Any]]

INVENTED = 2500
FOLDS = 4
STEPS, RATE, PENALTY = 70, 0.3, 0.3
ATTACKS = 0.3
"""The weight of all attacks together, beside that of all honest rows."""
LIMITS = {"note": 0.008, "note-code": 0.008, "convention": 0.008, "commit": 0.008, "trigger": 0.035}
"""The share of honest rows of each kind that may be suspected on sources not fitted to, a little below the promise."""
KIND_WEIGHTS = {"poison": 3.0, "todo": 2.0, "foreign": 1.5, "convention": 2.0, "trigger": 3.0}
LARGE_SOURCE = 300
"""Rows above which a source stops counting in full, so that no source outweighs the others."""
WINDOWS = 4
TABLE = Path(classifier.__file__).parent / "tables" / "weights.bin"


@dataclass(frozen=True)
class Row:
    text: str
    label: int
    kind: str
    source: str
    kept: bool = False

    @property
    def fold(self) -> int:
        """Return the part in which the row is held back; an invented row is in none."""
        return -1 if self.source == "invented" else hashlib.md5(self.source.encode()).digest()[0] % FOLDS


class Samples:
    """The windows of all rows as places in the table of weights."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        places, owners = [], []
        for number, row in enumerate(rows):
            for window in cut_windows(remove_hidden(row.text))[:WINDOWS]:
                places.append(np.fromiter(find_features(window), dtype=np.int32))
                owners.append(number)
        self.counts = np.array([len(each) for each in places])
        self.scale = 1 / np.sqrt(np.maximum(self.counts, 1))
        self.places = np.concatenate(places)
        self.owners = np.array(owners)
        self.labels = np.array([row.label for row in rows])
        self.weights = self._weigh_rows() / np.maximum(np.bincount(self.owners, minlength=len(rows)), 1)

    def _weigh_rows(self) -> Array:
        sizes = Counter((row.label, row.source) for row in self.rows)
        return np.array(
            [
                KIND_WEIGHTS.get(row.kind, 1.0) * min(1.0, (LARGE_SOURCE / sizes[row.label, row.source]) ** 0.5)
                * (ATTACKS if row.source == "invented" else 1.0)
                for row in self.rows
            ]
        )  # fmt: skip

    def fit(self, chosen: Array) -> tuple[Array, float]:
        """Return the weights and the bias of a logistic regression on the chosen rows."""
        windows = chosen[self.owners]
        places = self.places[np.repeat(windows, self.counts)]
        counts, scale = self.counts[windows], self.scale[windows]
        owner = np.repeat(np.arange(len(counts)), counts)
        labels = self.labels[self.owners[windows]]
        importance = self.weights[self.owners[windows]].copy()
        importance[labels == 1] *= ATTACKS * importance[labels == 0].sum() / importance[labels == 1].sum()
        importance /= importance.sum()
        weights, bias = np.zeros(1 << BITS), -2.0
        mean, square, bias_mean, bias_square = np.zeros_like(weights), np.zeros_like(weights), 0.0, 0.0
        for step in range(1, STEPS + 1):
            total = np.bincount(owner, weights=weights[places], minlength=len(counts)) * scale + bias
            error = (1 / (1 + np.exp(-total)) - labels) * importance
            slope: Array = np.bincount(places, weights=(error * scale)[owner], minlength=1 << BITS)
            slope = slope + PENALTY * weights / len(counts)
            mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
            bias_mean, bias_square = 0.9 * bias_mean + 0.1 * error.sum(), 0.99 * bias_square + 0.01 * error.sum() ** 2
            rate = RATE * (1 - 0.9 * step / STEPS) / (1 - 0.9**step) * (1 - 0.99**step) ** 0.5
            weights -= rate * mean / (np.sqrt(square) + 1e-7)
            bias -= rate * bias_mean / (np.sqrt(bias_square) + 1e-9)
        return weights, float(bias)

    def score(self, weights: Array, bias: float) -> Array:
        """Return the score of each row: that of its worst window."""
        owner = np.repeat(np.arange(len(self.counts)), self.counts)
        totals = np.bincount(owner, weights=weights[self.places], minlength=len(self.counts)) * self.scale + bias
        found = np.full(len(self.rows), -np.inf)
        np.maximum.at(found, self.owners, totals)
        return found


def load_rows(file: str) -> list[Row]:
    """Return the given rows and the invented ones."""
    rows = [Row(**json.loads(line)) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    rows += [Row(text, 1, "invented", "invented") for text in invent_poison(INVENTED, seed=1)]
    return rows + [Row(text, 0, "invented", "invented") for text in invent_honest_notes(INVENTED, seed=2)]


def choose_threshold(rows: Sequence[Row], scores: Array) -> float:
    """Return the lowest threshold at which every kind of honest row stays within its limit."""
    return max(
        float(np.quantile(scores[[row.label == 0 and row.kind == kind for row in rows]], 1 - limit))
        for kind, limit in LIMITS.items()
    )


def measure_shares(rows: Sequence[Row], scores: Array, threshold: float) -> dict[str, list[float | int]]:
    """Return by label and kind the percentage above the threshold, and how many rows there are."""
    shares: dict[str, list[float | int]] = {}
    for label, kind in sorted({(row.label, row.kind) for row in rows}):
        part = scores[[row.label == label and row.kind == kind for row in rows]]
        name = f"{'attack' if label else 'honest'} {kind}"
        shares[name] = [round(100 * float((part > threshold).mean()), 2), len(part)]
    return shares


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows")
    parser.add_argument("--write", action="store_true", help="replace the table of the package")
    parser.add_argument("--measure", action="store_true", help="fit nothing, measure the table of the package")
    given = parser.parse_args(arguments)
    if given.measure:
        write_figures([row for row in load_rows(given.rows) if row.kept])
        return
    samples = Samples(load_rows(given.rows))
    rows = samples.rows
    kept = np.array([row.kept for row in rows])
    folds = np.array([row.fold for row in rows])
    scores = np.full(len(rows), -np.inf)
    for fold in range(FOLDS):
        away = (folds == fold) & ~kept
        scores[away] = samples.score(*samples.fit(~kept & (folds != fold)))[away]
    crossed = ~kept & (folds >= 0)
    threshold = choose_threshold(_select(rows, crossed), scores[crossed])
    _print_shares("fitted to, each source by weights fitted without it", rows, crossed, scores, threshold)
    weights, bias = samples.fit(~kept)
    # One unit is the step of the table; the largest weights are cut off at 127 units.
    unit = float(np.quantile(np.abs(weights[weights != 0]), 0.9995)) / 127
    small = np.clip(np.rint(weights / unit), -127, 127).astype(np.int8)
    scores = samples.score(small.astype(np.float64), bias / unit)
    threshold /= unit
    _print_shares("kept back", rows, kept, scores, threshold)
    _print_sources(rows, kept, scores, threshold)
    _print_curve(rows, kept, scores)
    if given.write:
        header = {"bias": round(bias / unit, 2), "threshold": round(threshold, 2), "bits": BITS}
        TABLE.write_bytes(json.dumps(header).encode() + b"\n" + small.tobytes())
        write_figures(_select(rows, kept))


def write_figures(rows: Sequence[Row]) -> None:
    """Write into the header of the table what the package finds in the rows, rules and spellings included."""
    found = np.array([float(bool(find_signs(row.text))) for row in rows])
    certain = np.array([float(not CERTAIN.isdisjoint(find_signs(row.text))) for row in rows])
    header, _, weights = TABLE.read_bytes().partition(b"\n")
    figures = {"kept back": measure_shares(rows, found, 0.5), "certain": measure_shares(rows, certain, 0.5)}
    TABLE.write_bytes(json.dumps(json.loads(header) | figures).encode() + b"\n" + weights)
    every = np.ones(len(rows), dtype=bool)
    _print_shares("kept back, by the package", rows, every, found, 0.5)
    _print_shares("kept back, certain", rows, every, certain, 0.5)
    _print_sources(rows, every, found, 0.5)


def _select(rows: Sequence[Row], chosen: Array) -> list[Row]:
    return [row for row, here in zip(rows, chosen, strict=True) if here]


def _print_shares(title: str, rows: Sequence[Row], chosen: Array, scores: Array, threshold: float) -> None:
    sys.stdout.write(f"# {title}, threshold {threshold:.2f}\n")
    for name, (share, size) in measure_shares(_select(rows, chosen), scores[chosen], threshold).items():
        sys.stdout.write(f"{name:24} {share:6.2f} % of {size}\n")


def _print_sources(rows: Sequence[Row], chosen: Array, scores: Array, threshold: float) -> None:
    sys.stdout.write("# kept back, by source\n")
    found: dict[tuple[int, str], list[bool]] = {}
    for row, here, score in zip(rows, chosen, scores, strict=True):
        if here:
            found.setdefault((row.label, row.source.partition(":")[0]), []).append(score > threshold)
    for (label, source), hits in sorted(found.items()):
        sys.stdout.write(
            f"{'attack' if label else 'honest'} {source:24} {100 * sum(hits) / len(hits):6.2f} % of {len(hits)}\n"
        )


def _print_curve(rows: Sequence[Row], chosen: Array, scores: Array) -> None:
    """Print which share of the attacks is seen when a share of the honest notes is suspected."""
    part, values = _select(rows, chosen), scores[chosen]
    notes = values[[row.label == 0 and row.kind in ("note", "note-code", "convention", "commit") for row in part]]
    kinds = sorted({row.kind for row in part if row.label})
    sys.stdout.write(f"# curve: honest notes suspected, attacks seen ({', '.join(kinds)})\n")
    for share in (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1):
        threshold = float(np.quantile(notes, 1 - share))
        seen = [values[[row.label == 1 and row.kind == kind for row in part]] > threshold for kind in kinds]
        sys.stdout.write(f"{share:6.2%}  {'  '.join(f'{each.mean():6.1%}' for each in seen)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
