"""Fits the weights of `limpet/guard/weigh.py` to attacks and honest notes and prints them.

    python -m scripts.fit_hints ATTACKS.jsonl HONEST.jsonl

Each line of the files is {"text": …, "source": …}. Those of the tests that may be looked at are always part of it. A
weight below nought is left out: nobody may talk himself out of suspicion. What is printed as held back is measured on
sources that the weights were not fitted to.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.fitting import Row, fitted, held_back, quality, shown
from tests.doors.corpora import attacks, honest_notes

from limpet.guard.weigh import PATTERNS, hints

LIKELY = 0.9
"""An honest note that is suspected is withheld, so we want to be sure."""


def rows(files: Sequence[str]) -> Iterator[Row]:
    for samples, meant in ((attacks(), True), (honest_notes(), False)):
        for sample in samples:
            if not sample.held_out:
                yield _row(sample.text, "ours", meant=meant, own=True)
    for file, meant in zip(files, (True, False), strict=False):
        for line in Path(file).read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            yield _row(told["text"], told["source"], meant=meant, own=False)


def _row(text: str, group: str, *, meant: bool, own: bool) -> Row:
    found = {kind for _, kind in hints(text.lower())}
    return Row(group=group, meant=meant, signs={kind: float(kind in found) for kind in PATTERNS}, own=own)


def main(files: Sequence[str]) -> None:
    given = list(rows(files))
    weights = fitted(given, likely=LIKELY)
    while any(weight < 0 for name, weight in weights.items() if name):
        for row in given:
            row.signs = {name: value for name, value in row.signs.items() if weights.get(name, 0) > 0}
        weights = fitted(given, likely=LIKELY)
    sys.stdout.write(f"ENOUGH = {-weights.pop('')}\n_WEIGHTS = {shown(weights)}\n")
    if files:
        sys.stdout.write(f"# held back: {quality(held_back(given, likely=LIKELY))}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
