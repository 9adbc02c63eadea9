"""Create and check one-time codes, with which a person approves a command that only a person may run.

A program that runs as the user can do everything that the user can, so no check on the same machine stops a determined
program. The codes make such an attack costly, and the journal records how each approval was proven: by a terminal that
no agent has started (`hosts/client_processes.py`), or by a code that was shown on such a terminal.
"""

from __future__ import annotations

import os

from limpet import system
from limpet.errors import Refused, from_os_error
from limpet.lean import quickjson
from limpet.model.ids import ALPHABET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NEW_CODE = "new"
"""The value of `--code` that asks for a new code."""

CODE_MINUTES = 10
_LETTERS = 8
_TRIES = 3
_ROUNDS = 200_000
"""The number of PBKDF2 rounds. A program that reads the hash cannot try all codes before the code expires."""


def show_code(home: str, verb: str, *, now_ms: int) -> str:
    """Create and return a code that permits one run of the command `verb`.

    An older code for the same command becomes invalid. Only the hash of the code is saved.
    """
    # Loaded here, and below, because few commands need a code, and these modules load OpenSSL.
    import secrets

    code = "".join(secrets.choice(ALPHABET) for _ in range(_LETTERS)).upper()
    salt = secrets.token_hex(16)
    until = now_ms + CODE_MINUTES * 60_000
    _write(_path(home, verb), {"salt": salt, "hash": _hash(code, salt), "until": until, "tries": 0})
    return f"{code[:4]}-{code[4:]}"


def use_code(home: str, verb: str, code: str, *, now_ms: int) -> None:
    """Check a code for the command `verb` and delete it. Raise Refused if it is wrong or has expired.

    The saved code is also deleted after three wrong attempts.
    """
    import hmac

    path = _path(home, verb)
    with system.lock(os.path.join(home, "locks", "code"), doing="check the code") as is_held:
        kept = _read(path) if is_held else None
        if kept is None or now_ms > kept["until"]:
            raise Refused(
                f"there is no valid code for this command; on a terminal, `limpet {verb} --code {NEW_CODE}` shows one"
            )
        given = "".join(letter for letter in code.upper() if letter.isalnum())
        is_right = hmac.compare_digest(_hash(given, kept["salt"]), kept["hash"])
        if is_right or kept["tries"] + 1 >= _TRIES:
            os.unlink(path)
        else:
            _write(path, {**kept, "tries": kept["tries"] + 1})
        if not is_right:
            raise Refused(f"that is not the code; on a terminal, `limpet {verb} --code {NEW_CODE}` shows another one")


def _hash(code: str, salt: str) -> str:
    import hashlib

    return hashlib.pbkdf2_hmac("sha256", code.encode("utf-8", "replace"), salt.encode(), _ROUNDS).hex()


def _path(home: str, verb: str) -> str:
    return os.path.join(home, "codes", f"{verb}.json")


def _write(path: str, kept: dict[str, object]) -> None:
    try:
        system.private_directory(os.path.dirname(path))
        system.write_atomically(path, quickjson.dumps(kept).encode())
    except OSError as error:
        raise from_os_error(error, "write the code") from error


def _read(path: str) -> dict[str, Any] | None:
    """Return the saved data of a code, or None if there is no code or the file is damaged."""
    try:
        with open(path, encoding="utf-8") as file:
            found = quickjson.loads(file.read())
        is_whole = all(isinstance(found[name], str) for name in ("salt", "hash"))
        return found if is_whole and isinstance(found["until"], int) and isinstance(found["tries"], int) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
