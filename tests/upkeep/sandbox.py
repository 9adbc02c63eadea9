"""A sandbox in which days of work pass and upkeep runs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from limpet.clock import from_ms, local_day
from limpet.curating.writing import build_draft, run_many
from limpet.doors.context import Context
from limpet.lean.record import replace
from limpet.learning.stages import TABLE, Bus
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.event import UpkeepStarted
from limpet.model.memory import Draft, Memory, Phase
from limpet.model.outcome import Admitted
from limpet.model.query import Stored
from limpet.runtime import Runtime
from limpet.upkeep.job import ACTOR
from limpet.upkeep.round import JOBS, Round, run_upkeep
from tests.operations.sandbox import DAY, USER, Sandbox
from tests.store.acting import all_memories
from tests.store.homes import open_store, remove_index, tables

LONG = (
    "The deploy of {n} fails because port {n} is taken by the old worker. Stop it with `svc stop {n}` first.\n\n"
    "- never stop it while a job runs\n\n" + "The rest of this is talk that nobody needs to read a second time. " * 6
)


def long(n: object) -> str:
    """Return a text that is long enough to be condensed."""
    return LONG.format(n=n).strip()


def strange(seed: object) -> str:
    """Return a long text that no other text resembles."""
    chance = random.Random(str(seed))

    def word() -> str:
        return "".join(chance.choices("bdfghklmnprstvz", k=3)) + chance.choice(("ora", "uni", "eba"))

    return " ".join(f"{word().capitalize()} {' '.join(word() for _ in range(7))}." for _ in range(7))


def run_round(context: Context, **options: Any) -> Round:
    """Run a round in the order of the table; a job that fails fails the test."""
    started = UpkeepStarted(at=context.now())
    return run_upkeep(context, lambda jobs: Bus(TABLE, jobs, log=pytest.fail).publish(started), **options)


class UpkeepSandbox(Sandbox):
    """A sandbox in which days pass and upkeep runs."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.sessions = 0

    def work(self, days: int = 1, *, project: bool = True, cwd: Path | None = None) -> None:
        """Let days pass, each with a session in the project, or outside of any."""
        for _ in range(days):
            self.ms += DAY
            self.session(project=project, cwd=cwd)

    def session(self, *, project: bool = True, cwd: Path | None = None) -> str:
        self.sessions += 1
        with self.open(cwd=cwd) as runtime:
            where = runtime.where().project if project else None
            payload = {"agent": runtime.agent_id, "project": where, "days": [local_day(self.ms)]}
            runtime.store.append(
                [Change(kind=ChangeKind.SESSION, subject=f"session:s{self.sessions}", payload=payload)]
            )
        return f"s{self.sessions}"

    def rest(self, days: float) -> None:
        """Let time pass in which nobody works."""
        self.ms += int(days * DAY)

    def upkeep(self, *names: str, **options: Any) -> Round:
        """Run a round of all jobs, or of the named ones."""
        self.ms += 1000
        jobs = {name: JOBS[name] for name in names} if names else JOBS
        with self.open() as runtime:
            context = runtime.context(actor=ACTOR)
            if "now" in options:
                now = options.pop("now")
                context = replace(context, now=lambda: now)
            if "roles" in options:
                roles = options.pop("roles")
                context = replace(context, roles=lambda: roles)
            return run_round(context, jobs=jobs, **options)

    def fill(self, texts: Sequence[str], *, caller: Any = USER, **fields: Any) -> list[Memory]:
        """Remember several texts at once."""
        self.ms += 1000
        with self.open(caller) as runtime:
            outcomes = run_many(runtime, [build_draft(runtime, text=text, **fields) for text in texts])
        found = [outcome.memory for outcome in outcomes if isinstance(outcome, Admitted)]
        assert len(found) == len(texts), outcomes
        return found

    def admit(self, *drafts: Draft, actor: str = "capture:anima") -> list[Memory]:
        """Admit drafts as capture does."""
        self.ms += 1000
        with self.open() as runtime:
            door = runtime.admission(actor=actor)
            outcomes = [door.admit(draft) for draft in drafts]
            runtime.write(door.changes)
        return [outcome.memory for outcome in outcomes if isinstance(outcome, Admitted)]

    def get(self, memory: Memory | str) -> Stored:
        with self.open() as runtime:
            found = runtime.reading().get(memory if isinstance(memory, str) else memory.id)
            assert found is not None
            return runtime.signer.judge(found)

    def phase(self, memory: Memory) -> Phase:
        return self.get(memory).memory.phase

    def use(self, memory: Memory, **options: Any) -> None:
        self.ask("show", id=memory.id, **options)

    def state(self) -> dict[str, tuple[Status, str, Phase, bool]]:
        """Return what a round may change, by memory."""
        with self.open() as runtime:
            return state(runtime)

    def changes(self) -> int:
        return sum(data.count(b"\n") for data in self.journal().values())

    def tables(self) -> dict[str, Any]:
        store = open_store(self.home)
        try:
            return tables(store)
        finally:
            store.close()

    def rebuilt_tables(self) -> dict[str, Any]:
        remove_index(self.home)
        return self.tables()

    @property
    def moment(self) -> Any:
        return from_ms(self.ms)


def state(runtime: Runtime) -> dict[str, tuple[Status, str, Phase, bool]]:
    return {
        name: (each.status, each.memory.content, each.memory.phase, each.memory.pinned)
        for name, each in all_memories(runtime.reading()).items()
    }
