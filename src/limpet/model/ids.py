"""Ids that sort by time: a prefix, 48 bits of milliseconds and 80 random bits in Crockford's base 32.

Every id from outside is checked against this alphabet, so that no id can be a path, a pattern or part of an SQL
statement.
"""

from __future__ import annotations

import os

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
BODY = 26
SHORTEST = 4
"""The minimum number of characters, after the prefix, that are read as the beginning of an id.

The ids of many years begin with the same characters, so a number such as 0 would name the only memory of a store.
"""
_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}
_LIMIT_MS = (1 << 48) - 1
_YEAR_2000 = 946_684_800_000


def stamp(ms: int) -> str:
    """Return what follows the prefix in a new id: ten letters for the time and sixteen random letters.

    Sorted as text, such ids are ordered by time.
    """
    return _spell((min(max(ms, 0), _LIMIT_MS) << 80) | int.from_bytes(os.urandom(10), "big"))


def code_id(prefix: str, code: str) -> str:
    """Return the id that is derived from a code of at least 32 hexadecimal digits.

    Such ids sort before those made by `new_id`, because the time in them is before the year 2000.
    """
    number = int(code[:32], 16)
    return f"{prefix}_{_spell((number >> 80) % _YEAR_2000 << 80 | number & (1 << 80) - 1)}"


def _spell(number: int) -> str:
    letters = []
    for _ in range(BODY):
        letters.append(ALPHABET[number & 31])
        number >>= 5
    return "".join(reversed(letters))


def new_id(prefix: str, ms: int) -> str:
    """Return a new id with a prefix, for a time in milliseconds since 1970."""
    return f"{prefix}_{stamp(ms)}"


def lowest_after(ms: int) -> str:
    """Return the smallest id, without its prefix, for a time after `ms`."""
    number = min(max(ms + 1, 0), _LIMIT_MS) << 80
    return "".join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def ms_of(text: str) -> int:
    """Return the time in an id, in milliseconds since 1970. Raise ValueError if the text is not an id.

    The prefix of the id may be missing.
    """
    body = text.rpartition("_")[2]
    if not is_body(body):
        raise ValueError(f"not an id: {text[:60]!r}")
    number = 0
    for letter in body[:10]:
        number = number << 5 | _VALUES[letter]
    return number


def is_body(text: str) -> bool:
    """Tell whether a text has the form of an id without its prefix."""
    return len(text) == BODY and not text.strip(ALPHABET)


def is_prefix_of_id(text: str, prefix: str = "mem") -> bool:
    """Tell whether a text can be read as the beginning of an id, with or without its prefix."""
    body = text.removeprefix(f"{prefix}_")
    return SHORTEST <= len(body) <= BODY and not body.strip(ALPHABET)
