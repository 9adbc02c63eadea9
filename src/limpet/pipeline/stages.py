"""Which stage runs on which event: the one table, in reading order.

A stage that answers runs while a host waits; one that works runs when nobody does. What a stage needs is handed to it
here, so that each can be called alone; what it loads is loaded when it first runs, because a hook runs only one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial

from limpet.model.event import (
    ContextReady,
    Event,
    PromptSubmitted,
    SessionStarted,
    SubagentStarted,
    ToolFinished,
)
from limpet.model.query import Stored
from limpet.model.receipt import Receipt
from limpet.pipeline.bus import Stage
from limpet.record import record
from limpet.settings import Settings
from limpet.store.protocol import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.inject.injection import Injection
    from limpet.inject.start import Setting


@record
class Answering:
    """What the answering stages need."""

    setting: Setting
    reading: Callable[[], Reading]
    settings: Settings
    judge: Callable[[Stored], Stored]
    now: Callable[[], datetime]
    note: Callable[[Receipt], None]
    working: Callable[[], str]
    """What was being done in the session, as far as the hooks have written it down."""


def answering(tools: Answering) -> tuple[Stage, ...]:
    return (
        Stage(on=SessionStarted, number=50, name="inject", handler=partial(_at_start, tools=tools)),
        Stage(on=SubagentStarted, number=50, name="inject", handler=partial(_at_subagent, tools=tools)),
        Stage(on=PromptSubmitted, number=50, name="inject", handler=partial(_at_prompt, tools=tools)),
        Stage(on=ToolFinished, number=50, name="fix", handler=partial(_at_failure, tools=tools)),
    )


def _at_start(event: Event, *, tools: Answering) -> Iterable[Event]:
    assert isinstance(event, SessionStarted)
    from limpet.inject.start import at_start

    working = tools.working() if event.source == "compact" else ""
    found = at_start(
        tools.setting,
        source=event.source,
        reading=tools.reading(),
        settings=tools.settings.inject,
        judge=tools.judge,
        now=tools.now(),
        working=working,
    )
    return _ready(found, event.session, tools)


def _at_subagent(event: Event, *, tools: Answering) -> Iterable[Event]:
    assert isinstance(event, SubagentStarted)
    from limpet.inject.start import at_start

    found = at_start(
        tools.setting,
        source="subagent",
        reading=tools.reading(),
        settings=tools.settings.inject,
        judge=tools.judge,
        now=tools.now(),
    )
    return _ready(found, event.session, tools)


def _at_prompt(event: Event, *, tools: Answering) -> Iterable[Event]:
    assert isinstance(event, PromptSubmitted)
    from limpet.inject.prompt import at_prompt

    found = at_prompt(
        event.text,
        tools.setting,
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
    from limpet.capture.failures import error_line, error_tag
    from limpet.inject.prompt import at_failure

    tag = error_tag(error_line(event.output))
    found = at_failure(
        [tag] if tag else [],
        tools.setting,
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
