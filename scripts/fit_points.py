"""Fits the points of `limpet/capture/points.py` to marked messages and prints them, with what they are worth.

    python -m scripts.fit_points FOLDER…

A folder holds marked sessions, one a line, as `tests/capture/corpus/sessions.jsonl` does; an event that is marked
`unsure` is passed over. The corpus of the tests is always part of it. What is printed as held back is measured on
sessions that the points were not fitted to, in eight rounds.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.capture.marked import Marked, in_session, made, marked

from limpet.capture import points
from limpet.capture.judge import judge
from limpet.capture.observe import observe
from limpet.capture.prompts import read
from limpet.capture.state import SegmentState
from limpet.capture.statements import statements

ROUNDS = 8
STEPS, RATE, STIFF = 600, 0.5, 1.0
KEPT_FROM = {"prompt": 0.4, "said": 0.5}
"""How likely a message must be worth keeping: a person's wish that is missed is lost, one kept in vain fades."""
LEAST = 0.2


@dataclass
class Row:
    group: str
    kind: str
    keep: bool
    signs: dict[str, float]
    own: bool


def rows(folders: Sequence[str]) -> Iterator[Row]:
    for each in marked():
        yield from _row(each, each.where, own=True)
    for path in sorted(file for folder in folders for file in Path(folder).glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            told = json.loads(line).get("session")
            if told is None:
                continue
            doubts = [bool(event.pop("unsure", False)) for event in told]
            for each, doubtful in zip(in_session(f"{path.name}:{number}", told), doubts, strict=True):
                if not doubtful:
                    yield from _row(each, f"{path.name}:{number}", own=False)


def _row(each: Marked, group: str, *, own: bool) -> Iterator[Row]:
    kind = next((kind for kind in ("prompt", "said") if kind in each.event), "")
    if not kind:
        return
    state = SegmentState()
    for minute, short in enumerate(each.before):
        state = judge(state, made(short, minute=minute)).state
    seen = observe(made(each.event))
    if seen is None:
        return
    turn = points.Turn(asked=state.asked, acted=state.acted, offered=state.offered)
    signs = points.of_report(statements(seen.text), turn) if kind == "said" else read(seen.text, turn).signs
    yield Row(group=group, kind=kind, keep=each.keep, signs=signs, own=own)


def fit(given: Sequence[Row], names: Sequence[str]) -> list[float]:
    """Logistic regression with a penalty on large weights, by plain descent; the first weight stands by itself."""
    weights = [0.0] * (len(names) + 1)
    table = [(row.keep, [1.0, *(row.signs[name] for name in names)]) for row in given]
    for _ in range(STEPS):
        slope = [0.0] * len(weights)
        for keep, signs in table:
            error = _likely(weights, signs) - keep
            for at, sign in enumerate(signs):
                if sign:
                    slope[at] += error * sign
        for at, step in enumerate(slope):
            penalty = STIFF * weights[at] if at else 0.0
            weights[at] -= RATE * 10 * (step + penalty) / len(table)
    return weights


def _likely(weights: Sequence[float], signs: Sequence[float]) -> float:
    return 1 / (1 + math.exp(-sum(weight * sign for weight, sign in zip(weights, signs, strict=True))))


def held_back(given: Sequence[Row], names: Sequence[str]) -> str:
    right = kept = worth = 0
    groups = sorted({row.group for row in given if not row.own})
    for turn in range(ROUNDS):
        away = set(groups[turn::ROUNDS])
        weights = fit([row for row in given if row.group not in away], names)
        for row in given:
            if row.group in away:
                found = _likely(weights, [1.0, *(row.signs[name] for name in names)]) > KEPT_FROM[row.kind]
                right, kept, worth = right + (found and row.keep), kept + found, worth + row.keep
    return f"precision {right / max(1, kept):.0%}, recall {right / max(1, worth):.0%} of {worth}"


def main(folders: Sequence[str]) -> None:
    every = list(rows(folders))
    for kind, table in (("prompt", "PROMPT"), ("said", "REPORT")):
        given = [row for row in every if row.kind == kind]
        names = list(given[0].signs)
        weights = fit(given, names)
        likely = KEPT_FROM[kind]
        first = weights[0] - math.log(likely / (1 - likely))
        shown: dict[str, Any] = {"": round(first, 1)}
        shown |= {name: round(weight, 1) for name, weight in zip(names, weights[1:], strict=True)}
        lines = ", ".join(f'"{name}": {weight}' for name, weight in shown.items() if abs(weight) >= LEAST)
        sys.stdout.write(f"{table} = {{{lines}}}\n")
        if folders:
            sys.stdout.write(f"# held back: {held_back(given, names)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
