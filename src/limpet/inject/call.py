"""Show the model the rule of an adopted antigen before a tool call that would break it.

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
from limpet.inject.select import Judge, select_item
from limpet.model.antigen import AntigenDecision
from limpet.model.event import ToolProposed
from limpet.settings import InjectSettings
from limpet.store.protocol import Reading

WAY = "antigen"
"""The value of `Receipt.way` if an antigen's rule was shown."""
_CHARACTERS = 400


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

    Return None if the call breaks no rule, or if the rule has already been shown in the session.
    """
    found = [
        each.memory
        for each in reading.antigens(recipient.scope)
        if each.memory is not None
        and each.decision is AntigenDecision.ADOPTED
        and each.pattern.matches(tool=event.tool, command=event.command, files=event.files)
    ]
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
