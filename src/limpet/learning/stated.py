"""Join a note of the user's words with the memory in which the model has stored the same on purpose.

Beside a prompt that states something, the model is asked to store what lasts (`nudge.py`). What it then stores is kept,
in words that stand alone. The note of the prompt gives way to it and stays linked as its evidence, so that one
statement is one memory. Unless both have nearly the same words, the memory is corrected: it then begins with the words
of the user, since nothing here can tell whether the model took them as they were meant. If the model stored something
else, or clearly the contrary, the note stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from limpet.guard.neutral import quote
from limpet.inject.receipt import was_asked
from limpet.lean.record import pick
from limpet.model.change import CAPTURE, Change, ChangeKind, change_memory
from limpet.model.memory import ON_PURPOSE, Draft, Memory, Origin, Tier
from limpet.model.outcome import Admitted
from limpet.model.query import Query, Stored
from limpet.model.scope import Scope
from limpet.model.taint import Taint
from limpet.store.protocol import Reading
from limpet.text.passages import restates
from limpet.text.replacement import contradicts
from limpet.text.similarity import distinct_words
from limpet.text.words import STOP, split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

_TURN = timedelta(minutes=15)
"""How long after a prompt the model may store what the prompt states."""
_SHARED = 1 / 3
"""The least share of the words of the shorter text that the other has, if both say the same."""
_MOST_RESULTS = 50
EVIDENCE = "evidence"
"""The relation of a memory to the note of the user's words that it was made from."""


def join_stated(fresh: Iterable[Memory], context: Context, reading: Reading) -> list[Change]:
    """Return the changes that let notes of the session give way to what the model has stored of the same.

    `fresh` contains the memories that were just made from the session and are not in the store yet.
    """
    scope, session, now = context.scope, context.session, context.now()
    query = Query(scope=scope, session=session, origin=Origin.USER, tier=Tier.NOTED, now=now, limit=_MOST_RESULTS)
    notes = [each for each in fresh if each.tier is Tier.NOTED and each.origin is Origin.USER]
    changes: list[Change] = []
    for note in (*notes, *(stored.memory for stored in reading.browse(query).items)):
        stored = _find_stored(note, session, scope, reading)
        if not stored:
            continue
        same = [each for each in stored if _says_the_same(each.memory, note)]
        if not same and len(stored) == 1 and not (_is_english(note) and _is_english(stored[0].memory)):
            # The model was asked about this prompt and stored one thing, in another language.
            same = stored if was_asked(note, reading) else []
        by = same[0].memory if same else None
        if by is not None and not restates(by.original_content, note.original_content):
            by = _quote_note(same[0], note, context, reading, changes)
        if by is not None:
            changes.append(change_memory(ChangeKind.SUPERSEDE, note, {"by": by.id}, actor=CAPTURE))
            link: dict[str, object] = {"relation": EVIDENCE, "to": note.id}
            changes.append(change_memory(ChangeKind.LINK, by, link, actor=CAPTURE))
    return changes


def _quote_note(
    stored: Stored, note: Memory, context: Context, reading: Reading, changes: list[Change]
) -> Memory | None:
    """Return the memory corrected so that it begins with the user's words, or None if that text may not be stored.

    What this changes is added to `changes`.
    """
    old = stored.memory
    draft = Draft(
        text=f"The user said: {quote(note.original_content)}\n\n{old.original_content}",
        **pick(old, "confidence", "origin", "tier", "earned", "session", "source", "files_read", "files_modified"),
    )
    # Without a taint, because what was read when the memory was stored has lowered its origin already.
    door = context.admission(reading=reading, now=context.now(), taint=Taint)
    outcome = door.admit(draft, correcting=stored)
    if not isinstance(outcome, Admitted):
        return None
    changes += door.changes
    return outcome.memory


def _find_stored(note: Memory, session: str, scope: Scope, reading: Reading) -> list[Stored]:
    """Return what the model stored on purpose soon after the prompt of a note, oldest first."""
    query = Query(
        scope=scope,
        origin=Origin.AGENT,
        tier=Tier.KEPT,
        since=note.created_at,
        until=note.created_at + _TURN,
        now=note.created_at + _TURN,
        limit=_MOST_RESULTS,
    )
    # Some hosts do not tell the MCP server which session it serves.
    ours = [
        stored
        for stored in reading.browse(query).items
        if stored.memory.session in (None, session) and stored.memory.earned in ("", ON_PURPOSE)
    ]
    return sorted(ours, key=lambda stored: stored.memory.created_at)


def _says_the_same(memory: Memory, note: Memory) -> bool:
    said = distinct_words(f"{memory.title} {memory.original_content}") - STOP
    words = distinct_words(note.original_content) - STOP
    shared = len(said & words)
    if shared < 2 or shared < _SHARED * min(len(said), len(words)):
        return False
    # What denies the user's words does not take their place.
    return not contradicts(memory.original_content, note.original_content)


def _is_english(memory: Memory) -> bool:
    return not STOP.isdisjoint(split_words(memory.original_content))
