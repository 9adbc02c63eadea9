"""Ask a language model within the tokens of the day. Every reply is paid for, so every reply is in the ledger.

The ledger consists of receipts whose `way` is the role that was asked for.
"""

from __future__ import annotations

from datetime import timedelta

from limpet.errors import ModelFailed
from limpet.model.receipt import Receipt
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context
    from limpet.llm.protocol import Model, Reply, Request

CURATE, EXTRACT = "curate", "extract"
ROLES = (CURATE, EXTRACT)
"""The roles of models that are counted."""


def tokens_left(context: Context) -> int:
    """Return the number of tokens that may still be spent today."""
    days = context.reading().token_days(ROLES, context.now() - timedelta(days=1))
    return max(0, context.settings.llm.daily_tokens - sum(tokens for _, _, tokens in days))


def ask_model(context: Context, model: Model, request: Request, *, role: str) -> Reply:
    """Return the model's reply and count its tokens.

    Raise ModelFailed if the model gives none, or if the request and the longest reply exceed what may be spent today.
    """
    needed = count_tokens(request.instructions) + count_tokens(request.text) + request.most_tokens
    left = tokens_left(context)
    if needed > left:
        raise ModelFailed(
            f"the request needs up to {needed:,} tokens and {left:,} may still be spent today (llm.daily_tokens)"
        )
    reply = model.ask(request)
    spent = reply.tokens_in + reply.tokens_out
    context.note(Receipt(id="", way=role, session=context.session, tokens=spent, notes={"model": model.name}))
    return reply
