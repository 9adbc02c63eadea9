"""The energy that making memories takes: units from a daily budget, so that it never starves the apps themselves.

A memory takes 10 to 15 units and a compaction 20 to 30, more for longer texts. What was taken is written with the
conversation that it was taken for, so that it is counted once and by every process. A model may be asked only for a
small share of the tokens that the conversation has cost the app itself, so a short conversation is settled by rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from limpet.clock import to_ms
from limpet.lean.record import record
from limpet.model.app import App, Message, Role
from limpet.model.ids import lowest_after
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

RESERVE = 0.2
"""The share of the energy below which no memory is made; the work is done later."""
_LONG_CONVERSATION = 4000
_LONG_MEMORIES = 2000


def creation_units(characters: int) -> int:
    """Return the energy for making a memory of a conversation with this many characters."""
    return 10 + round(5 * min(1.0, characters / _LONG_CONVERSATION))


def compaction_units(characters: int) -> int:
    """Return the energy for making space among memories with this many characters."""
    return 20 + round(10 * min(1.0, characters / _LONG_MEMORIES))


def conversation_tokens(messages: Sequence[Message]) -> int:
    """Return how many tokens a conversation has cost the app itself: each answer reads everything before it.

    An app that reports no answers has read each message once at least.
    """
    before = spent = 0
    for message in messages:
        tokens = count_tokens(message.text)
        if message.role is Role.ASSISTANT:
            spent += before + tokens
        before += tokens
    return max(spent, before)


def energy_left(context: Context) -> float:
    """Return the share of the daily budget that is left, from 0 to 1."""
    budget = context.settings.apps.daily_energy
    if not budget:
        return 0.0
    since = lowest_after(to_ms(context.now() - timedelta(days=1)))
    return max(0.0, 1 - context.reading().energy(after=since) / budget)


@record
class Energy:
    """The energy spent on memories since the last poll and over the last day, and the share of the budget left."""

    since_poll: int
    today: int
    left: float


def measure_energy(context: Context, app: App | None) -> Energy:
    """Return the energy spent on the memories of one app, or of all apps if `app` is None.

    For all apps, the energy since the last poll is the energy of the last day.
    """
    reading = context.reading()
    counts = reading.app_counts(since=context.now() - timedelta(days=1))
    today = sum(each.energy for each in counts if app is None or each.app == app.id)
    since_poll = reading.energy(app_id=app.id, after=app.polled) if app else today
    return Energy(since_poll=since_poll, today=today, left=round(energy_left(context), 3))
