"""Print how the governor does on the corpora of the tests, by kind and by origin, and on texts of a megabyte.

The last column of each kind is of authors that nothing was fitted to.

    python -m benchmarks.governor
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from random import Random

from tests.doors.corpora import CARRIERS, Sample, attacks, carried, honest_notes, kept_attacks, kept_notes
from tests.model.making import memory

from benchmarks.table import Target, row, show
from limpet.doors.governor import Passed, Way, govern
from limpet.doors.origin import find_origin
from limpet.guard.engine import find_signs
from limpet.guard.neutral import neutralise
from limpet.guard.rules import load_rules
from limpet.model.memory import Origin
from limpet.model.query import Stored
from limpet.model.taint import Taint

HALVES = ("fitted to", "kept back")
PAGES: tuple[str, ...] = ("a page",)
PROMPT = "Please look up why the export is slow, then fix it."
ORIGINS = (Origin.USER, Origin.AGENT, Origin.TOOL, Origin.FILE, Origin.EXTERNAL)


def main() -> None:
    for title, halves, bars, total in (
        ("attacks seen", (attacks(), kept_attacks()), {}, Target(80, "%", at_least=True)),
        (
            "honest notes suspected",
            (honest_notes(), kept_notes()),
            {"note": 1.0, "convention": 1.0, "trigger": 5.0},
            None,
        ),
    ):
        families = sorted({sample.family for half in halves for sample in half})
        rows = []
        for family in families:
            bar = Target(bars[family], "%") if family in bars else None
            rows.append(_compare(family, [[each for each in half if each.family == family] for half in halves], bar))
        show(title, ["kind", *HALVES], [*rows, _compare("together", halves, total)])
    _show_carriers([each for each in attacks() if find_signs(each.text)])
    _show_ways(kept_attacks(), kept_notes())
    _show_turns(kept_attacks(), kept_notes())
    _show_costs()


def _share(samples: Iterable[Sample]) -> float:
    hits = [bool(find_signs(each.text)) for each in samples]
    return 100 * sum(hits) / max(1, len(hits))


def _compare(name: str, halves: Sequence[list[Sample]], target: Target | None) -> tuple[str, ...]:
    cells = [f"{_share(half):5.1f} % of {len(half):3}" if half else "" for half in halves]
    return row(name, *cells, target=target, value=_share(halves[1]))


def _show_carriers(samples: list[Sample]) -> None:
    wrapped = [inner for each in samples for inner in carried(each)]
    rows = [row(name, f"{_share(each for each in wrapped if each.family == name):.1f} %") for name in CARRIERS]
    show("of the attacks seen, still seen inside", ["carrier", "share"], rows)


def _show_ways(found: list[Sample], notes: list[Sample]) -> None:
    rows = []
    for name, samples in (("attacks", found), ("honest notes", notes)):
        for origin in ORIGINS:
            stored = [Stored(memory=memory(each.text, origin=origin)) for each in samples]
            outcomes = [[govern(each, way=way) for each in stored] for way in (Way.START, Way.PROMPT, Way.ASKED)]
            cells = [_passing([each for each in row if isinstance(each, Passed)], len(stored)) for row in outcomes]
            rows.append(row(f"{name} by {origin.value}", *cells))
    show("kept back: passed, and passed as a bare line", ["", "at start", "with a prompt", "asked"], rows)


def _show_turns(found: list[Sample], notes: list[Sample]) -> None:
    """Show what an agent stores in a turn in which it has read from outside, by what the user has typed."""
    rows = []
    for name, samples, outside, is_typed in (
        ("attacks, nothing read", found, (), False),
        ("attacks, a page read", found, PAGES, False),
        ("honest notes, nothing read", notes, (), False),
        ("honest notes, a page read", notes, PAGES, False),
        ("honest notes, a page read and the note typed", notes, PAGES, True),
    ):
        turns = [Taint(outside=outside, typed=(each.text if is_typed else PROMPT,)) for each in samples]
        origins = [find_origin(Origin.AGENT, each.text, turn)[0] for each, turn in zip(samples, turns, strict=True)]
        memories = [memory(each.text, origin=origin) for each, origin in zip(samples, origins, strict=True)]
        stored = [Stored(memory=each) for each in memories]
        outcomes = [[govern(each, way=way) for each in stored] for way in (Way.PROMPT, Way.ASKED)]
        cells = [_passing([each for each in row if isinstance(each, Passed)], len(stored)) for row in outcomes]
        rows.append(row(name, *cells))
    show("stored by an agent: passed, and passed as a bare line", ["", "with a prompt", "asked"], rows)


def _passing(passed: list[Passed], total: int) -> str:
    stated = sum(not each.quoted for each in passed)
    return f"{100 * len(passed) / total:.1f} %, {100 * stated / total:.1f} %"


def _show_costs() -> None:
    rng = Random(1)
    stems = [stem for rule in load_rules() for stem in rule.stems]
    units = (
        "a",
        "<",
        "<memory ",
        "[LTM:",
        "System:\n",
        "ignore all previous ",
        "you must ",
        "\u200b",
        "а",
        "i g n o r e ",
        "e\u0301",
    )
    texts = {unit.strip() or repr(unit): unit * (1_000_000 // len(unit)) for unit in units}
    texts["stems of all rules"] = " ".join(rng.choices(stems, k=200_000))[:1_000_000]
    note = "Use pnpm in the web folder, because npm breaks the lock file and CI then fails at the first step. " * 4
    rounds = 200
    cost = _cost(lambda text: [find_signs(text) for _ in range(rounds)], note[:400]) / rounds
    show(
        "a note of 400 characters", ["", "signs"], [row("judged", f"{cost:.2f} ms", target=Target(1, "ms"), value=cost)]
    )
    rows = []
    for name, text in texts.items():
        times = [_cost(measure, text) for measure in (find_signs, neutralise)]
        cells = [f"{each:.0f} ms" for each in times]
        rows.append(row(f"{name!r} …", *cells, target=Target(200, "ms"), value=max(times)))
    show("a million characters of", ["", "signs", "neutral"], rows)


def _cost(measure: Callable[[str], object], text: str) -> float:
    measure(text[:2000])
    started = time.process_time()
    measure(text)
    return (time.process_time() - started) * 1000


if __name__ == "__main__":
    main()
