"""Read the commits and the tags of a repository without running git.

Every object is checked by its hash. The parents of a damaged or forged commit are not read. Anybody may have written
the files, so all sizes and numbers are limited.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from limpet.lean.record import record
from limpet.workspace.files import read_file
from limpet.workspace.git import is_safe_ref, parse_commit, resolve_ref
from limpet.workspace.objects import Objects

_PACKED_LIMIT = 16_000_000
_MAX_TAGS = 20_000
_MAX_DEPTH = 5
"""The maximum length of a chain of tags that point to tags."""
MOST_COMMITS = 100_000


@record
class Commit:
    """A commit: its id, parents, author, time and message."""

    id: str
    parents: tuple[str, ...]
    author: str
    at: datetime
    """The commit time, not the author time."""
    message: str

    @property
    def subject(self) -> str:
        return self.message.partition("\n")[0].strip()

    @property
    def body(self) -> str:
        return self.message.partition("\n")[2].strip()


@record
class Tag:
    """A tag and the id of its commit. The message of a lightweight tag is an empty string."""

    name: str
    commit: str
    message: str = ""


def is_shallow(git_directory: str) -> bool:
    """Tell whether a repository is a shallow clone, which lacks older commits."""
    return bool(_read_boundary(git_directory))


def _read_boundary(git_directory: str) -> frozenset[str]:
    """Return the ids of the oldest commits in a shallow clone, whose parents are missing."""
    data = read_file(os.path.join(git_directory, "shallow"), _PACKED_LIMIT) or b""
    return frozenset(id.decode("ascii", "replace") for id in data.split())


def read_commits(
    git_directory: str,
    start: str,
    *,
    since: datetime | None = None,
    stop: frozenset[str] = frozenset(),
    most: int = MOST_COMMITS,
    tick: Callable[[int], None] = lambda count: None,
    damaged: Callable[[str], None] = lambda id: None,
) -> Iterator[Commit]:
    """Yield the commit `start` and its ancestors, newest first, up to `most` commits.

    Commits before the time `since`, commits in `stop`, and commits that can be reached only through these are left out.
    `tick` is called with the number of commits so far, and `damaged` with the id of a commit that cannot be read.
    """
    if start in stop:
        return
    objects = Objects(git_directory)
    boundary = _read_boundary(git_directory)
    try:
        first = read_commit(objects, start)
        if first is None:
            damaged(start)
        waiting = [(-first.at.timestamp(), first.id, first)] if first is not None else []
        seen = {start}
        count = 0
        while waiting and count < most:
            commit = heapq.heappop(waiting)[2]
            if since is not None and commit.at < since:
                continue
            count += 1
            tick(count)
            yield commit
            for parent in commit.parents if commit.id not in boundary else ():
                if parent not in seen and parent not in stop:
                    seen.add(parent)
                    found = read_commit(objects, parent)
                    if found is None:
                        damaged(parent)
                    else:
                        heapq.heappush(waiting, (-found.at.timestamp(), found.id, found))
    finally:
        objects.close()


def read_tags(git_directory: str) -> list[Tag]:
    """Return a repository's tags that point to a readable commit, sorted by name."""
    objects = Objects(git_directory)
    try:
        found = (_resolve_tag(objects, name, id) for name, id in sorted(_list_tags(git_directory).items()))
        return [tag for tag in found if tag is not None]
    finally:
        objects.close()


def _list_tags(git_directory: str) -> dict[str, str]:
    """Return the ids of the objects that the tags point to, by tag name."""
    # A tag in a separate file replaces one of the same name in `packed-refs`.
    packed = read_file(os.path.join(git_directory, "packed-refs"), _PACKED_LIMIT) or b""
    found = {}
    for line in packed.splitlines():
        id, _, packed_ref = line.partition(b" ")
        if packed_ref.startswith(b"refs/tags/") and is_safe_ref(packed_ref) and parse_commit(id):
            found[os.fsdecode(packed_ref[10:])] = id.decode()
    top = os.path.join(git_directory, "refs", "tags")
    for folder, _, names in os.walk(top):
        for name in names:
            ref = os.path.relpath(os.path.join(folder, name), git_directory).replace(os.sep, "/")
            raw = os.fsencode(ref)
            id_found = resolve_ref(git_directory, raw) if is_safe_ref(raw) else None
            if id_found is not None:
                found[ref[10:]] = id_found
        if len(found) > _MAX_TAGS:
            break
    return dict(list(found.items())[:_MAX_TAGS])


def _resolve_tag(objects: Objects, name: str, id: str) -> Tag | None:
    message = ""
    for _ in range(_MAX_DEPTH):
        found = objects.read(id)
        if found is None:
            return None
        kind, body = found
        if kind == "commit":
            return Tag(name=name, commit=id, message=message)
        header, _, text = body.partition(b"\n\n")
        message = message or _decode(text)
        target = next((line[7:] for line in header.splitlines() if line.startswith(b"object ")), b"")
        if parse_commit(target) is None:
            return None
        id = target.decode()
    return None


def read_commit(objects: Objects, id: str) -> Commit | None:
    """Read a commit by its id; return None if it is missing, damaged or not a commit."""
    found = objects.read(id)
    if found is None or found[0] != "commit":
        return None
    header, _, text = found[1].partition(b"\n\n")
    parents: list[str] = []
    author, at = "", datetime.fromtimestamp(0, UTC)
    for line in header.splitlines():
        name, _, value = line.partition(b" ")
        if name == b"parent" and (parent := parse_commit(value)):
            parents.append(parent)
        elif name == b"author":
            author = _decode(value.partition(b" <")[0])[:200]
        elif name == b"committer":
            at = _parse_moment(value)
    return Commit(id=id, parents=tuple(parents), author=author, at=at, message=_decode(text))


def _parse_moment(value: bytes) -> datetime:
    """Parse the time in a line `Name <mail> seconds zone`; return 1970-01-01 00:00 UTC if it is not valid."""
    words = value.rpartition(b"> ")[2].split()
    seconds = int(words[0]) if words and words[0].isdigit() and len(words[0]) < 12 else 0
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return datetime.fromtimestamp(0, UTC)


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()
