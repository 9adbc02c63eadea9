"""Show facts as a table."""

from __future__ import annotations

from limpet.cli.terminal import Output, print_notice
from limpet.cli.views.format import format_day, show_rest
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.facts import FactsAnswer


def show(answer: FactsAnswer, out: Output) -> None:
    if answer.left_out:
        print_notice(f"left out {plural(answer.left_out, 'private fact')}; --private includes them")
    if not answer.facts:
        out.remark_empty("no facts")
        return
    rows = [
        (
            fact.id if not out.is_terminal else fact.id[:19],
            fact.subject,
            fact.predicate,
            fact.object,
            "" if out.is_terminal and fact.confidence == 1 else f"{fact.confidence:g}",
            format_day(fact.valid_from),
            format_day(fact.valid_to) if fact.valid_to else "",
        )
        for fact in answer.facts
    ]
    out.table(("id", "subject", "predicate", "object", "conf.", "from", "to"), rows, wide=3)
    if answer.redacted:
        out.line(f"redacted: {', '.join(dict.fromkeys(answer.redacted))}", style="yellow")
    if answer.added:
        for fact in answer.closed:
            out.line(f"no longer holds: {fact.subject} {fact.predicate} {fact.object}", style="yellow")
    show_rest(answer.seen, answer.total, out)
