"""Results are encoded as JSON with their standing, and an outcome with its memory or its reason."""

from __future__ import annotations

import json
from datetime import timedelta

from limpet.model.answers import encode_hits, encode_memories, encode_outcome, encode_stored
from limpet.model.outcome import Admitted, Duplicate, Rejected
from limpet.model.query import Hit, Page, Stored
from limpet.model.standing import Standing
from tests.model.making import START, memory

NOW = START + timedelta(days=1)


def test_a_stored_memory_has_status_warnings_and_standing() -> None:
    used = Standing(access_count=3, last_accessed=START, last_session="s1")
    found = encode_stored(Stored(memory=memory(), standing=used, suspicions=("edited",)), now=NOW)
    assert (found["status"], found["warnings"]) == ("live", ["edited"])
    assert (found["access_count"], found["last_session"]) == (3, "s1")
    assert 0 < found["trust"] < found["strength"] <= 1
    json.dumps(found)


def test_an_outcome_has_a_memory_or_a_reason() -> None:
    one = memory()
    assert encode_outcome(Admitted(memory=one, redacted=("password",)))["redacted"] == ["password"]
    assert encode_outcome(Duplicate(memory=one))["memory"]["id"] == one.id
    refused = encode_outcome(Rejected(reason="it is empty"))
    assert (refused["outcome"], refused["memory"], refused["reason"]) == ("rejected", None, "it is empty")


def test_a_page_says_whether_there_is_more() -> None:
    stored = Stored(memory=memory())
    page = encode_memories(Page(items=(stored,), total=3, offset=1), now=NOW)
    assert (len(page["memories"]), page["total"], page["offset"], page["has_more"]) == (1, 3, 1, True)
    hits = encode_hits(Page(items=(Hit(stored=stored, score=0.123456, parts={"match": 0.98765}),), total=1), now=NOW)
    assert (hits["hits"][0]["score"], hits["hits"][0]["parts"], hits["has_more"]) == (0.1235, {"match": 0.9877}, False)
