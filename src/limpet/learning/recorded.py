"""Read a recorded session as a source of events, in the same form as the events that hooks have queued."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.hosts.own_names import is_our_tool
from limpet.hosts.sessions import RecordedSession, Replay, source_of
from limpet.hosts.tool_actions import shows_content
from limpet.lean.record import replace
from limpet.learning.sources import SourceEntry
from limpet.learning.states import Cursor
from limpet.model.event import (
    CommandExpanded,
    Compacted,
    PromptSubmitted,
    Reported,
    SessionEnded,
    ToolFinished,
    TurnEnded,
)
from limpet.queue.tidy import hash_cut_texts, tidy_payload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from limpet.hosts.transcript import LocatedEvent, SkippedLines

HOOKS = "hooks"
"""The key in a session's cursor for the time, in milliseconds, at which hooks began to report the session."""


class RecordedSource:
    """An `EventSource` that yields the events of one recorded session after the cursor `taken`.

    If `before_ms` is not None, it yields only events before this time. `hooked_ms` is the time at which hooks began to
    report the session, or None if they never did.
    """

    def __init__(
        self,
        recorded: RecordedSession,
        taken: Cursor,
        *,
        before_ms: int | None = None,
        hooked_ms: int | None = None,
        skipped: SkippedLines | None = None,
    ) -> None:
        self._recorded, self._taken, self._hooked_ms = recorded, taken, hooked_ms
        self._replay = Replay(recorded, taken, before_ms=before_ms, skipped=skipped)
        self._last: datetime | None = None

    def __iter__(self) -> Iterator[SourceEntry]:
        for seen in self._replay:
            self._last = seen.event.at
            yield self._make_entry(seen)

    def earlier_entries(self) -> Iterator[SourceEntry]:
        replay = Replay(self._recorded, {})
        try:
            for seen in replay:
                if seen.start >= self._taken.get(source_of(seen.path), 0):
                    return
                yield self._make_entry(seen)
        finally:
            replay.close()

    def _make_entry(self, seen: LocatedEvent) -> SourceEntry:
        return SourceEntry(
            event=tidy_event(seen, self._recorded),
            folder=self._recorded.folder,
            transcript=self._recorded.files[0].path,
        )

    @property
    def cursor(self) -> Cursor:
        places = self._replay.places or {self._recorded.files[0].source: 0}
        return places if self._hooked_ms is None else places | {HOOKS: self._hooked_ms}

    @property
    def is_between(self) -> bool:
        return self._replay.is_between

    @property
    def end(self) -> SessionEnded | None:
        if self._last is None or self._hooked_ms is not None or not self._replay.is_over:
            return None
        return SessionEnded(session=self._recorded.session, at=self._last)

    @property
    def is_empty(self) -> bool:
        """Tell whether all events have been read."""
        return self._replay.is_over

    def close(self) -> None:
        self._replay.close()


def tidy_event(seen: LocatedEvent, recorded: RecordedSession) -> Reported | None:
    """Return a recorded event shortened and without secrets, as a hook would queue it.

    Return None for calls to Limpet's own tools.
    """
    event = seen.event
    if event.session != recorded.session:
        event = replace(event, session=recorded.session)
    match event:
        case ToolFinished():
            # A memory refers to the main file of its session, so a line number of another file would be wrong.
            line = event.line if seen.path == recorded.files[0].path else None
            payload = {"tool_name": event.tool, "tool_input": dict(event.input), "tool_response": event.output}
            if is_our_tool(event.tool):
                return None
            tidy = tidy_payload({**payload, "prompt": event.command}, brief=shows_content(event.tool))
            return replace(
                event,
                input=tidy["tool_input"],
                output=tidy["tool_response"],
                left_out=tuple(hash_cut_texts(payload, brief=shows_content(event.tool))),
                command=tidy["prompt"],
                line=line,
            )
        case PromptSubmitted():
            hashes = hash_cut_texts({"prompt": event.text})
            return replace(event, text=_tidy_text(event.text), left_out=tuple(hashes))
        case TurnEnded():
            return replace(event, said=_tidy_text(event.said))
        case Compacted():
            return replace(event, summary=_tidy_text(event.summary))
        case CommandExpanded():
            return replace(event, arguments=_tidy_text(event.arguments))
        case _:
            return event


def _tidy_text(text: str) -> str:
    return str(tidy_payload({"prompt": text})["prompt"])
