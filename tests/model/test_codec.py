"""The JSON form: what is written is read back the same, and what cannot be read says which field is at fault."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.lean.record import MISSING, fields, replace
from limpet.model.codec import decode_fact, decode_memory, encode_fact, encode_memory, format_time, parse_time
from limpet.model.fact import Fact
from limpet.model.memory import Citation, Memory, Source
from tests.model import strategies
from tests.model.making import fact, memory


def through_json(record: dict[str, Any]) -> Any:
    return json.loads(json.dumps(record))


@given(strategies.memories)
def test_a_memory_written_in_full_is_read_back_the_same(one: Memory) -> None:
    assert decode_memory(through_json(encode_memory(one))) == one


@given(strategies.memories)
def test_a_memory_written_sparsely_is_read_back_the_same(one: Memory) -> None:
    assert decode_memory(through_json(encode_memory(one, sparse=True))) == one


@given(strategies.memories)
def test_the_full_form_names_every_field(one: Memory) -> None:
    assert set(encode_memory(one)) == {each.name for each in fields(Memory)}


def test_the_sparse_form_leaves_out_what_equals_its_default() -> None:
    plain = memory("The port is 8080")
    record = encode_memory(plain, sparse=True)
    for each in fields(Memory):
        if each.default is not MISSING and getattr(plain, each.name) == each.default:
            assert each.name not in record
    assert "original_content" not in record
    assert "updated_at" not in record


@pytest.mark.parametrize("title", ["The port is 8080 because", "because 80 was taken…", "Another title altogether"])
def test_a_title_that_the_text_says_is_not_written_twice(title: str) -> None:
    one = replace(memory("The port is 8080 because 80 was taken"), title=title, content="The port is 8080")
    record = encode_memory(one, sparse=True)
    assert ("title" in record) == (title == "Another title altogether")
    assert decode_memory(through_json(record)) == one
    assert encode_memory(one)["title"] == title


@pytest.mark.parametrize(
    "text", ["The port is 8080", " wrapped\n\tover  lines ", "Maß \ud800 für", "e\u0301 is no NFC"]
)
def test_the_hash_of_a_text_is_written_only_if_the_text_does_not_give_it(text: str) -> None:
    one = memory(text)
    record = encode_memory(one, sparse=True)
    assert ("content_hash" in record) == ("\u0301" in text)
    assert decode_memory(through_json(record)) == one
    assert encode_memory(one)["content_hash"] == one.content_hash
    shortened = encode_memory(replace(one, content="shorter"), sparse=True)
    assert decode_memory(through_json(shortened)).content_hash == one.content_hash


def test_an_older_record_with_its_hash_is_the_same_memory() -> None:
    one = memory("The port is 8080")
    older = encode_memory(one, sparse=True) | {"content_hash": one.content_hash}
    assert decode_memory(through_json(older)) == one


def test_a_title_at_a_place_beyond_the_text_is_what_is_left() -> None:
    record = encode_memory(memory("a short text"), sparse=True)
    assert decode_memory({**record, "title_at": [2, 99]}).title == "short text"


@pytest.mark.parametrize("place", [[-1, 3], [3, 3], [1], "0", [0, True], [0.5, 2], {}])
def test_a_title_at_no_place_is_refused(place: Any) -> None:
    with pytest.raises(ValueError, match=r"^title_at: "):
        decode_memory({**encode_memory(memory("a short text"), sparse=True), "title_at": place})


def test_a_condensed_memory_keeps_both_of_its_texts() -> None:
    short = replace(memory("The port is 8080 because 80 was taken"), content="The port is 8080")
    record = encode_memory(short, sparse=True)
    assert record["original_content"] == "The port is 8080 because 80 was taken"
    assert record["content"] == "The port is 8080"


def test_a_whole_number_is_read_as_the_share_it_means() -> None:
    record = {**encode_memory(memory()), "importance": 1, "difficulty": 0}
    found = decode_memory(record)
    assert (found.importance, found.difficulty) == (1.0, 0.0)
    assert isinstance(found.importance, float)


@given(strategies.memories, st.dictionaries(st.text(min_size=1, max_size=9), strategies.json_values, max_size=4))
def test_fields_of_a_memory_that_we_do_not_know_are_ignored(one: Memory, more: dict[str, Any]) -> None:
    known = {each.name for each in fields(Memory)}
    strange = {name: value for name, value in more.items() if name not in known}
    assert decode_memory({**strange, **encode_memory(one)}) == one


def test_fields_of_a_citation_or_a_source_that_we_do_not_know_are_ignored() -> None:
    one = memory(
        citations=(Citation(path="a.py", start=1, end=2, span_hash="h"),), source=Source(transcript="t", line=3)
    )
    record = encode_memory(one)
    record["citations"][0]["colour"] = "red"
    record["source"]["depth"] = [1]
    assert decode_memory(record) == one


BAD_VALUES: list[tuple[str, Any]] = [
    ("id", 5),
    ("agent", ["anima"]),
    ("region", "NOWHERE"),
    ("project", 7),
    ("app", {}),
    ("kind", "FEELINGS"),
    ("kind", []),
    ("type", "bug"),
    ("concepts", ["gotchas"]),
    ("concepts", "gotcha"),
    ("tags", "one"),
    ("tags", [1]),
    ("title", 1.5),
    ("content", b"bytes"),
    ("original_content", 0),
    ("impact", "HUGE"),
    ("importance", "high"),
    ("importance", True),
    ("importance", 1.01),
    ("difficulty", -0.1),
    ("difficulty", float("nan")),
    ("confidence", float("inf")),
    ("confidence", 10**400),
    ("sensitivity", "open"),
    ("origin", "somebody"),
    ("confirmed", 1),
    ("phase", 4),
    ("phase", "0"),
    ("phase", True),
    ("scale", "galactic"),
    ("pinned", "yes"),
    ("created_at", "yesterday"),
    ("created_at", 1700000000),
    ("updated_at", ""),
    ("expires_at", "0001-01-01T00:00:00+23:00"),
    ("session", 1),
    ("source", "transcript"),
    ("source", {"line": "3"}),
    ("citations", {}),
    ("citations", ["a.py"]),
    ("citations", [{"path": "a.py"}]),
    ("citations", [{"path": ["a"], "start": 1, "end": 1, "span_hash": "h"}]),
    ("citations", [{"path": "a", "start": "1", "end": 1, "span_hash": "h"}]),
    ("files_read", [None]),
    ("version", 1.0),
    ("version", True),
    ("lineage", "mem_1"),
    ("token_count", "12"),
    ("token_count", 1 << 63),
]


@pytest.mark.parametrize(("name", "value"), BAD_VALUES, ids=[f"{name}-{value!r:.20}" for name, value in BAD_VALUES])
def test_a_bad_value_in_a_memory_is_named(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{name}: "):
        decode_memory({**encode_memory(memory()), name: value})


@pytest.mark.parametrize("name", ["id", "agent", "region", "kind", "type", "content", "created_at"])
def test_a_missing_value_in_a_memory_is_named(name: str) -> None:
    record = encode_memory(memory(), sparse=True)
    del record[name]
    with pytest.raises(ValueError, match=name):
        decode_memory(record)


@given(strategies.json_values)
def test_whatever_is_not_a_memory_raises_a_value_error(value: Any) -> None:
    with pytest.raises(ValueError):
        decode_memory(value)


@given(strategies.memories, st.data())
def test_any_value_in_any_field_is_read_or_named(one: Memory, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([each.name for each in fields(Memory)]))
    value = data.draw(strategies.json_values)
    try:
        found = decode_memory({**encode_memory(one), name: value})
    except ValueError as error:
        assert name in str(error)
    else:
        assert decode_memory(through_json(encode_memory(found))) == found


@given(strategies.facts)
def test_a_fact_is_read_back_the_same(one: Fact) -> None:
    assert decode_fact(through_json(encode_fact(one))) == one


@given(strategies.facts)
def test_fields_of_a_fact_that_we_do_not_know_are_ignored(one: Fact) -> None:
    assert decode_fact({"colour": "red", **encode_fact(one)}) == one


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", 1),
        ("project", 3),
        ("subject", None),
        ("predicate", []),
        ("object", 8080),
        ("confidence", 2),
        ("confidence", "sure"),
        ("sources", "mem_1"),
        ("valid_from", "now"),
        ("valid_to", 5),
        ("closed_by", {}),
    ],
)
def test_a_bad_value_in_a_fact_is_named(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{name}"):
        decode_fact({**encode_fact(fact()), name: value})


@given(strategies.moments)
def test_a_moment_survives_its_text(one: datetime) -> None:
    assert parse_time(format_time(one)) == one
    assert format_time(one).endswith("Z")


def test_moments_of_other_time_zones_become_utc_and_are_cut_to_the_millisecond() -> None:
    there = datetime(2026, 3, 1, 14, 0, 0, 123_999, tzinfo=timezone(timedelta(hours=2)))
    assert format_time(there) == "2026-03-01T12:00:00.123Z"
    assert parse_time("2026-03-01T14:00:00.123999+02:00") == datetime(2026, 3, 1, 12, 0, 0, 123_000, tzinfo=UTC)
    assert parse_time("2026-03-01T12:00:00") == datetime(2026, 3, 1, 12, tzinfo=UTC)
