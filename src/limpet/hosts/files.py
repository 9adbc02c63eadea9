"""Find the files of a tool call, as paths relative to the agent's working directory if they are inside it."""

from __future__ import annotations

import posixpath

MOST_FILES = 50
LONGEST_PATH = 4_096

_FILE_MARKERS = ("*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "+++ b/")


def relative_paths(cwd: str, paths: list[str]) -> tuple[str, ...]:
    """Return the paths relative to `cwd`, each once and in the given order; a path outside `cwd` becomes absolute.

    At most MOST_FILES paths are returned, without paths that are too long or not printable.
    """
    root = _normalise_path(cwd) if cwd else ""
    found: dict[str, None] = {}
    for path in paths:
        if path and len(path) <= LONGEST_PATH and path.isprintable():
            found[_make_relative(root, path)] = None
    return tuple(found)[:MOST_FILES]


def patched_files(patch: str) -> list[str]:
    """Return the paths of the files that a patch changes, as they are written in the patch."""
    return [line[len(mark) :].strip() for line in patch.splitlines() for mark in _FILE_MARKERS if line.startswith(mark)]


def added_lines(lines: list[str]) -> str:
    """Return the text that a patch adds, given the lines of the patch."""
    return "\n".join(line[1:] for line in lines if line.startswith("+") and not line.startswith("+++ "))


def _make_relative(root: str, path: str) -> str:
    # Normalised first, so that `cwd/../x` is not taken for a path inside `cwd`.
    normal = _normalise_path(path)
    absolute = normal.startswith("/") or normal[1:3] == ":/"
    if root and not absolute and not normal.startswith("~"):
        normal = posixpath.normpath(posixpath.join(root, normal))
    border = root.rstrip("/") + "/"
    return normal[len(border) :] if root and normal.startswith(border) else normal


def _normalise_path(path: str) -> str:
    # Only a path with a drive letter or two leading backslashes is from Windows; elsewhere names may have a backslash.
    if path[1:3] == ":\\" or path.startswith("\\\\"):
        path = path.replace("\\", "/")
    return posixpath.normpath(path)
