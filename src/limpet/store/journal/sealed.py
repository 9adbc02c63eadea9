"""Seal (compress) segments of the journal that no longer grow, and read sealed segments.

A sealed segment has the name of the plain file that it replaces. Its lines are compressed in blocks with separate
checksums, so that damage destroys the lines of one block only. A reader of a sealed segment gets the same bytes at the
same positions as from the plain file; a damaged block is read as one long line of spaces. Nothing is ever appended to a
sealed segment.

Values that can be computed from the rest of a block are left out: the checksums of headers, the hashes of payloads, and
the hashes of previous lines. They cannot be compressed, and would take up a seventh of a sealed segment. A block is
shortened in this way only if its lines can be restored byte for byte.

The file begins with one of `MAGICS`, the length of the lines, the length of the file, and the number of blocks. Then
come, for each block, the length of its lines, its length in the file and the checksum of its lines. They are followed
by a checksum of everything so far, and by the blocks.
"""

from __future__ import annotations

import io
import os
import zlib

from limpet import system
from limpet.store.journal.line import short_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

_WHOLE, _SHORT = b"\0limpet\1", b"\0limpet\2"
"""The first bytes of a sealed segment with full lines, which older versions wrote, and of one with shortened lines."""
MAGICS = (_WHOLE, _SHORT)
"""The possible first bytes of a sealed segment. No line of a journal begins with a zero byte."""
_PLAIN, _SHORTENED = b"\0", b"\1"
"""The first byte of a block, which tells whether its lines are shortened; older segments have no such byte."""
_LINE, _PREVIOUS, _HASH = b"\1", b"\2", b"\3"
"""The bytes that mark a line without its checksum, and the places where hashes were left out.

They occur nowhere else in a line, because JSON escapes control characters.
"""
_HEADER = 9
"""The position in a line at which the header begins, after the checksum and a space."""
_BLOCK = 1 << 16
_FIXED = len(_SHORT) + 8 + 8 + 4
_ENTRY = 12


def is_sealed(path: str) -> bool:
    """Tell whether a segment is sealed. Return False if the file does not exist."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(len(_SHORT)) in MAGICS
    except FileNotFoundError:
        return False


def length_of(path: str) -> int:
    """Return the number of bytes of a segment's lines, or -1 if it is sealed and the end of the file is missing."""
    with open(path, "rb", buffering=0) as file:
        head = file.read(_FIXED)
        size = os.fstat(file.fileno()).st_size
    if not head.startswith(MAGICS):
        return size
    return _number(head, 8, 8) if len(head) == _FIXED and _number(head, 16, 8) == size else -1


def open_sealed(file: BinaryIO) -> io.BufferedReader:
    """Return a reader of the uncompressed lines of a sealed segment. `file` must be at its beginning."""
    return io.BufferedReader(_SealedReader(file), buffer_size=_BLOCK)


def has_damage(file: io.BufferedReader) -> bool:
    """Tell whether `file` reads a sealed segment with a damaged block."""
    raw = file.raw
    return isinstance(raw, _SealedReader) and any(raw.read_block(number) is None for number in range(len(raw.blocks)))


def seal_lines(data: bytes) -> bytes:
    """Compress lines, and return the bytes of the sealed segment."""
    table, blocks, start = b"", [], 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK) + 1 or len(data)
        block = data[start:end]
        packed = zlib.compress(_shorten_block(block), 6)
        table += b"".join(each.to_bytes(4, "big") for each in (len(block), len(packed), zlib.crc32(block)))
        blocks.append(packed)
        start = end
    length = _FIXED + len(table) + 4 + sum(map(len, blocks))
    head = _SHORT + len(data).to_bytes(8, "big") + length.to_bytes(8, "big") + len(blocks).to_bytes(4, "big") + table
    return b"".join((head, zlib.crc32(head).to_bytes(4, "big"), *blocks))


def _shorten_block(block: bytes) -> bytes:
    """Return a block without the parts of its lines that can be computed, unless restoring them would fail.

    The first byte tells whether the lines were shortened.
    """
    rows, last = [], b""
    for row in block.split(b"\n"):
        head, _, body = row[_HEADER:].partition(b"\t")
        if row.startswith(b"%08x " % zlib.crc32(head)):
            row = head.replace(b'"prev":"%s"' % last, b'"prev":"%s"' % _PREVIOUS, 1) if last else head
            row = row.replace(b'"ph":"%s"' % short_hash(body).encode(), b'"ph":"%s"' % _HASH, 1)
            row = b"%s%s\t%s" % (_LINE, row, body)
            last = short_hash(head).encode()
        rows.append(row)
    shortened = b"\n".join(rows)
    return _SHORTENED + shortened if _restore_block(shortened) == block else _PLAIN + block


def _restore_block(shortened: bytes) -> bytes:
    """Restore the full lines of a shortened block."""
    rows, last = [], b""
    for row in shortened.split(b"\n"):
        if row.startswith(_LINE):
            head, _, body = row[1:].partition(b"\t")
            head = head.replace(_PREVIOUS, last, 1).replace(_HASH, short_hash(body).encode(), 1)
            row = b"%08x %s\t%s" % (zlib.crc32(head), head, body)
            last = short_hash(head).encode()
        rows.append(row)
    return b"\n".join(rows)


def seal_file(path: str) -> None:
    """Seal a segment, and keep its modification time. The caller must hold the lock of the segment.

    With a new modification time, the segment would count as changed and would be compared again.
    """
    with open(path, "rb") as file:
        data = file.read()
        modified = os.fstat(file.fileno()).st_mtime_ns
    sealed = seal_lines(data)
    if open_sealed(io.BytesIO(sealed)).read() != data:
        raise OSError(5, "the sealed segment does not hold what it should", path)
    system.write_atomically(path, sealed)
    os.utime(path, ns=(modified, modified))


def unseal_file(path: str) -> None:
    """Replace a sealed segment with the plain file. The caller must hold the lock of the segment."""
    with open(path, "rb") as file:
        data = open_sealed(file).read()
    system.write_atomically(path, data)


def _number(data: bytes, start: int, length: int) -> int:
    return int.from_bytes(data[start : start + length], "big")


class _SealedReader(io.RawIOBase):
    """A reader of the uncompressed lines of a sealed segment, block by block."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = 0
        self._kept: tuple[int, bytes] = (-1, b"")
        head = file.read(_FIXED)
        self._is_short = head.startswith(_SHORT)
        # Limited by the file size, because a damaged number of blocks could make this allocate any amount of memory.
        size = file.seek(0, os.SEEK_END)
        file.seek(len(head))
        table = file.read(min(size, _ENTRY * _number(head, 24, 4) + 4))
        self.blocks: list[tuple[int, int, int, int, int]] = []
        """For each block: position and length of its lines, its position and length in the file, and its checksum."""
        self.length = _number(head, 8, 8)
        if len(table) < 4 or zlib.crc32(head + table[:-4]) != _number(table, len(table) - 4, 4):
            # No block can be located, so the whole file is read as one damaged block.
            self.length = size
            self.blocks.append((0, self.length, 0, 0, 0))
            return
        at, place = 0, len(head) + len(table)
        for entry in range(0, len(table) - 4, _ENTRY):
            length, packed, checksum = (_number(table, entry + offset, 4) for offset in (0, 4, 8))
            self.blocks.append((at, length, place, packed, checksum))
            at, place = at + length, place + packed

    def read_block(self, number: int) -> bytes | None:
        """Return the uncompressed lines of a block, or None if the block is damaged."""
        _, length, place, packed, checksum = self.blocks[number]
        self._file.seek(place)
        try:
            data = zlib.decompressobj().decompress(self._file.read(packed), length + 2)
        except zlib.error:
            return None
        if self._is_short:
            data = _restore_block(data[1:]) if data.startswith(_SHORTENED) else data[1:]
        return data if len(data) == length and zlib.crc32(data) == checksum else None

    def readinto(self, buffer: Any) -> int:
        number = self._find_block()
        if number is None:
            return 0
        if self._kept[0] != number:
            length = self.blocks[number][1]
            self._kept = number, self.read_block(number) or b" " * (length - 1) + b"\n"
        offset = self._at - self.blocks[number][0]
        part = self._kept[1][offset : offset + len(buffer)]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def _find_block(self) -> int | None:
        """Return the number of the block at the current position, or None at the end."""
        low, high = 0, len(self.blocks)
        while low < high:
            middle = (low + high) // 2
            if self.blocks[middle][0] <= self._at:
                low = middle + 1
            else:
                high = middle
        return low - 1 if low and self._at < self.length else None

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self.length}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._file.fileno()

    def close(self) -> None:
        self._file.close()
        super().close()
