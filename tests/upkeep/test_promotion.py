"""A memory that is still used after its time scale has passed moves to a longer one."""

from __future__ import annotations

from datetime import timedelta

import pytest

from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Draft, Origin, Scale
from limpet.model.signature import Verdict
from limpet.model.standing import Standing
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
