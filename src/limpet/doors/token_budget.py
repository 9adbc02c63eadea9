"""Ask a language model within the tokens of the day. Every reply is paid for, so every reply is in the ledger.

The ledger consists of receipts whose `way` is the role that was asked for.
"""

from __future__ import annotations

import os
from datetime import timedelta
from functools import partial

from limpet import clock, system
from limpet.doors.governor import Passed, Way, govern
from limpet.errors import ModelFailed
from limpet.lean.record import replace
from limpet.model.query import Stored
from limpet.model.receipt import Receipt
from limpet.queue.files import was_written_since
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.doors.context import Context
    from limpet.llm.protocol import Model, Reply, Request, Roles
    from limpet.model.memory import Memory

CURATE, EXTRACT, SUMMARISE, MERGE, DECIDE = "curate", "extract", "summarise", "merge", "decide"
ROLES = (CURATE, EXTRACT, SUMMARISE, MERGE, DECIDE)
"""The roles of models that are counted."""
RESERVE = 0.2
"""The share of the tokens of the day that is left to what a person asks for."""
MOST_REQUESTS = 20
"""How often the roles of one round may ask a model."""
_WAIT_MS = 1000


def tokens_left(context: Context) -> int:
    """Return the number of tokens that may still be spent today."""
    days = context.reading().token_days(ROLES, context.now() - timedelta(days=1))
    return max(0, context.settings.llm.daily_tokens - sum(tokens for _, _, tokens in days))


def may_ask_model(context: Context) -> bool:
    """Tell whether the settings name a model and a limit."""
    return bool(context.settings.llm.provider and context.settings.llm.daily_tokens)


def is_short_of_tokens(context: Context) -> bool:
    """Tell whether so few tokens of the day are left that work which nobody waits for is done later."""
    return may_ask_model(context) and tokens_left(context) < RESERVE * context.settings.llm.daily_tokens


def open_configured_model(context: Context, *, timeout: float | None = None) -> Model | None:
    """Return the model that the settings name, or None if they name none.

    A request to a server on this machine is cancelled when a session reports something: it may need the same server.
    """
    if not may_ask_model(context):
        return None
    from limpet.llm.providers import open_model  # loaded here, because most processes ask no model

    settings = context.settings.llm
    if timeout is not None:
        settings = replace(settings, timeout_seconds=min(settings.timeout_seconds, timeout))
    return open_model(settings, home=context.home, stop=partial(was_written_since, context.home))


def with_model_roles(context: Context, *, timeout: float | None = None) -> Context:
    """Return the context with roles that ask the configured model, a limited number of times.

    The context is unchanged if there is no model that can be opened.
    """
    try:
        model = open_configured_model(context, timeout=timeout)
    except ModelFailed as failure:
        context.log(f"model: {failure}")
        return context
    if model is None:
        return context
    from limpet.llm.roles import ModelRoles

    opened, there, left = model, context, [MOST_REQUESTS]

    def ask(request: Request, role: str) -> Reply:
        left[0] -= 1
        if left[0] < 0:
            raise ModelFailed("a model was asked often enough in one round")
        return ask_model(there, opened, request, role=role)

    roles: Roles = ModelRoles(ask)
    return replace(context, roles=lambda: roles)


def roles_about(context: Context, memories: Sequence[Memory]) -> Roles:
    """Return the roles for texts of these memories: a model is asked only about what it may see."""
    from limpet.llm.extractive import ExtractiveRoles

    roles = context.roles()
    if isinstance(roles, ExtractiveRoles):
        return roles
    seen = (govern(Stored(memory=memory), way=Way.ASKED) for memory in memories)
    return roles if all(isinstance(each, Passed) and not each.reasons for each in seen) else ExtractiveRoles()


def ask_model(context: Context, model: Model, request: Request, *, role: str) -> Reply:
    """Return the model's reply and count its tokens; only one process asks at a time.

    What counts is the larger of what the provider reports and what is estimated: a server that reports too little must
    not make the limit of the day endless.

    Raise ModelFailed if the model gives no reply, or if the request and the longest reply exceed what may be spent
    today.
    """
    needed = request.tokens + request.most_tokens
    left = tokens_left(context)
    if needed > left:
        raise ModelFailed(
            f"the request needs up to {needed:,} tokens and {left:,} may still be spent today (llm.daily_tokens)"
        )
    path = os.path.join(context.home, "locks", "model")
    with system.lock(path, clock.attempts(_WAIT_MS), doing="ask a model") as is_held:
        if not is_held:
            raise ModelFailed("another process is asking a model")
        try:
            reply = model.ask(request)
        except ModelFailed as failure:
            if failure.tokens:
                _count(context, model, role, max(failure.tokens, request.tokens))
            raise
    reply = replace(
        reply,
        tokens_in=max(reply.tokens_in, request.tokens),
        tokens_out=max(reply.tokens_out, count_tokens(reply.text)),
    )
    _count(context, model, role, reply.tokens_in + reply.tokens_out)
    return reply


def _count(context: Context, model: Model, role: str, tokens: int) -> None:
    context.note(Receipt(id="", way=role, session=context.session, tokens=tokens, notes={"model": model.name}))
