"""Every exception Limpet raises.

    LimpetError                 something the caller could not foresee; the message says what to do
    ├── UsageError              the request itself is malformed (exit 2)
    │   ├── InvalidId           not an id, or no such id
    │   └── AmbiguousId         a prefix that fits several; carries the candidates
    ├── Refused                 understood, and not allowed here (exit 1)
    ├── StoreError              the store could not do it
    │   ├── StoreReadOnly       the home or disk cannot be written
    │   ├── StoreFull           no space left
    │   ├── StoreDamaged        data is missing and no copy could mend it
    │   └── StoreNewer          written by a newer Limpet; read-only here
    └── SettingsError           a settings file or variable that cannot be understood (exit 2)

Expected outcomes (a duplicate, a rejected draft) are values, not exceptions: see `model.outcome`.
"""

from __future__ import annotations

__all__ = [
    "AmbiguousId",
    "InvalidId",
    "LimpetError",
    "Refused",
    "SettingsError",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreNewer",
    "StoreReadOnly",
    "UsageError",
]


class LimpetError(Exception):
    """Base of everything raised on purpose; `str()` of it is one sentence for a person."""

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
