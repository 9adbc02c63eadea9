"""Show how many tokens language models have used each day, and how many they may still use."""

from __future__ import annotations

from datetime import timedelta

from limpet.doors.token_budget import ROLES, tokens_left
from limpet.lean.record import pick, record
from limpet.operations.catalogue import Param, Verb, label
from limpet.runtime import Runtime


@record
class CostAnswer:
    """The calls of language models on the requested days, newest day first, and the daily limit."""

    days: tuple[tuple[str, int, int], ...]
    """Each day with the number of calls and the number of tokens."""
    provider: str
    daily_tokens: int
    left: int
    """How many tokens may still be used within the limit for 24 hours; 0 if no model is configured."""


def run(runtime: Runtime, *, days: int = 30) -> CostAnswer:
    settings = runtime.settings.llm
    return CostAnswer(
        days=runtime.reading().token_days(ROLES, runtime.now() - timedelta(days=days)),
        provider=settings.provider,
        daily_tokens=settings.daily_tokens,
        left=tokens_left(runtime.context()) if settings.provider else 0,
    )


VERB = Verb(
    run=run,
    shape=lambda answer: {**pick(answer), "days": label(answer.days, "day", "calls", "tokens")},
    params=(Param(name="days", help="How many days to look back.", kind="integer", default=30),),
    details=(
        "No language model is asked unless `llm.provider` names one and `llm.daily_tokens` allows it. Every call is "
        "counted, even if its reply could not be used."
    ),
    examples=("limpet cost", "limpet cost --days 7"),
)
