"""Encode and decode the lines of the journal: `checksum header TAB payload NEWLINE`, one line for each change.

The header is short and never altered. The payload contains the text, and a purge overwrites it. The checksum covers the
header. The header contains a hash of the payload; a random value (salt) in the payload makes sure that the hash of a
purged text reveals nothing about the text. The header also contains the hash of the header before it (`prev`). These
hashes form a chain, which stays valid when a payload is overwritten. A line that is sent to another machine may have
its payload **withheld**, that is, replaced by a filler of the same length; the full line may follow later. JSON escapes
tabs and newlines inside strings, so both separators are unambiguous.

A header also contains the running number of the record in its segment. If the home (Limpet's data folder) has a key, it
also contains the id of the key and an authentication code of everything before the code: what the change does, the hash
of its text, its number and its position in the chain. JSON escapes quotes, so `,"mac":"` occurs only where the code
begins.

`encode` makes a line of plain values; `parse` turns a line into a change.
"""

from __future__ import annotations

import os
import zlib

from limpet.errors import BadLine, StoreNewer
from limpet.lean import quickjson
from limpet.lean.digest import sha256
from limpet.lean.enumeration import StrEnum
from limpet.model.change import Change
from limpet.model.ids import is_body
from limpet.model.keyring import NO_KEYS, KeyRing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

FORMAT = 1

TORN = "not a whole record"
EDITED = "payload does not fit its hash"
ERASED = "payload is erased"
WITHHELD = "payload is withheld"

_KEY, _CODE = b',"key":"', b',"mac":"'
_PURPOSE = "change"


class Proof(StrEnum):
    """The result of checking the authentication code in the header of a record."""

    GOOD = "good"
    NONE = "not signed"
    FOREIGN = "signed with a key that is not here"
    WRONG = "the code does not fit"


def encode(
    *,
    id: str,
    device: str,
    actor: str,
    verb: str,
    subject: str,
    root: str,
    lineage: tuple[str, ...],
    payload: Mapping[str, Any],
    previous: str,
    number: int = 0,
    keys: KeyRing = NO_KEYS,
) -> tuple[bytes, str]:
    """Return the line of a change, without its newline, and the hash of its header.

    That hash is the argument `previous` for the next line. The number 0 means that the record has no running number.
    The line is signed with the newest of the `keys`, if there is one.
    """
    body = _dump({"salt": os.urandom(12).hex(), **payload})
    header: dict[str, Any] = {
        "v": FORMAT,
        "id": id,
        "dev": device,
        "act": actor,
        "verb": verb,
        "sub": subject,
    }
    if root != subject:
        header["root"] = root
    if lineage:
        header["lin"] = list(lineage)
    header["prev"] = previous
    header["ph"] = short_hash(body)
    if number:
        header["n"] = number
    if keys.newest:
        header["key"] = keys.newest
    head = _dump(header)
    if keys.newest:
        signed = head[:-1]
        head = b'%s%s%s"}' % (signed, _CODE, keys.code(_PURPOSE, signed).encode())
    return b"%08x %s\t%s" % (zlib.crc32(head), head, body), short_hash(head)


def _dump(value: Mapping[str, Any]) -> bytes:
    return quickjson.dumps(value, is_ascii=False).encode("utf-8", "replace")


def short_hash(data: bytes) -> str:
    """Return the first half of the SHA-256 of `data`, in hexadecimal."""
    return sha256(data).hexdigest()[:32]


def split(line: bytes) -> tuple[bytes, bytes]:
    """Split a line into its header and its payload; raise BadLine if the checksum is wrong."""
    checksum, space, rest = line.partition(b" ")
    head, tab, body = rest.partition(b"\t")
    if len(checksum) != 8 or not space or not tab:
        raise BadLine(TORN)
    try:
        expected = int(checksum, 16)
    except ValueError:
        raise BadLine(TORN) from None
    if expected != zlib.crc32(head):
        raise BadLine(TORN)
    return head, body


def header_of(line: bytes) -> tuple[dict[str, Any], str]:
    """Return the parsed header of a line, and the hash of the header; raise ValueError if the line is damaged."""
    head, _ = split(line)
    return quickjson.loads(head, strict=True), short_hash(head)


def proof_of(line: bytes, keys: KeyRing) -> Proof:
    """Check the authentication code in the header of a line, and return the result."""
    signed, found, code = split(line)[0].rpartition(_CODE)
    if not found:
        return Proof.NONE
    name = signed.rpartition(_KEY)[2].removesuffix(b'"')
    fits = keys.fits(
        _PURPOSE, name.decode("ascii", "replace"), signed, code.removesuffix(b'"}').decode("ascii", "replace")
    )
    if fits is None:
        return Proof.FOREIGN
    return Proof.GOOD if fits and code.endswith(b'"}') else Proof.WRONG


def number_of(header: Mapping[str, Any]) -> int:
    """Return the running number in a parsed header, or 0 if it has none, as in older journals."""
    number = header.get("n")
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0


def is_whole(line: bytes) -> bool:
    """Tell whether both header and payload are complete; an interrupted write may leave a header without payload."""
    return find_last_whole((line,)) is not None


def find_last_whole(rows: Sequence[bytes]) -> tuple[dict[str, Any], str] | None:
    """Return the parsed header of the last complete line, and its hash, or None if no line is complete."""
    for row in reversed(rows):
        try:
            header, digest = header_of(row)
            payload_of(header, split(row)[1])
        except (AttributeError, ValueError, RecursionError):
            continue
        return header, digest
    return None


def has_header(line: bytes, digest: str) -> bool:
    """Tell whether a line has the header with the hash `digest`, and a complete payload.

    The content of the payload is not checked.
    """
    try:
        head, body = split(line)
        payload_of({}, body)
    except (ValueError, RecursionError):
        return False
    return short_hash(head) == digest


def payload_of(header: Mapping[str, Any], body: bytes) -> tuple[dict[str, Any], str | None]:
    """Parse a payload, and return it with its problem: None, EDITED, ERASED or WITHHELD.

    An erased or withheld payload is returned as an empty dict. Raise BadLine if the payload is not a JSON object.
    """
    if is_erased(body):
        return {}, ERASED
    if is_withheld(body):
        return {}, WITHHELD
    try:
        payload = quickjson.loads(body, strict=True)
    except ValueError:
        raise BadLine(TORN) from None
    if not isinstance(payload, dict):
        raise BadLine(TORN)
    return payload, None if short_hash(body) == header.get("ph") else EDITED


def erased_payload(length: int) -> bytes:
    """Return the filler for a purged payload of `length` bytes.

    It depends on the length only, so that the copies of a segment on all devices stay equal.
    """
    if length < 12:
        # Payloads that Limpet writes are longer. The filler must not be longer than the bytes that it replaces.
        return b" " * length
    return b'{"purged":1' + b" " * (length - 12) + b"}"


def is_erased(body: bytes) -> bool:
    """Tell whether a payload was overwritten by a purge."""
    return body[:1] in (b"{", b" ") and body == erased_payload(len(body))


def withheld_payload(length: int) -> bytes:
    """Return the filler for a withheld payload of `length` bytes, whose text stays on the machine that wrote it."""
    return b'{"withheld":1' + b" " * (length - 14) + b"}" if length >= 14 else erased_payload(length)


def is_withheld(body: bytes) -> bool:
    """Tell whether a payload is the filler for a text that stays on the machine that wrote it."""
    return body.startswith(b'{"withheld":1') and body == withheld_payload(len(body))


def parse(row: bytes) -> tuple[Change, str | None, str, str]:
    """Parse a line; return its change, what is wrong with its payload (or None), and the hashes of two headers.

    The hashes are those of its own header and of the previous one.

    Raise BadLine if the line is damaged, and StoreNewer if a newer version of Limpet has written it.
    """
    head, body = split(row)
    try:
        header = quickjson.loads(head, strict=True)
        if header["v"] > FORMAT:
            raise StoreNewer("written by a newer Limpet")
        payload, problem = payload_of(header, body)
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
        words = (change.id, change.device, change.actor, change.kind, change.subject, change.root, *change.lineage)
        if {*map(type, words)} != {str} or not is_body(change.id):
            raise BadLine(TORN)
        if b"\\ud" in row or b"\\uD" in row:
            # Limpet writes no such escapes. SQLite would refuse half a surrogate pair.
            quickjson.dumps((words, payload), is_ascii=False).encode()
        return change, problem, short_hash(head), header["prev"]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, BadLine):
            raise
        raise BadLine(TORN) from error


def erase_row(row: bytes) -> bytes:
    """Return a line with its payload erased."""
    head, tab, body = row.partition(b"\t")
    return head + tab + erased_payload(len(body))


def withhold_row(row: bytes) -> bytes:
    """Return a line with its payload withheld; an erased payload stays as it is."""
    head, tab, body = row.partition(b"\t")
    return row if is_erased(body) else head + tab + withheld_payload(len(body))


def withhold_erased_row(row: bytes) -> bytes:
    """Return a line whose erased payload is marked as withheld instead, because its text may still arrive."""
    head, tab, body = row.partition(b"\t")
    return head + tab + withheld_payload(len(body))


def has_text(row: bytes) -> bool:
    """Tell whether a line contains its text, that is, whether its payload is neither erased nor withheld."""
    body = row.partition(b"\t")[2]
    return not is_erased(body) and not is_withheld(body)


def rank_of(row: bytes) -> tuple[int, bytes]:
    """Return a sort key that puts intact lines first, then edited, erased, withheld and unreadable ones.

    Lines of the same rank are ordered by their bytes.
    """
    try:
        _, problem, _, _ = parse(row)
    except (BadLine, StoreNewer):
        return 4, row
    return {None: 0, EDITED: 1, ERASED: 2, WITHHELD: 3}[problem], row
