"""Show how many tokens language models have used."""

from __future__ import annotations

from limpet.cli.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.cost import CostAnswer


def show(answer: CostAnswer, out: Output) -> None:
    if answer.days:
        rows = [(day, str(calls), f"{tokens:,}") for day, calls, tokens in answer.days]
        out.table(("day", "calls", "tokens"), rows)
    else:
        out.remark("no language model was asked")
    if answer.provider and answer.daily_tokens:
        out.line(f"{answer.provider}: {answer.left:,} of today's {answer.daily_tokens:,} tokens are left")
    elif answer.provider:
        out.remark(f"{answer.provider} may not be asked; to allow it: limpet config llm.daily_tokens 60000")
    else:
        out.remark("no model may be asked; to allow it: limpet config llm.provider claude, and llm.daily_tokens")
