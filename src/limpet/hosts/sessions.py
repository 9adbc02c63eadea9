"""Find, read and replay the recorded sessions of every host.

A session may consist of several files: its own and those of its sub-agents. A replay always reads the file whose next
event is the oldest, because the events would have been reported in that order. The next event depends only on how far
each file was read, so an interrupted replay continues exactly where it stopped.
"""

from __future__ import annotations

import os

from limpet.clock import to_ms
from limpet.hosts.claude_code import transcript as claude_code
from limpet.hosts.codex import transcript as codex
from limpet.hosts.gemini import transcript as gemini
from limpet.hosts.transcript import LONGEST_LINE, SkippedLines, find_files, hold_shared_offsets
from limpet.lean.digest import sha256
from limpet.lean.record import record
from limpet.model.event import SessionEnded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path
    from typing import Any

    from limpet.hosts.transcript import LocatedEvent

SOURCE_PREFIX = "transcript:"
"""The prefix of the names that the journal gives to the files of recorded sessions."""

_READERS: Mapping[str, Any] = {"claude-code": claude_code, "codex": codex, "gemini": gemini}
"""The module that finds and reads the sessions of each host."""


def host_of(path: str | os.PathLike[str]) -> str:
    """Return the host of a session file, recognised by the names of the file and its folder."""
    name, folders = os.path.basename(path), os.path.dirname(os.path.abspath(path)).split(os.sep)
    if name.startswith("rollout-"):
        return "codex"
    return "gemini" if "chats" in folders[-2:] else "claude-code"


def find_sessions(where: str | os.PathLike[str], *, host: str, since: datetime | None = None) -> Iterator[Path]:
    """Yield the session files of a host under a folder, the oldest first."""
    reader, place = _READERS[host], os.fspath(where)
    inner = os.path.join(place, reader.FOLDER)
    return find_files(inner if os.path.isdir(inner) else place, wanted=reader.is_session, since=since)


def read_session(
    path: str | os.PathLike[str], *, start: int = 0, skipped: SkippedLines | None = None, host: str | None = None
) -> Iterator[LocatedEvent]:
    """Yield the events of one session file from an offset on; unreadable lines are counted in `skipped`."""
    seen: Iterator[LocatedEvent] = _READERS[host or host_of(path)].read_located_events(
        os.fspath(path), start, SkippedLines() if skipped is None else skipped
    )
    return hold_shared_offsets(seen)


@record
class SessionFile:
    """One file of a session, as described by its first event."""

    path: str
    host: str
    source: str
    session: str
    folder: str
    branch: str | None
    begins: datetime
    size: int


@record
class RecordedSession:
    """One session with its files: first its own, then those of its sub-agents."""

    session: str
    files: tuple[SessionFile, ...]

    @property
    def begins(self) -> datetime:
        return min(file.begins for file in self.files)

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def folder(self) -> str:
        """Return the folder that the session worked in.

        Return an empty text if no path is absolute, as in a recording from another operating system.
        """
        return next((file.folder for file in self.files if os.path.isabs(file.folder)), "")


def source_of(path: str) -> str:
    """Return the name by which the journal refers to a session file.

    It consists of the names of the file and its folder, not of the whole path, so that a file in a copy or a part of
    the host's folder is the same source. A source is looked up within its session, so the name is unique enough.
    """
    own, folder = os.path.basename(path), os.path.basename(os.path.dirname(os.path.abspath(path)))
    return SOURCE_PREFIX + sha256(f"{folder}/{own}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def find_session_files(places: Iterable[tuple[str, str]], *, since: datetime | None = None) -> list[tuple[str, str]]:
    """Return host and path of every session file in these places, each once; a place is a host and a folder or file."""
    found = {}
    for host, folder in places:
        for path in map(os.fspath, find_sessions(folder, host=host, since=since)):
            if host_of(path) == host or os.path.isfile(folder):
                found[os.path.realpath(path)] = (host_of(path), path)
    return list(found.values())


def group_sessions(
    files: Iterable[tuple[str, str]], *, failed: Callable[[str, OSError], None], tick: Callable[[], None] = lambda: None
) -> list[RecordedSession]:
    """Return the sessions of the files, oldest first; a file without events belongs to no session.

    `failed` is called for a file that cannot be read, and for one whose lines are too long.
    """
    sessions: dict[str, dict[str, SessionFile]] = {}
    for host, path in files:
        tick()
        try:
            file = _describe(host, path)
        except OSError as error:
            failed(path, error)
            continue
        if file is not None:
            known = sessions.setdefault(file.session, {})
            if file.source not in known or known[file.source].size < file.size:
                known[file.source] = file
    made = [RecordedSession(session=name, files=_sort_files(known.values())) for name, known in sessions.items()]
    return sorted(made, key=lambda each: (each.begins, each.session))


def _describe(host: str, path: str) -> SessionFile | None:
    if not os.path.isfile(path):  # a pipe would keep us waiting
        return None
    skipped = SkippedLines()
    seen = next(iter(read_session(path, skipped=skipped)), None)
    if seen is None:
        if skipped.too_long:
            raise OSError(0, f"skipped, because its lines are too long: more than {LONGEST_LINE >> 20} MB")
        return None
    return SessionFile(
        path=path,
        host=host,
        source=source_of(path),
        session=seen.event.session,
        folder=seen.cwd,
        branch=seen.branch,
        begins=seen.event.at,
        size=os.path.getsize(path),
    )


def _sort_files(files: Iterable[SessionFile]) -> tuple[SessionFile, ...]:
    """Sort the files of a session; its own file begins before those of its sub-agents."""
    return tuple(sorted(files, key=lambda file: (file.begins, file.path)))


class Replay:
    """The events of one session in the order of time, from the position that was reached in each file."""

    def __init__(
        self,
        recorded: RecordedSession,
        taken: Mapping[str, int],
        *,
        before_ms: int | None = None,
        skipped: SkippedLines | None = None,
    ) -> None:
        self._before_ms = before_ms
        self._files = [_OpenFile(file, taken.get(file.source, 0), before_ms, skipped) for file in recorded.files]

    @property
    def places(self) -> dict[str, int]:
        """Return the position that was reached in each file, by source."""
        return {each.source: each.place for each in self._files if each.place}

    @property
    def is_between(self) -> bool:
        """Tell whether a reader could stop here and resume later: no file is in the middle of a record."""
        return not any(each.is_inside for each in self._files)

    def __iter__(self) -> Iterator[LocatedEvent]:
        while (file := self._next_file()) is not None:
            yield file.step()

    @property
    def is_over(self) -> bool:
        return self._next_file() is None

    def _next_file(self) -> _OpenFile | None:
        waiting = [each for each in self._files if each.head is not None]
        # `min` takes the first of equals, so a record that reports several events is read to its end.
        return min(waiting, key=lambda each: each.when, default=None)

    def close(self) -> None:
        for each in self._files:
            each.close()


class _OpenFile:
    """One file, and its next event.

    The end of a single file is not reported: the session has ended when all of its files have ended.
    """

    def __init__(self, file: SessionFile, start: int, before_ms: int | None, skipped: SkippedLines | None) -> None:
        self.source, self.place, self.is_inside = file.source, start, False
        self._before_ms = before_ms
        self._events = read_session(file.path, start=start, skipped=skipped)
        self.head = self._next_event()

    @property
    def when(self) -> int:
        # A record that reports several events is read to its end before another file is.
        return -1 if self.is_inside or self.head is None else to_ms(self.head.event.at)

    def step(self) -> LocatedEvent:
        seen = self.head
        assert seen is not None
        self.is_inside = seen.offset <= seen.start
        if not self.is_inside:
            self.place = seen.offset
        self.head = self._next_event()
        return seen

    def _next_event(self) -> LocatedEvent | None:
        for seen in self._events:
            if isinstance(seen.event, SessionEnded):
                continue
            if self._before_ms is not None and to_ms(seen.event.at) >= self._before_ms:
                break
            return seen
        return None

    def close(self) -> None:
        close = getattr(self._events, "close", None)
        if close is not None:
            close()
