"""Choose the notes that a session start tells on trial: what the user stated earlier and nobody has decided about.

The words of a prompt do not show whether it lasts: "Don't write code." scores higher than "always use pnpm here". The
model that reads both can tell. So a note of the user's own words is told at a few starts, apart from the block and as
a quotation that is perhaps over, until it is kept, dropped or used. Where the model is known to store what lasts when
it is asked (`learning/nudge.py`), its silence is an answer too, and such a note is not told.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from limpet.clock import to_local
from limpet.doors.governor import Way, neutralise
from limpet.guard.neutral import quote
from limpet.inject.receipt import was_asked
from limpet.inject.recipient import Recipient
from limpet.inject.select import Judge, SelectedMemory, select_item
from limpet.lean.record import replace
from limpet.model.memory import LEAST_ON_TRIAL
from limpet.model.query import Stored
from limpet.model.receipt import TRIAL
from limpet.model.scope import Scope
from limpet.settings import InjectSettings
from limpet.store.protocol import Reading
from limpet.text.excerpt import shorten_sentences

STARTS = 3
"""At how many session starts a note is told on trial."""
_LINES = 3
_READ = 12
_LONGEST = 240
_LISTENING = timedelta(days=30)
_HEADING = "Undecided, said by the user earlier, perhaps only for that moment (review_notes keeps or drops):"


def choose_for_trial(
    recipient: Recipient,
    *,
    reading: Reading,
    settings: InjectSettings,
    judge: Judge,
    now: datetime,
    shown: Iterable[str],
) -> list[SelectedMemory]:
    """Return the notes to tell on trial, at most three: those that were told before, then the most memorable ones."""
    if not settings.trial:
        return []
    worth = rank_for_trial(recipient.scope, reading=reading, session=recipient.session, now=now)
    seen = frozenset(shown)
    items = (
        select_item(judge(stored), way=Way.PROMPT, root=recipient.root, settings=settings)
        for stored in worth
        if stored.memory.id not in seen
    )
    return [replace(item, note=TRIAL) for item in items if item is not None and not item.passed.quoted][:_LINES]


def rank_for_trial(scope: Scope, *, reading: Reading, session: str | None, now: datetime) -> list[Stored]:
    """Return the notes that a session start may tell on trial, in the order in which it prefers them."""
    found = reading.for_trial(scope, besides=session, most=STARTS, now=now, limit=_READ)
    worth = [(stored, told) for stored, told in found if stored.memory.importance >= LEAST_ON_TRIAL]
    worth.sort(key=lambda each: (not each[1], -each[0].memory.importance, each[0].memory.id))
    listens = bool(worth) and reading.has_evidence(since=now - _LISTENING)
    return [stored for stored, _ in worth if not (listens and was_asked(stored.memory, reading))]


def render_trial(items: Iterable[SelectedMemory]) -> str:
    """Return the notes under a heading that says what they are; an empty string if there are none."""
    lines = []
    for item in items:
        memory = item.stored.memory
        said = shorten_sentences(neutralise(item.passed.text, one_line=True), _LONGEST)
        lines.append(f"- {quote(said)} ({to_local(memory.created_at):%Y-%m-%d}, {memory.id})")
    return "\n".join((_HEADING, *lines)) if lines else ""
