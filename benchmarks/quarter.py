"""A simulated quarter: sixty working days of four sessions each, with upkeep after every day.

Show that a store which is written to every day stops growing, and at no cost: what matters keeps its
text, what was shortened or merged comes back, what is asked for is still found first, and the index can be thrown away.
Time is frozen and everything drawn by a fixed seed, so the numbers are the same for everybody.

    python -m benchmarks.quarter [--cap 250] [--svg docs/explanation/quarter.svg]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw

from benchmarks.table import Target, row, show
from limpet.clock import to_ms
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Draft, Impact, Memory, Origin, Phase, Type
from limpet.model.outcome import Admitted
from limpet.model.query import Query
from limpet.operations import recall, restore, upkeep
from limpet.recall.questions import Answers
from limpet.runtime import Caller, Runtime, open_runtime
from limpet.upkeep.caps import enforce_caps

DAYS = 60
SESSIONS = 4
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
SAMPLE = 60
"""How many shortened, archived or merged memories are restored at the end."""
SETTLED = 20
"""Days at the end over which the size is compared with that of the days before."""

PARTS = ("billing", "search", "login", "export", "import", "mailer", "scheduler", "gateway", "reports", "cache")
TOOLS = ("pytest", "ruff", "docker", "terraform", "psql", "npm", "kubectl", "cargo", "git", "make")
CAUSES = ("a stale lock file", "the proxy's timeout", "a missing index", "an expired token", "two writers at once")
FIXES = ("a retry with backoff", "a unique key", "a longer timeout", "a smaller batch", "an explicit close")
ASKED = (
    (
        "Deploys to production go through the blue lane and need two approvals in the release channel.",
        "deploys approvals",
    ),
    (
        "The staging database is restored every Sunday at 03:00 from the encrypted snapshot.",
        "staging database restored",
    ),
    ("Feature flags live in config/flags.yaml and are read at start only.", "where do feature flags live"),
    ("The payment provider rejects amounts with more than two decimals, so round before sending.", "payment decimals"),
    ("Use uuid7 for new tables because the old random ids made the index bloat.", "which uuid for new tables"),
    ("The license server is down every first Monday; builds fall back to the cached key.", "license server down"),
)
NEVER_ASKED = (
    (
        "Invoices are numbered per country and year, and a gap must be explained to the auditor.",
        "invoice numbering gap",
    ),
    ("The old mobile app still calls the v1 endpoints until its users have moved.", "who calls the v1 endpoints"),
    (
        "Holiday calendars come from a file that the office in Lyon sends in December.",
        "where do holiday calendars come from",
    ),
    ("Passwords of service accounts are rotated by the platform team, never by us.", "who rotates service passwords"),
    ("The warehouse scanner sends barcodes in upper case only.", "barcodes scanner case"),
    ("Refunds above a thousand euros wait for a second person.", "refunds second person"),
)
"""Stored on the first day, and asked for only on the last."""


def word(chance: random.Random) -> str:
    return "".join(chance.choice(("ka", "ro", "mi", "ten", "sol", "va", "nor", "lu", "pe", "ri")) for _ in range(3))


def talk(chance: random.Random, sentences: int) -> str:
    """Return small talk: words that no question asks for."""
    return " ".join(
        f"The {word(chance)} of the {word(chance)} went on about {word(chance)} and {word(chance)} for a while."
        for _ in range(sentences)
    )


def session_drafts(chance: random.Random, day: int, number: int) -> Iterator[Draft]:
    """Yield the memories of one session: mostly routine, some worth knowing, and a summary."""
    part, tool = chance.choice(PARTS), chance.choice(TOOLS)
    for _ in range(3):
        yield Draft(
            text=f"Ran {chance.choice(TOOLS)} on {word(chance)} in {chance.choice(PARTS)}: "
            f"{chance.randrange(900)} lines changed. {talk(chance, 4)}",
            origin=Origin.TOOL,
            impact=Impact.LOW,
            difficulty=round(0.2 * chance.random(), 2),
        )
    yield Draft(
        text=f"{tool} failed in {part} at {word(chance)}.py because of {chance.choice(CAUSES)}. The fix was "
        f"{chance.choice(FIXES)} in {word(chance)}/{word(chance)}.py line {chance.randrange(400)}.\n\n"
        f"{talk(chance, 4)}",
        origin=Origin.TOOL,
        type=Type.BUGFIX,
        impact=Impact.MEDIUM,
        difficulty=round(0.3 + 0.5 * chance.random(), 2),
    )
    yield Draft(
        text=f"We decided to keep {word(chance)} out of {part} because {word(chance)} needs "
        f"{chance.randrange(2, 90)} ms more with it.\n\n{talk(chance, 5)}",
        origin=Origin.AGENT,
        type=Type.DECISION,
        impact=Impact.HIGH if chance.random() < 0.3 else Impact.MEDIUM,
        difficulty=round(chance.random(), 2),
    )
    if number == 0:
        # The same thing met again and again, in other words each day.
        flaky = PARTS[day % 5]
        yield Draft(
            text=f"The nightly check of {flaky} was red again and turned green by itself after a rerun, "
            f"seen on day {day}",
            origin=Origin.TOOL,
            impact=Impact.MEDIUM,
        )
    yield Draft(
        text=f"## Summary\n\nWorked on {part} with {tool}; {word(chance)} is next.\n\n## Content\n\n{talk(chance, 6)}",
        origin=Origin.AGENT,
        type=Type.SESSION_SUMMARY,
        impact=Impact.MEDIUM,
    )


@dataclass
class Day:
    written: int
    written_tokens: int
    count: dict[int, int]
    tokens: dict[int, int]
    merged: int

    @property
    def active_tokens(self) -> int:
        return sum(tokens for phase, tokens in self.tokens.items() if phase < Phase.ARCHIVED)

    @property
    def active(self) -> int:
        return sum(count for phase, count in self.count.items() if phase < Phase.ARCHIVED)


@dataclass
class Quarter:
    days: list[Day] = field(default_factory=list)
    said: dict[str, Memory] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    rare: dict[str, str] = field(default_factory=dict)
    first: int = 0
    notices: list[str] = field(default_factory=list)
    seconds: float = 0.0
    upkeep_seconds: list[float] = field(default_factory=list)


class Office:
    """The place of the simulation: one home, one project, a clock that is moved."""

    def __init__(self, home: str, work: str, cap: int) -> None:
        self.home = home
        self.ms = to_ms(START)
        self.runtime: Runtime = open_runtime(
            home=home,
            cwd=work,
            caller=Caller(origin=Origin.USER, proof="terminal"),
            flags={"store.project_cap": cap, "store.backup_hours": 8760.0},
            now_ms=lambda: self.ms,
        )

    def session(self, name: str) -> None:
        where = self.runtime.where()
        payload = {"agent": where.agent, "project": where.project}
        self.runtime.write([Change(kind=ChangeKind.SESSION, subject=f"session:{name}", payload=payload)])

    def say(self, drafts: Sequence[Draft], quarter: Quarter) -> list[Memory]:
        door = self.runtime.admission(actor="capture:anima")
        outcomes = [door.admit(draft) for draft in drafts]
        self.runtime.write(door.changes)
        found = [each.memory for each in outcomes if isinstance(each, Admitted)]
        quarter.said |= {memory.id: memory for memory in found}
        runtime = self.runtime
        keep = frozenset(memory.id for memory in found)
        caps, reading = runtime.settings.store, runtime.reading()
        sign_again, answers = runtime.signer.sign_again, Answers(self.home, most=runtime.settings.recall.questions)
        runtime.write(
            enforce_caps(reading, runtime.where(), caps=caps, keep=keep, sign_again=sign_again, answers=answers)
        )
        return found

    def best(self, question: str) -> str | None:
        hits = recall.run(self.runtime, query=question, limit=1).items
        return hits[0].memory.id if hits else None

    def measure(self, quarter: Quarter) -> Day:
        connection = apsw.Connection(str(Path(self.home, "index.db")), flags=apsw.SQLITE_OPEN_READONLY)
        asked = "SELECT phase, count(*), sum(tokens) FROM memory WHERE status = 'live' GROUP BY phase"
        rows = [(int(phase), int(count), int(tokens)) for phase, count, tokens in connection.execute(asked)]
        merged = connection.execute("SELECT count(*) FROM memory WHERE status = 'superseded'").get
        connection.close()
        return Day(
            written=len(quarter.said),
            written_tokens=sum(memory.token_count for memory in quarter.said.values()),
            count={phase: count for phase, count, _ in rows},
            tokens={phase: tokens for phase, _, tokens in rows},
            merged=int(merged or 0),
        )

    def everything(self) -> dict[str, Any]:
        query = Query(
            scope=self.runtime.scope(every_project=True),
            statuses=(Status.LIVE, Status.SUPERSEDED, Status.FORGOTTEN),
            expired=True,
            archived=True,
            now=self.runtime.now(),
            limit=1_000_000,
        )
        return {stored.memory.id: stored for stored in self.runtime.reading().browse(query).items}


def live(office: Office) -> Quarter:
    chance = random.Random("quarter")
    quarter = Quarter()
    began = time.process_time()
    office.session("first")
    for text, question in ASKED:
        (memory,) = office.say([Draft(text=text, origin=Origin.USER, impact=Impact.MEDIUM)], quarter)
        quarter.asked[question] = memory.id
    rare = [Draft(text=text, origin=Origin.USER, impact=Impact.MEDIUM) for text, _ in NEVER_ASKED]
    found = office.say(rare, quarter)
    quarter.rare = {question: memory.id for (_, question), memory in zip(NEVER_ASKED, found, strict=True)}
    kept = [Draft(text=f"Never touch {word(chance)}. {talk(chance, 5)}", origin=Origin.USER) for _ in range(8)]
    office.say([Draft(text=draft.text, origin=Origin.USER, impact=Impact.CRITICAL) for draft in kept[:4]], quarter)
    office.say(
        [Draft(text=draft.text, origin=Origin.USER, impact=Impact.LOW, pinned=True) for draft in kept[4:]], quarter
    )
    for day in range(DAYS):
        # Five days of work, two of rest.
        morning = START + timedelta(days=day // 5 * 7 + day % 5)
        for number in range(SESSIONS):
            office.ms = to_ms(morning + timedelta(hours=2 * number))
            office.session(f"{day}-{number}")
            office.say(list(session_drafts(chance, day, number)), quarter)
            question = chance.choice(list(quarter.asked))
            quarter.first += office.best(question) == quarter.asked[question]
        office.ms = to_ms(morning + timedelta(hours=10))
        before = time.process_time()
        answer = upkeep.VERB.run(office.runtime)
        quarter.upkeep_seconds.append(time.process_time() - before)
        quarter.notices += answer.notices
        quarter.days.append(office.measure(quarter))
    quarter.seconds = time.process_time() - began
    return quarter


def judge(office: Office, quarter: Quarter) -> list[tuple[str, ...]]:
    """Return the promises, each with the number of cases in which it was broken."""
    found = office.everything()
    touched = [
        name
        for name, memory in quarter.said.items()
        if (memory.pinned or memory.impact is Impact.CRITICAL)
        and (found[name].memory.content, found[name].memory.phase) != (memory.content, Phase.FULL)
    ]
    lost = [name for name, memory in quarter.said.items() if found[name].memory.original_content != memory.content]
    twice = sum(upkeep.VERB.run(office.runtime).done.values())
    now_first = sum(office.best(question) == name for question, name in quarter.asked.items())
    rare_first = sum(office.best(question) == name for question, name in quarter.rare.items())
    archived = sum(found[name].memory.phase is Phase.ARCHIVED for name in quarter.rare.values())
    office.runtime.close()
    before = office.everything()
    office.runtime.close()
    for path in Path(office.home).glob("index.db*"):
        path.unlink()
    rebuilt = office.everything()
    differing = sum(before[name] != rebuilt.get(name) for name in before) + len(rebuilt.keys() - before.keys())
    problems = len(office.runtime.store.verify().problems)
    not_back = _count_failed_restores(office, quarter)
    last, earlier = quarter.days[-1].active_tokens, quarter.days[-SETTLED].active_tokens
    none = Target(0, "")
    return [
        row("CRITICAL and pinned texts that changed", str(len(touched)), target=none, value=len(touched)),
        row("texts whose original is not there", str(len(lost)), target=none, value=len(lost)),
        row(f"of {SAMPLE} shortened or merged texts, not brought back", str(not_back), target=none, value=not_back),
        row("changes by a second upkeep", str(twice), target=none, value=twice),
        row("memories that a rebuilt index says otherwise", str(differing), target=none, value=differing),
        row("problems found by verify", str(problems), target=none, value=problems),
        row(
            "asked-for memories that rank first at the end",
            f"{now_first} of {len(quarter.asked)}",
            target=Target(len(quarter.asked), "", at_least=True),
            value=now_first,
        ),
        row(
            "questions during the quarter whose answer ranked first",
            f"{quarter.first} of {DAYS * SESSIONS}",
            target=Target(DAYS * SESSIONS, "", at_least=True),
            value=quarter.first,
        ),
        row(
            f"active text: last day against {SETTLED} days earlier",
            f"{last / earlier:.2f} ×",
            target=Target(1.1),
            value=last / earlier,
        ),
        row("never asked for until the last day: rank first then", f"{rare_first} of {len(quarter.rare)}"),
        row("of those, archived by then", str(archived)),
        row("times that a job stopped to ask", str(len(quarter.notices))),
        row("processor time of the whole quarter", f"{quarter.seconds:.0f} s"),
        row("processor time of the last day's upkeep", f"{quarter.upkeep_seconds[-1]:.2f} s"),
    ]


def _count_failed_restores(office: Office, quarter: Quarter) -> int:
    """Restore a sample of the shortened, archived and merged memories and count the failures."""
    found = office.everything()
    changed = [name for name, memory in quarter.said.items() if found[name].memory.content != memory.content]
    changed += [name for name in quarter.said if found[name].status is Status.SUPERSEDED]
    failed = 0
    for name in random.Random("restore").sample(changed, min(SAMPLE, len(changed))):
        back = restore.VERB.run(office.runtime, id=name).stored
        failed += back.status is not Status.LIVE
        if back.memory.phase is not Phase.FULL:
            back = restore.VERB.run(office.runtime, id=name).stored
        failed += back.memory.content != quarter.said[name].content
    return failed


def day_rows(quarter: Quarter) -> list[tuple[str, ...]]:
    rows = []
    for number in (*range(0, DAYS, 10), DAYS - 1):
        day = quarter.days[number]
        phases = [str(day.count.get(int(phase), 0)) for phase in Phase]
        texts = (f"{day.written_tokens:,}", f"{day.active_tokens:,}")
        rows.append(row(f"day {number + 1}", str(day.written), *phases, str(day.merged), *texts))
    return rows


COLOURS = {Phase.FULL: "#1f6f8b", Phase.HINT: "#5fa8b8", Phase.ABSTRACT: "#b5d6d6"}


def draw_svg(quarter: Quarter) -> str:
    """Return an SVG of two plots: how much text is active, and how many memories are in which phase."""
    width, height, gap, top, left = 360, 220, 90, 50, 60
    most_tokens = max(day.written_tokens for day in quarter.days)
    most = max(day.active for day in quarter.days)

    def x(number: int, panel: int) -> float:
        return left + panel * (width + gap) + number * width / (DAYS - 1)

    def y(value: float, whole: float) -> float:
        return top + height - height * value / whole

    def line(values: Sequence[float], whole: float, panel: int) -> str:
        return " ".join(f"{x(at, panel):.1f},{y(value, whole):.1f}" for at, value in enumerate(values))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + 2 * width + gap + 30} {top + height + 60}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{x(0, 0)}" y="24" font-size="14">Text, in thousands of tokens</text>',
        f'<text x="{x(0, 1)}" y="24" font-size="14">Active memories by phase</text>',
    ]
    for panel, whole, unit in ((0, most_tokens, 1000), (1, most, 1)):
        for share in (0.0, 0.5, 1.0):
            at, value = y(share * whole, whole), share * whole / unit
            parts.append(f'<path d="M{x(0, panel):.1f} {at:.1f}h{width}" stroke="#ddd"/>')
            parts.append(f'<text x="{x(0, panel) - 6:.1f}" y="{at + 4:.1f}" text-anchor="end">{value:.0f}</text>')
        for day in (1, 20, 40, 60):
            place = f'x="{x(day - 1, panel):.1f}" y="{top + height + 18}"'
            parts.append(f'<text {place} text-anchor="middle">day {day}</text>')
    written = line([day.written_tokens for day in quarter.days], most_tokens, 0)
    active = line([day.active_tokens for day in quarter.days], most_tokens, 0)
    parts.append(f'<polyline points="{written}" fill="none" stroke="#999" stroke-dasharray="4 3" stroke-width="2"/>')
    parts.append(f'<polyline points="{active}" fill="none" stroke="{COLOURS[Phase.FULL]}" stroke-width="2.5"/>')
    below = [0.0] * DAYS
    legend = [("written so far", "#999"), ("active", COLOURS[Phase.FULL])]
    for phase, colour in COLOURS.items():
        above = [low + day.count.get(int(phase), 0) for low, day in zip(below, quarter.days, strict=True)]
        back = " ".join(line(below, most, 1).split()[::-1])
        parts.append(f'<polygon points="{line(above, most, 1)} {back}" fill="{colour}"/>')
        below = above
    for panel, entries in ((0, legend), (1, [(phase.name.lower(), colour) for phase, colour in COLOURS.items()])):
        for number, (name, colour) in enumerate(entries):
            at = x(0, panel) + number * 105
            parts.append(f'<rect x="{at:.1f}" y="{top + height + 34}" width="12" height="12" fill="{colour}"/>')
            parts.append(f'<text x="{at + 17:.1f}" y="{top + height + 44}">{name}</text>')
    return "\n".join((*parts, "</svg>", ""))


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quarter")
    parser.add_argument("--cap", type=int, default=250, help="memories kept in full, as hints and as abstracts")
    parser.add_argument("--svg", help="where to draw it")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="limpet-quarter-") as folder:
        work = Path(folder, "shop")
        work.mkdir()
        office = Office(str(Path(folder, "home")), str(work), options.cap)
        quarter = live(office)
        verdicts = judge(office, quarter)
        office.runtime.close()
    headings = ("after", "written", *(phase.name.lower() for phase in Phase), "superseded", "tokens written", "active")
    show(
        f"A quarter: {DAYS} days, {SESSIONS} sessions each, {options.cap} memories a rung",
        headings,
        day_rows(quarter),
    )
    show("What it cost", ("promise", "found"), verdicts)
    if options.svg:
        Path(options.svg).write_text(draw_svg(quarter), encoding="utf-8")
    return 1 if any(line[-1] == "MISSED" for line in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
