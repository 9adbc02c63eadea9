"""Find what a host tells its model already at a start, so that the block of memories does not repeat it."""

from __future__ import annotations

import os

from limpet.errors import Refused
from limpet.hosts.instructions import FILES, IMPORTING, read_block
from limpet.lean.pattern import lazy
from limpet.workspace.files import read_file

_LIMIT = 1 << 20
_BULLET = lazy(r"^\s*+[-*]\s++|\s*+\(\d{1,6} observations?\)\s*+$")
_SHORTEST = 20
"""A line shorter than this many characters may be part of any text."""
_SHARE = 0.5
"""The share of a text that a line must cover to say the same."""


def read_told(root: str | None, host: str) -> frozenset[str]:
    """Return the lines that a host loads from the memory block of its instruction file and from what it imports."""
    lines: set[str] = set()
    for name in FILES.get(host, ()) if root else ():
        path = os.path.join(root or "", name)
        try:
            block = read_block(read_file(path, _LIMIT) or b"", name)
        except Refused:  # broken marks are reported by `limpet distil`
            continue
        for line in block.splitlines():
            if line.startswith("@") and host in IMPORTING:
                imported = read_file(os.path.join(os.path.dirname(path), line[1:].strip()), _LIMIT) or b""
                lines.update(imported.decode("utf-8", "replace").splitlines())
            lines.add(line)
    return frozenset(filter(None, (_squeeze(_BULLET.sub("", line)) for line in lines)))


def is_told(text: str, told: frozenset[str]) -> bool:
    """Tell whether one of the lines says what a text says: the same words, or a whole sentence that is most of it."""
    if not told:
        return False
    plain = _squeeze(text)
    if plain in told:
        return True
    return any(len(line) >= max(_SHORTEST, _SHARE * len(plain)) and line in plain for line in told)


def _squeeze(text: str) -> str:
    return " ".join(text.split()).casefold()
