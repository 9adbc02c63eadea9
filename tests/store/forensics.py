"""Read whatever the bytes of a file hold, as somebody would who looks for a text that should be gone."""

from __future__ import annotations

import zlib
from pathlib import Path

from limpet.store.view import packed


def readable_bytes(path: Path) -> bytes:
    """Return the bytes of a file, and after them every text that is packed anywhere in it, in rows or in free pages."""
    data = path.read_bytes()
    return data if path.suffix not in _PACKED else b"\n".join((data, *_packed_texts(data)))


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
