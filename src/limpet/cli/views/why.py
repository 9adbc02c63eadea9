"""How receipts and opinions about memories look to a person."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from limpet.cli.terminal import Out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.feedback import Judged
    from limpet.operations.why import Why

_WAYS = {
    "start": "at the start of the session",
    "prompt": "beside a prompt",
    "fix": "when an error was met again",
    "subagent": "to a sub-agent",
    "compact": "after the conversation was compacted",
    "recall": "asked for",
    "show": "opened",
}
_PARTS = ("score", "match", "recency", "strength", "trust", "coverage", "cosine")


def _none_of_it(answer: Why) -> str:
    """Old receipts are added up, so that there is none does not mean that nothing was brought up."""
    if answer.stored is None:
        return "nothing has been brought up here lately"
    last = answer.stored.standing.last_accessed
    if last is None:
        return "it has not been brought up yet"
    return f"it has not been brought up lately; the last time was {last.astimezone():%Y-%m-%d}"


def why(answer: Why, out: Out, now: datetime) -> None:
    from limpet.operations.why import outcome_of

    if not answer.receipts:
        out.remark(_none_of_it(answer))
        return
    for receipt in answer.receipts:
        when = receipt.at.astimezone().strftime("%Y-%m-%d %H:%M")
        more = f", {receipt.left_out} left out" if receipt.left_out else ""
        session = f", session {receipt.session[:8]}" if receipt.session else ""
        way = _WAYS.get(receipt.way, receipt.way)
        out.line(f"{when}  {way}{session}: {receipt.tokens} tokens{more}", style="cyan")
        for name in (*receipt.ids, *receipt.held_back):
            stored = answer.memories.get(name)
            if stored is None:
                continue
            title = " ".join((stored.memory.title or stored.memory.content).split())
            out.line(f"  {name[:18]}  {title[: out.room(22)]}")
            said = [
                "held back to measure" if name in receipt.held_back else "",
                receipt.notes.get(name, ""),
                outcome_of(answer, receipt, name),
                _told(receipt.parts.get(name, {})),
            ]
            for each in filter(None, said):
                out.line(f"    {each}", style="dim")
    out.hint("say what one was worth: limpet feedback <id> useful|wrong|stale|never")


def _told(parts: Mapping[str, float]) -> str:
    return ", ".join(f"{part} {parts[part]:.2f}" for part in _PARTS if part in parts)


def feedback(answer: Judged, out: Out, now: datetime) -> None:
    from limpet.operations.feedback import EFFECT

    out.line(f"noted that {answer.stored.memory.id} is {_SAID[answer.says.value]}: {EFFECT[answer.says]}")


_SAID = {"useful": "useful", "wrong": "wrong", "stale": "stale", "never": "never wanted again"}
