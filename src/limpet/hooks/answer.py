"""The answer of a hook: opens the store for a moment and says what a host should know now."""

from __future__ import annotations

import os

from limpet import clock
from limpet.environment import project_from_environment
from limpet.hosts.answers import context_answer
from limpet.hosts.events import read_event
from limpet.model.event import CommandExpanded, ContextReady, Reported
from limpet.model.memory import Origin
from limpet.model.outcome import Admitted, Duplicate, Outcome
from limpet.runtime import Caller, Runtime, open_runtime
from limpet.runtime.events import answering, working_context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_REMEMBER = ("please-remember", "remember")


def answer(payload: Mapping[str, Any], event_name: str, host: str) -> str:
    """What the hook prints; empty when there is nothing to say."""
    event = read_event(payload, host=host, at=clock.now())
    if isinstance(event, CommandExpanded) and not _is_to_remember(event):
        return ""
    spoken = isinstance(event, CommandExpanded)
    origin = Origin.USER if spoken else Origin.AGENT
    runtime = open_runtime(
        cwd=_folder(payload),
        session=str(payload["session_id"]),
        caller=Caller(origin=origin, is_agent=not spoken),
        hurried=not spoken,
    )
    try:
        text = _said(runtime, event, event_name)
        return context_answer(event_name, text, host=host) if text else ""
    finally:
        runtime.store.close()


def _said(runtime: Runtime, event: Reported | None, event_name: str) -> str:
    if event is None:
        return working_context(runtime) if event_name == "PreCompact" and runtime.settings.inject.enabled else ""
    if isinstance(event, CommandExpanded):
        return _remember(runtime, event.arguments)
    if not runtime.settings.inject.enabled:
        return ""
    caused = answering(runtime).publish(event)
    return next((each.text for each in caused if isinstance(each, ContextReady)), "")


def _folder(payload: Mapping[str, Any]) -> str:
    """The project of the session: where the host was started, wherever its commands have gone since."""
    for folder in (project_from_environment(), payload.get("cwd")):
        if isinstance(folder, str) and os.path.isdir(folder):
            return folder
    return os.path.abspath(os.sep)


def _is_to_remember(event: CommandExpanded) -> bool:
    name = event.name.rpartition(":")[2].lstrip("/")
    return name in _REMEMBER and bool(event.arguments.strip())


def _remember(runtime: Runtime, text: str) -> str:
    """What the person typed after the command is stored as it is, by the person."""
    from limpet.operations import remember

    return _told(remember.run(runtime, text=text))


def _told(outcome: Outcome) -> str:
    match outcome:
        case Admitted():
            taken = f"; left out as secret: {', '.join(outcome.redacted)}" if outcome.redacted else ""
            return f"Limpet has stored what the user asked to remember, word for word, as {outcome.memory.id}{taken}."
        case Duplicate():
            return f"Limpet knew this already, as {outcome.memory.id}; nothing was stored twice."
        case _:
            return f"Limpet could not store this: {outcome.reason}"


def work(payload: Mapping[str, Any], milliseconds: int) -> None:
    """The asynchronous half, for which nobody waits: learn from what was queued, then look after the store."""
    from limpet.operations.upkeep import tend

    runtime = open_runtime(cwd=_folder(payload), caller=Caller(is_agent=True))
    try:
        tend(runtime, budget_ms=milliseconds)
    finally:
        runtime.close()
