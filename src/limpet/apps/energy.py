"""Measure energy: units of a daily budget that limits the work of making memories for apps.

Making a memory takes 10 to 15 units and a compaction 20 to 30, depending on the length of the texts. The units are
stored with the conversation that they were spent on, so that every process counts them, and only once.

A model may only use a small share of the tokens that the conversation cost the app itself. A short conversation is
therefore summarised without a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from limpet.clock import to_ms
from limpet.doors.context import Context
from limpet.lean.record import record
from limpet.model.app import App, Message, Role
from limpet.model.ids import lowest_after
from limpet.text.tokens import count_tokens

RESERVE = 0.2
"""The share of the energy that is kept in reserve. If less than this is left, memories are made later."""
_LONG_CONVERSATION = 4000
_LONG_MEMORIES = 2000


def creation_units(characters: int) -> int:
    """Return the energy units that making a memory from a conversation with this many characters takes."""
    return 10 + round(5 * min(1.0, characters / _LONG_CONVERSATION))


def compaction_units(characters: int) -> int:
    """Return the energy units that a compaction of memories with this many characters in total takes."""
    return 20 + round(10 * min(1.0, characters / _LONG_MEMORIES))


def conversation_tokens(messages: Sequence[Message]) -> int:
    """Estimate how many tokens a conversation has cost the app: for each answer, its model read all earlier messages.

    Each message counts at least once, because an app need not report its answers.
    """
    before = spent = 0
    for message in messages:
        tokens = count_tokens(message.text)
        if message.role is Role.ASSISTANT:
            spent += before + tokens
        before += tokens
    return max(spent, before)


def energy_left(context: Context) -> float:
    """Return the share of the daily energy budget that is left, from 0 to 1."""
    budget = context.settings.apps.daily_energy
    if not budget:
        return 0.0
    since = lowest_after(to_ms(context.now() - timedelta(days=1)))
    return max(0.0, 1 - context.reading().energy(after=since) / budget)


@record
class Energy:
    """The energy spent on memories, and the share of the daily budget that is left.

    `since_poll` counts from the time at which the app last asked for its energy, and `today` from 24 hours ago.
    """

    since_poll: int
    today: int
    left: float


def measure_energy(context: Context, app: App | None) -> Energy:
    """Return the energy spent on the memories of one app, or of all apps if `app` is None.

    For all apps, `since_poll` is the energy of the last day.
    """
    reading = context.reading()
    counts = reading.app_counts(since=context.now() - timedelta(days=1))
    today = sum(each.energy for each in counts if app is None or each.app == app.id)
    since_poll = reading.energy(app_id=app.id, after=app.polled) if app else today
    return Energy(since_poll=since_poll, today=today, left=round(energy_left(context), 3))
