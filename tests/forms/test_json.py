"""One encoder for all records: by their fields, and a memory with its standing, an outcome with its reason."""

from __future__ import annotations

import json
from datetime import timedelta

from limpet.forms.json import encode, encode_answer
from limpet.model.codec import format_time
from limpet.model.memory import Tier
from limpet.model.outcome import Admitted, Duplicate, Rejected
from limpet.model.query import Hit, Page, Stored
from limpet.model.standing import Standing
from limpet.operations.catalogue import load_verb
from limpet.operations.config import SettingValue
from tests.model.making import START, memory

NOW = START + timedelta(days=1)


def test_a_record_becomes_an_object_with_its_fields() -> None:
    row = SettingValue(key="recall.limit", value=10, default=5, origin="user", help="How many.")
    assert encode((row, {"at": START, "tier": Tier.KEPT}), NOW) == [
        {"key": "recall.limit", "value": 10, "default": 5, "origin": "user", "help": "How many."},
        {"at": format_time(START), "tier": "kept"},
    ]


def test_a_stored_memory_has_status_warnings_and_standing() -> None:
    used = Standing(access_count=3, last_accessed=START, last_session="s1")
    found = encode(Stored(memory=memory(), standing=used, suspicions=("edited",)), NOW)
    assert (found["status"], found["warnings"]) == ("live", ["edited"])
    assert (found["access_count"], found["last_session"]) == (3, "s1")
    assert 0 < found["trust"] < found["strength"] <= 1
    json.dumps(found)


def test_an_outcome_has_a_memory_or_a_reason() -> None:
    one = memory()
    assert encode(Admitted(memory=one, redacted=("password",)), NOW)["redacted"] == ["password"]
    assert encode(Duplicate(memory=one), NOW)["memory"]["id"] == one.id
    refused = encode(Rejected(reason="it is empty"), NOW)
    assert (refused["outcome"], refused["memory"], refused["reason"]) == ("rejected", None, "it is empty")


def test_a_page_says_whether_there_is_more() -> None:
    stored = Stored(memory=memory())
    page = encode_answer(load_verb("list"), Page(items=(stored,), total=3, offset=1), NOW)
    assert (len(page["memories"]), page["total"], page["offset"], page["has_more"]) == (1, 3, 1, True)
    hit = Hit(stored=stored, score=0.123456, parts={"match": 0.98765})
    hits = encode_answer(load_verb("recall"), Page(items=(hit,), total=1), NOW)
    assert (hits["hits"][0]["score"], hits["hits"][0]["parts"], hits["has_more"]) == (0.1235, {"match": 0.9877}, False)
