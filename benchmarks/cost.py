"""`python -m benchmarks.cost [1000 10000 100000]`: what grows with the store, and what may not, in one table.

The memories have titles and tags and belong to a project in git. Processor time of each program alone, the least of
several runs taken in turns, as a ratio to a bare interpreter in the same run: other programs on the machine can only
make a run slower, never faster.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

from benchmarks.hooks import BARE, HOOK, build_payload, processor_time
from benchmarks.startup import installed_command
from benchmarks.store import Filler, size_of, surroundings
from benchmarks.table import Target, row, show
from limpet.api import Limpet
from limpet.operations.wiring.bundle import refresh_bundle
from limpet.store.open import JournalStore

RUNS = 9
TARGETS = {
    "a session starts": (5, 5, 5),
    "a prompt is answered": (8, 8, 9),
    "limpet recall": (8, 8, 8),
    "limpet remember": (10, 10, 10),
}


def main() -> None:
    sizes = [int(each) for each in sys.argv[1:]] or [1_000, 10_000]
    rows: list[tuple[str, ...]] = []
    with surroundings() as folder:
        home = os.environ["LIMPET_HOME"] = os.path.join(folder, "home")
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode = False
        refresh_bundle()
        work = os.getcwd()
        subprocess.run(["git", "init", "-q", work], check=True)
        filler = Filler(home)
        for size in sizes:
            filler.fill(size)
            filler.settle()
            rows += _measure_programs(filler, work, size)
            rows += _measure_calls(filler, home, size)
    show(f"Cost, the least of {RUNS} runs", ["", "processor", "ratio"], rows)


def _measure_programs(filler: Filler, work: str, size: int) -> list[tuple[str, ...]]:
    question = filler.texts(1)[0][:60]
    limpet = installed_command()
    commands: dict[str, Callable[[], tuple[list[str], bytes]]] = {
        "bare": lambda: (BARE, b""),
        "a session starts": lambda: (HOOK, build_payload(work, "SessionStart", source="startup")),
        "a prompt is answered": lambda: (
            HOOK,
            build_payload(work, "UserPromptSubmit", prompt=f"please look at {question}"),
        ),
        "limpet list": lambda: ([*limpet, "list"], b""),
        "limpet recall": lambda: ([*limpet, "recall", question], b""),
        "limpet remember": lambda: ([*limpet, "remember", filler.texts(1)[0]], b""),
    }
    least = dict.fromkeys(commands, 1e9)
    for number in range(RUNS + 1):
        for name, command in commands.items():
            shutil.rmtree(os.path.join(os.environ["LIMPET_HOME"], "queue"), ignore_errors=True)
            spent = processor_time(*command())
            if number:
                least[name] = min(least[name], spent)
    bare = least.pop("bare")
    return [_row(f"{name}, {size:,} memories", spent, bare, _bound(name, size)) for name, spent in least.items()]


def _bound(name: str, size: int) -> float | None:
    bounds = TARGETS.get(name)
    return None if bounds is None else bounds[0 if size < 10_000 else 1 if size < 100_000 else 2]


def _row(what: str, spent: float, bare: float, bound: float | None) -> tuple[str, ...]:
    target = None if bound is None else Target(bound)
    return row(what, f"{spent * 1000:.1f} ms", f"{spent / bare:.1f} ×", target=target, value=spent / bare)


def _measure_calls(filler: Filler, home: str, size: int) -> list[tuple[str, ...]]:
    """Return the rows of what a process that is open already does."""
    with Limpet(home=home) as memory:
        memory.upkeep()
        upkeep = _least(memory.upkeep, 3)
        store = min(_least(lambda text=text: memory.remember(text), 1) for text in filler.texts(30))  # type: ignore[misc]
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        os.unlink(os.path.join(home, name))
    with Limpet(home=home) as memory:
        began = time.process_time()
        memory.stats()
        opened = memory._runtime.store
        while isinstance(opened, JournalStore) and opened.has_missing_vectors():
            opened.rest()
        rate = filler.count / (time.process_time() - began)
    journal, index = size_of(home, "journal") / filler.bytes, size_of(home, "index.db") / filler.bytes
    bound = Target(9)
    return [
        row(f"a round of upkeep with nothing to do, {size:,}", f"{upkeep * 1000:.1f} ms"),
        row(f"one text is stored, {size:,}", f"{store * 1000:.1f} ms"),
        row(
            f"rebuild with vectors, {size:,}",
            f"{rate:,.0f} /s",
            "",
            target=Target(3000, "/s", at_least=True),
            value=rate,
        ),
        row(f"journal, {size:,}, against the text", "", f"{journal:.1f} ×"),
        row(f"index, {size:,}, against the text", "", f"{index:.1f} ×"),
        row(f"S10 both, {size:,}", "", f"{journal + index:.1f} ×", target=bound, value=journal + index),
    ]


def _least(call: Callable[[], object], times: int) -> float:
    spent = []
    for _ in range(times):
        began = time.process_time()
        call()
        spent.append(time.process_time() - began)
    return min(spent)


if __name__ == "__main__":
    main()
