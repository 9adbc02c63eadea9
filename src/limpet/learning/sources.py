"""Read events from the queue that hooks have filled, as a source for the worker.

The module `recorded` contains the other source, for sessions that hosts have recorded. Both yield the same kind of
entries and report how far they were read, so that the worker can process either. This module imports little, because
programs often check whether the queue contains new events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from limpet import clock
from limpet.clock import to_ms
from limpet.hosts.events import read_event, reports_compactions
from limpet.hosts.payload import mapping_of, text_of
from limpet.hosts.typed import (
    asks_to_remember,
    read_texts_to_remember,
    read_typed_prompts,
    read_typed_texts,
    transcript_of,
)
from limpet.lean.record import Protocol, record, replace
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
from limpet.queue import files as queue
from limpet.queue.tidy import tidy_payload
from limpet.store.protocol import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any


@record
class SourceEntry:
    """An event in a source, with the folder and the transcript of its session.

    `event` is None if the event is of an unknown kind.
    """

    event: Reported | None
    folder: str
    transcript: str | None = None


class EventSource(Protocol):
    """An iterable over the entries of one session, from a given position on."""

    def __iter__(self) -> Iterator[SourceEntry]: ...

    def earlier_entries(self) -> Iterator[SourceEntry]:
        """Yield the entries before the starting position, so that a lost state can be computed again."""

    @property
    def cursor(self) -> Cursor:
        """Return the position that was reached in each file, by file name."""

    @property
    def is_between(self) -> bool:
        """Tell whether the caller can stop here and continue later, because no record has been read only in part."""

    @property
    def end(self) -> SessionEnded | None:
        """Return the event that ends the session, or None if the session has not ended or has unread entries."""


PATIENCE_MS = 30 * 60_000
"""The maximum time that an entry waits in the queue until the transcript shows who typed it, in milliseconds."""


def _is_recorded(found: Mapping[str, Any]) -> bool:
    """Tell whether the transcript shows that a person typed a queued prompt."""
    payload = found["payload"]
    said = str(payload.get("prompt", "")).strip()
    texts = read_typed_prompts(payload, host=str(found.get("host", "")))
    return any(said in (text, _tidy_text(text, "prompt")) for text in texts)


def _may_be_recorded(found: Mapping[str, Any]) -> bool:
    """Tell whether the payload names a valid transcript, in which the prompt may be recorded later."""
    return transcript_of(found["payload"], host=str(found.get("host", ""))) is not None


def _tidy_text(text: str, name: str = "command_args") -> str:
    return str(tidy_payload({name: text})[name]).strip()


class QueueSource:
    """An `EventSource` that reads one queue file: the events of one session on one day."""

    end = None

    def __init__(self, home: str, name: str, start: int = 0) -> None:
        self._home, self._name = home, name
        self._start = self._place = start
        self._last_turn_ms: int | None = None
        self.is_between = True

    def __iter__(self) -> Iterator[SourceEntry]:
        for place, found in queue.read(self._home, self._name, self._start):
            entry = decode_entry(found)
            if isinstance(entry.event, CommandExpanded) and asks_to_remember(entry.event) and not found.get("nested"):
                payload = found["payload"]
                said = str(payload.get("command_args", "")).strip()
                texts = read_typed_texts(payload, host=str(found.get("host", "")))
                typed = next((text for text in texts if said in (text, _tidy_text(text))), None)
                if typed is None and clock.now_ms() - to_ms(entry.event.at) < PATIENCE_MS:
                    # The host may record a command only after its hook has run, so the entry is read later.
                    return
                if typed is not None:
                    entry = replace(entry, event=replace(entry.event, arguments=typed, is_typed=True))
            if (
                isinstance(entry.event, PromptSubmitted)
                and entry.event.is_typed
                and "remember" in entry.event.text.casefold()
            ):
                is_recorded = _is_recorded(found)
                if not is_recorded and _may_be_recorded(found) and clock.now_ms() - to_ms(entry.event.at) < PATIENCE_MS:
                    return
                entry = replace(entry, event=replace(entry.event, is_recorded=is_recorded))
            if isinstance(entry.event, TurnEnded | SessionEnded) and not reports_compactions(
                str(found.get("host", ""))
            ):
                # They are part of this record, so that each is learnt from once.
                self.is_between = False
                yield from self._find_compactions(entry, found)
                self.is_between = True
            self._place = place
            yield entry

    def _find_compactions(self, entry: SourceEntry, found: Mapping[str, Any]) -> Iterator[SourceEntry]:
        """Yield the compactions since the turn before this one ended, which are found in the transcript."""
        # Loaded here, because most hosts report them.
        from limpet.hosts.sessions import find_compactions

        assert entry.event is not None
        until = to_ms(entry.event.at)
        times = [to_ms(at) for at in find_compactions(found["payload"], host=str(found.get("host", "")))]
        if times and self._last_turn_ms is None:
            self._last_turn_ms = self._find_last_turn()
        for at in times:
            if (self._last_turn_ms or 0) < at <= until:
                yield replace(entry, event=Compacted(session=entry.event.session, at=clock.from_ms(at)))
        self._last_turn_ms = until

    def _find_last_turn(self) -> int:
        """Return when the last turn before the start ended, or when the file begins, in milliseconds."""
        last = 0
        for place, found in queue.read(self._home, self._name):
            entry = decode_entry(found)
            if entry.event is None or (last and place > self._start):
                continue
            if not last or isinstance(entry.event, TurnEnded | SessionEnded):
                last = to_ms(entry.event.at)
        return last

    def earlier_entries(self) -> Iterator[SourceEntry]:
        for place, found in queue.read(self._home, self._name):
            if place > self._start:
                return
            yield decode_entry(found)

    @property
    def cursor(self) -> Cursor:
        return {self._name: self._place}


def decode_entry(found: Mapping[str, Any]) -> SourceEntry:
    """Return a queue record as an entry."""
    payload, at = found.get("payload"), found.get("at")
    if not isinstance(payload, dict) or not isinstance(at, int):
        return SourceEntry(event=None, folder="")
    transcript = payload.get("transcript_path")
    event, hashes = read_event(payload, host=str(found.get("host", "")), at=clock.from_ms(at)), found.get("left_out")
    if isinstance(event, ToolFinished | PromptSubmitted) and isinstance(hashes, list):
        event = replace(event, left_out=tuple(each for each in hashes if isinstance(each, str)))
    if isinstance(event, PromptSubmitted) and found.get("nested"):
        event = replace(event, is_typed=False, is_recorded=False)
    return SourceEntry(
        event=event,
        folder=_find_folder(found),
        transcript=transcript if isinstance(transcript, str) else None,
    )


def find_lost_commands(
    home: str, name: str, last: SourceEntry, *, before: datetime, after: datetime | None
) -> list[CommandExpanded]:
    """Return the requests to remember that a person typed in the session of a queue file and that are not in the file.

    Their hooks could not write to the queue, for example because the disk was full. `last` is an entry of the file. The
    requests are found in the transcript. They are as trustworthy as the agent's word, because nothing shows that a hook
    has seen them. Only the day of the file is searched, and only the time between `after` and `before`: what was
    forgotten is erased from the queue, and a hook may be running now.
    """
    session = last.event.session if last.event else ""
    payload = {"session_id": session, "transcript_path": last.transcript}
    typed = {
        text: at
        for at, text in read_texts_to_remember(payload, host="claude-code")
        if queue.name_of(session, to_ms(at)) == name and at < before and (after is None or at > after)
    }
    if not typed:
        return []
    payloads = (mapping_of(found.get("payload")) for _, found in queue.read(home, name))
    queued = {text_of(each.get("command_args")).strip() for each in payloads}
    return [
        CommandExpanded(session=session, at=at, name="remember", arguments=text)
        for text, at in typed.items()
        if queued.isdisjoint((text, _tidy_text(text)))
    ]


def find_last_folder(home: str, name: str) -> str:
    """Return the folder of the last event in a queue file that names one, or an empty string if none does."""
    folder = ""
    for _, found in queue.read(home, name):
        folder = _find_folder(found) or folder
    return folder


def _find_folder(found: Mapping[str, Any]) -> str:
    payload = found.get("payload")
    folder = found.get("dir") or (payload.get("cwd") if isinstance(payload, dict) else None)
    return folder if isinstance(folder, str) else ""


def has_backlog(home: str, reading: Reading) -> bool:
    """Tell whether any queue file contains events that have not been processed yet."""
    return any(is_waiting(home, name, reading) for name in queue.list_queue_files(home))


def is_waiting(home: str, name: str, reading: Reading) -> bool:
    """Tell whether a queue file contains events that have not been processed yet."""
    session, place = find_position(home, name, reading)
    return bool(session) and has_more(home, name, place)


def has_more(home: str, name: str, place: int) -> bool:
    """Tell whether a queue file contains readable entries after a position.

    Incomplete lines and lines that a purge has blanked do not count.
    """
    return place < queue.size_of(home, name) and next(queue.read(home, name, place), None) is not None


def find_position(home: str, name: str, reading: Reading) -> tuple[str, int]:
    """Return the id of the session in a queue file, and the position up to which the file was processed.

    The id is an empty string if the file contains no readable event with a session.
    """
    first = next(queue.read(home, name), None)
    if first is None:
        return "", 0
    payload = first[1].get("payload")
    # Cleaned as in an event, because the id may contain a lone surrogate, which cannot be searched for.
    session = text_of(payload.get("session_id")).strip() if isinstance(payload, dict) else ""
    known = reading.session(session) if session else None
    place = known.taken.get(name, 0) if known else 0
    # A file that is shorter than its processed part is a new file, made after the old one was removed or emptied.
    return session, (place if place <= queue.size_of(home, name) else 0)
