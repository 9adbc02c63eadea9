"""Answer a hook event: choose the text for the host's model, and format it as the output of the hook.

Both the hook program and the server use this module, so an event gets the same answer from both.
"""

from __future__ import annotations

import os
from functools import partial

from limpet import clock
from limpet.environment import project_from_environment
from limpet.errors import StoreError
from limpet.hosts.client_processes import is_nested_agent
from limpet.hosts.events import read_event
from limpet.hosts.hook_output import context_answer
from limpet.hosts.payload import mapping_of, text_of
from limpet.hosts.prefix import keeps_prefix
from limpet.hosts.typed import asks_to_remember, read_typed_texts, transcript_of
from limpet.lean.record import replace
from limpet.lean.time_limits import LOCK_MS
from limpet.learning.stages import TABLE, Bus, answering_handlers
from limpet.model.event import CommandExpanded, ContextReady, Reported, SessionStarted
from limpet.model.memory import Origin
from limpet.model.outcome import Admitted, Duplicate, Outcome
from limpet.queue import files as queue
from limpet.runtime import UNPROVEN, Caller, Runtime, open_runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from limpet.doors.context import Context
    from limpet.model.memory import Memory

_FILES_MS = 100
"""The maximum number of milliseconds that are spent at a session start on the project's shared files."""
LEARN_MS = 150
"""The maximum number of milliseconds that are spent at a session start on the queued events of other sessions."""
_JUST_NOW_MS = 10_000
"""The maximum age, in milliseconds, of a memory that a worker may already have created from the same command."""
_NO_ANSWER = object()
"""A marker for an event that gets no answer."""


def answer(payload: Mapping[str, Any], event_name: str, host: str, *, is_queued: bool = True) -> str:
    """Open the store, and return the output of the hook, or an empty string if there is nothing to show.

    `is_queued` tells whether the event is in the queue, from which a worker learns later.
    """
    event = _read_event_to_answer(payload, event_name, host)
    if event is _NO_ANSWER:
        return ""
    is_command = isinstance(event, CommandExpanded)
    typed = is_command and is_typed(payload, host=host)
    runtime = open_runtime(
        cwd=project_folder(payload),
        session=text_of(payload["session_id"]).strip(),
        caller=Caller(origin=Origin.USER if typed else Origin.AGENT, is_agent=not typed),
        hurried=not is_command,
        # A person waits for a command, so it may take longer, but not longer for the lock of the index.
        flags={"store.apply_wait_ms": LOCK_MS},
    )
    try:
        return _answer_with(runtime, event, payload, event_name, host, is_queued=is_queued)
    finally:
        runtime.store.close()


def answer_with(
    runtime: Runtime,
    payload: Mapping[str, Any],
    event_name: str,
    host: str,
    *,
    has_learnt: bool = False,
    is_queued: bool = True,
) -> str:
    """Return the output of the hook, as `answer` does, with a runtime that is already open.

    `has_learnt` tells whether the caller has already processed the queued events of other sessions.
    """
    event = _read_event_to_answer(payload, event_name, host)
    if event is _NO_ANSWER:
        return ""
    return _answer_with(runtime, event, payload, event_name, host, has_learnt=has_learnt, is_queued=is_queued)


def _read_event_to_answer(payload: Mapping[str, Any], event_name: str, host: str) -> Any:
    """Return the event in a payload (None if it is unknown), or `_NO_ANSWER` if it gets no answer.

    An event gets no answer if an answer would make the model's prompt cache useless, or if it is a command that does
    not ask to remember something.
    """
    if not keeps_prefix(payload, event_name, host=host):
        return _NO_ANSWER
    event = read_event(payload, host=host, at=clock.now())
    return _NO_ANSWER if isinstance(event, CommandExpanded) and not asks_to_remember(event) else event


def _answer_with(
    runtime: Runtime,
    event: Reported | None,
    payload: Mapping[str, Any],
    event_name: str,
    host: str,
    *,
    is_queued: bool,
    has_learnt: bool = False,
) -> str:
    host_notes = partial(_read_host_notes, payload, host)
    if isinstance(event, SessionStarted) and not has_learnt:
        learn_from_other_sessions(runtime)
    if isinstance(event, CommandExpanded):
        text, notice = _store_text(runtime, event.arguments, payload, host, is_queued=is_queued), ""
    else:
        text, notice = _find_text(runtime, event, event_name, host, host_notes)
    return context_answer(event_name, text, host=host, notice=notice) if text or notice else ""


def _read_host_notes(payload: Mapping[str, Any], host: str) -> str:
    """Return the notes that the host itself gives to its model at a session start."""
    # Loaded here, because only the start of a session needs it.
    from limpet.hosts.own_notes import read_told_at_start

    return read_told_at_start(payload, host=host)


def _find_text(
    runtime: Runtime, event: Reported | None, event_name: str, host: str, host_notes: Callable[[], str]
) -> tuple[str, str]:
    """Return the text for the model, and a line for the person; both may be empty."""
    if not runtime.settings.inject.enabled:
        return "", ""
    if runtime.claimed_project:
        return f"Limpet: {UNPROVEN}." if isinstance(event, SessionStarted) else "", ""
    if event is None:
        return _describe_working_context(runtime) if event_name == "PreCompact" else "", ""
    context = replace(runtime.context(), host=host, host_notes=host_notes)
    arrived = ""
    if isinstance(event, SessionStarted):
        arrived, lines = _import_shared_files(runtime, context.root)
        context = _limit_lines(context, lines)
    caused = Bus(TABLE, answering_handlers(context), log=context.log).publish(event)
    ready = [each for each in caused if isinstance(each, ContextReady)]
    notice = next((each.notice for each in ready if each.notice), "")
    return "\n".join(filter(None, (*(each.text for each in ready), arrived))), notice


def _import_shared_files(runtime: Runtime, root: str | None) -> tuple[str, int]:
    """Import changed files from the project's shared folder, which contains its memories as files.

    Return a text for the model about what waits for the user's approval, which may be empty, and the maximum number of
    lines in the block at the session start.
    """
    project = runtime.project
    lines = runtime.settings.inject.start_lines
    if root is None or project is None or not os.path.isdir(os.path.join(root, ".claude", "ltm")):
        return "", lines
    # Loaded here, because most projects have no shared folder.
    from limpet.sharing.changes import describe_proposed, has_changed, limit_lines
    from limpet.sharing.shared_folder import SharedFolder

    home, folder = runtime.settings.home, SharedFolder(root)
    lines = limit_lines(home, project.id, folder, lines)
    arrived = ""
    if has_changed(home, project.id, folder):
        from limpet.sharing.folder import take_in_at_start

        arrived = take_in_at_start(runtime, budget_ms=_FILES_MS)
    return "\n".join(filter(None, (arrived, describe_proposed(home, project.id, folder)))), lines


def _limit_lines(context: Context, lines: int) -> Context:
    settings = context.settings
    if lines == settings.inject.start_lines:
        return context
    return replace(context, settings=replace(settings, inject=replace(settings.inject, start_lines=lines)))


def learn_from_other_sessions(runtime: Runtime) -> None:
    """Process queued events of other sessions for a short time, so that the last session's memories are known."""
    if not runtime.settings.inject.enabled or runtime.claimed_project:
        return
    home, own = runtime.settings.home, queue.key_of(runtime.session or "")
    others = (name for name in queue.list_queue_files(home) if name.rpartition("/")[2] != own)
    names = [name for name in others if _has_more_than_start(home, name)]
    if not names:
        return
    from limpet.learning.sources import is_waiting

    reading = runtime.reading()
    if any(is_waiting(home, name, reading) for name in names):
        from limpet.learning.worker import learn_from_queue

        learn_from_queue(runtime.context(), budget_ms=LEARN_MS)


def _has_more_than_start(home: str, name: str) -> bool:
    """Tell whether a queue file contains an event other than a session start."""
    events = (mapping_of(found.get("payload")).get("hook_event_name") for _, found in queue.read(home, name))
    return any(event != "SessionStart" for event in events)


def _describe_working_context(runtime: Runtime) -> str:
    from limpet.learning.working_context import describe_working_context

    return describe_working_context(runtime.context())


def project_folder(payload: Mapping[str, Any]) -> str:
    """Return the folder in which the host was started, or `/` if it is not known.

    The host may run commands in another folder.
    """
    for folder in (project_from_environment(), payload.get("cwd")):
        if isinstance(folder, str) and os.path.isdir(folder):
            return folder
    return os.path.abspath(os.sep)


def is_typed(payload: Mapping[str, Any], *, host: str) -> bool:
    """Tell whether a person typed the command in a payload, according to the host's transcript.

    Return False if another agent started the client, because that agent can type any command.
    """
    said = text_of(payload.get("command_args")).strip()
    return said in read_typed_texts(payload, host=host) and not is_nested_agent()


def _explain_origin(runtime: Runtime, payload: Mapping[str, Any], host: str) -> str:
    """Return a sentence for the model if a text to remember does not have the origin USER (yet), or an empty string."""
    if runtime.caller.origin is Origin.USER:
        return ""
    if transcript_of(payload, host=host) is None:
        return " It counts as the agent's word, as the host names no transcript; `limpet confirm` makes it the user's."
    return " It counts as the agent's word until the host's transcript shows that the user typed it."


def _store_text(runtime: Runtime, text: str, payload: Mapping[str, Any], host: str, *, is_queued: bool) -> str:
    """Store the text given with a command such as `/remember`, and return sentences for the model about the result."""
    from limpet.operations import remember

    try:
        return _describe_outcome(remember.run(runtime, text=text)) + _explain_origin(runtime, payload, host)
    except StoreError as error:
        runtime.log(f"a text to remember was not stored: {error}")
        if is_queued:
            later = "It waits in the queue and is stored as soon as that is possible."
        elif transcript_of(payload, host=host) is not None:
            later = "It is taken from the transcript as the agent's word once a later event can be written down."
        else:
            later = "It was not written down anywhere, so the user has to ask again later."
        return f"Limpet has NOT stored what the user asked to remember: {error}. {later} Tell the user."


def _describe_outcome(outcome: Outcome) -> str:
    match outcome:
        case Admitted() | Duplicate() if isinstance(outcome, Admitted) or _is_of_this_command(outcome.memory):
            redacted = f"; left out as secret: {', '.join(outcome.redacted)}" if outcome.redacted else ""
            return (
                f"Limpet has stored what the user asked to remember, word for word, as {outcome.memory.id}{redacted}."
            )
        case Duplicate():
            return f"Limpet knew this already, as {outcome.memory.id}; nothing was stored twice."
        case _:
            return f"Limpet could not store this: {outcome.reason}"


def _is_of_this_command(memory: Memory) -> bool:
    return 0 <= clock.now_ms() - clock.to_ms(memory.created_at) < _JUST_NOW_MS
