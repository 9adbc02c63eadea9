"""Texts take fewer bytes in the index, come back byte for byte, and damage to them is noticed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from limpet.errors import BadLine
from limpet.lean.record import replace
from limpet.model.change import ChangeKind
from limpet.model.memory import Region
from limpet.store.journal import line as lines
from limpet.store.view.packed import pack_body, pack_line, unpack_body, unpack_line, unpack_memory
from tests.model.making import admit, memory, on
from tests.store.acting import all_memories
from tests.store.homes import open_store

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def make_line(subject: str, text: str) -> tuple[bytes, str]:
    row, _ = lines.encode(
        id="01m7j3eb4ztv8f37kkkzf7bcej",
        device="d2aaaa60cb084",
        actor="user:a",
        verb=ChangeKind.ADMIT,
        subject=subject,
        root=subject,
        lineage=(),
        payload={"memory": {"id": subject, "content": text}},
        previous="",
    )
    return row, "01m7j3eb4ztv8f37kkkzf7bcej"


@given(subject=TEXTS, text=TEXTS)
def test_any_line_comes_back_byte_for_byte(subject: str, text: str) -> None:
    row, change_id = make_line(subject, text)
    assert unpack_line(pack_line(row, change_id, subject), change_id, subject) == row


@given(text=TEXTS)
@example(text="see 01m7j3eb4ztv8f37kkkzf7bcej")
def test_any_memory_comes_back_out_of_its_line(text: str) -> None:
    # A change of another program may have the same body of an id as its memory, and a text may name a change.
    for subject in ("mem_01m7j3eb4ztv8f37kkkzf7bcej", "mem_01jz4000000000000000000000"):
        row, change_id = make_line(subject, text)
        packed = pack_line(row, change_id, subject)
        assert unpack_line(packed, change_id, subject) == row
        assert unpack_memory(packed, subject) == {"id": subject, "content": text}


@given(record=st.dictionaries(TEXTS, TEXTS))
def test_any_body_comes_back(record: dict[str, str]) -> None:
    assert unpack_body(pack_body(record)) == record


def test_what_lines_have_in_common_takes_no_space() -> None:
    one = memory("Use uv and never pip in this repository, because the lock file is made by it.")
    row, _ = make_line(one.id, one.content)
    assert len(pack_line(row, "01m7j3eb4ztv8f37kkkzf7bcej", one.id)) < 0.5 * len(row)


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data + b"x", lambda data: b"", lambda _: None])
def test_a_damaged_text_is_no_record(damage: object) -> None:
    packed = pack_body({"content": "whole"})
    with pytest.raises(BadLine):
        unpack_body(damage(packed))  # type: ignore[operator]


def test_a_changed_bit_of_a_packed_line_is_noticed() -> None:
    row, change_id = make_line("mem_1", "a buoy has come loose")
    packed = pack_line(row, change_id, "mem_1")
    for place in range(8 * len(packed)):
        data = bytearray(packed)
        data[place // 8] ^= 1 << place % 8
        try:
            found = unpack_line(bytes(data), change_id, "mem_1")
        except BadLine:
            continue
        assert found == row, "a bit that fills up the last byte"


def test_a_line_whose_payload_was_edited_comes_back_as_it_was() -> None:
    row, change_id = make_line("mem_1", "a buoy has come loose")
    for edited in (row.replace(b"buoy", b"mine"), lines.erase_row(row), b"00000000" + row[8:]):
        assert unpack_line(pack_line(edited, change_id, "mem_1"), change_id, "mem_1") == edited


def test_a_text_that_never_changed_is_in_the_index_once(home: Path) -> None:
    one, other = memory("the tide comes in at noon"), memory("the harbour is dredged in May")
    store = open_store(home)
    store.append([admit(one), admit(other), on(other, ChangeKind.PIN, pinned=True)])
    found = all_memories(store.reading())
    assert (found[one.id].memory, found[other.id].memory.pinned) == (one, True)
    connection = apsw.Connection(str(home / "index.db"))
    bodies: dict[Any, Any] = dict(connection.execute("SELECT id, body FROM memory").fetchall())  # type: ignore[arg-type]
    connection.close()
    assert bodies[one.id] is None
    assert unpack_body(bodies[other.id])["pinned"] is True


def test_a_line_with_the_hash_of_its_text_is_the_body_of_its_memory_too(home: Path) -> None:
    one = memory("the pilots of older journals wrote the hash down")
    older = admit(one)
    store = open_store(home)
    store.append([replace(older, payload={"memory": {**older.payload["memory"], "content_hash": one.content_hash}})])
    assert all_memories(store.reading())[one.id].memory == one
    connection = apsw.Connection(str(home / "index.db"))
    body, line = connection.execute("SELECT m.body, c.line FROM memory m JOIN change c ON c.key = m.birth").get
    connection.close()
    assert body is None
    assert unpack_memory(line, one.id)["content_hash"] == one.content_hash
    assert store.verify().problems == []


def test_a_memory_that_moved_leaves_nothing_in_its_old_scope(home: Path) -> None:
    one = memory("the pilot boat is called Ada", tags=("boat",))
    store = open_store(home)
    store.append([admit(one)])
    store.append([on(one, ChangeKind.MOVE, region=Region.AGENT.value)])
    assert all_memories(store.reading())[one.id].memory.region is Region.AGENT
    connection = apsw.Connection(str(home / "index.db"))
    rows = {name: connection.execute(f"SELECT count(*) FROM {name}").get for name in ("sketch", "vector", "facet")}
    bands = connection.execute("SELECT count(*) FROM band").get
    connection.close()
    assert rows == {"sketch": 1, "vector": 1, "facet": 1}
    assert bands in (0, 6)
