"""Read whatever the bytes of a file hold, as somebody would who looks for a text that should be gone."""

from __future__ import annotations

import contextlib
import zlib
from pathlib import Path

from limpet.model.ids import ALPHABET
from limpet.store.journal import sealed
from limpet.store.view import packed


def encode_needle(needle: str | bytes) -> bytes:
    """Return the bytes to look for; refuse a text that random ids or compressed bytes could hold by chance."""
    sought = needle.encode() if isinstance(needle, str) else needle
    in_no_id = not set(sought.lower()) <= set(ALPHABET.encode())
    assert len(sought) >= (5 if in_no_id else 8), f"{needle!r} could be a part of an id: look for a longer text"
    return sought


def readable_bytes(path: Path) -> bytes:
    """Return the bytes of a file, and after them every text that is packed anywhere in it, in rows or in free pages."""
    data = path.read_bytes()
    if data.startswith(sealed.MAGICS):
        return b"\n".join((data, *_sealed_texts(data)))
    return data if path.suffix not in _PACKED else b"\n".join((data, *_packed_texts(data)))


def _sealed_texts(data: bytes) -> list[bytes]:
    """Return what can be inflated of the blocks of a sealed segment, as far as they are whole."""
    found = []
    for start in range(len(data)):
        stream = zlib.decompressobj()
        if data[start : start + 1] == b"\x78":
            with contextlib.suppress(zlib.error):
                for place in range(start, len(data), 64):
                    found.append(stream.decompress(data[place : place + 64]))
    return [b"".join(found)]


_PACKED = {".db", ".db-wal"}
_LONGEST = 20_000
_FIRST_BITS = (3, 5)
"""What a stream of one block begins with, whether its codes are fixed or its own."""


def _packed_texts(data: bytes) -> list[bytes]:
    """Return what can be inflated, tried from every byte on."""
    found, end = [], 0
    for start, first in enumerate(data):
        if first & 7 not in _FIRST_BITS or start < end:
            continue
        stream = zlib.decompressobj(packed._WINDOW, packed._DICTIONARY)
        try:
            text = stream.decompress(data[start : start + _LONGEST])
        except zlib.error:
            continue
        if stream.eof and len(text) > 20:
            found.append(text)
            if text.endswith(b"}"):
                end = min(start + _LONGEST, len(data)) - len(stream.unused_data)
    return found
