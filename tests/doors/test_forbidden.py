"""A rule forbids a fix that runs its command, however many fixes and summaries name that command since."""

from __future__ import annotations

import pytest

from limpet.doors.forbidden import is_forbidden
from limpet.model.change import Status
from limpet.model.memory import Memory, Origin, Type
from tests.operations.sandbox import DAY, Sandbox

RULE = "Never run terraform force-unlock, ask the platform team."
FIX = "Problem: the state is locked. Solution: ran `terraform force-unlock -force 7f3a`"


def report(sandbox: Sandbox, number: int, type: str) -> Memory:
    """Store one of many memories that name the command and forbid nothing."""
    sandbox.ms += 1000
    text = f"Stack {number * 7919}: ran `terraform force-unlock -force {number:x}a{number}`, then stack{number} passed"
    return sandbox.remember(text, type=type, tags=[f"error:{number}"], origin="tool")


def forbids_fix(sandbox: Sandbox) -> bool:
    with sandbox.open() as runtime:
        scope, reading = runtime.scope(), runtime.reading()
        return is_forbidden(FIX, Origin.TOOL.ceiling, scope=scope, reading=reading, now=runtime.now())


@pytest.mark.parametrize("type", [Type.BUGFIX, Type.SESSION_SUMMARY])
def test_a_rule_still_forbids_after_many_reports_of_the_same_command(sandbox: Sandbox, type: Type) -> None:
    sandbox.remember(RULE)
    assert forbids_fix(sandbox)
    for number in range(15):
        report(sandbox, number, type.value)
    assert forbids_fix(sandbox)


def test_a_new_rule_finds_an_older_fix_behind_many_other_memories(sandbox: Sandbox) -> None:
    fix = report(sandbox, 99, "bugfix")
    for number in range(15):
        report(sandbox, number, "discovery")
    assert sandbox.ask("show", id=fix.id).stored.status is Status.LIVE
    sandbox.remember(RULE)
    assert sandbox.ask("show", id=fix.id).stored.status is Status.FORGOTTEN


def test_an_expired_rule_forbids_nothing(sandbox: Sandbox) -> None:
    sandbox.remember(RULE, ttl_days=2)
    assert forbids_fix(sandbox)
    sandbox.ms += 3 * DAY
    assert not forbids_fix(sandbox)
