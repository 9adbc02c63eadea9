"""Facts: three parts, a window in which they hold, and a newer one that closes the older."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from limpet.errors import UsageError
from limpet.model.fact import Fact
from tests.operations.desk import DAY, Desk


def add(desk: Desk, *words: str, **values: Any) -> Fact:
    fact: Fact = desk.ask("facts", action="add", words=words, **values).facts[0]
    return fact


def objects(desk: Desk, *words: str, **values: Any) -> list[str]:
    return [fact.object for fact in desk.ask("facts", words=words, **values).facts]


def test_a_fact_is_kept_with_its_sources_and_when_it_began(desk: Desk) -> None:
    memory = desk.remember("The API listens on 8080")
    fact = add(desk, "api", "port", "8080", sources=[memory.id], confidence=0.9)
    assert (fact.subject, fact.predicate, fact.object) == ("api", "port", "8080")
    assert (fact.sources, fact.confidence, fact.valid_from) == ((memory.id,), 0.9, desk.now)
    assert fact.valid_to is None


def test_facts_are_found_by_any_of_their_parts(desk: Desk) -> None:
    for words in (("api", "port", "8080"), ("api", "host", "db1"), ("web", "port", "80")):
        add(desk, *words)
    assert objects(desk, "api") == ["db1", "8080"]
    assert objects(desk, "API", "Port") == ["8080"]
    assert objects(desk, predicate="port") == ["80", "8080"]
    assert objects(desk, object="DB1") == ["db1"]
    assert objects(desk, "api", "port", "80") == []
    assert objects(desk, limit=2) == ["80", "db1"]
    assert objects(desk, limit=2, offset=2) == ["8080"]
    page = desk.ask("facts", limit=2)
    assert (page.total, page.has_more) == (3, True)


def test_the_word_query_may_be_left_away(desk: Desk) -> None:
    add(desk, "api", "port", "8080")
    assert [fact.object for fact in desk.ask("facts", action="api", words=["port"]).facts] == ["8080"]


def test_a_newer_fact_closes_the_older_and_lowers_its_confidence(desk: Desk) -> None:
    first = add(desk, "api", "port", "8080")
    desk.ms += DAY
    answer = desk.ask("facts", action="add", words=["API", "Port", "9090"])
    second = answer.facts[0]
    assert [fact.id for fact in answer.closed] == [first.id]
    assert objects(desk, "api") == ["9090"]
    older = next(fact for fact in desk.ask("facts", closed=True).facts if fact.id == first.id)
    assert (older.valid_to, older.confidence, older.closed_by) == (second.valid_from, 0.6, second.id)


def test_the_same_fact_again_is_the_one_that_is_there(desk: Desk) -> None:
    first = add(desk, "api", "port", "8080")
    before = desk.journal()
    answer = desk.ask("facts", action="add", words=["API", "port", "8080"])
    assert (answer.facts[0].id, answer.added) == (first.id, False)
    assert desk.journal() == before


def test_facts_can_be_asked_for_as_of_a_day(desk: Desk) -> None:
    first = add(desk, "api", "port", "8080")
    desk.ms += 10 * DAY
    second = add(desk, "api", "port", "9090")
    for at, known in (
        (first.valid_from - timedelta(days=1), []),
        (first.valid_from, ["8080"]),
        (second.valid_from - timedelta(milliseconds=1), ["8080"]),
        (second.valid_from, ["9090"]),
        (second.valid_from + timedelta(days=400), ["9090"]),
    ):
        assert objects(desk, "api", at=at) == known


def test_a_fact_that_began_earlier_ends_where_the_later_one_begins(desk: Desk) -> None:
    desk.ms += 100 * DAY
    now = add(desk, "api", "port", "9090")
    before = add(desk, "api", "port", "8080", valid_from=now.valid_from - timedelta(days=50))
    assert (before.valid_to, before.closed_by) == (now.valid_from, now.id)
    assert objects(desk, "api") == ["9090"]
    between = add(desk, "api", "port", "8888", valid_from=now.valid_from - timedelta(days=20))
    assert between.valid_to == now.valid_from
    days = {10: ["8888"], 30: ["8080"], 60: []}
    assert {ago: objects(desk, "api", at=now.valid_from - timedelta(days=ago)) for ago in days} == days


def test_a_fact_can_be_closed_and_a_closed_one_stays(desk: Desk) -> None:
    fact = add(desk, "api", "port", "8080")
    desk.ms += DAY
    closed = desk.ask("facts", action="close", words=[fact.id]).facts[0]
    assert closed.valid_to == desk.now
    before = desk.journal()
    again = desk.ask("facts", action="close", words=[fact.id]).facts[0]
    assert again.valid_to == closed.valid_to
    assert desk.journal() == before
    assert objects(desk) == []
    assert objects(desk, closed=True) == ["8080"]


def test_a_fact_cannot_end_before_it_began(desk: Desk) -> None:
    fact = add(desk, "api", "port", "8080")
    with pytest.raises(UsageError, match="cannot end before that"):
        desk.ask("facts", action="close", words=[fact.id], at=fact.valid_from - timedelta(days=1))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"action": "add", "words": ["api", "port"]}, "three words"),
        ({"action": "add", "words": ["a", "b", "c", "d"]}, "three words"),
        ({"action": "add", "words": ["api", "  ", "x"]}, "predicate is empty"),
        ({"action": "add", "words": ["a\x1b[2J", "b", "c"]}, "control character"),
        ({"action": "add", "words": ["a" * 501, "b", "c"]}, "501 characters"),
        ({"action": "add", "words": ["a", "b", "\ud800"]}, "UTF-8"),
        ({"action": "add", "words": ["a", "b", "c"], "confidence": 1.5}, "between 0 and 1"),
        ({"action": "add", "words": ["a", "b", "c"], "confidence": float("nan")}, "between 0 and 1"),
        ({"action": "close", "words": []}, "id of one fact"),
        ({"words": ["a", "b", "c", "d"]}, "at most SUBJECT PREDICATE OBJECT"),
        ({"limit": 0}, "limit is 0"),
        ({"limit": -1}, "limit is -1"),
        ({"offset": -1}, "offset is -1"),
    ],
)
def test_a_malformed_request_writes_nothing_and_says_what_to_do(desk: Desk, values: dict[str, Any], said: str) -> None:
    add(desk, "api", "port", "8080")
    before = desk.journal()
    with pytest.raises(UsageError, match=said):
        desk.ask("facts", **values)
    assert desk.journal() == before
