"""Expiry: what has passed its time, or was captured by itself and not used for long, steps to the archive."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from limpet.model.change import CAPTURE, Change, born
from limpet.model.memory import Origin, Phase
from limpet.model.query import Stored
from limpet.store.protocol import Due, Reading
from limpet.upkeep.ladder import lowered
from limpet.upkeep.plan import Means, Plan


def expiry(means: Means) -> Iterator[Plan]:
    reading = means.store.reading()
    expired = reading.due(Due(expired_at=means.now))
    changes = _archived(means, reading, expired)
    days = means.settings.auto_ttl_days
    if days:
        unused = reading.due(Due(unused_since=means.now - timedelta(days=days), spare=True, endless=True))
        changes += _archived(means, reading, [each for each in unused if is_captured(reading, each)])
    if changes:
        yield Plan.of(changes)


def is_captured(reading: Reading, stored: Stored) -> bool:
    """Whether it came by itself: captured from tools, or by the hooks, and vouched for by nobody."""
    memory = stored.memory
    if memory.confirmed or memory.origin is Origin.USER:
        return False
    births = [change for change in reading.history(memory.id) if born(change) is not None]
    return memory.origin is Origin.TOOL or any(change.actor.startswith(CAPTURE) for change in births[:1])


def _archived(means: Means, reading: Reading, due: list[Stored] | tuple[Stored, ...]) -> list[Change]:
    steps = (
        lowered(reading, stored, Phase.ARCHIVED, resign=means.resign, text=means.roles.summarise) for stored in due
    )
    return [step for step in steps if step is not None]
