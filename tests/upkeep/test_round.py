"""A round of upkeep is safe at any moment: twice, in slices, beside another one, on two machines, after a kill."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from limpet import clock, system
from limpet.errors import StoreError
from limpet.forms.views.store import JOB_TEXTS
from limpet.model.change import Change
from limpet.model.memory import Draft, Impact, Origin, Phase, Type
from limpet.store.open import Store
from limpet.upkeep import round as rounds
from limpet.upkeep.job import ACTOR
from tests.operations.sandbox import Sandbox
from tests.store.homes import copy_journal
from tests.upkeep.sandbox import UpkeepSandbox, long, run_round, state, strange
from tests.upkeep.similar_texts import ALIKE, OTHERS


def lived_in(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch, seed: int = 0) -> None:
    """Fill the sandbox with work for every job."""
    monkeypatch.setenv("LIMPET_ADMIT__NEAR_DUPLICATES", "false")
    chance = random.Random(seed)
    sandbox.fill([strange(f"{number} {seed}") for number in range(12)], impact=Impact.MEDIUM)
    sandbox.fill(OTHERS)
    sandbox.fill(ALIKE)
    sandbox.remember(long("short of life"), ttl_days=3)
    sandbox.admit(
        *(Draft(text=strange(f"tool {number}"), origin=Origin.TOOL, impact=Impact.LOW) for number in range(5))
    )
    sandbox.work(9)
    for stored in chance.sample(sandbox.ask("list", limit=1000).items, 5):
        sandbox.use(stored.memory)
    sandbox.rest(10)
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "15")


def essence(sandbox: Sandbox, home: Path | None = None) -> Any:
    """Return what a round leaves behind, without the ids of the summaries it made."""
    with sandbox.open(home=home or sandbox.home) as runtime:
        found = state(runtime)
        made = {
            name: stored.memory
            for name in found
            if (stored := runtime.reading().get(name)) and stored.memory.type is Type.COMPRESSED_SUMMARY
        }
    names = {name: f"summary of {memory.made_of}" for name, memory in made.items()}
    return sorted((names.get(name, name), *map(str, what)) for name, what in found.items())


def test_every_job_has_work_and_a_second_round_has_none(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived_in(sandbox, monkeypatch)
    first = sandbox.upkeep()
    assert {"expiry", "decay", "compression", "eviction"} <= set(first.done), first
    assert first.finished and not first.busy
    before, count = sandbox.state(), sandbox.changes()
    assert sandbox.upkeep().done == {}
    assert (sandbox.state(), sandbox.changes()) == (before, count)


def test_no_time_of_a_content_is_touched(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    lived_in(sandbox, monkeypatch)
    before = {each.memory.id: each.memory.updated_at for each in sandbox.ask("list", all=True, limit=1000).items}
    sandbox.upkeep()
    after = {each.memory.id: each.memory.updated_at for each in sandbox.ask("list", all=True, limit=1000).items}
    assert {name: after[name] for name in before} == before


def test_a_rebuilt_index_equals_the_live_one_after_upkeep(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived_in(sandbox, monkeypatch)
    sandbox.upkeep()
    sandbox.work(2)
    sandbox.upkeep()
    live = sandbox.tables()
    assert live["active_day"]
    assert sandbox.rebuilt_tables() == live
    assert sandbox.ask("verify").problems == ()


def test_a_dry_run_says_the_same_and_does_nothing(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    lived_in(sandbox, monkeypatch)
    before, count = sandbox.state(), sandbox.changes()
    told = sandbox.json("upkeep", dry_run=True)
    assert told["dry_run"] and told["done"]["decay"]
    assert (sandbox.state(), sandbox.changes()) == (before, count)
    done = sandbox.json("upkeep")
    assert done["done"]["decay"] == told["done"]["decay"]
    assert done["done"]["compression"] == told["done"]["compression"]


def test_a_second_round_at_the_same_time_returns_at_once(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived_in(sandbox, monkeypatch)
    before = sandbox.state()
    lock = system.try_lock(str(sandbox.home / "locks" / "upkeep"))
    assert lock is not None
    answer = sandbox.upkeep()
    assert answer.busy and not answer.finished and answer.done == {}
    assert sandbox.state() == before
    system.unlock(lock)
    assert sandbox.upkeep().finished


def test_slices_come_to_the_same_end(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time runs out after every part."""
    lived_in(sandbox, monkeypatch)
    twin = sandbox.folder / "twin"
    copy_journal(sandbox.home, twin)
    sandbox.upkeep()
    times = iter(range(10_000_000))
    monkeypatch.setattr(clock, "monotonic_ms", lambda: next(times))
    slices = 0
    with sandbox.open(home=twin) as runtime:
        while not run_round(runtime.context(actor=ACTOR), budget_ms=5).finished:
            slices += 1
    assert slices > 1
    assert essence(sandbox, twin) == essence(sandbox)


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("after", range(12))
def test_killed_between_any_two_writes_the_next_round_completes_it(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    lived_in(sandbox, monkeypatch)
    twin = sandbox.folder / "twin"
    copy_journal(sandbox.home, twin)
    texts = {each.memory.id: each.memory.original_content for each in sandbox.ask("list", all=True, limit=1000).items}
    sandbox.upkeep()
    appended = Store.append
    left = after

    def append(self: Store, changes: Any, *, durable: bool = True) -> tuple[Change, ...]:
        nonlocal left
        if durable and left <= 0:
            # The write was cut short: some of it is there.
            appended(self, list(changes)[: after % 3], durable=durable)
            raise Killed
        left -= 1
        return appended(self, changes, durable=durable)

    with sandbox.open(home=twin) as runtime:
        with monkeypatch.context() as patched:
            patched.setattr(Store, "append", append)
            try:
                run_round(runtime.context(actor=ACTOR))
            except Killed:
                pass
        run_round(runtime.context(actor=ACTOR))
    assert essence(sandbox, twin) == essence(sandbox)
    with sandbox.open(home=twin) as runtime:
        for name, text in texts.items():
            stored = runtime.reading().get(name)
            assert stored is not None and stored.memory.original_content == text


def test_a_round_ends_at_once_if_a_caller_waits_and_the_next_one_goes_on(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived_in(sandbox, monkeypatch)
    with sandbox.open() as runtime:
        idle = run_round(runtime.context(actor=ACTOR), is_wanted=lambda: True)
        assert (idle.finished, idle.done, idle.ran) == (False, {}, [])
        answers = iter([False] * 4 + [True] * 1000)
        some = run_round(runtime.context(actor=ACTOR), is_wanted=lambda: next(answers))
        assert not some.finished
        rest = run_round(runtime.context(actor=ACTOR))
        assert rest.finished and rest.done


def test_two_machines_that_both_do_it_come_to_one_state(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived_in(sandbox, monkeypatch)
    laptop = sandbox.folder / "laptop"
    copy_journal(sandbox.home, laptop)
    sandbox.upkeep()
    with sandbox.open(home=laptop) as runtime:
        run_round(runtime.context(actor=ACTOR))
    copy_journal(sandbox.home, laptop)
    copy_journal(laptop, sandbox.home)
    for home in (sandbox.home, laptop):
        with sandbox.open(home=home) as runtime:
            run_round(runtime.context(actor=ACTOR))
    copy_journal(sandbox.home, laptop)
    copy_journal(laptop, sandbox.home)
    assert essence(sandbox, laptop) == essence(sandbox)
    shown = "\n".join(sandbox.texts(limit=1000))
    for part in ("in Ulm", "mail to ops", "needs the tunnel"):
        assert part in shown


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000))
def test_any_order_of_rounds_uses_and_days_loses_nothing(
    seed: int, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "8")
    monkeypatch.setenv("LIMPET_STORE__RETIRE_SHARE", "1")
    sandbox = UpkeepSandbox(tmp_path_factory.mktemp("sandbox"))
    chance = random.Random(seed)
    said: dict[str, str] = {}
    for number in range(14):
        match chance.choice(("say", "say", "work", "use", "rest", "upkeep")):
            case "say":
                impact = chance.choice(("LOW", "MEDIUM", "HIGH", "CRITICAL"))
                one = sandbox.remember(f"{long(number)} {seed}", impact=impact, pinned=chance.random() < 0.2)
                said[one.id] = one.content
            case "work":
                sandbox.work(chance.randrange(1, 9))
            case "use" if said:
                sandbox.use(sandbox.get(chance.choice(list(said))).memory)
            case "rest":
                sandbox.rest(chance.randrange(-3, 12))
            case _:
                sandbox.upkeep()
    sandbox.upkeep()
    before = sandbox.state()
    assert sandbox.upkeep().done == {}
    assert sandbox.state() == before
    for name, text in said.items():
        memory = sandbox.get(name).memory
        assert memory.original_content == text
        if memory.pinned or memory.impact == "CRITICAL":
            assert (memory.content, memory.phase) == (text, Phase.FULL)


def test_a_lock_that_leads_elsewhere_is_refused_with_a_sentence(sandbox: UpkeepSandbox) -> None:
    sandbox.remember("something")
    victim = sandbox.folder / "victim"
    victim.write_text("mine")
    (sandbox.home / "locks" / "upkeep").symlink_to(victim)
    with pytest.raises(StoreError, match="symlink"):
        sandbox.upkeep()
    assert victim.read_text() == "mine"


def test_the_lock_is_the_owners_alone(sandbox: UpkeepSandbox) -> None:
    sandbox.remember("something")
    sandbox.upkeep()
    assert os.stat(sandbox.home / "locks" / "upkeep").st_mode & 0o077 == 0


def test_upkeep_adds_up_old_receipts_unless_it_is_told_not_to(
    sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = sandbox.remember("The seagull eats at six")
    for _ in range(5):
        sandbox.use(one)
        sandbox.work(1)
    sandbox.rest(200)
    with sandbox.open() as runtime:
        used = runtime.reading().get(one.id)
        assert used is not None and used.standing.access_count == 5
    monkeypatch.setenv("LIMPET_UPKEEP__RECEIPT_DAYS", "0")
    sandbox.upkeep()
    sandbox.upkeep(dry_run=True)
    with sandbox.open() as runtime:
        assert len(runtime.reading().receipts(memory=one.id)) == 5
    monkeypatch.delenv("LIMPET_UPKEEP__RECEIPT_DAYS")
    sandbox.upkeep()
    with sandbox.open() as runtime:
        assert runtime.reading().receipts(memory=one.id) == ()
        found = runtime.reading().get(one.id)
        assert found is not None
        assert (found.standing.access_count, found.standing.last_accessed) == (5, used.standing.last_accessed)


def test_every_job_has_words_for_what_it_did() -> None:
    assert JOB_TEXTS.keys() == {*rounds.JOBS, "learning", "curation", "summarizing"}
