"""The lists beside the memories can be merged by git, and a person may change the thresholds."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from limpet.lean.record import replace
from limpet.model.session import Session
from limpet.sharing.index_files import Thresholds, decode_index, encode_index, encode_state, read_thresholds

MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)
ENTRY = {"topic": "x", "tags": [], "phase": 0, "difficulty": 0.5, "created_at": "2026-03-01T12:00:00.000Z"}


OLDER = {**ENTRY, "created_at": "2026-02-01T12:00:00.000Z"}


def test_an_index_has_the_memories_alone_with_the_oldest_first() -> None:
    entries = {"mem_b": OLDER, "mem_a": ENTRY}
    text = encode_index(entries)
    assert decode_index(text.encode()) == entries
    assert list(json.loads(text)["memories"]) == ["mem_b", "mem_a"]
    assert decode_index(encode_index({}).encode()) == {}


def test_git_merges_two_indexes_with_new_memories_into_valid_json(tmp_path: Path) -> None:
    versions = {
        "ours": {"mem_z": OLDER, "mem_b": ENTRY},
        "base": {"mem_z": OLDER},
        "theirs": {"mem_z": OLDER, "a handwritten one": ENTRY},
    }
    for name, entries in versions.items():
        (tmp_path / name).write_text(encode_index(entries), "utf-8")
    merged = subprocess.run(
        ["git", "merge-file", "-p", "--union", *versions], cwd=tmp_path, capture_output=True, check=True
    ).stdout
    assert decode_index(merged) == {"mem_z": OLDER, "mem_b": ENTRY, "a handwritten one": ENTRY}


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


def write_state(before: bytes | None, latest: Session | None, *, compactions: int = 0) -> dict[str, Any]:
    text = encode_state(before, latest=latest, compactions=compactions, thresholds=Thresholds(), evicted_at=None)
    state: dict[str, Any] = json.loads(text)
    return state


def test_what_others_wrote_to_the_state_stays() -> None:
    before = json.dumps({"version": 1, "theirs": [1], "config": {"mine": 1}}).encode()
    state = write_state(before, None)
    assert (state["session_count"], state["theirs"], state["config"]["mine"]) == (0, [1], 1)


def test_the_state_has_the_session_that_goes_on() -> None:
    session = Session(
        id="s", agent="anima", number=7, started_at=MOMENT, last_seen=MOMENT, successes=3, failures=1, compactions=2
    )
    state = write_state(None, session, compactions=5)
    assert (state["session_count"], state["compaction_count"]) == (7, 5)
    assert state["current_session"] == {
        "started_at": "2026-03-01T12:00:00.000Z",
        "tool_failures": 1,
        "tool_successes": 3,
        "compacted": True,
    }
    assert write_state(json.dumps(state).encode(), replace(session, ended=True))["current_session"] == {}
