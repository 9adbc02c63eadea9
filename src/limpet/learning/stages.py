"""Which stage runs on which event: the one table, in reading order.

A stage that answers runs while a host waits; one that works runs when nobody does. What a stage needs is handed to it
here, so that each can be called alone; what it loads is loaded when it first runs, because a hook runs only one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial

from limpet.lean.record import record
from limpet.learning.bus import Handler, Stage
from limpet.model.event import (
    BoundaryCrossed,
    Compacted,
    ContextReady,
    Event,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    SubagentStarted,
    ToolFinished,
    TurnEnded,
)
from limpet.model.query import Stored
from limpet.model.receipt import Receipt
from limpet.settings import Settings
from limpet.store.protocol import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.inject.receipt import Injection
    from limpet.inject.recipient import Recipient
    from limpet.learning.session import SessionWork


@record
class Row:
    """On an event, in a place, a stage; several may bring the same capability."""

    on: type
    number: int
    name: str
    capability: str = ""


TABLE = tuple(
    Row(on=on, number=number, name=name, capability=capability)
    for on, number, name, capability in (
        # While a host waits
        (SessionStarted, 50, "inject", ""),
        (SubagentStarted, 50, "inject", ""),
        (PromptSubmitted, 50, "inject", ""),
        (ToolFinished, 50, "fix", ""),
        # When nobody waits, from what the hooks have queued
        (ToolFinished, 90, "boundaries", "memory.boundaries"),
        (PromptSubmitted, 90, "boundaries", "memory.boundaries"),
        (TurnEnded, 90, "boundaries", "memory.boundaries"),
        (Compacted, 90, "boundaries", "memory.boundaries"),
        (SessionEnded, 90, "boundaries", "memory.boundaries"),
        (BoundaryCrossed, 95, "boundary", "memory.boundaries"),
        (ToolFinished, 100, "capture", "memory.memorability"),
        (PromptSubmitted, 100, "capture", "memory.memorability"),
        (TurnEnded, 100, "capture", "memory.store"),
        (Compacted, 100, "capture", "memory.store"),
        (SessionEnded, 100, "capture", "memory.store"),
        (ToolFinished, 110, "temporal", "memory.temporal"),
        (PromptSubmitted, 110, "temporal", "memory.temporal"),
        (TurnEnded, 110, "temporal", "memory.temporal"),
        (TurnEnded, 120, "outcomes", ""),
        (SessionEnded, 120, "outcomes", ""),
        # By upkeep, for all sessions that have ended
        (SessionEnded, 200, "consolidation", "memory.consolidation"),
        (SessionEnded, 300, "compression", "memory.compression"),
    )
)


def stages(handlers: Mapping[str, Handler]) -> tuple[Stage, ...]:
    """The rows of the table that somebody has a handler for."""
    return tuple(
        Stage(on=row.on, number=row.number, name=row.name, handler=handlers[row.name])
        for row in TABLE
        if row.name in handlers
    )


def capabilities() -> tuple[str, ...]:
    """What is wired."""
    return tuple(dict.fromkeys(row.capability for row in TABLE if row.capability))


@record
class Answering:
    """What the answering stages need."""

    recipient: Recipient
    reading: Callable[[], Reading]
    settings: Settings
    judge: Callable[[Stored], Stored]
    now: Callable[[], datetime]
    note: Callable[[Receipt], None]
    working: Callable[[], str]
    """What was being done in the session, as far as the hooks have written it down."""


def answering(tools: Answering) -> tuple[Stage, ...]:
    return stages({"inject": partial(_inject, tools=tools), "fix": partial(_at_failure, tools=tools)})


def working(session: SessionWork) -> tuple[Stage, ...]:
    return stages(
        {
            "boundaries": session.on_seen,
            "boundary": session.on_boundary,
            "capture": session.on_capture,
            "temporal": session.on_temporal,
            "outcomes": session.on_turn,
        }
    )


def _inject(event: Event, *, tools: Answering) -> Iterable[Event]:
    match event:
        case SessionStarted():
            return _at_start(event, tools=tools)
        case SubagentStarted():
            return _at_subagent(event, tools=tools)
        case PromptSubmitted():
            return _at_prompt(event, tools=tools)
        case _:
            return ()


def _at_start(event: SessionStarted, *, tools: Answering) -> Iterable[Event]:
    from limpet.inject.start import inject_at_start

    working = tools.working() if event.source == "compact" else ""
    found = inject_at_start(
        tools.recipient,
        source=event.source,
        reading=tools.reading(),
        settings=tools.settings.inject,
        judge=tools.judge,
        now=tools.now(),
        working=working,
    )
    return _ready(found, event.session, tools)


def _at_subagent(event: SubagentStarted, *, tools: Answering) -> Iterable[Event]:
    from limpet.inject.start import inject_at_start

    found = inject_at_start(
        tools.recipient,
        source="subagent",
        reading=tools.reading(),
        settings=tools.settings.inject,
        judge=tools.judge,
        now=tools.now(),
    )
    return _ready(found, event.session, tools)


def _at_prompt(event: PromptSubmitted, *, tools: Answering) -> Iterable[Event]:
    from limpet.inject.prompt import inject_at_prompt

    found = inject_at_prompt(
        event.text,
        tools.recipient,
        reading=tools.reading(),
        settings=tools.settings.inject,
        recall=tools.settings.recall,
        judge=tools.judge,
        now=tools.now(),
    )
    return _ready(found, event.session, tools)


def _at_failure(event: Event, *, tools: Answering) -> Iterable[Event]:
    assert isinstance(event, ToolFinished)
    if not event.failed or event.interrupted:
        return ()
    from limpet.capture.tools.failures import error_line, error_tag
    from limpet.inject.prompt import inject_at_failure

    tag = error_tag(error_line(event.output))
    found = inject_at_failure(
        [tag] if tag else [],
        tools.recipient,
        reading=tools.reading(),
        settings=tools.settings.inject,
        judge=tools.judge,
        now=tools.now(),
    )
    return _ready(found, event.session, tools)


def _ready(found: Injection | None, session: str, tools: Answering) -> Iterable[Event]:
    if found is None:
        return ()
    tools.note(found.receipt)
    return (ContextReady(session=session, at=tools.now(), text=found.text, ids=found.receipt.ids),)
