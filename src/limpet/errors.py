"""Define every exception that Limpet raises.

    LimpetError                 an error that the caller could not foresee; the message says what to do (exit 1)
    ├── UsageError              the request is not valid (exit 2)
    │   ├── InvalidId           not an id, or there is no item with this id (exit 1)
    │   └── AmbiguousId         several ids begin with the given text; `candidates` lists them (exit 1)
    ├── Refused                 the request is valid, but not allowed (exit 1)
    ├── StoreError              the store could not carry out an operation
    │   ├── StoreReadOnly       the home or the disk cannot be written
    │   ├── StoreFull           no space left on the disk
    │   ├── StoreDamaged        data is missing, and no copy of it was found
    │   └── StoreNewer          the store was written by a newer version of Limpet, and can only be read
    └── SettingsError           a settings file or variable has an invalid value (exit 2)

The following exceptions never leave the package. Each is caught in the folder in brackets:

    SymlinkRefused              an OSError: one of Limpet's files is a symlink or not a regular file (`from_os_error`)
    BadLine                     a ValueError: bytes in the journal are not a record (store)
    Unfit                       a ValueError: a draft cannot be admitted (doors)
    ModelFailed                 a language model gave no usable reply (learning)
    NotWirable                  a ValueError: Limpet cannot be added to a settings file of an agent client (operations)
    NotJson                     a ValueError: a text is not JSON, even if comments are allowed (hosts)
    NotToml                     a ValueError: a text is not TOML, or cannot be changed safely (hosts)
    Unreadable                  a ValueError: a file of the user or of another tool cannot be read (text, imports)
    Untouchable                 a file of the user must not be changed (operations)
    ProjectFileIgnored          the settings file of a project is not read (settings)

Expected outcomes (a duplicate, a rejected draft) are values, not exceptions: see `model.outcome`.
"""

from __future__ import annotations

__all__ = [
    "AmbiguousId",
    "BadLine",
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
    "split_remedy",
]

_NO_SPACE = (28, 122, 27)
"""Linux error numbers: no space left, quota exceeded, file too large."""
_DENIED = (30, 13, 1)
"""Linux error numbers: read-only file system, permission denied, operation not permitted."""


class LimpetError(Exception):
    """The base class of all errors that Limpet reports to its users. The message is one sentence for a person."""

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
    """One of Limpet's files is a symlink or not a regular file, so a write could change another file."""


class ModelFailed(Exception):
    """A language model gave no usable reply. The message gives the reason; `tokens` is the number of tokens spent."""

    def __init__(self, message: str, *, tokens: int = 0) -> None:
        super().__init__(message)
        self.tokens = tokens


class Unfit(ValueError):
    """A draft cannot be admitted as a memory. The message says what to change."""


class NotWirable(ValueError):
    """A settings file of an agent client is malformed, or contains other values where Limpet must add its entries."""


class NotJson(ValueError):
    """A text is not valid JSON, not even JSON with comments. The message names the line."""


class NotToml(ValueError):
    """A text is not TOML, or cannot be edited without changing its other values."""


class Unreadable(ValueError):
    """A shared file, or another tool's file, cannot be read. The message gives the reason, like "it is a symlink"."""


class Untouchable(Exception):
    """A file must not be changed. The message gives the reason, and is shown after the file name."""


class ProjectFileIgnored(Exception):
    """A project's settings file is ignored. The message gives the reason."""


class BadLine(ValueError):
    """A line of the journal is not a complete record, because a write was interrupted or the file is damaged."""


def split_remedy(message: str) -> tuple[str, str | None]:
    """Split an error message into what happened and what to do about it, which follows the first semicolon, if any.

    A semicolon within a quoted text does not count.
    """
    import re

    parts = re.split(r"""((?<!\w)'(?:[^'\\]|\\.)*'|(?<!\w)"(?:[^"\\]|\\.)*"|; )""", message)
    at = parts.index("; ") if "; " in parts else len(parts)
    return "".join(parts[:at]), "".join(parts[at + 1 :]) or None


def describe_error(error: Exception) -> str:
    """Return the message of an error. For an OSError, leave out its number and file name."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def refuse_write(error: OSError, place: str) -> Refused:
    """Return an exception for a failure to write a user's file or folder. The message says what to do about it."""
    if isinstance(error, FileNotFoundError):
        todo = "create the folder first"
    elif isinstance(error, NotADirectoryError):
        todo = "choose another place"
    else:
        todo = "free some space and try again" if error.errno in _NO_SPACE else "check its owner and mode"
    return Refused(f"cannot write {place}: {describe_error(error)}; {todo}")


def from_os_error(error: OSError, doing: str) -> StoreError:
    """Return an operating-system error as a StoreError, whose message says what to do about it.

    `doing` names the action that failed, such as "write to the journal".
    """
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
