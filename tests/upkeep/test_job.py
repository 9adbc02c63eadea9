"""A plan is written in parts, none of which is larger than a batch."""

from __future__ import annotations

from limpet.model.change import ChangeKind
from limpet.upkeep.job import ACTOR, BATCH, Plan, upkeep_change
from tests.model.making import memory


def test_changes_that_need_not_be_written_together_are_split() -> None:
    changes = [upkeep_change(ChangeKind.PIN, memory()) for _ in range(2 * BATCH + 1)]
    plan = Plan.of(changes, retires=3)
    assert [len(part) for part in plan.parts] == [BATCH, BATCH, 1]
    assert [change for part in plan.parts for change in part] == changes
    assert (plan.retires, plan.room) == (3, None)
    assert Plan.of([]).parts == ()


def test_upkeep_is_named_as_the_actor() -> None:
    one = memory()
    change = upkeep_change(ChangeKind.PIN, one, {"a": 1})
    assert (change.actor, change.subject, dict(change.payload)) == (ACTOR, one.id, {"a": 1})
