"""Show the notes that wait for a decision."""

from __future__ import annotations

from limpet.forms.terminal import Output
from limpet.forms.views import format_day, format_headline, format_id, show_headline, show_rest
from limpet.forms.views.memories import show_older

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.inbox import InboxAnswer


def show_inbox(answer: InboxAnswer, out: Output) -> None:
    for did, memories in (("kept", answer.kept), ("dropped", answer.dropped)):
        for stored in memories:
            show_headline(f"{did} {stored.memory.id}  ", stored.memory, out)
            show_older(stored.memory, answer.older.get(stored.memory.id, ()), out)
    notes = answer.notes
    if not notes.total:
        out.remark_empty("no notes wait for a decision")
    rows = [
        (
            format_id(stored, out),
            stored.memory.label,
            format_day(stored.memory.created_at),
            stored.memory.origin.value,
            format_headline(stored.memory),
        )
        for stored in notes.items
    ]
    if rows and not answer.is_decided:
        out.table(("id", "kind", "date", "from", "note"), rows)
        show_rest(notes.offset + len(notes.items), notes.total, out)
    show_confirmable(answer, out)


def show_confirmable(answer: InboxAnswer, out: Output) -> None:
    """Print a sentence about everything else that waits for the user's consent."""
    for sentence in answer.confirmable:
        out.remark(sentence, style="yellow")
