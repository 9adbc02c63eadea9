"""Facts: three parts, a window in which they hold, and a newer one that closes the older."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from limpet.errors import UsageError
from limpet.model.fact import Fact
from tests.operations.sandbox import DAY, MODEL, Sandbox
from tests.store.homes import remove_index

SECRET = "Zq7Xv2Lm9Rt4Vb8Nc3Wd6KpTy1Ua5"


def add(sandbox: Sandbox, *words: str, **values: Any) -> Fact:
    fact: Fact = sandbox.ask("facts", action="add", words=words, **values).facts[0]
    return fact


def objects(sandbox: Sandbox, *words: str, **values: Any) -> list[str]:
    return [fact.object for fact in sandbox.ask("facts", words=words, **values).facts]


def test_a_fact_is_kept_with_its_sources_and_when_it_began(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The API listens on 8080")
    fact = add(sandbox, "api", "port", "8080", sources=[memory.id], confidence=0.9)
    assert (fact.subject, fact.predicate, fact.object) == ("api", "port", "8080")
    assert (fact.sources, fact.confidence, fact.valid_from) == ((memory.id,), 0.9, sandbox.now)
    assert fact.valid_to is None


def test_facts_are_found_by_any_of_their_parts(sandbox: Sandbox) -> None:
    for words in (("api", "port", "8080"), ("api", "host", "db1"), ("web", "port", "80")):
        add(sandbox, *words)
    assert objects(sandbox, "api") == ["db1", "8080"]
    assert objects(sandbox, "API", "Port") == ["8080"]
    assert objects(sandbox, predicate="port") == ["80", "8080"]
    assert objects(sandbox, object="DB1") == ["db1"]
    assert objects(sandbox, "api", "port", "80") == []
    assert objects(sandbox, limit=2) == ["80", "db1"]
    assert objects(sandbox, limit=2, offset=2) == ["8080"]
    page = sandbox.ask("facts", limit=2)
    assert (page.total, page.has_more) == (3, True)


def test_the_word_query_may_be_left_out(sandbox: Sandbox) -> None:
    add(sandbox, "api", "port", "8080")
    assert [fact.object for fact in sandbox.ask("facts", action="api", words=["port"]).facts] == ["8080"]


def test_a_newer_fact_closes_the_older_and_lowers_its_confidence(sandbox: Sandbox) -> None:
    first = add(sandbox, "api", "port", "8080")
    sandbox.ms += DAY
    answer = sandbox.ask("facts", action="add", words=["API", "Port", "9090"])
    second = answer.facts[0]
    assert [fact.id for fact in answer.closed] == [first.id]
    assert objects(sandbox, "api") == ["9090"]
    older = next(fact for fact in sandbox.ask("facts", closed=True).facts if fact.id == first.id)
    assert (older.valid_to, older.confidence, older.closed_by) == (second.valid_from, 0.6, second.id)


def test_a_fact_of_the_user_does_not_end_on_the_word_of_an_agent(sandbox: Sandbox) -> None:
    add(sandbox, "api", "port", "8080")
    newer = add(sandbox, "api", "port", "9090", as_=MODEL)
    assert sorted(objects(sandbox, "api", "port")) == ["8080", "9090"]
    assert newer.confidence == 0.6
    add(sandbox, "api", "port", "7070")
    assert objects(sandbox, "api", "port") == ["7070"]


def test_the_same_fact_again_is_the_one_that_is_there(sandbox: Sandbox) -> None:
    first = add(sandbox, "api", "port", "8080")
    before = sandbox.journal()
    answer = sandbox.ask("facts", action="add", words=["API", "port", "8080"])
    assert (answer.facts[0].id, answer.added) == (first.id, False)
    assert sandbox.journal() == before


def test_facts_can_be_asked_for_as_of_a_day(sandbox: Sandbox) -> None:
    first = add(sandbox, "api", "port", "8080")
    sandbox.ms += 10 * DAY
    second = add(sandbox, "api", "port", "9090")
    for at, known in (
        (first.valid_from - timedelta(days=1), []),
        (first.valid_from, ["8080"]),
        (second.valid_from - timedelta(milliseconds=1), ["8080"]),
        (second.valid_from, ["9090"]),
        (second.valid_from + timedelta(days=400), ["9090"]),
    ):
        assert objects(sandbox, "api", at=at) == known


def test_a_fact_that_began_earlier_ends_where_the_later_one_begins(sandbox: Sandbox) -> None:
    sandbox.ms += 100 * DAY
    now = add(sandbox, "api", "port", "9090")
    before = add(sandbox, "api", "port", "8080", valid_from=now.valid_from - timedelta(days=50))
    assert (before.valid_to, before.closed_by) == (now.valid_from, now.id)
    assert objects(sandbox, "api") == ["9090"]
    between = add(sandbox, "api", "port", "8888", valid_from=now.valid_from - timedelta(days=20))
    assert between.valid_to == now.valid_from
    days = {10: ["8888"], 30: ["8080"], 60: []}
    assert {ago: objects(sandbox, "api", at=now.valid_from - timedelta(days=ago)) for ago in days} == days


def test_a_fact_can_be_closed_and_a_closed_one_stays(sandbox: Sandbox) -> None:
    fact = add(sandbox, "api", "port", "8080")
    sandbox.ms += DAY
    closed = sandbox.ask("facts", action="close", words=[fact.id]).facts[0]
    assert closed.valid_to == sandbox.now
    before = sandbox.journal()
    again = sandbox.ask("facts", action="close", words=[fact.id]).facts[0]
    assert again.valid_to == closed.valid_to
    assert sandbox.journal() == before
    assert objects(sandbox) == []
    assert objects(sandbox, closed=True) == ["8080"]


def test_a_fact_cannot_end_before_it_began(sandbox: Sandbox) -> None:
    fact = add(sandbox, "api", "port", "8080")
    with pytest.raises(UsageError, match="cannot end before that"):
        sandbox.ask("facts", action="close", words=[fact.id], at=fact.valid_from - timedelta(days=1))


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
def test_a_malformed_request_writes_nothing_and_says_what_to_do(
    sandbox: Sandbox, values: dict[str, Any], said: str
) -> None:
    add(sandbox, "api", "port", "8080")
    before = sandbox.journal()
    with pytest.raises(UsageError, match=said):
        sandbox.ask("facts", **values)
    assert sandbox.journal() == before


@pytest.mark.parametrize(
    "words",
    [("db", "password", SECRET), ("db password", "is", SECRET), ("db", "has the password", SECRET)],
    ids=["the predicate", "the subject", "both"],
)
def test_a_secret_is_known_by_the_name_beside_it(sandbox: Sandbox, words: tuple[str, str, str]) -> None:
    answer = sandbox.ask("facts", action="add", words=words)
    assert answer.redacted == ("password",)
    assert SECRET not in answer.facts[0].object


def test_the_same_fact_gets_the_confidence_that_is_given(sandbox: Sandbox) -> None:
    (fact,) = sandbox.ask("facts", action="add", words=["api", "port", "8080"]).facts
    again = sandbox.ask("facts", action="add", words=["API", "port", "8080"], confidence=0.4)
    assert not again.added and (again.facts[0].id, again.facts[0].confidence) == (fact.id, 0.4)
    sandbox.ask("facts", action="add", words=["api", "port", "8080"])
    remove_index(sandbox.home)
    assert [(each.id, each.confidence) for each in sandbox.ask("facts", words=["api"]).facts] == [(fact.id, 0.4)]
    sandbox.ask("facts", action="add", words=["api", "port", "9090"])
    (older,) = (each for each in sandbox.ask("facts", words=["api"], closed=True).facts if each.object == "8080")
    assert older.confidence == 0.24


def test_a_fact_that_is_not_shown_is_not_counted(sandbox: Sandbox) -> None:
    private = sandbox.remember("The vault opens at nine", sensitivity="private")
    sandbox.ask("facts", action="add", words=("vault", "opens at", "nine"), sources=[private.id])
    for number in range(3):
        sandbox.ask("facts", action="add", words=(f"oven {number}", "port", f"700{number}"))
    for offset, shown, has_more in ((0, 2, True), (2, 1, False), (3, 0, False)):
        page = sandbox.ask("facts", limit=2, offset=offset)
        assert (len(page.facts), page.total, page.has_more, page.left_out) == (shown, 3, has_more, 1)
    assert sandbox.ask("facts", private=True).total == 4
    hidden = sandbox.ask("facts", as_=MODEL, words=("vault",))
    assert (hidden.facts, hidden.total) == ((), 0)
