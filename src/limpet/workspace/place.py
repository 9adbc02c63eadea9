"""Locate the folder of a session, and the keys by which its project is recognised."""

from __future__ import annotations

import os
import sys

from limpet.lean.record import record
from limpet.workspace import git
from limpet.workspace.files import canonical_path, clean_label, is_inside
from limpet.workspace.urls import normalise_url, repository_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

AGENT_FILE = "AGENT.md"


@record
class Place:
    """The place of a session. `keys` are the names by which its project may be known, strongest first.

    `git:` is the origin, the same on every machine. `dir:` is the git directory, shared by all work trees. `birth:` is
    a hash of the first log entry, which a repository without an origin keeps when it is moved; a copy keeps it too, so
    it counts only if no folder of a known `dir:` key still exists. `path:` is the folder, if there is no git. A place
    without keys is unknown, and then no memory of any project may be shown.

    All keys but `path:` come from the repository itself, so they prove nothing. `marks` distinguish this folder from
    every other one, and from another repository that is put in its place later: each is the path with the first log
    entry, or with the inode of the git directory. The log can be absent or expire, so either mark is enough.
    """

    cwd: str
    root: str
    name: str
    keys: tuple[str, ...]
    branch: str | None = None
    commit: str | None = None
    agent_file: str | None = None
    head: str | None = None
    """The commit that is checked out now; `commit` is that of the session, which may be older."""
    git_directory: str | None = None
    is_linked: bool = True
    """Whether the git directory belongs to the folder; if not, the folder only points at it."""
    marks: tuple[str, ...] = ()


def locate(cwd: str) -> Place:
    """Return the place of a folder, which need not exist. Variables such as GIT_DIR are ignored."""
    here = canonical_path(cwd)
    if here is None or not os.path.isabs(here):
        return Place(cwd=cwd, root=cwd, name=clean_label(cwd, 80) or "?", keys=())
    here = _with_case_on_disk(os.path.dirname(here) if os.path.isfile(here) else here)
    repository = git.find_repository(here)
    if repository is None:
        return Place(
            cwd=here,
            root=here,
            name=_folder_name(here),
            keys=(f"path:{_as_text(here)}",),
            agent_file=_agent_file(here),
        )
    birth = git.birth_hash(repository.common)
    name, keys = _name_and_keys(repository, birth)
    branch, commit = git.read_head(repository)
    return Place(
        cwd=here,
        root=repository.top,
        name=name or _folder_name(repository.top),
        keys=keys,
        branch=branch,
        commit=commit,
        agent_file=_agent_file(repository.top),
        head=commit,
        git_directory=repository.common,
        is_linked=repository.is_linked,
        marks=_list_marks(repository, birth),
    )


def still_exists(key: str) -> bool:
    """Tell whether the folder of a `dir:` or `path:` key exists; False for other keys."""
    kind, _, path = key.partition(":")
    return kind in ("dir", "path") and os.path.isdir(path)


def find_roots(keys: Iterable[str]) -> list[str]:
    """Return the folders of a project that exist on this machine, by its keys: work trees and plain folders."""
    found = []
    for key in filter(still_exists, keys):
        kind, _, path = key.partition(":")
        found += [path] if kind == "path" else git.list_work_trees(path)
    return list(dict.fromkeys(found))


def _name_and_keys(repository: git.Repository, birth: str | None) -> tuple[str, tuple[str, ...]]:
    common = repository.common
    keys = [f"dir:{_as_text(common)}"]
    if repository.by_shape:
        # Such a folder may come with a download or a commit; its origin must not make it another project.
        return "", tuple(keys)
    name = ""
    url = git.origin_url(common)
    if url is not None:
        # All work trees read one configuration, so a relative origin starts at the main one, if that is known.
        base = os.path.dirname(common) if os.path.basename(common) == ".git" else None
        origin = normalise_url(url, base=base)
        if origin is not None:
            keys.insert(0, f"git:{_as_text(origin)}")
            name = clean_label(repository_name(url), 80)
    if birth is not None:
        keys.append(f"birth:{birth}")
    return name, tuple(keys)


def _list_marks(repository: git.Repository, birth: str | None) -> tuple[str, ...]:
    # All work trees of a repository are one folder here, unless the folder only points at the repository.
    folder = repository.common if repository.is_linked else f"{repository.top}\n{repository.common}"
    inode = git.read_inode(repository.common)
    found = (f"birth {birth}" if birth else "", f"inode {inode}" if inode else "")
    return tuple(f"{_as_text(folder)}\n{each}" for each in found if each)


def _agent_file(root: str) -> str | None:
    path = canonical_path(os.path.join(root, AGENT_FILE))
    return path if path is not None and is_inside(path, root) and os.path.isfile(path) else None


def _folder_name(path: str) -> str:
    return clean_label(os.path.basename(path), 80) or "/"


def _as_text(path: str) -> str:
    """Return a path as text that can be stored, because file names may hold bytes that are not text."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _with_case_on_disk(path: str) -> str:
    """Return the path in the letter case of the disk, so that `~/Work` and `~/work` are one place on a Mac.

    On Windows `realpath` has done that already; on other systems they are different folders.
    """
    if sys.platform == "darwin":
        import fcntl

        try:
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return path
        try:
            found = fcntl.fcntl(fd, fcntl.F_GETPATH, bytes(1024))
            return os.fsdecode(found.rstrip(b"\0")) or path
        except OSError:
            return path
        finally:
            os.close(fd)
    return path
