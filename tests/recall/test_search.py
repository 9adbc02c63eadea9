"""Search by words and by meaning."""

from __future__ import annotations

import random

import pytest

from limpet.lean.record import replace
from limpet.operations.parameters import build_query
from limpet.recall.search import score_parts, search, total_score
from limpet.settings import RecallSettings
from limpet.store.view import open as opening
from limpet.text.lexicon import stem_text
from limpet.text.questions import QUESTION_ENDS
from tests.model.making import admit, memory
from tests.operations.sandbox import DAY, Sandbox
from tests.recall.searching import ANSWERS, LEAK, MIGRATIONS, PORT, TIMEOUT, first_hit, found, told


def test_the_right_memory_comes_first(filled: Sandbox) -> None:
    assert found(filled, "which port does the api listen on")[0] == PORT
    assert found(filled, "how are migrations run")[0] == MIGRATIONS
    assert found(filled, "psycopg.OperationalError: connection timed out")[0] == TIMEOUT
    assert found(filled, "max_overflow")[0] == TIMEOUT
    assert found(filled, "how short should answers be")[0] == ANSWERS


@pytest.mark.parametrize("end", [*QUESTION_ENDS, '?**")'])
def test_a_memory_that_only_asks_ranks_below_one_that_answers(filled: Sandbox, end: str) -> None:
    """A question shares most words with a memory that asks the same, which answers nothing."""
    asking = f"Which port does the API listen on{end}"
    filled.remember(asking)
    assert found(filled, "which port does the API listen on")[:2] == [PORT, asking]
    assert told(filled, "which port does the API listen on")[0] == PORT
    filled.remember("Should the release notes mention Windows?")
    assert found(filled, "release notes windows")[0] == "Should the release notes mention Windows?"


def test_meaning_finds_what_shares_no_word(filled: Sandbox) -> None:
    assert LEAK in found(filled, "background jobs eat RAM")[:2]


@pytest.mark.parametrize("question", ["what is the capital of Mongolia", "kubernetes ingress annotations"])
def test_who_asks_gets_the_nearest_marked_as_weak_and_nobody_is_told_it_unasked(filled: Sandbox, question: str) -> None:
    page = filled.ask("recall", query=question)
    assert len(page.items) == 5
    assert all(hit.weak for hit in page.items)
    assert told(filled, question) == []


def test_an_answer_is_not_weak_and_is_told_unasked_too(filled: Sandbox) -> None:
    assert not first_hit(filled, "which port does the api listen on").weak
    assert told(filled, "which port does the api listen on")[0] == PORT


def test_the_match_is_not_the_same_for_every_hit(filled: Sandbox) -> None:
    hits = filled.ask("recall", query="the connection pool of the API").items
    assert len({round(hit.parts["match"], 3) for hit in hits}) > 2


def test_an_answer_counts_as_an_access_and_a_miss_as_none(filled: Sandbox) -> None:
    first_hit(filled, "default port")
    assert first_hit(filled, "default port").stored.standing.access_count == 1
    others = [hit for hit in filled.ask("recall", query="emoji").items if hit.memory.content == MIGRATIONS]
    assert [hit.weak for hit in others] == [True]
    others = [hit for hit in filled.ask("recall", query="emoji").items if hit.memory.content == MIGRATIONS]
    assert [hit.stored.standing.access_count for hit in others] == [0], "a weak hit is not used by being shown"


def test_being_read_does_not_change_the_rank_in_the_next_question(sandbox: Sandbox) -> None:
    for name in ("alpha", "beta"):
        sandbox.remember(f"The cache of service {name} lives in Redis")
    question = "where does the cache of a service live"
    before = sandbox.ask("recall", query=question).items
    last = before[-1].memory.id
    for _ in range(20):
        sandbox.ask("show", id=last)
    hits = sandbox.ask("recall", query=question).items
    assert [hit.memory.id for hit in hits] == [hit.memory.id for hit in before]
    assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in before])
    assert {hit.memory.id: hit.stored.standing.access_count for hit in hits}[last] >= 20


def test_pages_follow_each_other_without_a_gap(sandbox: Sandbox) -> None:
    for number in range(30):
        sandbox.ask("remember", text=f"The cache of service {number} expires after {number} minutes")
    whole = found(sandbox, "cache expires", limit=30)
    assert len(whole) == 30
    pages = [found(sandbox, "cache expires", limit=7, offset=offset) for offset in range(0, 30, 7)]
    assert [text for page in pages for text in page] == whole
    assert sorted(whole) == sorted(set(whole))
    first, last = (sandbox.ask("recall", query="cache expires", limit=7, offset=offset) for offset in (0, 28))
    assert first.total == last.total == 30
    assert not last.has_more


def test_filters_narrow_a_search(filled: Sandbox) -> None:
    filled.ask("remember", text="The default port of the admin page is 9091", kind="ACHIEVEMENTS", tags=["Admin"])
    assert found(filled, "default port", kind="ACHIEVEMENTS") == ["The default port of the admin page is 9091"]
    assert found(filled, "default port", tag="admin") == ["The default port of the admin page is 9091"]
    assert found(filled, "default port", since="2027-01-01") == []


def test_a_time_in_the_question_prefers_that_time(sandbox: Sandbox) -> None:
    sandbox.ask("remember", text="We decided to cache product pages for ten minutes")
    sandbox.ms += 8 * DAY
    sandbox.ask("remember", text="We decided to cache search results for one minute")
    sandbox.ms += 1 * DAY
    assert "search results" in found(sandbox, "what did we decide yesterday about caching")[0]
    assert "product pages" in found(sandbox, "what did we decide 9 days ago about caching")[0]
    assert len(found(sandbox, "yesterday")) == 1


def test_a_memory_whose_session_has_an_empty_name_is_found(sandbox: Sandbox) -> None:
    known = sandbox.remember("The lexer is finished")
    with sandbox.open() as runtime:
        runtime.store.append(
            [admit(memory("The parser is finished", agent=known.agent, project=known.project, session=""))]
        )
    assert found(sandbox, "parser")[0] == "The parser is finished"


def test_the_last_session_is_the_one_before_this(sandbox: Sandbox) -> None:
    sandbox.ask("remember", text="Half of the parser is rewritten", session="one")
    sandbox.ask("remember", text="The lexer is finished", session="two")
    assert found(sandbox, "what did we do in the last session", session="three") == ["The lexer is finished"]
    assert found(sandbox, "what did we do in the last session", session="two") == ["Half of the parser is rewritten"]


def test_what_is_out_of_sight_is_not_found(filled: Sandbox) -> None:
    port = first_hit(filled, "default port").memory.id
    better = filled.ask("correct", id=port, text="The default port of the API is 7070").memory
    assert found(filled, "default port of the API")[0] == "The default port of the API is 7070"
    assert PORT not in found(filled, "default port of the API")
    filled.ask("forget", ids=[better.id])
    assert not any("port" in text for text in found(filled, "default port of the API"))
    filled.ask("remember", text="The default port will be 6060 soon", ttl_days=1)
    filled.ask("remember", text="The default port is a private matter", sensitivity="private")
    filled.ms += 2 * DAY
    assert not any("port" in text for text in found(filled, "default port"))
    assert any("private" in text for text in found(filled, "default port", private=True))


def test_everything_works_without_the_vector_functions(filled: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "load_vectors", lambda connection: False)
    assert found(filled, "which port does the api listen on")[0] == PORT
    assert filled.ask("remember", text="The web port is 80").memory.content in found(filled, "web port")


def test_every_memory_has_a_vector_once_it_is_stored(sandbox: Sandbox) -> None:
    for number in range(20):
        sandbox.ask("remember", text=f"Service number {number} restarts at night")
    with sandbox.open() as runtime:
        reading = runtime.reading()
        ids = [stored.memory.id for stored in sandbox.ask("list", limit=50).items]
        assert all(reading.code_of(id) is not None for id in ids)


def test_vectors_of_another_table_are_made_anew(filled: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limpet.store.catch_up._REST_MS", 60_000)
    with filled.open() as runtime:
        runtime.reading()
        index = runtime.store._current.shared
        assert index is not None
        index.connection.execute("UPDATE meta SET value = 'an older one' WHERE name = 'vectors'")
        index.connection.execute("UPDATE vector SET code = zeroblob(256)")
    for _ in range(3):
        filled.ask("list")
    assert LEAK in found(filled, "background jobs eat RAM")[:2]


HOSTILE = (
    "",
    " ",
    '"',
    "NEAR(",
    "a AND",
    "OR OR",
    "*",
    "foo.py",
    "half-life",
    "user's",
    "🚀",
    "接続",
    "é",
    "col:val",
    "^x",
    "{a b}",
    "-",
    "--",
    "')",
    "%",
    "\\",
    "a" * 100_000,
    "wort " * 20_000,
    '("*' * 2000,
    "\u202e\u200b",
    "NOT",
    "title : x",
    "x" * 300 + "*",
)


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: repr(query[:12]))
def test_any_text_is_a_legal_query(filled: Sandbox, query: str) -> None:
    page = filled.ask("recall", query=query)
    assert page.total >= 0


def test_random_queries_never_fail(filled: Sandbox) -> None:
    chance = random.Random(7)
    alphabet = "abc \"'*()^:+-{}[]~.,;/\\|&%$#@!?éж数🚀\t\n\u0300\u202e0129_"
    with filled.open() as runtime:
        reading, settings = runtime.reading(), runtime.settings.recall

        query = build_query(runtime, limit=5)
        for _ in range(300):
            text = "".join(chance.choice(alphabet) for _ in range(chance.randint(0, 60)))
            search(replace(query, text=text), reading=reading, settings=settings, judge=runtime.signer.judge)


def test_the_score_is_the_weighted_sum_of_its_parts(filled: Sandbox) -> None:
    hit = first_hit(filled, "default port of the API")
    parts = hit.parts
    rest = 0.20 * parts["recency"] + 0.15 * parts["strength"] + 0.10 * parts["trust"]
    assert hit.score == pytest.approx(0.85 * parts["match"] + 0.15 * rest / 0.45), "the weights when somebody asks"
    scored = score_parts(hit.stored, match=parts["match"], now=filled.now, settings=RecallSettings())
    assert total_score(scored, RecallSettings()) == pytest.approx(0.55 * parts["match"] + rest), "and when nobody does"
    assert parts["match"] == pytest.approx(1.0)
    assert parts["coverage"] == pytest.approx(1.0)
    assert all(0 <= parts[name] <= 1 for name in ("match", "recency", "strength", "trust", "words", "meaning"))


def test_recency_halves_in_three_weeks_and_asking_does_not_renew_it(filled: Sandbox) -> None:
    filled.ms += 21 * DAY
    for _ in range(3):
        recency = first_hit(filled, "default port").parts["recency"]
        assert recency == pytest.approx(0.5, abs=0.001)


def test_the_weight_of_the_match_is_a_setting(filled: Sandbox) -> None:
    hit = first_hit(filled, "default port", flags={"recall.asked_match_weight": 0.0})
    rest = 0.20 * hit.parts["recency"] + 0.15 * hit.parts["strength"] + 0.10 * hit.parts["trust"]
    assert hit.score == pytest.approx(rest / 0.45)


def test_of_a_huge_memory_only_the_beginning_is_compared(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.remember("The harbour tide turns at six. " * 20_000)
    read: list[int] = []

    def measure(text: str) -> str:
        read.append(len(text))
        return stem_text(text)

    monkeypatch.setattr("limpet.text.lexicon.stem_text", measure)
    assert sandbox.json("recall", query="when does the harbour tide turn")["hits"]
    assert read and max(read) < 25_000


# Questions that name only a time


def test_a_whole_question_about_a_day_lists_what_it_asks_for(sandbox: Sandbox) -> None:
    sandbox.remember("Invoices are sent by the nightly job", type="decision")
    sandbox.ms += 3 * DAY
    sandbox.remember("Orders are kept in PostgreSQL, not in Redis", type="decision")
    sandbox.remember("The login test was flaky because of the clock", type="bugfix")
    sandbox.ms += 1 * DAY
    assert found(sandbox, "what did we decide yesterday?") == ["Orders are kept in PostgreSQL, not in Redis"]
    assert found(sandbox, "Which decisions were made yesterday?") == ["Orders are kept in PostgreSQL, not in Redis"]
    assert found(sandbox, "what was fixed yesterday?") == ["The login test was flaky because of the clock"]
    assert len(found(sandbox, "what happened yesterday?")) == 2
    assert len(found(sandbox, "What did we work on recently?")) == 3
    assert found(sandbox, "what did we decide a few days ago?") == ["Invoices are sent by the nightly job"]
    assert found(sandbox, "what did we decide in March 2019?") == []


def test_a_decision_is_listed_whatever_type_was_inferred_for_it(sandbox: Sandbox) -> None:
    sandbox.remember("We agreed on Monday that orders live in PostgreSQL", type="discovery")
    sandbox.remember("The login test was flaky because of the clock", type="bugfix")
    sandbox.ms += 1 * DAY
    decided = "We agreed on Monday that orders live in PostgreSQL"
    assert found(sandbox, "what did we decide yesterday?") == [decided]
    sandbox.remember("Tokens are cut by hand, never by a pattern", type="decision")
    sandbox.remember("The mirror is slow at night", type="discovery")
    sandbox.ms += 1 * DAY
    assert found(sandbox, "what did we decide yesterday?") == ["Tokens are cut by hand, never by a pattern"]


def test_if_nothing_of_that_time_is_a_decision_the_rest_is_a_weak_answer(sandbox: Sandbox) -> None:
    sandbox.remember("Orders live in PostgreSQL, not in Redis", type="discovery")
    sandbox.ms += 1 * DAY
    hit = first_hit(sandbox, "what did we decide yesterday?")
    assert (hit.stored.memory.content, hit.weak) == ("Orders live in PostgreSQL, not in Redis", True)


def test_a_question_about_the_last_session_begins_with_its_summary(sandbox: Sandbox) -> None:
    summary = "Wanted: a faster parser. Done: the lexer was rewritten."
    sandbox.remember(summary, type="session_summary", session="one")
    sandbox.remember("Tokens are cut by hand, never by a pattern", type="decision", impact="HIGH", session="one")
    for question in ("what was the last session about?", "What did we do in our last session?"):
        assert found(sandbox, question, session="two")[0] == summary
    decided = found(sandbox, "what did we decide in the last session?", session="two")
    assert decided == ["Tokens are cut by hand, never by a pattern"]


def test_a_subject_beside_a_time_is_still_looked_for(sandbox: Sandbox) -> None:
    sandbox.remember("Invoices are sent by the nightly job", type="decision")
    sandbox.remember("Tokens are cut by hand, never by a pattern", type="decision")
    sandbox.ms += 1 * DAY
    assert found(sandbox, "what did we decide yesterday about invoices?")[0] == "Invoices are sent by the nightly job"


# Scores


def test_no_score_is_above_one(sandbox: Sandbox) -> None:
    sandbox.remember("The default port of the API is 9090", impact="CRITICAL")
    for question in ("today", "default port of the API today", "what happened today?"):
        hit = first_hit(sandbox, question, flags={"recall.asked_match_weight": 0.0})
        assert hit.parts["when"] == 1.0
        assert 0 <= hit.score <= 1


def test_what_hardly_matches_is_weak_beside_an_answer(sandbox: Sandbox) -> None:
    for number in range(12):
        sandbox.remember(f"The retry limit of worker {number} is {number + 2} for each queue of the mail service")
    sandbox.remember("The mail service sends invoices at six")
    hits = sandbox.ask("recall", query="when does the mail service send invoices", limit=30).items
    assert hits[0].memory.content == "The mail service sends invoices at six"
    assert not hits[0].weak
    assert all(hit.weak for hit in hits if hit.parts["match"] <= 0)
    assert [hit.memory.content for hit in hits if hit.parts["match"] <= 0] != []
    assert told(sandbox, "when does the mail service send invoices") == ["The mail service sends invoices at six"]


def test_what_was_contradicted_ranks_below_what_contradicts_it(sandbox: Sandbox) -> None:
    older = sandbox.remember("The retry limit of the mail worker is 5", impact="CRITICAL")
    for _ in range(5):
        sandbox.ask("show", id=older.id)
    newer = sandbox.remember("The retry limit of the mail worker is 9", impact="LOW")
    hits = sandbox.ask("recall", query="retry limit of the mail worker is 5").items
    ids = [hit.memory.id for hit in hits]
    assert newer.id in ids
    # If the newer one replaces the older one, the older one is not found at all.
    assert older.id not in ids or ids.index(newer.id) < ids.index(older.id)
