"""The lists beside the memories can be merged by git, and a person may change the thresholds."""

from __future__ import annotations

import json

import pytest

from limpet.mirror.lists import Thresholds, decode_index, encode_index, encode_state, read_thresholds

ENTRY = {"topic": "x", "tags": [], "phase": 0, "difficulty": 0.5, "created_at": "2026-03-01T12:00:00.000Z"}


def test_an_index_is_read_back_without_its_listing() -> None:
    entries = {"mem_b": ENTRY, "mem_a": ENTRY}
    text = encode_index(entries)
    assert decode_index(text.encode()) == entries
    assert list(json.loads(text)["memories"]) == ["index", "mem_a", "mem_b"]


def test_the_union_of_two_indexes_is_valid_json() -> None:
    lines = [encode_index({"mem_a": ENTRY, name: ENTRY}).splitlines() for name in ("mem_b", "mem_c")]
    union = [*lines[0][:-1], lines[1][-2], lines[1][-1]]
    assert set(decode_index("\n".join(union).encode()) or ()) == {"mem_a", "mem_b", "mem_c"}


@pytest.mark.parametrize("data", [None, b"", b"{", b"[]", b'{"memories":[]}', b'{"memories":{"a":{},"a":{}}}'])
def test_a_broken_index_is_none(data: bytes | None) -> None:
    assert decode_index(data) is None


def test_a_person_may_change_the_thresholds() -> None:
    config = {"max_memories": 7, "memories_to_load": 3, "eviction_batch_size": 2}
    assert read_thresholds(json.dumps({"config": config}).encode()) == Thresholds(**config)


@pytest.mark.parametrize(
    "config", [None, [], "x", {"max_memories": 0}, {"max_memories": -1}, {"max_memories": True}, {"max_memories": "9"}]
)
def test_a_threshold_that_makes_no_sense_has_its_default(config: object) -> None:
    assert read_thresholds(json.dumps({"config": config}).encode()) == Thresholds()
    assert read_thresholds(b"\xff{") == Thresholds()


def test_what_others_wrote_to_the_state_stays() -> None:
    before = json.dumps({"version": 1, "current_session": {"tool_failures": 2}, "config": {"mine": 1}}).encode()
    state = json.loads(encode_state(before, session_count=3, thresholds=Thresholds(), evicted_at=None))
    assert (state["session_count"], state["current_session"], state["config"]["mine"]) == (3, {"tool_failures": 2}, 1)
