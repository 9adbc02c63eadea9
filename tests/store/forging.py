"""Somebody who can write every file of a home and knows how Limpet works, but does not have its key."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from limpet.model.ids import ms_of, stamp
from limpet.store.journal import line as lines
from tests.store.homes import remove_index, rewrite, rows, segments

Header = dict[str, Any]
Record = tuple[Header, bytes]


def read_records(path: Path) -> list[Record]:
    """Return header and payload of each record."""
    split = (lines.split(row[:-1]) for row in rows(path))
    return [(json.loads(head), body) for head, body in split]


def write_records(path: Path, records: Sequence[Record]) -> None:
    """Write the records with every hash, link, number and checksum made to fit; only the codes are what they were."""
    last, written = "", []
    for number, (header, body) in enumerate(records, 1):
        header = {**header, "prev": last, "ph": header["ph"] if lines.is_erased(body) else lines.short_hash(body)}
        if "n" in header:
            header["n"] = number
        head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
        last = lines.short_hash(head)
        written.append(b"%08x %s\t%s\n" % (zlib.crc32(head), head, body))
    rewrite(path, b"".join(written))


def forge(home: Path, change: Callable[[list[Record]], list[Record]], *, marks: bool = True) -> None:
    """Change the only segment, remove every other copy of it, and let the high-water marks fit."""
    (path,) = segments(home)
    write_records(path, change(read_records(path)))
    remove_index(home)
    shutil.rmtree(home / "backups", ignore_errors=True)
    if marks:
        found = json.loads((home / "marks.json").read_text())
        found["records"][f"{path.parent.name}/{path.name}"] = len(rows(path))
        (home / "marks.json").write_text(json.dumps(found))


def unsigned(record: Record) -> Record:
    """Return a record without its code."""
    header, body = record
    return {name: value for name, value in header.items() if name not in ("key", "mac")}, body


def body_of(record: Record, **values: Any) -> Record:
    """Return a record with other values in the memory that it brings."""
    header, body = record
    payload = json.loads(body)
    payload["memory"] |= values
    return header, json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


def index_of(records: list[Record], verb: str) -> int:
    return next(number for number, (header, _) in enumerate(records) if header["verb"] == verb)


def with_unsigned(verb: str) -> Callable[[list[Record]], list[Record]]:
    """Add a change of the first memory at the end."""

    def add(records: list[Record]) -> list[Record]:
        header, _ = records[index_of(records, "admit")]
        later = stamp(ms_of(records[-1][0]["id"]) + 1)
        forged = {**header, "verb": verb, "id": later, "prev": "", "ph": ""}
        return [*records, unsigned((forged, b'{"by":"mem_01jz4000000000000000000000","salt":"0000"}'))]

    return add
