"""A memory that is still used after its time scale has passed moves to a longer one."""

from __future__ import annotations

from datetime import timedelta

import pytest

from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Draft, Memory, Origin, Scale, Tier
from limpet.model.signature import Verdict
from limpet.model.standing import Standing
from limpet.upkeep.job import upkeep_change
from limpet.upkeep.promotion import find_proven_scale
from tests.model.making import START, memory
from tests.upkeep.sandbox import UpkeepSandbox, long

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
    assert find_proven_scale(memory(scale=scale, created_at=START), used) is expected


def test_use_in_another_session_proves_lasting_use(sandbox: UpkeepSandbox) -> None:
    first = sandbox.session()
    (one,) = sandbox.admit(Draft(text=long(1), origin=Origin.TOOL, scale=Scale.TASK, session=first))
    sandbox.use(one, session=sandbox.session())
    assert sandbox.upkeep("promotion").done == {"promotion": 1}
    assert sandbox.get(one).memory.scale is Scale.PROJECT
    assert sandbox.upkeep("promotion").done == {}


def test_promotion_keeps_the_signature_good(sandbox: UpkeepSandbox) -> None:
    sandbox.ask("sign")
    (one,) = sandbox.admit(Draft(text=long(1), origin=Origin.TOOL, scale=Scale.IMMEDIATE))
    sandbox.rest(1)
    sandbox.use(one)
    sandbox.upkeep("promotion")
    assert sandbox.get(one).memory.scale is Scale.PROJECT
    assert sandbox.get(one).verdict is Verdict.GOOD


def test_an_injection_proves_nothing(sandbox: UpkeepSandbox) -> None:
    (one,) = sandbox.admit(Draft(text=long(1), origin=Origin.TOOL, scale=Scale.IMMEDIATE))
    sandbox.rest(1)
    with sandbox.open() as runtime:
        shown = Change(kind=ChangeKind.RECEIPT, subject="receipt:start", payload={"ids": [one.id], "counts": False})
        runtime.store.append([shown], durable=False)
    assert sandbox.upkeep("promotion").done == {}


def tier_of(sandbox: UpkeepSandbox, memory: Memory) -> tuple[Tier, str]:
    found = sandbox.ask("show", id=memory.id).stored.memory
    return found.tier, found.earned


def test_what_another_session_has_used_is_kept(sandbox: UpkeepSandbox) -> None:
    (one, other) = sandbox.admit(
        *(Draft(text=long(number), origin=Origin.TOOL, session=sandbox.session()) for number in (1, 2))
    )
    sandbox.use(one, session=sandbox.session())
    sandbox.use(other, session=other.session)
    assert sandbox.upkeep("tiers").done == {"tiers": 1}
    assert tier_of(sandbox, one) == (Tier.KEPT, "used in another session")
    assert tier_of(sandbox, other) == (Tier.NOTED, "")
    assert sandbox.upkeep("tiers").done == {}


def test_what_was_captured_before_there_were_tiers_is_noted_unless_it_was_used(sandbox: UpkeepSandbox) -> None:
    drafts = [
        Draft(text=long(number), origin=Origin.USER, tier=Tier.KEPT, session=sandbox.session()) for number in (1, 2)
    ]
    (unused, used) = sandbox.admit(*drafts)
    sandbox.use(used, session=sandbox.session())
    assert sandbox.upkeep("tiers").done == {"tiers": 2}
    assert tier_of(sandbox, unused) == (Tier.NOTED, "")
    assert tier_of(sandbox, used) == (Tier.KEPT, "used in another session")
    assert sandbox.upkeep("tiers").done == {}


def test_what_was_stored_on_purpose_stays_kept(sandbox: UpkeepSandbox) -> None:
    own = sandbox.remember("The port is 8080", session=sandbox.session())
    assert sandbox.upkeep("tiers").done == {}
    assert tier_of(sandbox, own) == (Tier.KEPT, "stored on purpose")


def test_what_an_earlier_rule_kept_as_repeated_is_noted_once(sandbox: UpkeepSandbox) -> None:
    [memory] = sandbox.admit(Draft(text="Don't write code.", origin=Origin.USER, session=sandbox.session()))
    with sandbox.open() as runtime:
        runtime.context().write([upkeep_change(ChangeKind.KEEP, memory, {"earned": "said again in another session"})])
    assert tier_of(sandbox, memory) == (Tier.KEPT, "said again in another session")
    assert sandbox.upkeep("tiers").done == {"tiers": 1}
    assert tier_of(sandbox, memory) == (Tier.NOTED, "")
    assert sandbox.upkeep("tiers").done == {}
