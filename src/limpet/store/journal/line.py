"""The bytes of one change: `crc header TAB payload NEWLINE`.

The header is small and stays; the payload holds the text and can be purged. The checksum is over the header. The header
holds a hash of the payload, salted by a random value inside the payload, so that the hash of a purged text reveals
nothing about it. The chain runs over headers alone, so it stays valid when a payload is overwritten in place. A line
that leaves this machine may have its payload **withheld** in the same way; the full line may follow later. JSON escapes
tabs and newlines inside strings, so both separators are unambiguous.

A header also holds the running number of the record in its segment and, if the home has a key, the id of the key and a
code over everything before the code. The code thus covers what the change does, the hash of its text, its number and
its place after the record that `prev` names. JSON escapes quotes, so `,"mac":"` occurs only where the code begins.

`encode` takes plain values; `parse` decodes a line into a change.
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
    """The result of checking the code in the header of a record."""

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
    """Return the line without its newline, and its hash, which becomes the `prev` of the next line.

    The line is signed if `keys` has a newest key; a record with the number 0 is not counted.
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
    """Return the first half of the SHA-256 of some bytes, in hexadecimal."""
    return sha256(data).hexdigest()[:32]


def split(line: bytes) -> tuple[bytes, bytes]:
    """Return the bytes of header and payload; raise BadLine if the checksum is wrong."""
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
    """Return the parsed header and its hash."""
    head, _ = split(line)
    return quickjson.loads(head, strict=True), short_hash(head)


def proof_of(line: bytes, keys: KeyRing) -> Proof:
    """Return the result of checking the code in the header of a line."""
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
    """Return the running number in a header; 0 if the header has none, as in older journals."""
    number = header.get("n")
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0


def is_whole(line: bytes) -> bool:
    """Tell whether both header and payload are complete; an interrupted write may end with a valid header."""
    return last_whole((line,)) is not None


def last_whole(rows: Sequence[bytes]) -> tuple[dict[str, Any], str] | None:
    """Return the header and the hash of the last whole line; None if no line is whole."""
    for row in reversed(rows):
        try:
            header, digest = header_of(row)
            payload_of(header, split(row)[1])
        except (AttributeError, ValueError, RecursionError):
            continue
        return header, digest
    return None


def is_known(line: bytes, digest: str) -> bool:
    """Tell whether a line has the header with this hash, and a complete payload, whose hash is not compared."""
    try:
        head, body = split(line)
        payload_of({}, body)
    except (ValueError, RecursionError):
        return False
    return short_hash(head) == digest


def payload_of(header: Mapping[str, Any], body: bytes) -> tuple[dict[str, Any], str | None]:
    """Return the payload and its problem: None, EDITED, ERASED or WITHHELD; it is empty in the last two cases.

    Raise BadLine if it is none of these.
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
    """Return a purged payload of this many bytes; it is the same on every device, so that copies stay equal."""
    if length < 12:
        # Our payloads are longer. Whatever it is, no more bytes than there are may be overwritten.
        return b" " * length
    return b'{"purged":1' + b" " * (length - 12) + b"}"


def is_erased(body: bytes) -> bool:
    """Tell whether a payload was purged."""
    return body[:1] in (b"{", b" ") and body == erased_payload(len(body))


def withheld_payload(length: int) -> bytes:
    """Return the payload of this many bytes of a line whose text stays on another machine."""
    return b'{"withheld":1' + b" " * (length - 14) + b"}" if length >= 14 else erased_payload(length)


def is_withheld(body: bytes) -> bool:
    """Tell whether a payload was withheld."""
    return body.startswith(b'{"withheld":1') and body == withheld_payload(len(body))


def parse(row: bytes) -> tuple[Change, str | None, str, str]:
    """Return the change in a line, the problem of its payload, the line's hash, and the hash of the line before."""
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
            # We write no escapes of this kind; half a character would be refused by the index.
            quickjson.dumps((words, payload), is_ascii=False).encode()
        return change, problem, short_hash(head), header["prev"]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, BadLine):
            raise
        raise BadLine(TORN) from error


def erase_row(row: bytes) -> bytes:
    """Return the line with its payload erased."""
    head, tab, body = row.partition(b"\t")
    return head + tab + erased_payload(len(body))


def withhold_row(row: bytes) -> bytes:
    """Return the line with its payload withheld; an erased payload stays as it is."""
    head, tab, body = row.partition(b"\t")
    return row if is_erased(body) else head + tab + withheld_payload(len(body))


def withhold_erased_row(row: bytes) -> bytes:
    """Return the line of an erased payload with its payload withheld, because the text may still come."""
    head, tab, body = row.partition(b"\t")
    return head + tab + withheld_payload(len(body))


def has_text(row: bytes) -> bool:
    """Tell whether the payload of a line is neither erased nor withheld."""
    body = row.partition(b"\t")[2]
    return not is_erased(body) and not is_withheld(body)


def rank_of(row: bytes) -> tuple[int, bytes]:
    """Return a sort key: whole records come first, then edited, erased and withheld ones; ties by their bytes."""
    try:
        _, problem, _, _ = parse(row)
    except (BadLine, StoreNewer):
        return 4, row
    return {None: 0, EDITED: 1, ERASED: 2, WITHHELD: 3}[problem], row
