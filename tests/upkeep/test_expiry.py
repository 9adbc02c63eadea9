"""What has passed its time is not shown and moves to the archive; what was captured goes when it is not used."""

from __future__ import annotations

from datetime import timedelta

import pytest

from limpet.errors import Refused
from limpet.model.memory import Draft, Impact, Memory, Origin, Phase, Tier
from limpet.model.outcome import Admitted
from tests.operations.sandbox import MODEL
from tests.upkeep.sandbox import UpkeepSandbox, long, strange
from tests.upkeep.similar_texts import ALIKE


def test_an_expired_memory_is_not_shown_and_steps_to_the_archive(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(long(1), ttl_days=10)
    sandbox.rest(11)
    assert sandbox.texts() == []
    assert sandbox.upkeep().done == {"expiry": 1}
    assert sandbox.phase(one) is Phase.ARCHIVED
    assert sandbox.texts() == []
    assert sandbox.upkeep().done == {}


def test_what_has_not_expired_stays(sandbox: UpkeepSandbox) -> None:
    sandbox.remember(long(1), ttl_days=10)
    sandbox.rest(9.9)
    assert sandbox.upkeep().done == {}


def test_restoring_what_expired_brings_its_text_back_without_an_end(sandbox: UpkeepSandbox) -> None:
    one = sandbox.remember(long(1), ttl_days=10)
    sandbox.rest(11)
    sandbox.upkeep()
    back = sandbox.ask("restore", id=one.id).stored.memory
    assert (back.content, back.expires_at, back.phase) == (one.content, None, Phase.FULL)
    assert sandbox.texts() == [one.content]
    sandbox.rest(50)
    sandbox.upkeep()
    assert sandbox.texts() == [one.content]


def test_from_the_archive_comes_back_what_upkeep_put_away_and_nothing_else(sandbox: UpkeepSandbox) -> None:
    expired, full = sandbox.remember(long(1), ttl_days=10), sandbox.remember(long(2))
    forgotten, corrected = sandbox.remember(long(3)), sandbox.remember(long(4))
    sandbox.ask("forget", ids=(forgotten.id,))
    sandbox.ask("correct", id=corrected.id, text=long(5))
    sandbox.rest(11)
    sandbox.upkeep()
    assert sandbox.ask("restore", id=expired.id, archive=True).stored.memory.content == expired.content
    for stored, why in ((full, "its text is complete"), (forgotten, "was forgotten"), (corrected, "was corrected")):
        with pytest.raises(Refused, match=why):
            sandbox.ask("restore", id=stored.id, archive=True)
    assert forgotten.content not in sandbox.texts() and corrected.content not in sandbox.texts()


def test_a_faded_and_a_merged_text_come_back_from_the_archive(sandbox: UpkeepSandbox) -> None:
    faded = sandbox.fill([strange("faded")], impact=Impact.LOW)[0]
    merged = sandbox.fill(ALIKE)
    sandbox.work(12)
    sandbox.upkeep()
    for stored in (faded, merged[0]):
        assert stored.content not in sandbox.texts()
        assert sandbox.ask("restore", id=stored.id, archive=True).stored.memory.content == stored.content
        assert stored.content in sandbox.texts()


def captured(sandbox: UpkeepSandbox, *numbers: int, origin: Origin = Origin.TOOL) -> list[Memory]:
    return sandbox.admit(*(Draft(text=long(number), origin=origin, impact=Impact.HIGH) for number in numbers))


def test_what_was_captured_goes_ninety_days_after_its_last_use(sandbox: UpkeepSandbox) -> None:
    unused, used = captured(sandbox, 1, 2)
    sandbox.rest(60)
    sandbox.use(used)
    sandbox.rest(31)
    sandbox.upkeep()
    assert (sandbox.phase(unused), sandbox.phase(used)) == (Phase.ARCHIVED, Phase.FULL)
    sandbox.rest(60)
    sandbox.upkeep()
    assert sandbox.phase(used) is Phase.ARCHIVED


def test_what_somebody_stored_on_purpose_never_expires_by_itself(sandbox: UpkeepSandbox) -> None:
    mine = sandbox.remember(long(1))
    models = sandbox.remember(long(2), as_=MODEL)
    (vouched,) = captured(sandbox, 3)
    sandbox.ask("confirm", ids=[vouched.id], yes=True)
    sandbox.rest(1000)
    sandbox.upkeep()
    assert {sandbox.phase(each) for each in (mine, models, vouched)} == {Phase.FULL}


def test_a_summary_that_the_hooks_made_of_the_agents_words_counts_as_captured(sandbox: UpkeepSandbox) -> None:
    (made,) = captured(sandbox, 1, origin=Origin.AGENT)
    sandbox.rest(91)
    sandbox.upkeep()
    assert sandbox.phase(made) is Phase.ARCHIVED


def test_a_pinned_capture_stays(sandbox: UpkeepSandbox) -> None:
    (kept,) = sandbox.admit(Draft(text=long(1), origin=Origin.TOOL, pinned=True))
    sandbox.rest(500)
    sandbox.upkeep()
    assert sandbox.phase(kept) is Phase.FULL


def test_it_can_be_switched_off(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_UPKEEP__AUTO_TTL_DAYS", "0")
    (one,) = captured(sandbox, 1)
    sandbox.rest(500)
    sandbox.upkeep()
    assert sandbox.phase(one) is Phase.FULL


def test_expiry_needs_no_asking(sandbox: UpkeepSandbox) -> None:
    captured(sandbox, *range(20))
    sandbox.rest(91)
    answer = sandbox.upkeep("expiry")
    assert answer.done == {"expiry": 20} and answer.notices == []


def test_a_clock_that_went_back_expires_nothing(sandbox: UpkeepSandbox) -> None:
    sandbox.rest(500)
    (one,) = captured(sandbox, 1)
    sandbox.rest(-500)
    assert sandbox.upkeep().done == {}
    assert sandbox.phase(one) is Phase.FULL


def test_what_is_only_noted_is_archived_after_thirty_active_days_without_use(sandbox: UpkeepSandbox) -> None:
    (noted, used) = sandbox.admit(
        *(Draft(text=strange(number), origin=Origin.TOOL, session=sandbox.session()) for number in (1, 2))
    )
    sandbox.work(20)
    sandbox.use(used, session=sandbox.session())
    sandbox.rest(60)
    sandbox.upkeep("expiry")
    assert sandbox.phase(noted) is not Phase.ARCHIVED, "a pause costs nothing"
    sandbox.work(12)
    sandbox.upkeep("expiry")
    assert (sandbox.phase(noted), sandbox.phase(used)) == (Phase.ARCHIVED, Phase.FULL)
    assert sandbox.ask("restore", id=noted.id).stored.memory.content == noted.content


def test_what_was_learnt_from_old_recordings_has_its_time_from_when_it_was_learnt(sandbox: UpkeepSandbox) -> None:
    sandbox.work(200)
    first = sandbox.moment - timedelta(days=190)
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima", now=first)
        door.admit(Draft(text=strange(1), origin=Origin.TOOL, session="s10", impact=Impact.HIGH))
        runtime.write(door.changes)
    (noted,) = (each.memory for each in sandbox.ask("list").items)
    assert (noted.created_at, noted.tier) == (first, Tier.NOTED)
    sandbox.upkeep("expiry")
    assert sandbox.phase(noted) is not Phase.ARCHIVED, "nobody could have decided about it yet"
    sandbox.work(29)
    sandbox.rest(40)
    sandbox.upkeep("tiers", "expiry")
    assert sandbox.phase(noted) is not Phase.ARCHIVED, "days without a session do not count"
    sandbox.work(2)
    sandbox.upkeep("expiry")
    assert sandbox.phase(noted) is Phase.ARCHIVED


def test_what_was_kept_from_old_recordings_may_be_unused_for_ninety_days(sandbox: UpkeepSandbox) -> None:
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima", now=sandbox.moment - timedelta(days=300))
        made = door.admit(Draft(text=long(1), origin=Origin.TOOL, impact=Impact.HIGH))
        runtime.write(door.changes)
    assert isinstance(made, Admitted)
    sandbox.rest(89)
    sandbox.upkeep("expiry")
    assert sandbox.phase(made.memory) is Phase.FULL
    sandbox.rest(2)
    sandbox.upkeep("expiry")
    assert sandbox.phase(made.memory) is Phase.ARCHIVED
