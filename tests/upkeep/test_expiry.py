"""What has passed its time is never shown and steps to the archive; what came by itself goes when nobody needs it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from limpet.errors import Refused
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Draft, Impact, Memory, Origin, Phase, Scale
from limpet.model.signature import Verdict
from limpet.model.standing import Standing
from limpet.upkeep.promotion import proven_scale
from tests.model.making import START, memory
from tests.operations.desk import MODEL
from tests.upkeep.house import House, long, strange
from tests.upkeep.test_compression import ALIKE


def test_an_expired_memory_is_not_shown_and_steps_to_the_archive(house: House) -> None:
    one = house.remember(long(1), ttl_days=10)
    house.rest(11)
    assert house.texts() == []
    assert house.upkeep().done == {"expiry": 1}
    assert house.phase(one) is Phase.ARCHIVED
    assert house.texts() == []
    assert house.upkeep().done == {}


def test_what_has_not_expired_stays(house: House) -> None:
    house.remember(long(1), ttl_days=10)
    house.rest(9.9)
    assert house.upkeep().done == {}


def test_restoring_what_expired_brings_its_text_back_without_an_end(house: House) -> None:
    one = house.remember(long(1), ttl_days=10)
    house.rest(11)
    house.upkeep()
    back = house.ask("restore", id=one.id).stored.memory
    assert (back.content, back.expires_at, back.phase) == (one.content, None, Phase.FULL)
    assert house.texts() == [one.content]
    house.rest(50)
    house.upkeep()
    assert house.texts() == [one.content]


def test_from_the_archive_comes_back_what_upkeep_put_away_and_nothing_else(house: House) -> None:
    expired, full = house.remember(long(1), ttl_days=10), house.remember(long(2))
    forgotten, corrected = house.remember(long(3)), house.remember(long(4))
    house.ask("forget", ids=(forgotten.id,))
    house.ask("correct", id=corrected.id, text=long(5))
    house.rest(11)
    house.upkeep()
    assert house.ask("restore", id=expired.id, archive=True).stored.memory.content == expired.content
    for stored, why in ((full, "there in full"), (forgotten, "was forgotten"), (corrected, "was corrected")):
        with pytest.raises(Refused, match=why):
            house.ask("restore", id=stored.id, archive=True)
    assert forgotten.content not in house.texts() and corrected.content not in house.texts()


def test_a_faded_and_a_merged_text_come_back_from_the_archive(house: House) -> None:
    faded = house.fill([strange("faded")], impact=Impact.LOW)[0]
    merged = house.fill(ALIKE)
    house.work(12)
    house.upkeep()
    for stored in (faded, merged[0]):
        assert stored.content not in house.texts()
        assert house.ask("restore", id=stored.id, archive=True).stored.memory.content == stored.content
        assert stored.content in house.texts()


def captured(house: House, *numbers: int, origin: Origin = Origin.TOOL) -> list[Memory]:
    return house.admit(*(Draft(text=long(number), origin=origin, impact=Impact.HIGH) for number in numbers))


def test_what_was_captured_goes_ninety_days_after_its_last_use(house: House) -> None:
    unused, used = captured(house, 1, 2)
    house.rest(60)
    house.use(used)
    house.rest(31)
    house.upkeep()
    assert (house.phase(unused), house.phase(used)) == (Phase.ARCHIVED, Phase.FULL)
    house.rest(60)
    house.upkeep()
    assert house.phase(used) is Phase.ARCHIVED


def test_what_somebody_stored_on_purpose_never_expires_by_itself(house: House) -> None:
    mine = house.remember(long(1))
    models = house.remember(long(2), as_=MODEL)
    (vouched,) = captured(house, 3)
    house.ask("confirm", ids=[vouched.id], yes=True)
    house.rest(1000)
    house.upkeep()
    assert {house.phase(each) for each in (mine, models, vouched)} == {Phase.FULL}


def test_a_summary_that_the_hooks_made_of_the_agents_words_counts_as_captured(house: House) -> None:
    (made,) = captured(house, 1, origin=Origin.AGENT)
    house.rest(91)
    house.upkeep()
    assert house.phase(made) is Phase.ARCHIVED


def test_pinned_and_critical_captures_stay(house: House) -> None:
    kept = house.admit(
        Draft(text=long(1), origin=Origin.TOOL, pinned=True),
        Draft(text=long(2), origin=Origin.TOOL, impact=Impact.CRITICAL),
    )
    house.rest(500)
    house.upkeep()
    assert {house.phase(each) for each in kept} == {Phase.FULL}


def test_it_can_be_switched_off(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_UPKEEP__AUTO_TTL_DAYS", "0")
    (one,) = captured(house, 1)
    house.rest(500)
    house.upkeep()
    assert house.phase(one) is Phase.FULL


def test_expiry_needs_no_asking(house: House) -> None:
    captured(house, *range(20))
    house.rest(91)
    answer = house.upkeep("expiry")
    assert answer.done == {"expiry": 20} and answer.notices == []


def test_a_clock_that_went_back_expires_nothing(house: House) -> None:
    house.rest(500)
    (one,) = captured(house, 1)
    house.rest(-500)
    assert house.upkeep().done == {}
    assert house.phase(one) is Phase.FULL


MINUTE = 60


@pytest.mark.parametrize(
    ("scale", "seconds", "count", "expected"),
    [
        (Scale.IMMEDIATE, 4 * MINUTE, 1, Scale.IMMEDIATE),
        (Scale.IMMEDIATE, 6 * MINUTE, 1, Scale.TASK),
        (Scale.IMMEDIATE, 31 * MINUTE, 1, Scale.SESSION),
        (Scale.TASK, 121 * MINUTE, 2, Scale.PROJECT),
        (Scale.SESSION, 6 * MINUTE, 1, Scale.SESSION),
        (Scale.IMMEDIATE, 500 * MINUTE, 0, Scale.IMMEDIATE),
        (Scale.TASK, -500 * MINUTE, 3, Scale.TASK),
    ],
)
def test_a_scale_is_proved_by_use_after_it_ran_out(scale: Scale, seconds: int, count: int, expected: Scale) -> None:
    used = Standing(access_count=count, last_accessed=START + timedelta(seconds=seconds))
    assert proven_scale(memory(scale=scale, created_at=START), used) is expected


def test_use_in_another_session_proves_lasting_use(house: House) -> None:
    first = house.session()
    (one,) = house.admit(Draft(text=long(1), origin=Origin.TOOL, scale=Scale.TASK, session=first))
    house.use(one, session=house.session())
    assert house.upkeep("promotion").done == {"promotion": 1}
    assert house.get(one).memory.scale is Scale.PROJECT
    assert house.upkeep("promotion").done == {}


def test_promotion_keeps_the_signature_good(house: House) -> None:
    house.ask("sign")
    (one,) = house.admit(Draft(text=long(1), origin=Origin.TOOL, scale=Scale.IMMEDIATE))
    house.rest(1)
    house.use(one)
    house.upkeep("promotion")
    assert house.get(one).memory.scale is Scale.PROJECT
    assert house.get(one).verdict is Verdict.GOOD


def test_an_injection_proves_nothing(house: House) -> None:
    (one,) = house.admit(Draft(text=long(1), origin=Origin.TOOL, scale=Scale.IMMEDIATE))
    house.rest(1)
    with house.open() as runtime:
        shown = Change(kind=ChangeKind.RECEIPT, subject="receipt:start", payload={"ids": [one.id], "counts": False})
        runtime.store.append([shown], durable=False)
    assert house.upkeep("promotion").done == {}
