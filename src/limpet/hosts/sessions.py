"""Find, read and replay the sessions that hosts have recorded.

A session can have several files: a main file and one for each sub-agent. A replay yields the events of all files in
chronological order, as hooks would have reported them. The next event depends only on how far each file was read, so an
interrupted replay continues where it stopped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from limpet.clock import to_ms
from limpet.errors import SettingsError
from limpet.hosts.claude_code import transcript as claude_code
from limpet.hosts.codex import transcript as codex
from limpet.hosts.gemini import transcript as gemini
from limpet.hosts.payload import text_of
from limpet.hosts.transcript import LONGEST_LINE, LocatedEvent, SkippedLines, correct_shared_offsets, find_files
from limpet.hosts.wiring import host_folder
from limpet.lean.digest import sha256
from limpet.lean.record import record
from limpet.model.event import SessionEnded

SOURCE_PREFIX = "transcript:"
"""The prefix of the names by which the journal refers to session files."""

_READERS: Mapping[str, Any] = {"claude-code": claude_code, "codex": codex, "gemini": gemini}
"""The module that reads the session files of each host."""


def host_of(path: str | os.PathLike[str]) -> str:
    """Return the name of the host that wrote a session file, recognised by the names of the file and its folder."""
    name, folders = os.path.basename(path), os.path.dirname(os.path.abspath(path)).split(os.sep)
    if name.startswith("rollout-"):
        return "codex"
    return "gemini" if "chats" in folders[-2:] else "claude-code"


def find_sessions(where: str | os.PathLike[str], *, host: str, since: datetime | None = None) -> Iterator[Path]:
    """Yield a host's session files under a folder, oldest first.

    If `since` is given, only files modified since then are yielded.
    """
    reader, place = _READERS[host], os.fspath(where)
    inner = os.path.join(place, reader.FOLDER)
    return find_files(inner if os.path.isdir(inner) else place, wanted=reader.is_session, since=since)


def read_session(
    path: str | os.PathLike[str], *, start: int = 0, skipped: SkippedLines | None = None, host: str | None = None
) -> Iterator[LocatedEvent]:
    """Yield the events of one session file from the offset `start` on.

    Lines that cannot be read are counted in `skipped`. If `host` is None, the host is recognised by the path.
    """
    seen: Iterator[LocatedEvent] = _READERS[host or host_of(path)].read_located_events(
        os.fspath(path), start, SkippedLines() if skipped is None else skipped
    )
    return correct_shared_offsets(seen)


def find_compactions(payload: Mapping[str, Any], *, host: str) -> list[datetime]:
    """Return when the conversation of a session was compacted, for a host whose hooks do not report it.

    The times are read from the transcript that `payload` names, if it is a session file in the host's folder.
    """
    find = getattr(_READERS.get(host), "find_compactions", None)
    path = find_own_file(text_of(payload.get("transcript_path")), host=host) if find is not None else None
    try:
        found: list[datetime] = find(path) if find is not None and path is not None else []
    except OSError:
        return []
    return found


def find_own_file(path: str, *, host: str) -> str | None:
    """Return the real path of a session file, or None if it does not exist or is not in the folder of its host."""
    if "\0" in path or not _READERS[host].is_session(path):
        return None
    try:
        own = os.path.realpath(os.path.join(host_folder(host), _READERS[host].FOLDER))
    except (OSError, SettingsError):
        return None
    real = os.path.realpath(path)
    # Opening a named pipe would block.
    return real if real.startswith(own + os.sep) and os.path.isfile(real) else None


@record
class SessionFile:
    """One file of a recorded session, as described by its first event."""

    path: str
    host: str
    source: str
    """The name by which the journal refers to the file."""
    session: str
    folder: str
    """The folder in which the agent worked."""
    branch: str | None
    begins: datetime
    size: int


@record
class RecordedSession:
    """A recorded session and its files: first its main file, then the files of its sub-agents."""

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
        """Return the folder in which the agent worked.

        Return an empty string if no path is absolute, as in a recording from another operating system.
        """
        return next((file.folder for file in self.files if os.path.isabs(file.folder)), "")


def source_of(path: str) -> str:
    """Return the name by which the journal refers to a session file: a hash of the names of the file and its folder.

    The rest of the path is left out, so that a copy of the file elsewhere has the same name.
    """
    # The journal looks the name up within one session, so a short hash is enough.
    own, folder = os.path.basename(path), os.path.basename(os.path.dirname(os.path.abspath(path)))
    return SOURCE_PREFIX + sha256(f"{folder}/{own}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def find_session_files(places: Iterable[tuple[str, str]], *, since: datetime | None = None) -> list[tuple[str, str]]:
    """Return the host and path of each session file in the given places, each file once.

    A place is a pair of a host name and a folder or file. If `since` is given, only files modified since then are
    returned.
    """
    found = {}
    for host, folder in places:
        for path in map(os.fspath, find_sessions(folder, host=host, since=since)):
            if host_of(path) == host or os.path.isfile(folder):
                found[os.path.realpath(path)] = (host_of(path), path)
    return list(found.values())


def group_sessions(
    files: Iterable[tuple[str, str]], *, failed: Callable[[str, OSError], None], tick: Callable[[], None] = lambda: None
) -> list[RecordedSession]:
    """Group files, each given by its host and path, into sessions, oldest first; skip files without events.

    `failed` is called for each file that cannot be read or whose lines are all too long. `tick` is called before each
    file is read.
    """
    sessions: dict[str, dict[str, SessionFile]] = {}
    for host, path in files:
        tick()
        try:
            file = _describe_file(host, path)
        except OSError as error:
            failed(path, error)
            continue
        if file is not None:
            known = sessions.setdefault(file.session, {})
            if file.source not in known or known[file.source].size < file.size:
                known[file.source] = file
    # The main file comes before those of sub-agents, because it begins earlier.
    made = [
        RecordedSession(session=name, files=tuple(sorted(known.values(), key=lambda file: (file.begins, file.path))))
        for name, known in sessions.items()
    ]
    return sorted(made, key=lambda each: (each.begins, each.session))


def _describe_file(host: str, path: str) -> SessionFile | None:
    # Opening a named pipe would block.
    if not os.path.isfile(path):
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


class Replay:
    """An iterator over the events of one session, in chronological order. It must be closed after use.

    Each file is read from the offset that `taken` gives for its source, up to the first event at or after the time
    `before_ms`.
    """

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
        """Return the offset that was reached in each file, by the source of the file."""
        return {each.source: each.place for each in self._files if each.place}

    @property
    def is_between(self) -> bool:
        """Tell whether the replay can stop here and be continued later, that is, whether it is not inside a record."""
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
    """An open session file and its next event.

    `SessionEnded` is left out, because a session has ended only when all of its files have ended.
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
