"""Fit the weights of capture to marked messages, and print how well they do on people they were not fitted to.

    python -m scripts.fit_capture DATA [--write]

DATA is a file of marked messages, one JSON object a line, `.xz` or plain: {"role": "prompt" or "report", "repo":
"owner/name", "text": …, "before": the end of the message before it, "label": {"kind": …, "sure": true or false}}. A
message is wanted if its kind is rule, decision, fact or fix. The messages of three owners in ten, chosen by hash, are
kept back: nothing is fitted to them and nothing is chosen by them. The tests' corpus is not fitted to: it was marked by
another guide, by which all finished work is worth keeping.

The bias puts the gate where a share of the wanted messages passes (`AIMS`), measured on messages that were scored by
weights fitted without their owner. Few of the marked messages are short rules, so the weights for short prompts are
fitted to the short ones among them and to the invented ones of `short_prompts.txt`, and the bias puts the gate where a
share of the invented ordinary messages passes (`PASSING`).

With `--write`, the weights are written to `limpet/capture/*_signals.table` and
`limpet/capture/grams.bin`. The messages belong to others and are not in the repository. numpy is needed here, and only
here.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from benchmarks.marked import KEPT_BACK, load_messages, make_event

from limpet.capture.candidate import GATE
from limpet.capture.score import BIAS, GRAMS, PROMPTS, REPORTS, SHORT
from limpet.capture.speech.prompts import read_prompt
from limpet.capture.speech.signals import report_signals
from limpet.capture.tools.observe import observe
from limpet.text.grams import BITS, find_grams, hash_gram
from limpet.text.tables import table_path

Array = np.ndarray[Any, np.dtype[Any]]

ROLES = {PROMPTS: "prompt", SHORT: "prompt", REPORTS: "report"}
INVENTED = Path(__file__).with_name("short_prompts.txt")
AIMS = {PROMPTS: 0.80, REPORTS: 0.94}
"""The share of the wanted messages that is to pass the gate."""
PASSING = 0.085
"""The share of the invented ordinary messages that may pass the gate."""
IMPORTANCE, SLOPE = 2.0, 1.5
"""The weight of an invented message, and the factor by which the points of short prompts are spread."""
STEPS, RATE = 400, 0.05
SIGNAL_PENALTY, GRAM_PENALTY = 1.0, 0.3
UNSURE = 0.5
"""The weight of a message whose mark its author was not sure of."""
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True)
class Row:
    """A message as it is fitted to."""

    signals: dict[str, float]
    grams: set[str]
    wanted: bool
    sure: bool
    fold: int
    invented: bool = False


def load_rows(table: str, path: str) -> Iterator[Row]:
    """Yield the messages of a kind."""
    for message in load_messages(path):
        seen = observe(make_event(message))
        if seen is None or message.role != ROLES[table]:
            continue
        prompt = read_prompt(seen.text)
        if table == SHORT and not prompt.is_short:
            continue
        signals = report_signals(prompt.said) if table == REPORTS else prompt.signals
        grams = find_grams(each.words for each in prompt.said)
        yield Row(signals=signals, grams=grams, wanted=message.wanted, sure=message.sure, fold=message.fold)


def load_invented() -> Iterator[Row]:
    """Yield the invented short prompts, each in a fold of its own by its text."""
    for line in INVENTED.read_text(encoding="utf-8").splitlines():
        if line.startswith(("+ ", "- ")):
            prompt = read_prompt(line[2:])
            grams = find_grams(each.words for each in prompt.said)
            fold = crc32(line.encode()) % 10
            yield Row(prompt.signals, grams, wanted=line[0] == "+", sure=True, fold=fold, invented=True)


class Samples:
    """The messages of one kind as numbers: their signals, and the places of their words in the table of weights."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.names = list(rows[0].signals)
        self.signals = np.array([[row.signals[name] for name in self.names] for row in rows])
        places = [sorted({hash_gram(gram) for gram in row.grams}) for row in rows]
        counts = np.array([len(each) for each in places])
        self.places = np.array([place for each in places for place in each])
        self.owners = np.repeat(np.arange(len(rows)), counts)
        self.values = (1 / np.sqrt(np.maximum(counts, 1)))[self.owners]
        self.wanted = np.array([float(row.wanted) for row in rows])
        self.sure = np.array([row.sure for row in rows])
        self.folds = np.array([row.fold for row in rows])
        self.invented = np.array([row.invented for row in rows])

    def fit(self, chosen: Array) -> Array:
        """Return the bias, the weights of the signals and those of the words, fitted to the chosen rows."""
        weights = np.zeros(1 + len(self.names) + (1 << BITS))
        importance = np.where(self.sure, 1.0, UNSURE) * np.where(self.invented, IMPORTANCE, 1.0) * chosen
        penalty = np.concatenate([[0.0], [SIGNAL_PENALTY] * len(self.names), [GRAM_PENALTY] * (1 << BITS)])
        mean, square = np.zeros_like(weights), np.zeros_like(weights)
        for step in range(1, STEPS + 1):
            error = (1 / (1 + np.exp(-self.score(weights))) - self.wanted) * importance
            words = np.bincount(self.places, weights=error[self.owners] * self.values, minlength=1 << BITS)
            slope = np.concatenate([[error.sum()], error @ self.signals, words]) + penalty * weights
            mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
            rate = RATE * (1 - 0.9 * step / STEPS) / (1 - 0.9**step) * (1 - 0.99**step) ** 0.5
            weights -= rate * mean / (np.sqrt(square) + 1e-9)
        return weights

    def score(self, weights: Array) -> Array:
        """Return the points of each row."""
        ahead = 1 + len(self.names)
        words = weights[ahead:][self.places] * self.values
        total: Array = weights[0] + self.signals @ weights[1:ahead]
        return total + np.bincount(self.owners, weights=words, minlength=len(total))

    def score_strangers(self, folds: Sequence[int], usable: Array | None = None) -> Array:
        """Return the points of the rows of each fold by weights that were fitted to the usable rows of other folds."""
        points = np.zeros(len(self.folds))
        for fold in folds:
            others = np.isin(self.folds, folds) & (self.folds != fold)
            others = others if usable is None else others & usable
            held = self.folds == fold
            points[held] = self.score(self.fit(others))[held]
        return points

    def describe(self, points: Array, chosen: Array) -> dict[str, Any]:
        """Return the curve of recall over the share of messages, for sure marks and for all."""
        found = {}
        for name, rows in (("sure", chosen & self.sure), ("all", chosen)):
            wanted = self.wanted[rows][np.argsort(-points[rows], kind="stable")].cumsum()
            recall = [round(float(wanted[int(share * len(wanted)) - 1] / wanted[-1]), 3) for share in SHARES]
            found[name] = {"messages": len(wanted), "wanted": int(wanted[-1]), "recall": recall}
        return found


def find_threshold(points: Array, wanted: Array, aim: float) -> float:
    """Return the points that the given share of the wanted rows reaches."""
    ranked = np.sort(points[wanted > 0])[::-1]
    return float(ranked[math.ceil(aim * len(ranked)) - 1])


def fit_table(table: str, path: str) -> tuple[dict[str, float], Array, dict[str, Any]]:
    """Return the weights of the signals with the bias, those of the words, and how well they do."""
    samples = Samples(list(load_rows(table, path)))
    fitted = [fold for fold in range(10) if fold not in KEPT_BACK]
    is_fitted, is_kept = np.isin(samples.folds, fitted), np.isin(samples.folds, KEPT_BACK)
    strangers = samples.score_strangers(fitted)
    threshold = find_threshold(strangers[is_fitted], samples.wanted[is_fitted], AIMS[table])
    weights = samples.fit(is_fitted)
    points = samples.score(weights)
    figures = {
        "shares": SHARES,
        "fitted part, each owner held back": samples.describe(strangers, is_fitted),
        "owners kept back": samples.describe(points, is_kept),
        "all owners, each held back": samples.describe(samples.score_strangers(range(10)), is_fitted | is_kept),
        "passes": {
            name: {
                "share": round(float((points[rows] >= threshold).mean()), 3),
                "recall": round(float((points[rows & (samples.wanted > 0)] >= threshold).mean()), 3),
            }
            for name, rows in (("sure", is_kept & samples.sure), ("all", is_kept))
        },
    }
    ahead = 1 + len(samples.names)
    bias = float(weights[0]) - threshold + math.log(GATE / (1 - GATE))
    signals = {BIAS: bias} | dict(zip(samples.names, map(float, weights[1:ahead]), strict=True))
    return signals, weights[ahead:], figures


def fit_short(path: str) -> tuple[dict[str, float], Array, dict[str, Any]]:
    """Return the weights for short prompts like `fit_table`. An invented message is held back by its fold, too."""
    samples = Samples([*load_rows(SHORT, path), *load_invented()])
    is_fitted = samples.invented | ~np.isin(samples.folds, KEPT_BACK)
    strangers = samples.score_strangers(range(10), is_fitted)
    invented, wanted = samples.invented, samples.wanted > 0
    threshold = float(np.quantile(strangers[invented & ~wanted], 1 - PASSING))
    weights = samples.fit(is_fitted) * SLOPE
    passes = strangers >= threshold
    figures = {
        "invented, each held back": {
            "messages": int(invented.sum()),
            "rules": round(float(passes[invented & wanted].mean()), 3),
            "others": round(float(passes[invented & ~wanted].mean()), 3),
        },
        "short prompts, each owner held back": {
            "messages": int((~invented & samples.sure).sum()),
            "recall": round(float(passes[~invented & samples.sure & wanted].mean()), 3),
            "share": round(float(passes[~invented & samples.sure].mean()), 3),
        },
    }
    ahead = 1 + len(samples.names)
    bias = float(weights[0]) - SLOPE * threshold + math.log(GATE / (1 - GATE))
    signals = {BIAS: bias} | dict(zip(samples.names, map(float, weights[1:ahead]), strict=True))
    return signals, weights[ahead:], figures


def write_signals(table: str, signals: dict[str, float]) -> None:
    """Write the weights into the rows of a signal table; `table` is its path in the package."""
    path = Path(table_path(table))
    text = path.read_text(encoding="utf-8")
    for name, weight in signals.items():
        text, count = re.subn(rf"(?m)^{re.escape(name)} -?[\d.]+$", f"{name} {weight:.2f}", text)
        assert count == 1, name
    path.write_text(text, encoding="utf-8")


def write_grams(file: str, weights: dict[str, Array], figures: dict[str, Any], *, fitted_by: str) -> None:
    """Write the weights of the words as bytes, after a line that describes them."""
    steps = {table: float(np.abs(each).max()) / 127 for table, each in weights.items()}
    header = {
        "what": "points of hashed words and pairs of words, one byte each, for each of the tables in `steps`",
        "fitted by": f"python -m scripts.{fitted_by}",
        "steps": steps,
        "figures": figures,
    }
    data = b"".join(np.round(each / steps[table]).astype(np.int8).tobytes() for table, each in weights.items())
    Path(table_path(file)).write_bytes(json.dumps(header).encode() + b"\n" + data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="file of marked messages")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    given = parser.parse_args()
    grams, figures = {}, {}
    for table in (PROMPTS, REPORTS, SHORT):
        fitted = fit_short(given.data) if table == SHORT else fit_table(table, given.data)
        signals, grams[table], figures[table] = fitted
        sys.stdout.write(f"{table} {json.dumps({name: round(each, 2) for name, each in signals.items()})}\n")
        sys.stdout.write(f"{json.dumps(figures[table])}\n")
        if given.write:
            write_signals(f"capture/{table}.table", signals)
    if given.write:
        write_grams(GRAMS, grams, figures, fitted_by="fit_capture")


if __name__ == "__main__":
    main()
