"""Measure capture: precision and recall of what is kept, how often its type is right, and the CPU time.

The events are those of the tests, marked by hand. Half of them, chosen by hash, were never looked at while the rules
were written. In a full store everything resembles something: every novelty is 0.4.

    python -m benchmarks.capture [--mistakes]
"""

from __future__ import annotations

import json
import sys
import time

from tests.capture.marked import Marked, load_marked, make_event, tally

from benchmarks.table import Target, row, show
from limpet.capture.judge import judge
from limpet.capture.state import SegmentState, to_json

ENOUGH = Target(85, "%", at_least=True)
TYPED = Target(80, "%", at_least=True)
QUICK = Target(5, "ms")


def main() -> None:
    every = list(load_marked())
    unseen = [each for each in every if each.unseen]
    seen = [each for each in every if not each.unseen]
    rows = []
    for title, which in (("developed on", seen), ("unseen half", unseen)):
        for store, novelty in (("empty store", 1.0), ("full store", 0.4)):
            rows += _rows(f"{title}, {store}", which, novelty)
    show(f"{len(every)} marked events", ("what", "share", "right", "wrong"), rows)
    _times(every)
    if "--mistakes" in sys.argv:
        print()
        for mistake in tally(seen).mistakes:
            print(mistake)


def _rows(title: str, which: list[Marked], novelty: float) -> list[tuple[str, ...]]:
    found = tally(which, lambda _: novelty)
    shares = (
        ("precision", found.precision, found.right, found.junk, ENOUGH),
        ("recall", found.recall, found.right, found.missed, ENOUGH),
        ("type", found.accuracy, found.typed, found.right - found.typed, TYPED),
    )
    return [
        row(f"{title}: {name}", f"{share:.1%}", str(right), str(wrong), target=target, value=100 * share)
        for name, share, right, wrong, target in shares
    ]


def _times(every: list[Marked]) -> None:
    events = [make_event(short) for each in every for short in (*each.before, each.event)]
    report = "The quick fix failed because src/a.py was wrong and never used instead of b. " * 2000
    lines = "\n".join(f"src/a{n}.py:{n}: error: something {n}" for n in range(50_000))
    worst = {
        "a long report": make_event({"said": report}),
        "a long prompt": make_event({"prompt": report}),
        "a long log": make_event({"run": "pytest", "out": lines, "failed": True}),
        "a megabyte": make_event({"run": "make", "out": "x" * 1_000_000}),
    }
    state = SegmentState()
    for event in events:
        state = judge(state, event).state
    spent = []
    state = SegmentState()
    for event in events:
        began = time.process_time()
        state = judge(state, event).state
        spent.append((time.process_time() - began) * 1000)
    spent.sort()
    rows = [
        row("an event, median", f"{spent[len(spent) // 2]:.2f} ms", target=QUICK, value=spent[len(spent) // 2]),
        row("an event, slowest", f"{spent[-1]:.2f} ms", target=QUICK, value=spent[-1]),
    ]
    for name, event in worst.items():
        began = time.process_time()
        for _ in range(5):
            judge(state, event)
        each = (time.process_time() - began) * 200
        rows.append(row(name, f"{each:.2f} ms", target=QUICK, value=each))
    rows.append(row("state as JSON", f"{len(json.dumps(to_json(state))):,} bytes"))
    show("CPU time", ("what", "measured"), rows)


if __name__ == "__main__":
    main()
