"""Decode a line of the journal into a change, and blank it when it is purged."""

from __future__ import annotations

import json

from limpet.errors import BadLine, StoreNewer
from limpet.model.change import Change
from limpet.model.ids import is_body
from limpet.store.journal import line as lines


def parse(row: bytes) -> tuple[Change, str | None, str, str]:
    """Return the change in a line, what is wrong with its payload, its hash, and the hash of the record before it."""
    head, body = lines.split(row)
    try:
        header = json.loads(head)
        if header["v"] > lines.FORMAT:
            raise StoreNewer("written by a newer Limpet")
        payload, problem = lines.payload_of(header, body)
        payload.pop("salt", None)
        change = Change(
            id=header["id"],
            device=header["dev"],
            actor=header["act"],
            kind=header["verb"],
            subject=header["sub"],
            root=header.get("root", header["sub"]),
            lineage=tuple(header.get("lin", ())),
            payload=payload,
        )
        words = (change.device, change.actor, change.kind, change.subject, change.root, *change.lineage)
        if not is_body(change.id) or not all(isinstance(word, str) for word in words):
            raise BadLine(lines.TORN)
        if b"\\ud" in row or b"\\uD" in row:
            # We write no escapes of this kind; half a character would be refused by the index.
            json.dumps((words, payload), ensure_ascii=False).encode()
        return change, problem, lines.short_hash(head), header["prev"]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, BadLine):
            raise
        raise BadLine(lines.TORN) from error


def erase_row(row: bytes) -> bytes:
    """Return the line with its payload erased."""
    head, tab, body = row.partition(b"\t")
    return head + tab + lines.erased_payload(len(body))


def rank_of(row: bytes) -> tuple[int, bytes]:
    """Return a key that sorts whole records before edited ones before erased ones, then by their bytes."""
    try:
        _, problem, _, _ = parse(row)
    except (BadLine, StoreNewer):
        return 3, row
    return {None: 0, lines.EDITED: 1, lines.ERASED: 2}[problem], row
