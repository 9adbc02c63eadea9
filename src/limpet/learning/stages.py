"""The table of stages, which are functions that handle events, and the bus that runs them in the order of the table.

An answering stage runs while a host waits for a hook's answer. A learning stage runs later, on events from the queue or
from a recording. An upkeep stage maintains the memories when no session needs Limpet. The handlers of upkeep stages are
in `upkeep/round.py`. The dependencies of a stage are arguments that are bound here, so a test can call a stage
directly. A stage imports its modules when it first runs, because a hook runs only one stage.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from limpet.errors import StoreError
from limpet.lean.record import record
from limpet.model.event import (
    BoundaryCrossed,
    CommandExpanded,
    Compacted,
    ContextReady,
    Event,
    Interrupted,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    SubagentStarted,
    ToolFinished,
    ToolProposed,
    TurnEnded,
    UpkeepStarted,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context
    from limpet.inject.receipt import Injection
    from limpet.inject.recipient import Recipient
    from limpet.learning.session import SessionLearner

Handler = Callable[[Event], Iterable[Event]]
_SHORT = 200
_MOST_EVENTS = 10_000
"""The maximum number of events that one published event can cause."""


@record
class Stage:
    """A row of the table: a stage that runs on events of the type `on`."""

    on: type
    number: int
    """The position of the stage in the order of all stages."""
    name: str
    """The name by which the handler of the stage is found."""
    capability: str = ""
    """The capability that the stage provides, shown by `limpet doctor`. Several stages may provide the same one."""


class Bus:
    """Runs those stages of a table that have a handler, in their order, and logs the failure of a stage."""

    def __init__(self, table: Sequence[Stage], handlers: Mapping[str, Handler], *, log: Callable[[str], None]) -> None:
        stages = sorted((stage for stage in table if stage.name in handlers), key=lambda stage: stage.number)
        self._stages = [(stage, handlers[stage.name]) for stage in stages]
        self._log = log

    def publish(self, event: Event) -> tuple[Event, ...]:
        """Run the stages for an event, and for all events that stages return.

        Return these events in the order in which they were returned. A StoreError is raised, not logged.
        """
        waiting: deque[Event] = deque([event])
        caused: list[Event] = []
        while waiting and len(caused) < _MOST_EVENTS:
            current = waiting.popleft()
            for stage, handler in self._stages:
                if isinstance(current, stage.on):
                    found = self._run(stage, handler, current)
                    caused += found
                    waiting += found
        return tuple(caused)

    def _run(self, stage: Stage, handler: Handler, event: Event) -> list[Event]:
        try:
            return list(handler(event))
        except StoreError:
            # No stage works without the store, and the event must be processed again later.
            raise
        except Exception as error:  # noqa: BLE001 - a failing stage must not stop the others
            self._log(f"{stage.name} failed at {type(event).__name__}: {type(error).__name__}: {error}")
            return []


TABLE = tuple(
    Stage(on=on, number=number, name=name, capability=capability)
    for on, number, name, capability in (
        # Answering stages, while a host waits
        (SessionStarted, 50, "inject", ""),
        (SubagentStarted, 50, "inject", ""),
        (PromptSubmitted, 50, "inject", ""),
        (PromptSubmitted, 55, "nudge", ""),
        (ToolProposed, 50, "warn", ""),
        (ToolFinished, 50, "fix", ""),
        # Learning stages, on events from the queue or from a recording
        (ToolFinished, 90, "boundaries", "memory.boundaries"),
        (PromptSubmitted, 90, "boundaries", "memory.boundaries"),
        (TurnEnded, 90, "boundaries", "memory.boundaries"),
        (Interrupted, 90, "boundaries", "memory.boundaries"),
        (Compacted, 90, "boundaries", "memory.boundaries"),
        (SessionEnded, 90, "boundaries", "memory.boundaries"),
        (BoundaryCrossed, 95, "boundary", "memory.boundaries"),
        (ToolFinished, 100, "capture", "memory.memorability"),
        (PromptSubmitted, 100, "capture", "memory.memorability"),
        (TurnEnded, 100, "capture", "memory.store"),
        (Compacted, 100, "capture", "memory.store"),
        (SessionEnded, 100, "capture", "memory.store"),
        (CommandExpanded, 100, "command", "memory.store"),
        (ToolFinished, 110, "temporal", "memory.temporal"),
        (PromptSubmitted, 110, "temporal", "memory.temporal"),
        (TurnEnded, 110, "temporal", "memory.temporal"),
        (TurnEnded, 120, "outcomes", ""),
        (SessionEnded, 120, "outcomes", ""),
        # Upkeep stages: consolidation from 200 on, compression from 300 on. The strength of a memory needs no stage,
        # because it is computed whenever the memory is read.
        (UpkeepStarted, 200, "repair", "memory.consolidation"),
        (UpkeepStarted, 205, "relocation", "memory.consolidation"),
        (UpkeepStarted, 207, "tiers", "memory.consolidation"),
        (UpkeepStarted, 210, "deduplication", "memory.consolidation"),
        (UpkeepStarted, 220, "expiry", "memory.consolidation"),
        (UpkeepStarted, 230, "promotion", "memory.consolidation"),
        (UpkeepStarted, 240, "decay", "memory.consolidation"),
        (UpkeepStarted, 300, "compression", "memory.compression"),
        (UpkeepStarted, 310, "eviction", "memory.compression"),
        (UpkeepStarted, 320, "rescan", "memory.compression"),
        (UpkeepStarted, 330, "summarizing", ""),
    )
)


def capabilities() -> tuple[str, ...]:
    """Return the names of the capabilities that the stages in the table provide, without duplicates."""
    return tuple(dict.fromkeys(stage.capability for stage in TABLE if stage.capability))


def learning_handlers(session: SessionLearner) -> Mapping[str, Handler]:
    """Return the handlers of the learning stages, which make memories from a session's events, by stage name."""
    return {
        "boundaries": session.on_boundaries,
        "boundary": session.on_boundary,
        "capture": session.on_capture,
        "command": session.on_command,
        "temporal": session.on_temporal,
        "outcomes": session.on_outcomes,
    }


def answering_handlers(context: Context) -> Mapping[str, Handler]:
    """Return the handlers of the answering stages, which choose text for a host's model, by stage name."""
    return {
        "inject": partial(_inject_memories, context=context),
        "nudge": partial(_nudge_model, context=context),
        "warn": partial(_warn_before_call, context=context),
        "fix": partial(_inject_fix, context=context),
    }


def _make_recipient(context: Context, host: str = "") -> Recipient:
    from limpet.inject.recipient import Recipient

    return Recipient(
        scope=context.scope,
        agent=context.agent,
        project=context.project,
        session=context.session or None,
        host=host,
        root=context.root,
    )


def _inject_memories(event: Event, *, context: Context) -> Iterable[Event]:
    match event:
        case SessionStarted():
            found = _select_for_start(context, event.source, context.host)
        case SubagentStarted():
            found = _select_for_start(context, "subagent")
        case PromptSubmitted():
            found = _select_for_prompt(context, event.text)
        case _:
            found = None
    return _report_injection(event, found, context)


def _select_for_start(context: Context, source: str, host: str = "", *, is_preview: bool = False) -> Injection | None:
    from limpet.inject.review_offer import find_offer, settle_offer
    from limpet.inject.start import inject_at_start

    working = ""
    if source == "compact":
        from limpet.learning.working_context import describe_working_context

        working = describe_working_context(context)
    offer = find_offer(context) if source in ("startup", "clear") and not is_preview else ""
    found = inject_at_start(
        _make_recipient(context, host),
        source=source,
        reading=context.recent(),
        settings=context.settings.inject,
        judge=context.judge,
        now=context.now(),
        working=working,
        offer=offer,
        host_notes="" if source == "subagent" else context.host_notes(),
    )
    if offer and found is not None and offer in found.text:
        settle_offer(context)
    return found


def preview_start(context: Context) -> Injection | None:
    """Return what a model would be shown at the start of a Claude Code session. No receipt is written."""
    return _select_for_start(context, "startup", "claude-code", is_preview=True)


def _select_for_prompt(context: Context, text: str) -> Injection | None:
    from limpet.inject.prompt import inject_at_prompt

    return inject_at_prompt(
        text,
        _make_recipient(context),
        reading=context.recent(),
        settings=context.settings.inject,
        recall=context.settings.recall,
        judge=context.judge,
        now=context.now(),
    )


def _nudge_model(event: Event, *, context: Context) -> Iterable[Event]:
    """Return a line that asks the model to store what a prompt states, if it would be noted."""
    assert isinstance(event, PromptSubmitted)
    from limpet.text.assent import only_assents

    if not context.settings.inject.nudge or only_assents(event.text) or _only_asks(event.text):
        return ()
    from limpet.learning.nudge import find_nudge

    return _report_injection(event, find_nudge(event, context), context)


def _only_asks(text: str) -> bool:
    """Tell whether a prompt is one short question, which states nothing. This saves the time to judge it."""
    said = text.strip()
    return len(said) < _SHORT and said[-1:] in ("?", "？") and not any(mark in said[:-1] for mark in ".!?;\n。！？")


def _warn_before_call(event: Event, *, context: Context) -> Iterable[Event]:
    """Return the rule of an adopted antigen that matches a proposed tool call, as text for the model."""
    assert isinstance(event, ToolProposed)
    from limpet.inject.call import inject_at_call

    found = inject_at_call(
        event,
        _make_recipient(context),
        reading=context.recent(),
        settings=context.settings.inject,
        judge=context.judge,
        now=context.now(),
    )
    return _report_injection(event, found, context)


def _inject_fix(event: Event, *, context: Context) -> Iterable[Event]:
    """Return the known fix for the error with which a tool call has failed, as text for the model."""
    assert isinstance(event, ToolFinished)
    if not event.failed or event.interrupted:
        return ()
    from limpet.inject.prompt import inject_at_failure
    from limpet.text.error_lines import find_error_line
    from limpet.text.error_signature import error_tag

    tag = error_tag(find_error_line(event.output))
    found = inject_at_failure(
        [tag] if tag else [],
        _make_recipient(context),
        reading=context.recent(),
        settings=context.settings.inject,
        judge=context.judge,
        now=context.now(),
    )
    return _report_injection(event, found, context)


def _report_injection(event: Event, found: Injection | None, context: Context) -> Iterable[Event]:
    """Write the receipt of an injection, and return its text as an event. Return no event if `found` is None."""
    if found is None:
        return ()
    if found.receipt is not None:
        context.note(found.receipt)
    ids = found.receipt.ids if found.receipt is not None else ()
    return (ContextReady(session=context.session, at=event.at, text=found.text, ids=ids, notice=found.notice),)
