"""Compress the texts in the index: the journal lines of changes, and the bodies of memories.

Every text is compressed separately, so that it can be read, replaced and erased without the others. Lines are short, so
the compressor starts with a dictionary of the parts that most lines have in common. The id and the subject of a change
are in other columns, so each is replaced in the line by one control character. No line contains control characters,
because JSON escapes them. The id is replaced in the header only, because a reader of the memory in the payload knows
the subject (the id of the memory) but not the id of the change. The checksum of the header and the hash of the payload
can be computed from the rest of the line. They are left out, and a checksum of four bytes is put before the packed
line. If anything here is changed, `VERSION` of the index must be raised.
"""

from __future__ import annotations

import zlib
from functools import cache

from limpet.errors import BadLine
from limpet.lean import quickjson
from limpet.store.journal.line import short_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_WINDOW = -13
"""A compression window of 2 ** 13 bytes. It is negative so that zlib adds no header and no checksum.

Lines and rows have other checksums.
"""
_MEMORY = 6
_ID, _SUBJECT, _HASH = b"\x01", b"\x02", b"\x03"
_CHECKSUM = 4
_SALT_ENDS, _MEMORY_BEGINS = 33, '","memory":'

# A reference to the end of the dictionary takes the fewest bits, so the most frequent parts are at the end.
_DICTIONARY = (
    b'"kept":{"dropped":{"taken":{"seen":0,"successes":1,"failures":0,"tokens":,"compacted":false,"ended":"transcript":'
    b'"/.claude/projects/","started_at":"2026-,"links":[["similar","mem_01"]],"reason":"subject":"predicate":"object":'
    b'"sources":["mem_01"],"valid_from":"2026-'
    b'"expires_at":"2026-","phase":1,"scale":"session","scale":"task","pinned":true,"confirmed":true,'
    b'"files_read":["src/"],"files_modified":["tests/"],"citations":[{"path":"docs/","start":1,"end":1,"span_hash":"'
    b'"source":{"transcript":"/","line":1,"commit":"","file":""},"conversation":"'
    b'"version":2,"corrects":"mem_01","lineage":["mem_01"],"superseded_by":"mem_01","updated_at":"2026-'
    b'"content_hash":"","original_content":"","app":"","kind":"ARCHITECTURAL","kind":"ACHIEVEMENTS","kind":"EMOTIONAL",'
    b'"type":"feature","type":"refactor","type":"change","type":"decision","type":"session_summary","type":"bugfix",'
    b'"concepts":["how-it-works","why-it-exists","what-changed","gotcha","pattern","trade-off","problem-solution"],'
    b'"impact":"CRITICAL","impact":"HIGH","impact":"LOW","importance":0.7,"difficulty":0.5,"confidence":0.9,'
    b'"sensitivity":"private","origin":"user","origin":"tool","origin":"file","origin":"import","origin":"external",'
    b'"tier":"noted","session":"","branch":"main","commit":"","signature":"'
    b' {"v":1,"id":"\x01","dev":"d","act":"user:","act":"worker:anima","act":"agent:anima","verb":"admit",'
    b'"sub":"\x02","prev":"","ph":"\x03","n":1,"key":"","mac":""}\t{"salt":"","memory":{"id":"\x02","agent":"anima",'
    b'"region":"AGENT","region":"PROJECT","project":"prj_","kind":"LEARNINGS","type":"discovery","tags":["",""],'
    b'"title":"\xe2\x80\xa6","subtitle":"\xe2\x80\xa6","content":"","sensitivity":"public","origin":"agent",'
    b'"earned":"stored on purpose","created_at":"2026-T00:00:00.000Z","previous_memory_id":"mem_01",'
    b'"token_count":50,"title_at":[0,70,1],"subtitle_at":[80,190,1]},"simhash":1,'
    b'"signs":{"edition":7,"found":[]}}'
)


def pack_line(row: bytes, change_id: str, subject: str) -> bytes:
    """Compress the journal line of a change."""
    head, tab, body = row.partition(b"\t")
    checksum, space, header = head.partition(b" ")
    if checksum == b"%08x" % zlib.crc32(header):
        head = space + header.replace(b'"ph":"%s"' % short_hash(body).encode(), b'"ph":"%s"' % _HASH, 1)
    shorter = head.replace(change_id.encode(), _ID) + tab + body
    return zlib.crc32(row).to_bytes(_CHECKSUM, "big") + _deflate(shorter.replace(subject.encode(), _SUBJECT))


def unpack_line(packed: Any, change_id: str, subject: str) -> bytes:
    """Return the journal line of a change, without its newline; raise BadLine if it is damaged."""
    row = _inflate_line(packed).replace(_SUBJECT, subject.encode()).replace(_ID, change_id.encode())
    if row.startswith(b" "):
        head, tab, body = row[1:].partition(b"\t")
        head = head.replace(_HASH, short_hash(body).encode(), 1)
        row = b"%08x %s%s%s" % (zlib.crc32(head), head, tab, body)
    if zlib.crc32(row) != int.from_bytes(packed[:_CHECKSUM], "big"):
        raise BadLine("not a packed text")
    return row


def unpack_memory(packed: Any, memory_id: str) -> Any:
    """Return the JSON object of a memory from the packed line that introduced it; raise BadLine if it is damaged.

    The checksum of the line is not checked.
    """
    text = (
        _inflate_line(packed).partition(b"\t")[2].replace(_SUBJECT, memory_id.encode()).decode("utf-8", "surrogatepass")
    )
    if text.startswith(_MEMORY_BEGINS, _SALT_ENDS):
        # True for every line that Limpet writes. The text after the memory is not parsed, to save time in a hook.
        return quickjson.load_first(text, _SALT_ENDS + len(_MEMORY_BEGINS))
    return quickjson.loads(text)["memory"]


def pack_body(record: Any) -> bytes:
    """Compress a JSON object."""
    return _deflate(quickjson.dumps(record, is_ascii=False).encode("utf-8", "surrogatepass"))


def unpack_body(packed: Any) -> Any:
    """Return the JSON object that `pack_body` has compressed; raise BadLine if it is damaged."""
    return quickjson.loads(_inflate(packed))


@cache
def _make_compressor() -> zlib._Compress:
    """Return a compressor that has read the dictionary.

    It is cached, because reading the dictionary takes longer than compressing a line.
    """
    return zlib.compressobj(6, zlib.DEFLATED, _WINDOW, _MEMORY, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)


def _deflate(data: bytes) -> bytes:
    compressor = _make_compressor().copy()
    return compressor.compress(data) + compressor.flush()


def _inflate_line(packed: Any) -> bytes:
    if not isinstance(packed, bytes):
        raise BadLine("not a packed text")
    return _inflate(packed[_CHECKSUM:])


def _inflate(packed: Any) -> bytes:
    decompressor = zlib.decompressobj(_WINDOW, _DICTIONARY)
    try:
        data = decompressor.decompress(packed)
    except (zlib.error, TypeError):
        raise BadLine("not a packed text") from None
    if not decompressor.eof or decompressor.unused_data:
        raise BadLine("not a packed text")
    return data
