"""Ask a language model, within a daily limit of tokens.

The tokens of each reply are recorded in a receipt. The receipt's `way` is the role for which the model was asked, such
as curating a session.
"""

from __future__ import annotations

import os
from datetime import timedelta
from functools import partial

from limpet import clock, system
from limpet.doors.governor import Passed, Way, govern
from limpet.errors import ModelFailed
from limpet.lean.record import replace
from limpet.model.memory import Origin
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
"""The roles for which a model is asked."""
RESERVE = 0.2
"""The share of the daily tokens that is reserved for what a person asks for."""
MOST_REQUESTS = 20
"""The maximum number of requests to a model in one context."""
_WAIT_MS = 1000


def tokens_left(context: Context) -> int:
    """Return the number of tokens that may still be used, given the use in the last 24 hours."""
    days = context.reading().token_days(ROLES, context.now() - timedelta(days=1))
    return max(0, context.settings.llm.daily_tokens - sum(tokens for _, _, tokens in days))


def may_ask_model(context: Context) -> bool:
    """Tell whether the settings name a model provider and a daily token limit above zero."""
    return bool(context.settings.llm.provider and context.settings.llm.daily_tokens)


def is_short_of_tokens(context: Context) -> bool:
    """Tell whether so few tokens are left that background work must wait."""
    return may_ask_model(context) and tokens_left(context) < RESERVE * context.settings.llm.daily_tokens


def open_configured_model(context: Context, *, timeout: float | None = None) -> Model | None:
    """Return the model that the settings name, or None if they name none.

    A request to a model on this machine is cancelled if a session reports an event, because the session may use the
    same model. `timeout` is the maximum number of seconds for each request.
    """
    if not may_ask_model(context):
        return None
    # Loaded here, because most processes ask no model.
    from limpet.llm.providers import open_model

    settings = context.settings.llm
    if timeout is not None:
        settings = replace(settings, timeout_seconds=min(settings.timeout_seconds, timeout))
    return open_model(settings, home=context.home, stop=partial(was_written_since, context.home))


def with_model_roles(context: Context, *, timeout: float | None = None) -> Context:
    """Return a context whose roles (summarise, merge, decide …) ask the configured model.

    The model is asked at most `MOST_REQUESTS` times. Return the same context if no model is configured or it cannot be
    opened.
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


def choose_roles(context: Context, memories: Sequence[Memory]) -> Roles:
    """Return the context's roles, or roles without a model if a model must not see or reword all of these memories.

    What the user said is not reworded: its words would still count as the user's.
    """
    from limpet.llm.extractive import ExtractiveRoles

    roles = context.roles()
    if isinstance(roles, ExtractiveRoles):
        return roles
    seen = (govern(Stored(memory=memory), way=Way.ASKED) for memory in memories)
    may_see = all(isinstance(each, Passed) and not each.reasons for each in seen)
    return roles if may_see and all(each.origin is not Origin.USER for each in memories) else ExtractiveRoles()


def ask_model(context: Context, model: Model, request: Request, *, role: str) -> Reply:
    """Send a request to the model, record the tokens used, and return the reply.

    Raise ModelFailed if the model fails, if another process is asking it, or if the request and the longest possible
    reply need more tokens than are left.
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
                _record_tokens(context, model, role, max(failure.tokens, request.tokens))
            raise
    # At least the estimated tokens are recorded, because a server may report too few.
    reply = replace(
        reply,
        tokens_in=max(reply.tokens_in, request.tokens),
        tokens_out=max(reply.tokens_out, count_tokens(reply.text)),
    )
    _record_tokens(context, model, role, reply.tokens_in + reply.tokens_out)
    return reply


def _record_tokens(context: Context, model: Model, role: str, tokens: int) -> None:
    context.note(Receipt(id="", way=role, session=context.session, tokens=tokens, notes={"model": model.name}))
