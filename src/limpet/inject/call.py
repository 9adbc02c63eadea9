"""Show the model a rule with a tool call that breaks it: the rule of an adopted antigen, or a kept rule.

An antigen is a recurring failure with a rule against it; it is adopted when a person accepts the rule. The call itself
is not blocked.
"""

from __future__ import annotations

from datetime import datetime

from limpet.doors.governor import Way
from limpet.inject.budget import Budget
from limpet.inject.receipt import Injection, make_injection
from limpet.inject.recipient import Recipient
from limpet.inject.render import render_context, render_element
from limpet.inject.select import Judge, is_rule, select_item
from limpet.model.antigen import AntigenDecision
from limpet.model.event import ToolProposed
from limpet.model.memory import Tier
from limpet.model.query import Query
from limpet.model.rule_check import Adherence, derive_check
from limpet.settings import InjectSettings
from limpet.store.protocol import Reading
from limpet.text.handles import find_handles, find_rivals

WAY = "antigen"
"""The value of `Receipt.way` if a rule was shown with a call, also if it is no antigen's."""
_CHARACTERS = 400
_READ = 24


def inject_at_call(
    event: ToolProposed,
    recipient: Recipient,
    *,
    reading: Reading,
    settings: InjectSettings,
    judge: Judge,
    now: datetime,
) -> Injection | None:
    """Format the rule that a proposed tool call would break, and create the receipt.

    Return None if the call breaks no rule, or if the rule has already been shown with a call of the session.
    """
    found = [
        each.memory
        for each in reading.antigens(recipient.scope)
        if each.memory is not None
        and each.decision is AntigenDecision.ADOPTED
        and each.pattern.matches(tool=event.tool, command=event.command, files=event.files)
    ]
    found += [id for id in _find_broken_rules(event, recipient, reading, now) if id not in found]
    receipts = reading.receipts(session=recipient.session, limit=500) if found and recipient.session else ()
    told = {name for receipt in receipts if receipt.way == WAY for name in receipt.ids}
    for id in found:
        stored = reading.get(id) if id not in told else None
        item = select_item(judge(stored), way=Way.PROMPT, root=recipient.root, settings=settings) if stored else None
        if item is None:
            continue
        budget = Budget.of(settings, items=1, tokens=settings.prompt_tokens // 2, frame=render_context(()))
        text = render_element(item, now, _CHARACTERS)
        if budget.take(text):
            return make_injection(
                render_context([text]), [item], way=WAY, session=recipient.session, tokens=budget.spent
            )
    return None


def _find_broken_rules(event: ToolProposed, recipient: Recipient, reading: Reading, now: datetime) -> list[str]:
    """Return the ids of the kept rules that a tool call breaks and that name what it is about."""
    handles = find_handles(f"{event.tool} {event.command} {' '.join(event.files)}")
    query = Query(scope=recipient.scope, tier=Tier.KEPT, now=now)
    rivals = find_rivals(handles)
    keys = [key for key, _ in reading.by_words(query, [*handles, *rivals], limit=_READ)] if handles else []
    rules = [stored.memory for stored in reading.by_keys(query, keys).values() if is_rule(stored)]
    checks = ((memory.id, derive_check(memory.content)) for memory in rules)
    return [
        id
        for id, check in checks
        if check is not None
        and check.judge(tool=event.tool, command=event.command, files=event.files) is Adherence.BROKEN
    ]
