"""Show one memory with its versions and links."""

from __future__ import annotations

from itertools import takewhile

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_day, format_id, format_moment, starts_with_title, warning_mark
from limpet.model.change import Status
from limpet.model.memory import Sensitivity
from limpet.text.excerpt import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limpet.model.query import Stored
    from limpet.operations.show import ShowAnswer


def show(shown: ShowAnswer, out: Output) -> None:
    from limpet.operations.blame import describe_decision

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
    for decision in shown.decisions:
        out.line(f"{'decided':<12}{describe_decision(decision)}", style="dim", hang=12)
    for name, value in _details(stored):
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
    shared = _count_shared_words(texts)
    if shared and max(map(len, texts)) > room:
        texts = [" ".join(("…", *text.split()[shared:])) for text in texts]
    for start, text in zip(starts, texts, strict=True):
        out.line(start + clip(text, room))


def _count_shared_words(texts: Sequence[str]) -> int:
    """Return with how many words all texts begin, less one that shows what the next word is about."""
    columns = zip(*(text.split() for text in texts), strict=False)
    return max(0, sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, columns)) - 1)


def _describe_status(stored: Stored) -> str:
    by = stored.memory.superseded_by
    if not by or stored.status is Status.LIVE:
        return stored.status.value
    # A corrected memory that is forgotten keeps the id of its next version, which did not cause that.
    return f"{stored.status} by {by}" if stored.status is Status.SUPERSEDED else f"{stored.status}; replaced by {by}"


def _details(stored: Stored) -> Iterator[tuple[str, str]]:
    memory, standing = stored.memory, stored.standing
    yield "status", _describe_status(stored)
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
