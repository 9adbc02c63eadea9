"""Processes that change a store until they are killed; run as a script by the fault tests.

The script itself only waits for orders and forks a writer or a command for each, so that a kill costs milliseconds
and not the start of an interpreter. A writer says on its standard output, one JSON object a line, what it is about to
take away and what has been acknowledged. A line is written with one `write` right after the call returned, so whatever
a test reads there was acknowledged.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import apsw

from limpet import system
from limpet.api import Limpet
from limpet.cli.program import run
from limpet.clock import now_ms
from limpet.errors import LimpetError, Refused
from limpet.forms.views import load_view
from limpet.model.outcome import Admitted, Outcome
from limpet.operations.catalogue import CATALOGUE, load_verb
from limpet.runtime.codes import show_code
from limpet.store import catch_up, purged_texts, rebuild
from limpet.store.context import HighWater
from limpet.store.journal import mend
from limpet.store.view import apply, births

WORDS = (
    *("anchor", "basin", "cliff", "drift", "eddy", "ferry", "gravel", "harbour", "inlet", "jetty", "kelp"),
    *("lagoon", "mussel", "narrows", "oyster", "pebble", "quay", "ripple", "shoal", "tide", "urchin", "vessel"),
    *("wharf", "yawl", "zephyr", "barnacle", "current", "dune", "estuary", "foam", "gull", "headland", "island"),
)


def word(chance: random.Random) -> str:
    """Return a rare word: one of a thousand."""
    return chance.choice(WORDS) + chance.choice(WORDS)


def sentence(chance: random.Random, length: int = 12) -> str:
    """Return a text that resembles no other, so that it is neither a duplicate nor a contradiction of another."""
    told = " ".join(chance.choice((word(chance), chance.choice(WORDS))) for _ in range(length))
    return f"{told} {''.join(chance.choice('bcdfghjklmnpqrstvwxz') for _ in range(14))}"


def say(**told: object) -> None:
    os.write(1, json.dumps(told).encode() + b"\n")


class Writer:
    def __init__(self, home: str, chance: random.Random) -> None:
        self._home = home
        self._chance = chance
        self._mine: list[str] = []
        self._memory = Limpet(home=home)

    def close(self) -> None:
        self._memory.close()

    def reopen(self) -> None:
        self._memory.close()
        self._memory = Limpet(home=self._home)

    def lose_index(self) -> None:
        self._memory.close()
        for suffix in ("-wal", "-shm", ""):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(self._home, f"index.db{suffix}"))
        self._memory = Limpet(home=self._home)

    def _acknowledge(self, outcome: Outcome, text: str, began: float) -> None:
        assert isinstance(outcome, Admitted), outcome
        self._mine.append(outcome.memory.id)
        say(kept=outcome.memory.id, text=text, ms=round((time.perf_counter() - began) * 1000, 3))

    def remember(self, length: int = 12) -> None:
        text = sentence(self._chance, length)
        began = time.perf_counter()
        self._acknowledge(self._memory.remember(text), text, began)

    def remember_large(self) -> None:
        self.remember(self._chance.choice((500, 2000, 20_000)))

    def remember_many(self) -> None:
        texts = [sentence(self._chance) for _ in range(self._chance.randint(2, 40))]
        began = time.perf_counter()
        for text, outcome in zip(texts, self._memory.remember_many(texts), strict=True):
            self._acknowledge(outcome, text, began)

    def correct(self) -> None:
        if self._mine:
            old = self._mine.pop(self._chance.randrange(len(self._mine)))
            text = sentence(self._chance)
            began = time.perf_counter()
            self._acknowledge(self._memory.correct(old, text), text, began)

    def forget(self) -> None:
        if self._mine:
            gone = self._mine.pop(self._chance.randrange(len(self._mine)))
            self._memory.forget(gone)
            say(forgotten=gone)

    def pin(self) -> None:
        if self._mine:
            self._memory.pin(self._chance.choice(self._mine))

    def purge(self) -> None:
        if self._mine:
            doomed = self._mine.pop(self._chance.randrange(len(self._mine)))
            versions = [stored.memory.id for stored in self._memory.show(doomed).versions]
            say(doomed=versions)
            self._purge(doomed)
            say(purged=versions)

    def _purge(self, doomed: str) -> None:
        for _ in range(100):
            code = show_code(self._home, "purge", now_ms=now_ms())
            # Another writer may have asked for a code in between, which replaces this one.
            with contextlib.suppress(Refused):
                self._memory.purge(doomed, code=code)
                return
        raise AssertionError("no code for a purge was accepted")

    def add_fact(self) -> None:
        self._memory.facts("add", self._chance.choice(WORDS), "lies-near", self._chance.choice(WORDS))


def stop_before(owner: Any, name: str) -> None:
    """Stop this process when it is about to call a function, as Ctrl-Z would at that moment."""
    wrapped = getattr(owner, name)

    def stopped(*arguments: Any, **named: Any) -> Any:
        os.kill(os.getpid(), signal.SIGSTOP)
        return wrapped(*arguments, **named)

    setattr(owner, name, stopped)


def _freeze(writer: Writer, where: str, home: str) -> None:
    """Stop while holding something that others want, and go on when woken."""
    match where:
        case "holding a segment, before its sync":
            stop_before(system, "sync_data")
            writer.remember()
        case "holding the lock to apply":
            stop_before(catch_up, "apply_pending")
            writer.remember()
        case "inside a transaction of the index":
            stop_before(apply, "save_cursor")
            writer.remember()
        case "rebuilding the index":
            stop_before(births, "refold_all")
            writer.lose_index()
            writer.remember()
        case "writing the marks":
            stop_before(HighWater, "save")
            writer.remember()
        case "making a backup":
            stop_before(mend, "find_verified_end")
            writer.reopen()
            writer.remember()
        case "erasing a purged text":
            stop_before(purged_texts, "erase_in_view")
            writer.remember()
            writer.purge()
        case "before asking the backup":
            stop_before(rebuild, "restore_missing")
            writer.remember()
        case "having the index to itself":
            # To others this looks like recovering the log of a killed process; that moment itself cannot be hit.
            connection = apsw.Connection(os.path.join(home, "index.db"))
            connection.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE").fetchall()
            os.kill(os.getpid(), signal.SIGSTOP)
            connection.close()
            writer.remember()
        case _:
            raise ValueError(where)


def _steps(writer: Writer, way: str, chance: random.Random) -> Iterator[Callable[[], None]]:
    """Yield the next step, without end."""
    mixed = [writer.remember] * 5 + [writer.correct, writer.forget, writer.pin, writer.add_fact, writer.remember_many]
    while True:
        match way:
            case "remember":
                yield writer.remember
            case "large":
                yield writer.remember_large
            case "many":
                yield writer.remember_many
            case "mixed":
                yield chance.choice(mixed)
            case "purge":
                yield from (writer.remember, writer.remember, writer.purge)
            case "reopen":
                yield from (writer.remember, writer.reopen)
            case "rebuild":
                yield from (writer.lose_index, writer.remember)
            case _:
                raise ValueError(way)


def work(home: str, way: str, seed: str, count: int) -> int:
    """Work in one way until killed, or until `count` steps are done."""
    chance = random.Random(seed)
    say(ready=os.getpid())
    try:
        writer = Writer(home, chance)
        if way.startswith("stopped "):
            _freeze(writer, way.removeprefix("stopped "), home)
            writer.close()
            return 0
        for number, step in enumerate(_steps(writer, way, chance), 1):
            step()
            if number == count:
                writer.close()
                return 0
    except LimpetError as error:
        print(f"limpet: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _obey(order: dict[str, Any]) -> NoReturn:
    code = 70
    try:
        os.setpgid(0, order["group"])
        # The one that the test waits for comes last.
        for fd, path in ((2, order["err"]), (1, order["out"])):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), fd)
        os.environ.clear()
        os.environ.update(order["env"])
        os.chdir(order["cwd"])
        if "argv" in order:
            os.umask(order["umask"])
            code = run(order["argv"])
            sys.stdout.flush()
        else:
            code = work(order["home"], order["way"], order["seed"], order["count"])
    except Exception:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _warm_up() -> None:
    """Load and compile here what a command does only when it needs it, so that no fork does it again."""
    for each in CATALOGUE:
        load_verb(each.name)
        load_view(each.name)
    for name in ("httpx2", "limpet.llm.providers.endpoint", "limpet.llm.roles"):
        importlib.import_module(name)
    # The settings of the test that happens to come first; a fork gets those of its own test.
    for name in [name for name in os.environ if name.startswith("LIMPET_")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory() as folder, Limpet(home=os.path.join(folder, "home"), cwd=folder) as memory:
        memory.remember("From now on deploy with ship.py only, because the old script skips the migrations of 2025.")
        memory.recall("how do we deploy?")
        memory.upkeep()
        memory.verify()
        memory.apps("register", "calendar")
        said = memory.apps("converse", "calendar", "I keep the card of the ferry in drawer 3.").said
        assert said is not None
        memory.apps("end", "calendar", said.conversation)
    gc.freeze()


def main() -> None:
    """Answer each order with the pid of the forked process, and an order to wait with its exit status."""
    _warm_up()
    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            answer = os.waitstatus_to_exitcode(os.waitpid(order["wait"], 0)[1])
        else:
            answer = os.fork() or _obey(order)
        print(answer, flush=True)


if __name__ == "__main__":
    main()
