"""Count in how many conversations the agent followed or broke each rule of the user.

In a conversation without related calls, it is unknown whether the rule was followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from limpet.doors.context import Context
from limpet.insight.friction.measures import ConversationMeasures
from limpet.lean.record import record
from limpet.model.memory import Tier, Type
from limpet.model.query import Query
from limpet.model.reach import SUMMARIES
from limpet.model.rule_check import Adherence, RuleCheck, derive_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.insight.friction.report import FrictionReport

_MOST_RULES = 500


@record
class Counts:
    """The numbers of conversations that followed a rule, that broke it, and that do not show which of the two."""

    followed: int = 0
    broken: int = 0
    unknown: int = 0


@record
class RuleAdherence:
    """How often a rule was followed and broken, before and after it was learnt."""

    id: str
    """The id of the memory with the rule."""
    text: str
    learnt_at: datetime
    before: Counts
    since: Counts


def measure_rules(context: Context, report: FrictionReport) -> tuple[RuleAdherence, ...]:
    """Return how often each kept rule of this project was followed in the conversations of a report."""
    query = Query(scope=context.scope, tier=Tier.KEPT, now=context.now(), limit=_MOST_RULES)
    memories = [stored.memory for stored in context.reading().browse(query).items]
    rules = [
        (each.id, each.content, each.created_at) for each in memories if each.type not in (*SUMMARIES, Type.BUGFIX)
    ]
    return tuple(measure_adherence(rules, report.conversations))


def measure_adherence(
    rules: Iterable[tuple[str, str, datetime]], conversations: Sequence[ConversationMeasures]
) -> list[RuleAdherence]:
    """Return how often each rule was followed and broken; the rules that were broken most often come first.

    Each rule is an id, a text and the time when it was learnt. Rules that cannot be checked, or that were neither
    followed nor broken in any conversation, are left out.
    """
    found = []
    for id, text, learnt_at in rules:
        check = derive_check(text)
        if check is None:
            continue
        before = _count_conversations(check, [each for each in conversations if each.begins < learnt_at])
        since = _count_conversations(check, [each for each in conversations if each.begins >= learnt_at])
        if before.followed or before.broken or since.followed or since.broken:
            found.append(RuleAdherence(id=id, text=text, learnt_at=learnt_at, before=before, since=since))
    return sorted(found, key=lambda each: (-each.since.broken, -each.before.broken, each.id))


def _count_conversations(check: RuleCheck, conversations: Iterable[ConversationMeasures]) -> Counts:
    """Count in how many conversations a rule was followed or broken; one call that breaks it is enough for BROKEN."""
    counts = dict.fromkeys(Adherence, 0)
    for each in conversations:
        shown = {check.judge(tool=call.tool, command=call.command, files=call.files) for call in each.calls}
        worst = next((one for one in (Adherence.BROKEN, Adherence.FOLLOWED) if one in shown), Adherence.UNKNOWN)
        counts[worst] += 1
    return Counts(
        followed=counts[Adherence.FOLLOWED], broken=counts[Adherence.BROKEN], unknown=counts[Adherence.UNKNOWN]
    )
