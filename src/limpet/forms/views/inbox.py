"""Show the notes that wait for a decision."""

from __future__ import annotations

from limpet.forms.terminal import Output
from limpet.forms.views import format_day, format_headline, format_id, show_headline, show_rest
from limpet.forms.views.memories import show_older
from limpet.model.memory import Tier
from limpet.model.reach import SUMMARIES
from limpet.text.excerpt import shorten_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.curating.waiting import InboxAnswer
    from limpet.model.memory import Memory

_MOST_TOLD, _TELLS = 3, "The next start tells: "


def show_inbox(answer: InboxAnswer, out: Output) -> None:
    for did, memories in (("kept", answer.kept), ("dropped", answer.dropped), ("waits again:", answer.undone)):
        for stored in memories:
            show_headline(f"{did} {stored.memory.id}  ", stored.memory, out)
            show_older(stored.memory, answer.older.get(stored.memory.id, ()), out)
    show_told(answer.told, out)
    notes = answer.notes
    if not notes.total:
        # After a decision the options are ids, which say nothing about what is left.
        (out.remark if answer.is_decided else out.remark_empty)("no notes wait for a decision")
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


def show_told(told: Sequence[Memory], out: Output) -> None:
    """Print in at most three lines what the next session start tells that it did not tell before."""
    for number, memory in enumerate(told[:_MOST_TOLD]):
        rest = len(told) - number - 1
        more = " (undecided)" if memory.tier is Tier.NOTED and memory.type not in SUMMARIES else ""
        more += f", and {rest} more" if number == _MOST_TOLD - 1 and rest else ""
        room = out.width_left(len(_TELLS) + len(more))
        out.line(f"{_TELLS if not number else ' ' * len(_TELLS)}{shorten_line(memory.content, room)}{more}")


def show_confirmable(answer: InboxAnswer, out: Output) -> None:
    """Print a sentence about everything else that waits for the user's consent."""
    for sentence in answer.confirmable:
        out.remark(sentence, style="yellow")
