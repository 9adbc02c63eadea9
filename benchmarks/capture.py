"""Measure capture: precision and recall of what is noted, how often its type is right, and the CPU time.

The events are those of the tests, marked by hand. Half of them, chosen by hash, were never looked at while the rules
were written. In a full store everything resembles something: every novelty is 0.4.

    python -m benchmarks.capture [--mistakes] [DATA]

With a file of marked messages (`scripts/fit_capture.py` describes it), capture is measured on the messages of the
owners to whom its weights were not fitted: the share of the messages that is noted, how many of the wanted ones are
among them, and the precision of the messages with the highest scores.
"""

from __future__ import annotations

import json
import sys
import time

from tests.capture.marked import Marked, load_marked, make_event, tally

from benchmarks.marked import KEPT_BACK, Message, load_messages, make_event_before
from benchmarks.marked import make_event as make_marked_event
from benchmarks.table import Target, row, show
from limpet.capture.candidate import GATE
from limpet.capture.judge import judge
from limpet.capture.state import SegmentState, encode_segment_state

ENOUGH = Target(85, "%", at_least=True)
TYPED = Target(80, "%", at_least=True)
QUICK = Target(5, "ms")
TOP = (10, 20, 50)


def main() -> None:
    every = list(load_marked())
    unseen = [each for each in every if each.unseen]
    seen = [each for each in every if not each.unseen]
    rows = []
    for title, which in (("developed on", seen), ("unseen half", unseen)):
        for store, novelty in (("empty store", 1.0), ("full store", 0.4)):
            rows += _rows(f"{title}, {store}", which, novelty)
    show(f"{len(every)} marked events", ("what", "share", "right", "wrong"), rows)
    for path in sys.argv[1:]:
        if not path.startswith("--"):
            _measure_strangers(path)
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


def _measure_strangers(path: str) -> None:
    """Print what is noted of the messages of owners that were kept back."""
    rows = []
    for role in ("prompt", "report"):
        judged = [
            (message, _score_message(message))
            for message in load_messages(path)
            if message.role == role and message.fold in KEPT_BACK
        ]
        for name, which in (("sure marks", [pair for pair in judged if pair[0].sure]), ("all marks", judged)):
            noted = [message for message, score in which if score >= GATE]
            right, wanted = sum(each.wanted for each in noted), sum(message.wanted for message, _ in which)
            ranked = [message.wanted for message, _ in sorted(which, key=lambda pair: -pair[1])]
            best = " / ".join(f"{sum(ranked[:top]) / top:.0%}" for top in TOP)
            share, recall, precision = len(noted) / len(which), right / wanted, right / len(noted)
            counts = f"{len(which)} ({wanted})"
            rows.append(row(f"{role}s, {name}", counts, f"{share:.1%}", f"{recall:.1%}", f"{precision:.1%}", best))
    headings = ("owners kept back", "messages (wanted)", "noted", "recall", "precision", f"precision of the best {TOP}")
    show("marked messages of real sessions", headings, rows)


def _score_message(message: Message) -> float:
    """Return the highest score of what would be noted of a message, or 0."""
    state = judge(SegmentState(), make_event_before(message)).state if message.before else SegmentState()
    kept = judge(state, make_marked_event(message)).kept
    return max((each.memorability.total for each in kept if each.memorability is not None), default=0.0)


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
    rows.append(row("state as JSON", f"{len(json.dumps(encode_segment_state(state))):,} bytes"))
    show("CPU time", ("what", "measured"), rows)


if __name__ == "__main__":
    main()
