"""What is noted is kept once another session has used it; what was captured before tiers existed is noted, once."""

from __future__ import annotations

from limpet.model.change import ChangeKind
from limpet.model.memory import Draft, Memory, Origin, Tier
from limpet.upkeep.plan import upkeep_change
from tests.upkeep.sandbox import UpkeepSandbox, long


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
