"""Fit the weights of `limpet/capture/*_signals.table` to marked messages and print them with their quality.

    python -m scripts.fit_points FOLDER…

A folder holds marked sessions, one per line, like `tests/capture/corpus/sessions.jsonl`; an event that is marked
`unsure` is skipped. The half of the tests' corpus that may be looked at is always included. What is printed as held
back is measured on sessions that the weights were not fitted to.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.fitting import Row, fit_weights, format_quality, predict_held_back
from tests.capture.marked import Marked, load_marked, make_event, session_events

from limpet.capture.judge import judge
from limpet.capture.score import BIAS, PROMPTS, REPORTS
from limpet.capture.speech.prompts import read_prompt
from limpet.capture.speech.signals import report_signals
from limpet.capture.speech.statements import parse_statements
from limpet.capture.state import SegmentState
from limpet.capture.tools.observe import observe

LIKELY = {"prompt": 0.4, "said": 0.5}
"""How likely a message must be worth keeping: a missed wish is lost, a useless one fades."""


def load_rows(kind: str, folders: Sequence[str]) -> Iterator[Row]:
    """Yield the signals of every marked message of a kind."""
    for each in load_marked():
        if not each.unseen:
            yield from _make_rows(kind, each, each.where, own=True)
    for path in sorted(file for folder in folders for file in Path(folder).glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            events = json.loads(line).get("session", ())
            doubts = [bool(event.pop("unsure", False)) for event in events]
            for each, doubtful in zip(session_events(f"{path.name}:{number}", events), doubts, strict=True):
                if not doubtful:
                    yield from _make_rows(kind, each, f"{path.name}:{number}", own=False)


def _make_rows(kind: str, each: Marked, group: str, *, own: bool) -> Iterator[Row]:
    seen = observe(make_event(each.event)) if kind in each.event else None
    if seen is None:
        return
    state = SegmentState()
    for minute, short in enumerate(each.before):
        state = judge(state, make_event(short, minute=minute)).state
    is_report = kind == "said"
    said = parse_statements(seen.text)
    signals = report_signals(said, state.turn) if is_report else read_prompt(seen.text, state.turn).signals
    yield Row(group=group, meant=each.keep, signals=signals, own=own)


def main(folders: Sequence[str]) -> None:
    for kind, table in (("prompt", PROMPTS), ("said", REPORTS)):
        given = list(load_rows(kind, folders))
        sys.stdout.write(f"# {table}.table\n")
        weights = fit_weights(given, likely=LIKELY[kind])
        for name in ("", *given[0].signals):
            sys.stdout.write(f"{name or BIAS} {weights.get(name, 0.0)}\n")
        if folders:
            sys.stdout.write(f"# held back: {format_quality(predict_held_back(given, likely=LIKELY[kind]))}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
