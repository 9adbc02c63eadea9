"""Check the paths of the virtual files of an app, which are all below `/memories`.

Limpet never uses these paths on a disk. The checks protect a person who exports the files from paths that leave the
directory, and a model that lists the files from names that read like instructions.
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
"""The maximum length in bytes of a path, without `/memories`. Anthropic's Memory Stores have the same limit."""
_DEEPEST = 32


def check_path(text: object) -> str:
    """Return a path in its normal form; raise UsageError if it is not a valid path below `/memories`."""
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
    """Check the path of a new file, and return its normal form.

    Raise UsageError if the path is invalid, contains a secret, or has a name that reads like an instruction.
    """
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
    # Next to a slash or an extension, a key looks like part of a path, so the names are also checked as words.
    if redact("\n".join((path, path.replace("/", " "), path.replace("/", " ").replace(".", " "))))[1]:
        raise UsageError("the path holds a secret; choose another name")
    return path


def show_path(text: str) -> str:
    """Return a path that was received, shortened and made safe to quote in a message to a model."""
    return neutralise(text[:200], one_line=True)
