"""Fit the weights of `limpet/guard/tables/hints.rules` to attacks and honest notes and print them.

    python -m scripts.fit_hints ATTACKS.jsonl HONEST.jsonl

Each line of the files is {"text": …, "source": …}. The texts of the tests that may be looked at are always part of it.
Negative weights are left out, so that no reassuring words can cancel a hint. What is printed as held back is measured
on sources that the weights were not fitted to.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.fitting import Row, fit_weights, format_quality, format_weights, predict_held_back
from tests.doors.corpora import attacks, honest_notes

from limpet.guard.weigh import find_hints, load_hints

LIKELY = 0.9
"""High, because an honest note that is suspected is withheld."""


def load_rows(files: Sequence[str]) -> Iterator[Row]:
    for samples, meant in ((attacks(), True), (honest_notes(), False)):
        for sample in samples:
            if not sample.held_out:
                yield _make_row(sample.text, "ours", meant=meant, own=True)
    for file, meant in zip(files, (True, False), strict=False):
        for line in Path(file).read_text(encoding="utf-8").splitlines():
            sample = json.loads(line)
            yield _make_row(sample["text"], sample["source"], meant=meant, own=False)


def _make_row(text: str, group: str, *, meant: bool, own: bool) -> Row:
    found = {kind for _, kind in find_hints(text.lower())}
    return Row(
        group=group,
        meant=meant,
        signals={kind: float(kind in found) for kind in (hint.name for hint in load_hints())},
        own=own,
    )


def main(files: Sequence[str]) -> None:
    given = list(load_rows(files))
    weights = fit_weights(given, likely=LIKELY)
    while any(weight < 0 for name, weight in weights.items() if name):
        for row in given:
            row.signals = {name: value for name, value in row.signals.items() if weights.get(name, 0) > 0}
        weights = fit_weights(given, likely=LIKELY)
    sys.stdout.write(f"threshold: {-weights.pop('')}\n{format_weights(weights)}\n")
    if files:
        sys.stdout.write(f"# held back: {format_quality(predict_held_back(given, likely=LIKELY))}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
