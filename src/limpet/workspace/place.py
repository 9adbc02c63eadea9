"""The place a session is in, and the keys by which its project is known again."""

from __future__ import annotations

import os
import sys

from limpet.lean.record import record
from limpet.workspace import git
from limpet.workspace.files import canonical, is_inside, label
from limpet.workspace.urls import name_in, normalise_url

AGENT_FILE = "AGENT.md"


@record
class Place:
    """`keys` are the names the project may be known by, strongest first.

    `git:` the origin, the same on every machine. `dir:` the git directory, shared by all work trees. `birth:` a
    mark that a repository without an origin keeps when it is moved; a copy keeps it too, so it says "the same"
    only when no `dir:` known so far is `still_there`. `path:` the folder, where there is no git. No key at all
    means that the place is not known, and then nothing of any project may be shown.
    """

    cwd: str
    root: str
    name: str
    keys: tuple[str, ...]
    branch: str | None = None
    commit: str | None = None
    agent_file: str | None = None


def locate(cwd: str) -> Place:
    """Where `cwd` is; it need not exist. Environment variables such as GIT_DIR have no say."""
    here = canonical(cwd)
    if here is None or not os.path.isabs(here):
        return Place(cwd=cwd, root=cwd, name=label(cwd, 80) or "?", keys=())
    here = _as_stored(os.path.dirname(here) if os.path.isfile(here) else here)
    repository = git.find(here)
    if repository is None:
        return Place(
            cwd=here,
            root=here,
            name=_folder_name(here),
            keys=(f"path:{_text(here)}",),
            agent_file=_agent_file(here),
        )
    name, keys = _identity(repository)
    branch, commit = git.head(repository)
    return Place(
        cwd=here,
        root=repository.top,
        name=name or _folder_name(repository.top),
        keys=keys,
        branch=branch,
        commit=commit,
        agent_file=_agent_file(repository.top),
    )


def still_there(key: str) -> bool:
    """Whether the folder of a `dir:` or `path:` key exists; False for other keys."""
    kind, _, path = key.partition(":")
    return kind in ("dir", "path") and os.path.isdir(path)


def _identity(repository: git.Repository) -> tuple[str, tuple[str, ...]]:
    common = repository.common
    keys = [f"dir:{_text(common)}"]
    if repository.by_shape:
        # Such a folder comes with a download or a commit; it must not claim to be another project by its origin.
        return "", tuple(keys)
    name = ""
    url = git.origin_url(common)
    if url is not None:
        # All work trees read one configuration, so a relative origin starts at the main one, if that is known.
        base = os.path.dirname(common) if os.path.basename(common) == ".git" else None
        origin = normalise_url(url, base=base)
        if origin is not None:
            keys.insert(0, f"git:{_text(origin)}")
            name = label(name_in(url), 80)
    mark = git.birth(common)
    if mark is not None:
        keys.append(f"birth:{mark}")
    return name, tuple(keys)


def _agent_file(root: str) -> str | None:
    path = canonical(os.path.join(root, AGENT_FILE))
    return path if path is not None and is_inside(path, root) and os.path.isfile(path) else None


def _folder_name(path: str) -> str:
    return label(os.path.basename(path), 80) or "/"


def _text(path: str) -> str:
    """A path as text that can be stored: file names may hold bytes that are no text."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _as_stored(path: str) -> str:
    """The path in the letter case of the disk, so that `cd ~/Work` and `cd ~/work` are one place on a Mac.

    On Windows `realpath` has done that already; elsewhere two cases are two folders.
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
