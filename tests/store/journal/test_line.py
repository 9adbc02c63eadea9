"""The bytes of one change."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.errors import BadLine, StoreNewer
from limpet.model.ids import stamp
from limpet.model.keyring import NO_KEYS, KeyRing, key_id
from limpet.store.journal import line as lines
from tests.model import strategies

NAMES = st.text(max_size=12)
PAYLOADS = st.dictionaries(st.text(min_size=1, max_size=8), strategies.json_values, max_size=4)


def line(payload: dict[str, Any] | None = None, **fields: Any) -> bytes:
    given_fields: dict[str, Any] = {
        "id": stamp(1_700_000_000_000),
        "device": "d0",
        "actor": "user:anima",
        "verb": "admit",
        "subject": "mem_x",
        "root": "mem_x",
        "lineage": (),
        "previous": "",
    }
    return lines.encode(payload=payload or {}, **{**given_fields, **fields})[0]


def with_header(row: bytes, **fields: Any) -> bytes:
    """Return the same line with another header, whose checksum is right."""
    header, body = json.loads(lines.split(row)[0]), lines.split(row)[1]
    head = json.dumps({**header, **fields}).encode()
    return b"%08x %s\t%s" % (zlib.crc32(head), head, body)


@given(PAYLOADS, NAMES, NAMES, NAMES, st.lists(NAMES, max_size=3).map(tuple))
def test_a_change_survives_its_line(
    payload: dict[str, Any], actor: str, subject: str, root: str, lineage: tuple[str, ...]
) -> None:
    payload.pop("salt", None)
    row = line(payload, actor=actor, subject=subject, root=root, lineage=lineage, previous="p")
    change, problem, digest, previous = lines.parse(row)
    assert (problem, previous) == (None, "p")
    assert (change.actor, change.subject, change.root, change.lineage) == (actor, subject, root, lineage)
    assert repr(change.payload) == repr(json.loads(json.dumps(payload)))
    assert digest == lines.short_hash(lines.split(row)[0])


@given(PAYLOADS, NAMES)
def test_the_separators_stand_nowhere_else(payload: dict[str, Any], actor: str) -> None:
    row = line({"text": "tab\there\nnew line\r\x00\x1f", **payload}, actor=actor + "\t\n")
    assert row.count(b"\t") == 1
    assert b"\n" not in row
    assert row[8:9] == b" "


def test_half_characters_are_replaced_and_do_not_raise() -> None:
    row = line({"text": "half \ud83d of one", "\udfff": 1}, actor="\udcff", subject="\ud800")
    change, problem, _, _ = lines.parse(row)
    assert problem is None
    assert change.payload["text"] == "half ? of one"


def test_equal_payloads_have_different_hashes() -> None:
    hashes = {json.loads(lines.split(line({"text": "same"}))[0])["ph"] for _ in range(20)}
    assert len(hashes) == 20


@given(st.data())
def test_a_changed_byte_is_always_noticed(data: st.DataObject) -> None:
    row = line({"text": "The port is 8080"}, lineage=("mem_y",))
    place = data.draw(st.integers(0, len(row) - 1))
    value = data.draw(st.integers(0, 255).filter(lambda value: value not in (row[place], 10)))
    changed = row[:place] + bytes([value]) + row[place + 1 :]
    try:
        change, problem, _, _ = lines.parse(changed)
    except BadLine:
        return
    # The checksum may be written in capitals; whatever else differs is in the payload, and seen by its hash.
    assert problem == lines.EDITED or (place < 8 and changed[:8].lower() == row[:8]) or change == lines.parse(row)[0]


def test_a_line_cut_short_is_no_record() -> None:
    row = line({"text": "The port is 8080 because 80 was taken"})
    for length in range(len(row)):
        with pytest.raises(BadLine):
            lines.parse(row[:length])
        assert not lines.is_whole(row[:length])
    assert lines.is_whole(row)


def test_an_edited_payload_is_told_from_an_erased_one() -> None:
    row = line({"text": "The port is 8080"})
    assert lines.parse(row.replace(b"8080", b"9090"))[1] == lines.EDITED
    change, problem, _, _ = lines.parse(lines.erase_row(row))
    assert (problem, change.payload) == (lines.ERASED, {})


@given(st.integers(1, 300))
def test_an_erased_payload_is_exactly_as_long_as_it_was(length: int) -> None:
    filler = lines.erased_payload(length)
    assert len(filler) == length
    assert lines.is_erased(filler)
    assert not lines.is_erased(filler + b"x")


@given(PAYLOADS)
def test_erasing_leaves_the_header_and_its_hash(payload: dict[str, Any]) -> None:
    row = line({"text": "some text that goes", **payload})
    blank = lines.erase_row(row)
    assert len(blank) == len(row)
    assert lines.header_of(blank) == lines.header_of(row)
    assert b"some text" not in blank
    assert lines.erase_row(blank) == blank
    assert not lines.is_erased(lines.split(row)[1])


def test_a_record_of_a_later_format_says_so() -> None:
    with pytest.raises(StoreNewer):
        lines.parse(with_header(line(), v=lines.FORMAT + 1))


@pytest.mark.parametrize(
    "fields",
    [
        {"id": [*stamp(1_700_000_000_000)]},
        {"id": "short"},
        {"id": 5},
        {"id": "u" * 26},
        {"dev": None},
        {"act": 5},
        {"verb": []},
        {"sub": {}},
        {"root": 7},
        {"lin": [5]},
        {"lin": [["mem_x"]]},
        {"lin": 5},
        {"v": "one"},
        {"sub": "\ud800"},
    ],
)
def test_a_header_that_is_not_ours_is_no_record(fields: dict[str, Any]) -> None:
    with pytest.raises(BadLine):
        lines.parse(with_header(line(), **fields))


@pytest.mark.parametrize(
    "body",
    [
        b"[1,2]",
        b"5",
        b'"text"',
        b"",
        b"{",
        b'{"a":"\\ud800"}',
        b'{"a":"\\uD83D"}',
        b"[" * 100_000,
        b'{"a":' + b"[" * 100_000,
        b"\xff\xfe",
    ],
    ids=lambda body: repr(body[:12]),
)
def test_a_payload_that_is_not_ours_is_no_record_or_erased(body: bytes) -> None:
    row = lines.split(line())[0]
    made = b"%08x %s\t%s" % (zlib.crc32(row), row, body)
    try:
        assert lines.parse(made)[1] == lines.ERASED
    except BadLine:
        pass


@given(st.binary(max_size=120))
def test_no_bytes_are_taken_for_a_record_by_chance(data: bytes) -> None:
    with pytest.raises(BadLine):
        lines.parse(data)
    assert not lines.is_whole(data)


def test_a_whole_pair_of_escaped_halves_is_one_character() -> None:
    head, body = lines.split(line({"text": "X"}))
    header = json.loads(head)
    body = body.replace(b"X", b"\\ud83d\\udc1a")
    made = with_header(b"%08x %s\t%s" % (zlib.crc32(head), head, body), **{**header, "ph": lines.short_hash(body)})
    change, problem, _, _ = lines.parse(made)
    assert (change.payload["text"], problem) == ("🐚", None)


KEY = b"k" * 32
RING = KeyRing(keys={key_id(KEY): KEY}, newest=key_id(KEY))


def signed_line(**fields: Any) -> bytes:
    return line({"text": "a text"}, number=7, keys=RING, **fields)


@given(PAYLOADS, NAMES, NAMES)
def test_a_signed_line_is_known_by_its_key_and_parsed_like_any_other(
    payload: dict[str, Any], actor: str, subject: str
) -> None:
    row = line(payload, actor=actor, subject=subject, root=subject, keys=RING, number=7)
    assert lines.proof_of(row, RING) is lines.Proof.GOOD
    assert lines.proof_of(row, NO_KEYS) is lines.Proof.FOREIGN
    assert (lines.parse(row)[0].actor, lines.parse(row)[0].subject) == (actor, subject)
    assert lines.number_of(lines.header_of(row)[0]) == 7


def test_a_line_without_a_key_is_not_signed() -> None:
    assert lines.proof_of(line(), RING) is lines.Proof.NONE
    assert lines.proof_of(line(actor='x","mac":"00'), RING) is lines.Proof.NONE


@pytest.mark.parametrize(
    "fields",
    [
        {"verb": "forget"},
        {"sub": "mem_y"},
        {"act": "user:other"},
        {"dev": "d1"},
        {"prev": "0" * 32},
        {"ph": "0" * 32},
        {"n": 8},
        {"id": stamp(1_700_000_000_001)},
        {"root": "mem_y"},
        {"mac": "0" * 32},
        {"mac": ""},
        {"mac": "é" * 32},
    ],
)
def test_no_field_of_a_signed_header_can_be_changed(fields: dict[str, Any]) -> None:
    header, body = json.loads(lines.split(signed_line())[0]), lines.split(signed_line())[1]
    head = json.dumps({**header, **fields}, separators=(",", ":"), ensure_ascii=False).encode()
    assert lines.proof_of(b"%08x %s\t%s" % (zlib.crc32(head), head, body), RING) is lines.Proof.WRONG


def test_nothing_can_follow_the_code_of_a_header() -> None:
    head, body = lines.split(signed_line())
    head = head[:-1] + b',"verb":"forget"}'
    row = b"%08x %s\t%s" % (zlib.crc32(head), head, body)
    assert lines.parse(row)[0].kind == "forget"
    assert lines.proof_of(row, RING) is lines.Proof.WRONG


def test_the_key_id_is_bound_into_the_code() -> None:
    other = b"o" * 32
    both = KeyRing(keys={key_id(KEY): KEY, key_id(other): other}, newest=key_id(KEY))
    row = signed_line().replace(key_id(KEY).encode(), key_id(other).encode())
    head, body = row.split(b" ", 1)[1].split(b"\t")
    assert lines.proof_of(b"%08x %s\t%s" % (zlib.crc32(head), head, body), both) is lines.Proof.WRONG


def test_erasing_keeps_the_signature() -> None:
    row = lines.erase_row(signed_line())
    assert lines.proof_of(row, RING) is lines.Proof.GOOD
    assert lines.parse(row)[1] == lines.ERASED
