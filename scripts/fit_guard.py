"""Fit the weights of `limpet/guard/tables/weights.bin` to planted texts and honest notes, and print how well they do.

    python -m scripts.fit_guard ROWS.jsonl… [--write]
    python -m scripts.fit_guard KEPT.jsonl… --measure

A line of a file is {"text": …, "label": 1 for an attack or 0, "kind": …, "source": …}. The corpus of the tests and the
texts of `scripts.invent_texts` are added. Rows of one source (a repository, a collection, an author) stay together: the
threshold is chosen on scores that each source got from weights fitted without it. `--measure` fits nothing: it
measures the package, rules and spellings included, on sources that were kept back, and writes the figures into the
table.

The fit begins at the weights of the table and is held near them, so what they were fitted to before counts as well.
Most of those texts belong to others and are not in the repository; decision 16 in `docs/explanation/decisions` lists
where they came from. numpy is needed here, and only here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scripts.invent_texts import invent_texts
from tests.doors.corpora import attacks, honest_notes

from limpet.guard import classifier
from limpet.guard.classifier import BITS, EVEN, WEIGHTS, cut_windows, find_features
from limpet.guard.engine import find_signs
from limpet.guard.neutral import remove_hidden
from limpet.guard.signs import CERTAIN
from limpet.text.tables import read_weights

Array = np.ndarray[Any, np.dtype[Any]]

INVENTED, EACH = "invented", 12
FOLDS = 4
STEPS, RATE, PENALTY = 150, 0.3, 0.05
ATTACKS = 0.3
"""The weight of all attacks together, beside that of all honest rows."""
LIMITS = {"note": 0.002, "note-code": 0.002, "convention": 0.003, "commit": 0.002, "trigger": 0.01}
"""The share of honest rows of each kind that may be suspected on sources not fitted to, a little below the promise.

It holds for public texts and for the hard ones that were written to be mistaken, each by themselves.
"""
PUBLIC = ("pkg:", "doc:", "rule:", "commit:")
"""How the names of sources begin that are documents of the public."""
KIND_WEIGHTS = {"poison": 2.0, "convention": 2.0, "trigger": 3.0, "security_note": 3.0}
HARD_WEIGHT = 4.0
"""The weight of an attack of the kinds that were written by hand for this fit."""
MEMORY_WEIGHT = 2.5
"""The weight of honest texts that were written as memories, beside those of documents, which differ in style."""
LARGE_SOURCE = 300
"""Rows above which a source stops counting in full, so that no source outweighs the others."""
WINDOWS = 4
KEEP = 0.4
"""The share of the earlier weights in the new ones. Without it, orders that everybody knows would lose their margin."""
FIRST_UNIT = 1 / 70
"""What one step of the first table is worth here; later tables say it themselves."""
TABLE = Path(classifier.__file__).parent / "tables" / "weights.bin"


@dataclass(frozen=True)
class Row:
    text: str
    label: int
    kind: str
    source: str

    @property
    def fold(self) -> int:
        """Return the part in which the row is held back; an invented row is in none."""
        return -1 if self.source == INVENTED else hashlib.md5(self.source.encode()).digest()[0] % FOLDS

    @property
    def is_public(self) -> bool:
        return self.source.startswith(PUBLIC)


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
        self.scale = 1 / np.sqrt(self.counts + EVEN)
        self.places = np.concatenate(places)
        self.owners = np.array(owners)
        self.labels = np.array([row.label for row in rows])
        self.weights = self._weigh_rows() / np.maximum(np.bincount(self.owners, minlength=len(rows)), 1)

    def _weigh_rows(self) -> Array:
        sizes = Counter((row.label, row.source) for row in self.rows)
        hard = {row.kind for row in self.rows if row.label and row.source == INVENTED}
        return np.array(
            [
                KIND_WEIGHTS.get(row.kind, HARD_WEIGHT if row.label and row.kind in hard else 1.0)
                * (MEMORY_WEIGHT if not row.label and not row.is_public and row.source != INVENTED else 1.0)
                * (1.0 if row.source == INVENTED else min(1.0, (LARGE_SOURCE / sizes[row.label, row.source]) ** 0.5))
                for row in self.rows
            ]
        )

    def fit(self, chosen: Array, earlier: Array) -> tuple[Array, float]:
        """Return the weights and the bias of a logistic regression on the chosen rows, near the earlier weights."""
        windows = chosen[self.owners]
        places = self.places[np.repeat(windows, self.counts)]
        counts, scale = self.counts[windows], self.scale[windows]
        owner = np.repeat(np.arange(len(counts)), counts)
        labels = self.labels[self.owners[windows]]
        importance = self.weights[self.owners[windows]].copy()
        importance[labels == 1] *= ATTACKS * importance[labels == 0].sum() / importance[labels == 1].sum()
        importance /= importance.sum()
        weights, bias = earlier.copy(), -2.0
        mean, square, bias_mean, bias_square = np.zeros_like(weights), np.zeros_like(weights), 0.0, 0.0
        for step in range(1, STEPS + 1):
            total = np.bincount(owner, weights=weights[places], minlength=len(counts)) * scale + bias
            error = (1 / (1 + np.exp(-total)) - labels) * importance
            slope: Array = np.bincount(places, weights=(error * scale)[owner], minlength=1 << BITS)
            slope = slope + PENALTY * (weights - earlier) / len(counts)
            mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
            bias_mean, bias_square = 0.9 * bias_mean + 0.1 * error.sum(), 0.99 * bias_square + 0.01 * error.sum() ** 2
            rate = RATE * (1 - 0.9 * step / STEPS) / (1 - 0.9**step) * (1 - 0.99**step) ** 0.5
            weights -= rate * mean / (np.sqrt(square) + 1e-7)
            bias -= rate * bias_mean / (np.sqrt(bias_square) + 1e-9)
        return (1 - KEEP) * weights + KEEP * earlier, (1 - KEEP) * float(bias)

    def score(self, weights: Array, bias: float) -> Array:
        """Return the score of each row: that of its worst window."""
        owner = np.repeat(np.arange(len(self.counts)), self.counts)
        totals = np.bincount(owner, weights=weights[self.places], minlength=len(self.counts)) * self.scale + bias
        found = np.full(len(self.rows), -np.inf)
        np.maximum.at(found, self.owners, totals)
        return found


def load_rows(files: Sequence[str]) -> list[Row]:
    """Return the rows of the files."""
    lines = (line for file in files for line in Path(file).read_text(encoding="utf-8").splitlines())
    return [Row(**json.loads(line)) for line in lines]


def load_own_rows() -> Iterator[Row]:
    """Yield the rows of the corpus of the tests, and the invented ones."""
    for label, samples in ((1, attacks()), (0, honest_notes())):
        yield from (Row(each.text, label, each.family, each.author) for each in samples)
    yield from (Row(text, label, kind, INVENTED) for label, kind, text in invent_texts(EACH, seed=1))


def read_earlier() -> Array:
    """Return the weights of the table of the package, each in the unit of this fit."""
    header, weights = read_weights(WEIGHTS)
    return np.array(weights.tolist(), dtype=np.float64) * float(header.get("unit", FIRST_UNIT))


def choose_threshold(rows: Sequence[Row], scores: Array) -> float:
    """Return the lowest threshold at which every kind of honest row stays within its limit."""
    parts = [
        (scores[[row.label == 0 and row.kind == kind and row.is_public == public for row in rows]], limit)
        for kind, limit in LIMITS.items()
        for public in (True, False)
    ]
    return max(float(np.quantile(part, 1 - limit)) for part, limit in parts if len(part))


def measure_shares(rows: Sequence[Row], found: Array) -> dict[str, list[float | int]]:
    """Return by label and kind the percentage of rows that were found, and how many rows there are."""
    shares: dict[str, list[float | int]] = {}
    for label, kind in sorted({(row.label, row.kind) for row in rows}):
        part = found[[row.label == label and row.kind == kind for row in rows]]
        shares[f"{'attack' if label else 'honest'} {kind}"] = [round(100 * float(part.mean()), 2), len(part)]
    return shares


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", nargs="+")
    parser.add_argument("--write", action="store_true", help="replace the table of the package")
    parser.add_argument("--measure", action="store_true", help="fit nothing, measure the package and write the figures")
    given = parser.parse_args(arguments)
    if given.measure:
        write_figures(load_rows(given.rows))
        return
    samples = Samples([*load_rows(given.rows), *load_own_rows()])
    rows, earlier = samples.rows, read_earlier()
    folds = np.array([row.fold for row in rows])
    scores = np.full(len(rows), -np.inf)
    for fold in range(FOLDS):
        scores[folds == fold] = samples.score(*samples.fit(folds != fold, earlier))[folds == fold]
    crossed = [row for row in rows if row.fold >= 0]
    scores = scores[folds >= 0]
    threshold = choose_threshold(crossed, scores)
    _print_shares("each source by weights fitted without it", crossed, scores > threshold)
    _print_shares("of these public", *_select(crossed, scores > threshold, [row.is_public for row in crossed]))
    weights, bias = samples.fit(np.ones(len(rows), dtype=bool), earlier)
    # One unit is the step of the table; the largest weights are cut off at 127 units.
    unit = float(np.quantile(np.abs(weights[weights != 0]), 0.9995)) / 127
    small = np.clip(np.rint(weights / unit), -127, 127).astype(np.int8)
    if given.write:
        header = {"bias": bias / unit, "threshold": threshold / unit, "unit": unit, "bits": BITS}
        TABLE.write_bytes(json.dumps(header).encode() + b"\n" + small.tobytes())


def write_figures(rows: Sequence[Row]) -> None:
    """Write into the header of the table what the package finds in the rows, rules and spellings included."""
    signs = [find_signs(row.text) for row in rows]
    figures = {
        "kept back": measure_shares(rows, np.array(list(map(bool, signs)))),
        "certain": measure_shares(rows, np.array([not CERTAIN.isdisjoint(found) for found in signs])),
    }
    header, _, weights = TABLE.read_bytes().partition(b"\n")
    TABLE.write_bytes(json.dumps(json.loads(header) | figures).encode() + b"\n" + weights)
    for title, shares in figures.items():
        _print_figures(title, shares)


def _select(rows: Sequence[Row], found: Array, chosen: Sequence[bool]) -> tuple[list[Row], Array]:
    return [row for row, here in zip(rows, chosen, strict=True) if here], found[np.array(chosen)]


def _print_shares(title: str, rows: Sequence[Row], found: Array) -> None:
    _print_figures(title, measure_shares(rows, found))


def _print_figures(title: str, shares: dict[str, list[float | int]]) -> None:
    sys.stdout.write(f"# {title}\n")
    for name, (share, size) in shares.items():
        sys.stdout.write(f"{name:28} {share:6.2f} % of {size}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
