"""Locate the project that a folder belongs to: its repository, and the keys by which the project is recognised."""

from __future__ import annotations

import os
import sys

from limpet.lean.record import record
from limpet.workspace import git
from limpet.workspace.files import canonical_path, clean_label, is_inside
from limpet.workspace.remote_names import normalise_url, repository_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

AGENT_FILE = "AGENT.md"


@record
class Place:
    """The folder in which a session works, its repository, and how its project is recognised."""

    cwd: str
    """The folder of the session."""
    root: str
    """The project folder: the work tree, or the folder itself if there is no git repository."""
    name: str
    """The project name for display to people."""
    keys: tuple[str, ...]
    """The keys by which the project may be recognised, strongest first; an empty tuple if the path cannot be used.

    `git:` is the origin, which is the same on every machine. `dir:` is the git directory, which all work trees share.
    `birth:` is a hash of the first log entry. A repository keeps it when it is moved, and a copy has it too, so it
    counts only if the folders of all known `dir:` keys are gone. `path:` is the folder, if there is no git repository.

    All keys except `path:` are read from the repository, so they can be forged.
    """
    branch: str | None = None
    commit: str | None = None
    agent_file: str | None = None
    head: str | None = None
    """The current commit. In contrast, `commit` is the commit at the time of the session, which may be older."""
    git_directory: str | None = None
    is_linked: bool = True
    """Whether the git directory belongs to the folder; False if the folder only refers to it."""
    marks: tuple[str, ...] = ()
    """Strings that distinguish this repository from any other, even from one that later has the same path.

    Each consists of the path and either the hash of the first log entry or the inode number of the git directory. The
    log can be missing, so one mark is enough.
    """


def locate(cwd: str) -> Place:
    """Find the repository and the project that a path belongs to, even if the path does not exist.

    Environment variables such as GIT_DIR are ignored.
    """
    here = canonical_path(cwd)
    if here is None or not os.path.isabs(here):
        return Place(cwd=cwd, root=cwd, name=clean_label(cwd, 80) or "?", keys=())
    here = _correct_case(os.path.dirname(here) if os.path.isfile(here) else here)
    repository = git.find_repository(here)
    if repository is None:
        return Place(
            cwd=here,
            root=here,
            name=_folder_name(here),
            keys=(f"path:{decode_path(here)}",),
            agent_file=_find_agent_file(here),
        )
    birth = git.hash_first_log_entry(repository.common)
    name, keys = _find_name_and_keys(repository, birth)
    branch, commit = git.read_head(repository)
    # All work trees of a repository have the same marks, unless the folder only refers to the repository.
    folder = repository.common if repository.is_linked else f"{repository.top}\n{repository.common}"
    inode = git.read_inode(repository.common)
    found = (f"birth {birth}" if birth else "", f"inode {inode}" if inode else "")
    return Place(
        cwd=here,
        root=repository.top,
        name=name or _folder_name(repository.top),
        keys=keys,
        branch=branch,
        commit=commit,
        agent_file=_find_agent_file(repository.top),
        head=commit,
        git_directory=repository.common,
        is_linked=repository.is_linked,
        marks=tuple(f"{decode_path(folder)}\n{each}" for each in found if each),
    )


def still_exists(key: str) -> bool:
    """Tell whether the folder of a `dir:` or `path:` key exists; return False for other keys."""
    kind, _, path = key.partition(":")
    return kind in ("dir", "path") and os.path.isdir(path)


def find_roots(keys: Iterable[str]) -> list[str]:
    """Return the folders of a project on this machine, given its keys: its work trees, or its folder without git."""
    found = []
    for key in filter(still_exists, keys):
        kind, _, path = key.partition(":")
        found += [path] if kind == "path" else git.list_work_trees(path)
    return list(dict.fromkeys(found))


def _find_name_and_keys(repository: git.Repository, birth: str | None) -> tuple[str, tuple[str, ...]]:
    common = repository.common
    keys = [f"dir:{decode_path(common)}"]
    if repository.looks_bare:
        # Such a folder may be part of a download or of a commit, so its origin is not used as a key.
        return "", tuple(keys)
    name = ""
    url = git.origin_url(common)
    if url is not None:
        # All work trees share one configuration, so a relative origin starts at the main work tree, if it is known.
        base = os.path.dirname(common) if os.path.basename(common) == ".git" else None
        origin = normalise_url(url, base=base)
        if origin is not None:
            keys.insert(0, f"git:{decode_path(origin)}")
            name = clean_label(repository_name(url), 80)
    if birth is not None:
        keys.append(f"birth:{birth}")
    return name, tuple(keys)


def _find_agent_file(root: str) -> str | None:
    path = canonical_path(os.path.join(root, AGENT_FILE))
    return path if path is not None and is_inside(path, root) and os.path.isfile(path) else None


def _folder_name(path: str) -> str:
    return clean_label(os.path.basename(path), 80) or "/"


def decode_path(path: str) -> str:
    """Return a path as a string that can be stored, with bytes that are not UTF-8 escaped."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _correct_case(path: str) -> str:
    """Return a path with its letter case on disk. On macOS, `~/Work` and `~/work` are the same folder."""
    # On Windows, `realpath` does this. On other systems, the two are different folders.
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
