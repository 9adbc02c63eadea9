"""Every exception Limpet raises.

    LimpetError                 something the caller could not foresee; the message says what to do
    ├── UsageError              the request itself is malformed (exit 2)
    │   ├── InvalidId           not an id, or no such id
    │   └── AmbiguousId         a prefix that fits several; carries the candidates
    ├── Conflict                what is there is not what the request expects; carries what it is (exit 1)
    ├── Refused                 understood, and not allowed here (exit 1)
    ├── StoreError              the store could not do it
    │   ├── StoreReadOnly       the home or disk cannot be written
    │   ├── StoreFull           no space left
    │   ├── StoreDamaged        data is missing and no copy could mend it
    │   └── StoreNewer          written by a newer Limpet; read-only here
    └── SettingsError           a settings file or variable that cannot be understood (exit 2)

These never leave the package; each is caught by the folder that is named:

    SymlinkRefused              an OSError: one of Limpet's files is a symlink or not a regular file (`from_os_error`)
    BadLine                     a ValueError: bytes in the journal that are no record (store)
    Unfit                       a ValueError: a draft that cannot be admitted (doors)
    ModelFailed                 a language model that gave no usable reply, and why (learning)
    NotWirable                  a ValueError: a settings file of a host that cannot be wired (operations)
    NotJson                     a ValueError: a text that is not JSON, even with comments allowed (hosts)
    NotToml                     a ValueError: a text that is not TOML, or cannot be changed safely (hosts)
    Unreadable                  a ValueError: a text or file of others that is not read, and why (text, imports)
    Untouchable                 a file of somebody else's that must be left alone (operations)
    ProjectFileIgnored          a project's settings file that is not read, and why (settings)

Expected outcomes (a duplicate, a rejected draft) are values, not exceptions: see `model.outcome`.
"""

from __future__ import annotations

__all__ = [
    "AmbiguousId",
    "BadLine",
    "Conflict",
    "InvalidId",
    "LimpetError",
    "ModelFailed",
    "NotJson",
    "NotToml",
    "NotWirable",
    "ProjectFileIgnored",
    "Refused",
    "SettingsError",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreNewer",
    "StoreReadOnly",
    "SymlinkRefused",
    "Unfit",
    "Unreadable",
    "Untouchable",
    "UsageError",
    "describe_error",
    "from_os_error",
    "refuse_write",
]

_NO_SPACE = (28, 122, 27)
"""No space left, quota exceeded, file too large."""
_DENIED = (30, 13, 1)
"""Read-only file system, permission denied, operation not permitted."""


class LimpetError(Exception):
    """Base of all errors that Limpet raises on purpose; its `str()` is one sentence for a person."""

    exit_code = 1


class UsageError(LimpetError):
    exit_code = 2


class InvalidId(UsageError):
    exit_code = 1


class AmbiguousId(UsageError):
    exit_code = 1

    def __init__(self, prefix: str, candidates: tuple[str, ...]) -> None:
        self.prefix = prefix
        self.candidates = candidates
        shown = ", ".join(candidates[:5])
        more = "" if len(candidates) <= 5 else f" and {len(candidates) - 5} more"
        super().__init__(f"{prefix!r} fits {len(candidates)} ids: {shown}{more}; give more characters")


class Conflict(LimpetError):
    def __init__(self, sentence: str, *, kind: str, **details: str) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.details = details


class Refused(LimpetError):
    pass


class StoreError(LimpetError):
    pass


class StoreReadOnly(StoreError):
    pass


class StoreFull(StoreError):
    pass


class StoreDamaged(StoreError):
    pass


class StoreNewer(StoreError):
    pass


class SettingsError(LimpetError):
    exit_code = 2


class SymlinkRefused(OSError):
    """One of Limpet's files is a symlink or not a regular file, so a write could end up elsewhere."""


class ModelFailed(Exception):
    """A language model that gave no usable reply; the message says why, `tokens` how many were spent."""

    def __init__(self, message: str, *, tokens: int = 0) -> None:
        super().__init__(message)
        self.tokens = tokens


class Unfit(ValueError):
    """A draft that cannot be admitted; the message says what to change."""


class NotWirable(ValueError):
    """A host's settings file that is malformed, or has another value where Limpet's entries belong."""


class NotJson(ValueError):
    """A text that is not JSON, even with comments allowed; the message names the line."""


class NotToml(ValueError):
    """A text that is not TOML, or that cannot be edited without changing its other values."""


class Unreadable(ValueError):
    """A shared file, or a file of another tool, that is not read; the message gives the reason: "it is a symlink"."""


class Untouchable(Exception):
    """A file that must be left alone; the message gives the reason and is printed after the name of the file."""


class ProjectFileIgnored(Exception):
    """A project's settings file that is not read; the message says why."""


class BadLine(ValueError):
    """Bytes that are not a journal record, because a write was cut short or the file is damaged."""


def describe_error(error: Exception) -> str:
    """Return what went wrong: of an error of the operating system its message without number and file name."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def refuse_write(error: OSError, place: str) -> Refused:
    """Return the Refused for a file or folder of the user's that cannot be written; the message says what to do."""
    todo = "free some space and try again" if error.errno in _NO_SPACE else "check its owner and mode"
    return Refused(f"cannot write {place}: {describe_error(error)}; {todo}")


def from_os_error(error: OSError, doing: str) -> StoreError:
    """Return the StoreError for an operating-system error. `doing` names the action; the message says what to do."""
    where = f" ({error.filename})" if error.filename else ""
    if isinstance(error, SymlinkRefused):
        return StoreError(
            f"could not {doing}: {error.filename} {error.strerror}; remove it or choose another LIMPET_HOME"
        )
    if error.errno in _NO_SPACE:
        return StoreFull(
            f"could not {doing}: no space left on the disk{where}; nothing was changed, free some space and try again"
        )
    if error.errno in _DENIED:
        return StoreReadOnly(
            f"could not {doing}: the store cannot be written{where}; check its owner and mode, or set LIMPET_HOME"
        )
    return StoreError(f"could not {doing}: {describe_error(error)}{where}")
