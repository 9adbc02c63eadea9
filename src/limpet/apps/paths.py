"""Check the virtual paths of an app's memory directory, `/memories` and everything below it.

No path is ever used on a disk. The rules keep a path from leaving its directory when somebody writes the files to a
disk, and from reading like a sentence in a listing that a model reads.
"""

from __future__ import annotations

import unicodedata

from limpet.doors.governor import neutralise
from limpet.errors import UsageError
from limpet.guard.engine import find_signs
from limpet.guard.signs import CERTAIN
from limpet.secrets.redact import redact

ROOT = "/memories"
LONGEST_PATH = 1024
"""The maximum bytes of a path below the directory: as many as Anthropic's Memory Stores allow for the same files."""
_DEEPEST = 32


def check_path(text: object) -> str:
    """Return a path of the memory directory in its normal form; raise UsageError if it cannot be one."""
    if not isinstance(text, str):
        raise UsageError(f"a path is missing; give one that starts with {ROOT}")
    shown = show_path(text)
    if text != ROOT and not text.startswith(ROOT + "/"):
        raise UsageError(f"Path must start with {ROOT}, got: {shown}")
    path = unicodedata.normalize("NFC", text)
    names = [name for name in path[len(ROOT) :].split("/") if name]
    if any(name in (".", "..") or "\\" in name or "%2e" in name.lower() or "%2f" in name.lower() for name in names):
        raise UsageError(f"Path {shown} would escape {ROOT} directory")
    try:
        size = len(path[len(ROOT) :].encode("utf-8"))
    except UnicodeEncodeError:
        raise UsageError("the path holds half a character; use letters that UTF-8 can write") from None
    if size > LONGEST_PATH or len(names) > _DEEPEST:
        raise UsageError(f"the path is too long; at most {LONGEST_PATH:,} bytes below {ROOT} and {_DEEPEST} levels")
    return "/".join((ROOT, *names))


def check_new_path(text: object) -> str:
    """Return a path under which a file may be made; its names are shown in listings, so they have to be harmless."""
    path = check_path(text)
    for name in path.split("/")[2:]:
        plain = name.replace("_", " ").replace("-", " ")
        if (
            neutralise(name, one_line=True) != name
            or not name.isprintable()
            or not CERTAIN.isdisjoint(find_signs(plain))
        ):
            raise UsageError(
                f"{show_path(name)} cannot be a name; use letters, digits, dots, - and _, and no instruction"
            )
    # Beside a slash or an extension a key looks like a part of a path, so the names are read as words too.
    if redact("\n".join((path, path.replace("/", " "), path.replace("/", " ").replace(".", " "))))[1]:
        raise UsageError("the path holds a secret; choose another name")
    return path


def show_path(text: str) -> str:
    """Return a path that somebody has sent, in a form that a message to a model may hold."""
    return neutralise(text[:200], one_line=True)
