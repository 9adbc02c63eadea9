"""Read the objects of a git repository (commits, tags, trees and files), and check the hash of each.

That an id is listed does not prove that a repository has the commit: ids are public, and a forged pack index can list
any id. So the object itself is read, and its hash must be the id.

Objects in other folders do not count, so symlinks and `objects/info/alternates` are not followed. A multi-pack-index is
not needed, because each pack also has an index. Every file may be hostile, so all sizes and numbers of steps are
limited.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Sequence
from hashlib import sha1, sha256
from io import FileIO
from itertools import islice

from limpet.system import open_regular
from limpet.workspace.files import canonical_path
from limpet.workspace.git import parse_commit

_MAX_PACKS = 128
_MAX_ENTRIES = 4096
_MAX_SIZE = 1 << 20
"""The maximum size of a commit or tag in bytes; real ones are much smaller."""
MAX_CONTENT = 4 << 20
"""The maximum size of a tree or a file in bytes."""
_MAX_CHAIN = 64
"""The maximum number of deltas that one object may consist of; by default, git uses at most 50."""
_VERSION_2 = b"\xfftOc\x00\x00\x00\x02"
_FAN_OUT = 256 * 4
_OFFSET_DELTA, _NAMED_DELTA = 6, 7
_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
COMMITS = frozenset({"commit", "tree", "tag"})
CONTENTS = frozenset({"tree", "blob"})


def has_any_commit(git_directory: str, commits: Sequence[str]) -> bool:
    """Tell whether a git directory, given by its canonical path, contains at least one of the commits."""
    commits = [commit for commit in commits if parse_commit(commit.encode("ascii", "replace"))]
    objects = os.path.join(git_directory, "objects")
    if any(_is_commit(_read_loose(objects, commit)) for commit in commits):
        return True
    for stem in _find_packs(os.path.join(objects, "pack")):
        verdict = _search_pack(stem, commits)
        if verdict is not None:
            return verdict
    return False


class Objects:
    """The objects in a git directory, given by its canonical path. The packs stay open until `close` is called."""

    def __init__(self, git_directory: str) -> None:
        self._objects = os.path.join(git_directory, "objects")
        self._packs: list[tuple[_Index, FileIO, FileIO]] = []
        for stem in _find_packs(os.path.join(self._objects, "pack")):
            self._open_pack(stem)

    def _open_pack(self, stem: str) -> None:
        opened: list[FileIO] = []
        try:
            opened.append(_open_file(f"{stem}.idx"))
            opened.append(_open_file(f"{stem}.pack"))
            self._packs.append((_Index(opened[0]), opened[1], opened[0]))
        except (OSError, ValueError, OverflowError):
            for file in opened:
                file.close()

    def read(self, id: str, kinds: frozenset[str] = COMMITS) -> tuple[str, bytes] | None:
        """Return the kind and content of an object; None if its kind is not in `kinds` or it cannot be read.

        An object that is too large cannot be read.
        """
        limit = _MAX_SIZE if kinds is COMMITS else MAX_CONTENT
        if parse_commit(id.encode("ascii", "replace")) is None:
            return None
        for number, (index, pack, _) in enumerate(self._packs):
            try:
                offset = index.find(bytes.fromhex(id))
            except (OSError, ValueError, OverflowError):
                continue
            if offset is not None:
                # The next object of the history is probably in the same pack.
                self._packs.insert(0, self._packs.pop(number))
                return _read_packed(index, pack, offset, id, kinds, limit)
        return _read_loose(self._objects, id, kinds, limit)

    def close(self) -> None:
        for _, pack, file in self._packs:
            pack.close()
            file.close()


def _read_loose(
    objects: str, id: str, kinds: frozenset[str] = COMMITS, limit: int = _MAX_SIZE
) -> tuple[str, bytes] | None:
    try:
        with _open_file(os.path.join(objects, id[:2], id[2:])) as file:
            data = zlib.decompressobj().decompress(file.read(limit), limit)
    except (OSError, ValueError, zlib.error):
        return None
    # The hash covers the header too, so the length in it need not be checked.
    header, _, body = data.partition(b"\0")
    kind = header.partition(b" ")[0].decode("ascii", "replace")
    return (kind, body) if kind in kinds and _has_id(data, id) else None


def _has_id(data: bytes, id: str) -> bool:
    """Tell whether `id` is the SHA-1 or SHA-256 hash of `data`, an object with its header."""
    made = sha1(data, usedforsecurity=False) if len(id) == 40 else sha256(data)
    return made.hexdigest() == id


def _open_file(path: str) -> FileIO:
    """Open a regular file for reading; raise OSError if its path contains a symlink."""
    if canonical_path(path) != path:
        raise OSError(0, "leads elsewhere")
    return open_regular(path)


def _find_packs(folder: str) -> Iterator[str]:
    """Yield the paths of the packs in a folder, without their suffixes."""
    if canonical_path(folder) != folder:
        return
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in islice(entries, _MAX_ENTRIES)]
    except OSError:
        return
    stems = (name.removesuffix(".idx") for name in sorted(names) if name.endswith(".idx"))
    for stem in islice(stems, _MAX_PACKS):
        yield os.path.join(folder, stem)


def _search_pack(stem: str, commits: Sequence[str]) -> bool | None:
    """Tell whether a pack contains one of the commits; return None if its index lists none of them.

    Return False at the first commit that is listed but cannot be read. The pack is then damaged or forged, and trying
    further commits could take very long.
    """
    try:
        with _open_file(f"{stem}.idx") as file, _open_file(f"{stem}.pack") as pack:
            index = _Index(file)
            for commit in commits:
                offset = index.find(bytes.fromhex(commit))
                if offset is not None:
                    return _is_commit(_read_packed(index, pack, offset, commit))
    except (OSError, ValueError, OverflowError):
        pass
    return None


def _is_commit(found: tuple[str, bytes] | None) -> bool:
    return found is not None and found[0] == "commit"


def _read_packed(
    index: _Index, pack: FileIO, offset: int, id: str, kinds: frozenset[str] = COMMITS, limit: int = _MAX_SIZE
) -> tuple[str, bytes] | None:
    try:
        found = _unpack_object(index, pack, offset, len(id) // 2, kinds, limit)
    except (OSError, ValueError, OverflowError, IndexError, zlib.error):
        return None
    if found is None:
        return None
    kind, body = found
    return found if _has_id(b"%b %d\0%b" % (kind.encode(), len(body), body), id) else None


def _read_exactly(file: FileIO, start: int, length: int) -> bytes:
    """Return `length` bytes of a file, beginning at the offset `start`; raise ValueError if there are fewer."""
    file.seek(start)
    data = file.read(length)
    if len(data) != length:
        raise ValueError("ends too early")
    return data


class _Index:
    """A pack index in version 1 or 2 of the format."""

    def __init__(self, file: FileIO) -> None:
        start = _read_exactly(file, 0, _FAN_OUT)
        self._file = file
        self._is_new = start.startswith(_VERSION_2)
        self._names = _FAN_OUT + (len(_VERSION_2) if self._is_new else 0)
        table = _read_exactly(file, self._names - _FAN_OUT, _FAN_OUT)
        # The number of names whose first byte is at most 0, 1, 2, … 255.
        self._ends = [int.from_bytes(table[at : at + 4], "big") for at in range(0, _FAN_OUT, 4)]

    def find(self, name: bytes) -> int | None:
        """Return the offset of an object in the pack; None if the index does not list it."""
        step, skip = (len(name), 0) if self._is_new else (4 + len(name), 4)
        low, high = self._ends[name[0] - 1] if name[0] else 0, self._ends[name[0]]
        while low < high:
            middle = (low + high) // 2
            found = _read_exactly(self._file, self._names + middle * step + skip, len(name))
            if found == name:
                return self._read_offset(middle, len(name))
            low, high = (middle + 1, high) if found < name else (low, middle)
        return None

    def _read_offset(self, number: int, width: int) -> int:
        if not self._is_new:
            return self._read_number(self._names + number * (4 + width))
        # The names are followed by checksums of 4 bytes, then by offsets. Offsets from 2 GB on are in another table.
        offset = self._read_number(self._names + self._ends[-1] * (width + 4) + 4 * number)
        if offset < 1 << 31:
            return offset
        return self._read_number(self._names + self._ends[-1] * (width + 8) + 8 * (offset - (1 << 31)), 8)

    def _read_number(self, start: int, length: int = 4) -> int:
        return int.from_bytes(_read_exactly(self._file, start, length), "big")


def _unpack_object(
    index: _Index, pack: FileIO, offset: int | None, width: int, kinds: frozenset[str], limit: int
) -> tuple[str, bytes] | None:
    """Return the kind and the content of the object at an offset of a pack, after applying its deltas.

    Return None if it is not of the given kinds, too large, or has too many deltas. `width` is the length of an id in
    bytes.
    """
    deltas: list[bytes] = []
    while offset is not None and len(deltas) <= _MAX_CHAIN:
        pack.seek(offset)
        head = pack.read(64)
        kind, size, at = _parse_head(head)
        base: int | None = None
        if kind == _OFFSET_DELTA:
            distance, at = _parse_distance(head, at)
            base = offset - distance
        elif kind == _NAMED_DELTA:
            base = index.find(head[at : at + width])
            at += width
        elif _KINDS.get(kind) not in kinds:
            return None
        if size > limit:
            return None
        pack.seek(offset + at)
        # Compression never makes data longer than this.
        body = zlib.decompressobj().decompress(pack.read(size + size // 500 + 128), max(1, size))
        if kind in _KINDS:
            for delta in reversed(deltas):
                body = _apply_delta(body, delta, limit)
            return _KINDS[kind], body
        deltas.append(body)
        offset = base
    return None


def _parse_head(data: bytes) -> tuple[int, int, int]:
    """Parse the header of a packed object; return its type, its size, and the length of the header."""
    kind, size = data[0] >> 4 & 7, data[0] & 15
    more, at = data[0] & 128, 1
    while more:
        size |= (data[at] & 127) << (7 * at - 3)
        more = data[at] & 128
        at += 1
    return kind, size, at


def _parse_distance(data: bytes, at: int) -> tuple[int, int]:
    distance = data[at] & 127
    while data[at] & 128:
        at += 1
        distance = (distance + 1) << 7 | data[at] & 127
    return distance, at + 1


def _apply_delta(base: bytes, delta: bytes, limit: int) -> bytes:
    """Apply a delta to its base object and return the result."""
    _, at = _parse_size(delta, 0)
    size, at = _parse_size(delta, at)
    made = bytearray()
    while at < len(delta) and len(made) <= min(size, limit):
        order = delta[at]
        at += 1
        if order & 128:
            values = []
            for bit in range(7):
                values.append(delta[at] if order >> bit & 1 else 0)
                at += order >> bit & 1
            start = int.from_bytes(values[:4], "little")
            made += base[start : start + (int.from_bytes(values[4:], "little") or 0x10000)]
        else:
            made += delta[at : at + order]
            at += order
    return bytes(made)


def _parse_size(data: bytes, at: int) -> tuple[int, int]:
    size = 0
    for shift in range(0, 64, 7):
        size |= (data[at] & 127) << shift
        at += 1
        if not data[at - 1] & 128:
            return size, at
    raise ValueError("no size")
