"""Measure learning from the sessions already on disk: time per session, memory, and one huge session.

The sessions are those of the tests, modelled on recorded ones. Each run is a separate process, as a person would
start it; its CPU time and peak memory are those that the system counted.

    python -m benchmarks.backfill [--quick]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from tests.learning.sessions import Session, endless, make

from benchmarks.table import Target, row, show

SESSIONS, QUICK_SESSIONS = 500, 50
HUGE, QUICK_HUGE = 200 << 20, 20 << 20
PER_SESSION = Target(200, "ms")
AGAIN = Target(10, "ms")
MEMORY = Target(250, "MB")


class Ran(NamedTuple):
    seconds: float
    """Of CPU."""
    megabytes: float
    answer: dict[str, Any]


def main() -> None:
    quick = "--quick" in sys.argv
    count = QUICK_SESSIONS if quick else SESSIONS
    with tempfile.TemporaryDirectory(prefix="limpet-backfill-") as folder:
        place = Path(folder)
        projects = [place / f"project{number}" for number in range(5)]
        for project in projects:
            project.mkdir()
        made = make(place / ".claude", projects, count)
        rows = _many(place, len(made))
        rows += _huge(place, QUICK_HUGE if quick else HUGE)
    show("backfill", ("what", "measured"), rows)


def _many(place: Path, count: int) -> list[tuple[str, ...]]:
    size = sum(path.stat().st_size for path in (place / ".claude").rglob("*.jsonl"))
    planned, first, again = (run(place, *words) for words in (("--dry-run",), (), ()))
    return [
        row("sessions", f"{count:,}"),
        row("events", f"{first.answer['events']:,}"),
        row("on disk", f"{size / 1e6:,.1f} MB"),
        row("memories kept", f"{first.answer['kept']:,}"),
        row("dry run, CPU a session", *_each(planned, count), target=PER_SESSION, value=_ms(planned, count)),
        row("CPU a session", *_each(first, count), target=PER_SESSION, value=_ms(first, count)),
        row("most memory", f"{first.megabytes:.0f} MB", target=MEMORY, value=first.megabytes),
        row("a second run, CPU a session", *_each(again, count), target=AGAIN, value=_ms(again, count)),
        row("kept by the second run", f"{again.answer['kept']}", target=Target(0, ""), value=again.answer["kept"]),
    ]


def _huge(place: Path, size: int) -> list[tuple[str, ...]]:
    session = Session(900_000, place / "project0")
    path = place / "huge" / f"{session.id}.jsonl"
    path.parent.mkdir()
    with path.open("w", encoding="utf-8") as file:
        file.writelines(endless(session, size))
    ran = run(place, str(path.parent))
    name = f"a session of {path.stat().st_size / 2**20:,.0f} MB"
    return [
        row(f"{name}: CPU", f"{ran.seconds:.1f} s"),
        row(f"{name}: events", f"{ran.answer['events']:,}"),
        row(f"{name}: most memory", f"{ran.megabytes:.0f} MB", target=MEMORY, value=ran.megabytes),
    ]


def _ms(ran: Ran, count: int) -> float:
    return ran.seconds * 1000 / count


def _each(ran: Ran, count: int) -> tuple[str]:
    return (f"{_ms(ran, count):.1f} ms",)


def run(place: Path, *words: str) -> Ran:
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(place), "LIMPET_HOME": str(place / "home")}
    command = [sys.executable, "-m", "limpet", "backfill", *words, "--json"]
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, env=environment, cwd=place / "project0", stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, process.returncode
        out.seek(0)
        answer: dict[str, Any] = json.load(out)
    return Ran(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, answer)


if __name__ == "__main__":
    main()
