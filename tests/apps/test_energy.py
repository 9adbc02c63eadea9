"""Making memories takes energy from a budget; when little is left, the work waits and is done later."""

from __future__ import annotations

import pytest

from limpet.apps.energy import compaction_units, creation_units
from tests.apps.talking import PREFERENCE, AppSandbox
from tests.operations.sandbox import DAY


def test_a_memory_takes_10_to_15_units_and_a_compaction_20_to_30() -> None:
    assert (creation_units(0), creation_units(10**6)) == (10, 15)
    assert (compaction_units(0), compaction_units(10**6)) == (20, 30)


def test_a_poll_reads_what_was_taken_since_the_last_one(sandbox: AppSandbox) -> None:
    def poll() -> int:
        found = sandbox.do("energy", poll=True).energy
        assert found is not None
        return found.since_poll

    assert poll() == 0
    sandbox.talk(PREFERENCE)
    looked = sandbox.do("energy").energy
    assert looked is not None and looked.since_poll == looked.today == 10
    assert (poll(), poll()) == (10, 0)
    sandbox.fill(11)
    assert poll() == 11 * 10 + 2 * 23


def test_below_a_fifth_the_work_waits_and_is_done_later(sandbox: AppSandbox) -> None:
    id = sandbox.say(PREFERENCE)
    answer = sandbox.do("end", "calendar", id, energy=0.19)
    assert answer.conversation is not None and answer.conversation.ended_at is not None
    assert answer.settled is not None and answer.settled.waiting == 1
    assert sandbox.contents() == []
    sandbox.do("work", energy=0.2)
    assert len(sandbox.contents()) == 1


def test_the_daily_budget_is_kept_and_renews_itself(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_APPS__DAILY_ENERGY", "40")
    sandbox.fill(6)
    assert len(sandbox.contents()) == 4
    looked = sandbox.do("energy", None).energy
    assert looked is not None and (looked.today, looked.left) == (40, 0.0)
    sandbox.ms += DAY
    sandbox.do("work", None)
    assert len(sandbox.contents()) == 6


def test_a_budget_of_nothing_makes_nothing(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_APPS__DAILY_ENERGY", "0")
    sandbox.talk(PREFERENCE)
    assert sandbox.contents() == []
