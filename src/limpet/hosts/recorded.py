"""The sessions that hosts have left on disk: which files are one session, and its events in the order they happened.

A session may lie in several files, its own and those of its sub-agents. They are read side by side, always the file
whose next event is the oldest, because that is how the events would have been reported. What is next depends only on
how far each file was read, so a reading that was cut off goes on exactly where it would have gone.
"""

from __future__ import annotations

import os

from limpet.clock import to_ms
from limpet.hosts.sessions import find_sessions, host_of, read_session
from limpet.lean.digest import sha256
from limpet.lean.record import record
from limpet.model.event import SessionEnded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from limpet.hosts.transcript import Sighting, Skipped

PREFIX = "transcript:"


@record
class File:
    """One file of a session, as its first event describes it."""

    path: str
    host: str
    source: str
    session: str
    folder: str
    branch: str | None
    begins: datetime
    size: int


@record
class Recorded:
    """One session, its own file first."""

    session: str
    files: tuple[File, ...]

    @property
    def begins(self) -> datetime:
        return min(file.begins for file in self.files)

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def folder(self) -> str:
        """Where it worked; a folder that is not absolute was recorded on another kind of system and is nowhere here."""
        return next((file.folder for file in self.files if os.path.isabs(file.folder)), "")


def source_of(path: str) -> str:
    """What a file is called in the journal.

    The name of the file and of its folder, not the whole path: pointing at a part of the host's folder, or at a copy
    of it, must not make another source of the same file. A source is looked up within its session, so more is not
    needed to tell them apart.
    """
    own, folder = os.path.basename(path), os.path.basename(os.path.dirname(os.path.abspath(path)))
    return PREFIX + sha256(f"{folder}/{own}".encode("utf-8", "surrogateescape"))[:16]


def find_files(places: Iterable[tuple[str, str]], *, since: datetime | None = None) -> list[tuple[str, str]]:
    """Host and path of every session's file in these places (a host and a folder or file each), each file once."""
    found = {}
    for host, folder in places:
        for path in map(os.fspath, find_sessions(folder, host=host, since=since)):
            if host_of(path) == host or os.path.isfile(folder):
                found[os.path.realpath(path)] = (host_of(path), path)
    return list(found.values())


def group(
    files: Iterable[tuple[str, str]], *, failed: Callable[[str, OSError], None], tick: Callable[[], None] = lambda: None
) -> list[Recorded]:
    """The sessions that the files belong to, oldest first; a file in which nothing happened belongs to none."""
    sessions: dict[str, dict[str, File]] = {}
    for host, path in files:
        tick()
        try:
            file = _described(host, path)
        except OSError as error:
            failed(path, error)
            continue
        if file is not None:
            known = sessions.setdefault(file.session, {})
            if file.source not in known or known[file.source].size < file.size:
                known[file.source] = file
    made = [Recorded(session=name, files=_ordered(known.values())) for name, known in sessions.items()]
    return sorted(made, key=lambda each: (each.begins, each.session))


def _described(host: str, path: str) -> File | None:
    if not os.path.isfile(path):  # a pipe would keep us waiting
        return None
    seen = next(iter(read_session(path)), None)
    if seen is None:
        return None
    return File(
        path=path,
        host=host,
        source=source_of(path),
        session=seen.event.session,
        folder=seen.cwd,
        branch=seen.branch,
        begins=seen.event.at,
        size=os.path.getsize(path),
    )


def _ordered(files: Iterable[File]) -> tuple[File, ...]:
    """A session's own file begins before those of the sub-agents that it starts."""
    return tuple(sorted(files, key=lambda file: (file.begins, file.path)))


class Replay:
    """The events of one session from where each of its files was left, in the order of time."""

    def __init__(
        self,
        recorded: Recorded,
        taken: Mapping[str, int],
        *,
        before: int | None = None,
        skipped: Skipped | None = None,
    ) -> None:
        self._before = before
        self._files = [_Open(file, taken.get(file.source, 0), before, skipped) for file in recorded.files]

    @property
    def places(self) -> dict[str, int]:
        """How far each file was read."""
        return {each.source: each.place for each in self._files if each.place}

    @property
    def is_between(self) -> bool:
        """Whether a reader could stop here and go on later: no file is in the middle of a record."""
        return not any(each.is_inside for each in self._files)

    def __iter__(self) -> Iterator[Sighting]:
        while (following := self._next()) is not None:
            yield following.step()

    @property
    def is_over(self) -> bool:
        return self._next() is None

    def _next(self) -> _Open | None:
        waiting = [each for each in self._files if each.head is not None]
        # `min` takes the first of equals, so a record that reports several events is read to its end.
        return min(waiting, key=lambda each: each.when, default=None)

    def close(self) -> None:
        for each in self._files:
            each.close()


class _Open:
    """One file, and the event that comes next in it.

    That a file ends is no event here: the session has ended when all of its files have, and the place of the last
    record says that it was read, whether or not its end was.
    """

    def __init__(self, file: File, start: int, before: int | None, skipped: Skipped | None) -> None:
        self.source, self.place, self.is_inside = file.source, start, False
        self._before = before
        self._sightings = read_session(file.path, start=start, skipped=skipped)
        self.head = self._following()

    @property
    def when(self) -> int:
        # In the middle of a record nothing may come between.
        return -1 if self.is_inside or self.head is None else to_ms(self.head.event.at)

    def step(self) -> Sighting:
        seen = self.head
        assert seen is not None
        self.is_inside = seen.offset <= seen.start
        if not self.is_inside:
            self.place = seen.offset
        self.head = self._following()
        return seen

    def _following(self) -> Sighting | None:
        for seen in self._sightings:
            if isinstance(seen.event, SessionEnded):
                continue
            if self._before is not None and to_ms(seen.event.at) >= self._before:
                break
            return seen
        return None

    def close(self) -> None:
        close = getattr(self._sightings, "close", None)
        if close is not None:
            close()
