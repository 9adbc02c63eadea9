"""Show which memories were given to an agent, and for which reasons."""

from __future__ import annotations

from collections.abc import Mapping

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_day, format_time_of_day, short_id, show_headline
from limpet.model.memory import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.why import WhyAnswer

_WAYS = {
    "start": "at the start of the session",
    "prompt": "with a prompt",
    "fix": "when an error occurred again",
    "subagent": "to a sub-agent",
    "compact": "after the conversation was compacted",
    "recall": "recalled",
    "show": "shown",
}
_PARTS = ("score", "match", "recency", "strength", "trust", "coverage", "cosine")


def show(answer: WhyAnswer, out: Output) -> None:
    from limpet.operations.blame import describe_decision
    from limpet.operations.why import find_outcome

    if answer.drawn_from and answer.stored:
        origin = answer.stored.memory.origin
        named = ", ".join(answer.drawn_from)
        why = f"it was stored in a turn in which {named} was read, and does not say what the user typed"
        if origin is not Origin.TOOL:
            why = f"its words were read from {named}"
        out.line(f"{why}, so its origin is {origin}", style="yellow")
    for decision in answer.decisions:
        out.line(describe_decision(decision), style="dim")
    if not answer.receipts:
        out.remark(_explain_no_receipts(answer))
        return
    for receipt in answer.receipts:
        when = f"{format_day(receipt.at)} {format_time_of_day(receipt.at)}"
        more = f", {receipt.left_out} left out" if receipt.left_out else ""
        session = f", session {receipt.session[:8]}" if receipt.session else ""
        way = _WAYS.get(receipt.way, receipt.way)
        out.line(f"{when}  {way}{session}: {receipt.tokens} tokens{more}", style="cyan")
        for name in (*receipt.ids, *receipt.held_back):
            stored = answer.memories.get(name)
            if stored is None:
                continue
            show_headline(f"  {short_id(name)}  ", stored.memory, out)
            said = [
                "held back for a measurement" if name in receipt.held_back else "",
                receipt.notes.get(name, ""),
                find_outcome(answer, receipt, name),
                _format_parts(receipt.parts.get(name, {})),
            ]
            for each in filter(None, said):
                out.line(f"    {each}", style="dim")
    out.hint("rate one: limpet feedback <id> useful|wrong|stale|never")


def _format_parts(parts: Mapping[str, float]) -> str:
    return ", ".join(f"{part} {parts[part]:.2f}" for part in _PARTS if part in parts)


def _explain_no_receipts(answer: WhyAnswer) -> str:
    """Return a sentence that explains why there is no receipt.

    For a memory that was last used long ago, the sentence names that use.
    """
    if answer.stored is None:
        return "no agent was given a memory here lately"
    last = answer.stored.standing.last_accessed
    if last is None:
        return "it has not been given to an agent yet"
    return f"it has not been given to an agent lately; it was last used on {format_day(last)}"
