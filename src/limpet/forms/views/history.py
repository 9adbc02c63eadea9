"""Show everything about one memory: its versions, its changes, and where it was given to an agent."""

from __future__ import annotations

from itertools import takewhile

from limpet.curating.history import describe_decision
from limpet.forms.terminal import Output
from limpet.forms.views import (
    format_day,
    format_id,
    format_moment,
    format_time_of_day,
    short_id,
    show_headline,
    starts_with_title,
    warning_mark,
)
from limpet.model.change import Status
from limpet.model.memory import Origin, Sensitivity
from limpet.operations.blame import describe_change
from limpet.text.excerpt import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limpet.model.query import Stored
    from limpet.operations.blame import BlameAnswer
    from limpet.operations.show import ShowAnswer
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


def show_show(shown: ShowAnswer, out: Output) -> None:
    stored, memory = shown.stored, shown.stored.memory
    out.line(f"{warning_mark(stored)}{memory.id}  {memory.label}", style="cyan")
    if not starts_with_title(memory):
        out.line(memory.title, style="bold")
        if memory.subtitle:
            out.line(memory.subtitle)
        out.line()
    for row in memory.content.splitlines():
        out.line(row, hang=0)
    if memory.content != memory.original_content:
        out.line()
        out.line("in full:", style="dim")
        for row in memory.original_content.splitlines():
            out.line(row, hang=0)
    out.line()
    for warning in stored.warnings:
        out.line(f"⚠ {warning}", style="red")
    decided = (("decided", describe_decision(decision)) for decision in shown.decisions)
    for name, value in (*decided, *_details(stored)):
        if value:
            out.line(f"{name:<12}{value}", style="dim", hang=12)
    for relation, to in shown.links:
        out.line(f"{relation:<12}{to}", style="dim")
    if len(shown.versions) > 1:
        out.line()
        _show_versions(shown.versions, current=memory.id, out=out)


def _show_versions(versions: Sequence[Stored], *, current: str, out: Output) -> None:
    """Print a line for each version; if the texts do not fit, leave out the words with which all of them begin."""
    starts = []
    for stored in versions:
        memory = stored.memory
        arrow, created = "→" if memory.id == current else " ", format_day(memory.created_at)
        starts.append(f"{arrow} v{memory.version} {created} {stored.status.value:<10} {format_id(stored, out)}  ")
    room = out.width_left(max(map(len, starts)))
    texts = [" ".join(stored.memory.content.split()) for stored in versions]
    columns = zip(*(text.split() for text in texts), strict=False)
    # One of the shared words is left, because it shows what the next word is about.
    shared = sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, columns)) - 1
    if shared > 0 and max(map(len, texts)) > room:
        texts = [" ".join(("…", *text.split()[shared:])) for text in texts]
    for start, text in zip(starts, texts, strict=True):
        out.line(start + clip(text, room))


def _details(stored: Stored) -> Iterator[tuple[str, str]]:
    memory, standing = stored.memory, stored.standing
    by = "" if stored.status is Status.LIVE else memory.superseded_by
    # A corrected memory that is forgotten keeps the id of its next version, which did not cause that.
    replaced = f" by {by}" if stored.status is Status.SUPERSEDED else f"; replaced by {by}"
    yield "status", f"{stored.status}{replaced if by else ''}"
    yield "tier", f"{memory.tier}: {memory.earned}" if memory.earned else memory.tier.value
    confirmed = ", confirmed" if memory.confirmed else ""
    yield "stored", f"{format_moment(memory.created_at)} by {memory.origin}{confirmed}"
    yield "scope", memory.app or (f"project {memory.project}" if memory.project else f"agent {memory.agent}")
    yield "type", memory.type.value
    yield "concepts", ", ".join(memory.concepts)
    yield "tags", ", ".join(memory.tags)
    yield "importance", f"{memory.importance:g}   confidence {memory.confidence:g}   difficulty {memory.difficulty:g}"
    yield "sensitivity", "" if memory.sensitivity is Sensitivity.PUBLIC else memory.sensitivity.value
    yield "expires", format_moment(memory.expires_at) if memory.expires_at else ""
    yield "session", memory.session or ""
    yield "branch", " at ".join(filter(None, (memory.branch, (memory.commit or "")[:10]))) if memory.branch else ""
    yield "files", ", ".join((*memory.files_read, *memory.files_modified))
    yield "cites", ", ".join(f"{each.path}:{each.start}-{each.end}" for each in memory.citations)
    yield "tokens", str(memory.token_count)
    yield "accesses", str(standing.access_count or "")
    yield "signature", stored.verdict.value if memory.signature else ""


def show_blame(blame: BlameAnswer, out: Output) -> None:
    if blame.stored is not None:
        memory = blame.stored.memory
        show_headline(f"{warning_mark(blame.stored)}{memory.id}  ", memory, out, style="bold")
        if memory.source is not None:
            source = memory.source
            place = source.transcript or source.file or source.commit or "nowhere"
            out.line(f"from {place}{f' line {source.line}' if source.line else ''}")
    for change in blame.changes:
        extra = ", ".join(f"{name} {value}" for name, value in describe_change(change).items())
        about = "" if change.subject == blame.id else f" {short_id(change.subject)}"
        by = f"by {change.actor} on {change.device}{about}"
        out.line(f"{format_moment(change.at)}  {change.kind:<9} {by}{f'  ({extra})' if extra else ''}")


def show_why(answer: WhyAnswer, out: Output) -> None:
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
        out.remark(_explain_no_receipts(answer.stored))
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
            parts = receipt.parts.get(name, {})
            said = (
                "held back for a measurement" if name in receipt.held_back else "",
                receipt.notes.get(name, ""),
                find_outcome(answer, receipt, name),
                ", ".join(f"{part} {parts[part]:.2f}" for part in _PARTS if part in parts),
            )
            for each in filter(None, said):
                out.line(f"    {each}", style="dim")
    out.hint("rate one: limpet feedback <id> useful|wrong|stale|never")


def _explain_no_receipts(stored: Stored | None) -> str:
    """Return a sentence that explains why there is no receipt, with the last use of a memory that was used before."""
    if stored is None:
        return "no agent was given a memory here lately"
    last = stored.standing.last_accessed
    if last is None:
        return "it has not been given to an agent yet"
    return f"it has not been given to an agent lately; it was last used on {format_day(last)}"
