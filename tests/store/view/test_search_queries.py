"""Finding by words, by exact text, by likeness."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from limpet.model.change import ChangeKind
from limpet.model.codec import encode_memory
from limpet.model.memory import Citation, Kind, Region
from limpet.model.query import Query
from limpet.model.scope import Scope, token_of
from limpet.store.protocol import Neighbours, Store
from limpet.text.embedding import load_embedding_table
from limpet.text.lexicon import parse_terms
from limpet.text.similarity import content_hash, simhash
from tests.model.making import PROJECT, START, admit, at, condensed, correction, memory, on
from tests.store.acting import find_ids

QUERY = Query(scope=Scope(agent="anima", project=PROJECT), now=START + timedelta(days=1))


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "something about limestone"},
        {"title": "Limestone"},
        {"subtitle": "the limestone quarry"},
        {"tags": ("limestone",)},
        {"files_read": ("src/limestone.py",)},
        {"files_modified": ("limestone/a.py",)},
        {"citations": (Citation(path="limestone.md", start=1, end=1, span_hash="h"),)},
    ],
    ids=lambda fields: str(next(iter(fields))),
)
def test_a_word_is_found_wherever_it_stands(store: Store, fields: dict[str, Any]) -> None:
    one, other = memory(**{"text": "a plain text", **fields}), memory("another plain text")
    store.append([admit(one), admit(other)])
    assert find_ids(store.reading(), QUERY, "limestone") == [one.id]
    assert find_ids(store.reading(), QUERY, "LIMESTONE") == [one.id]
    assert find_ids(store.reading(), QUERY, "absent") == find_ids(store.reading(), QUERY, "") == []


def test_any_of_the_words_is_enough_and_more_of_them_rank_higher(store: Store) -> None:
    both = memory("granite and basalt are rocks")
    one = memory("granite is a rock like any other one")
    store.append([admit(one), admit(both), admit(memory("nothing of the kind"))])
    assert find_ids(store.reading(), QUERY, "granite basalt") == [both.id, one.id]
    ranks = [rank for _, rank in store.reading().by_words(QUERY, parse_terms("granite basalt"), limit=9)]
    assert ranks == sorted(ranks, reverse=True)
    assert len(store.reading().by_words(QUERY, parse_terms("granite basalt"), limit=1)) == 1


def test_how_many_memories_hold_a_word_is_known(store: Store) -> None:
    both, one = memory("granite and basalt"), memory("granite alone")
    store.append([admit(both), admit(one), admit(memory("neither of the two"))])
    everything, counts = store.reading().frequencies(QUERY, parse_terms("granite basalt absent"))
    assert everything >= 3
    assert counts == [2, 1, 0]
    assert store.reading().key_of(memory().id) is None


def test_neighbours_are_those_of_the_same_session(store: Store) -> None:
    first, second, third = (memory(f"number {n}", session="s1", created_at=at(n)) for n in range(3))
    alone = memory("of no session", created_at=at(9))
    store.append([admit(each) for each in (first, second, third, alone)])
    reading = store.reading()
    keys = [reading.key_of(each.id) or 0 for each in (first, second, third, alone)]
    found = reading.neighbours(keys)
    assert found[keys[1]] == Neighbours(session="s1", before=keys[0], after=keys[2], tokens=second.token_count)
    assert (found[keys[0]].before, found[keys[2]].after) == (None, None)
    assert found[keys[3]] == Neighbours(session=None, before=None, after=None, tokens=alone.token_count)


def test_what_means_the_same_is_near(store: Store) -> None:
    reading = store.reading()
    if not reading.has_vectors:
        pytest.skip("this installation has no vectors")
    one = memory("the database connection times out under load")
    other = memory("grandmother bakes apple cake on sunday")
    store.append([admit(one), admit(other)])
    reading = store.reading()
    code = load_embedding_table().encode("postgres connections time out when traffic is high")
    assert code is not None
    near = dict(reading.by_meaning(QUERY, code, limit=5))
    keys = [reading.key_of(one.id) or 0, reading.key_of(other.id) or 0]
    assert next(iter(near)) == keys[0]
    assert near[keys[0]] > near[keys[1]]
    assert reading.closeness(code, keys) == pytest.approx(near)
    assert reading.code_of(one.id) is not None
    assert reading.code_of(memory().id) is None


def test_a_comparison_by_meaning_can_be_bounded_to_the_newest_of_each_scope(store: Store) -> None:
    reading = store.reading()
    if not reading.has_vectors:
        pytest.skip("this installation has no vectors")
    made = [memory(f"the database connection number {n} times out") for n in range(5)]
    store.append([admit(each) for each in made])
    reading = store.reading()
    code = load_embedding_table().encode("database connections time out")
    assert code is not None
    keys = [reading.key_of(each.id) or 0 for each in made]
    assert {key for key, _ in reading.by_meaning(QUERY, code, limit=5)} == set(keys)
    assert {key for key, _ in reading.by_meaning(QUERY, code, limit=5, newest=2)} == set(keys[-2:])


def test_the_original_text_is_searched_even_after_condensing(store: Store) -> None:
    one = memory("The port is 8080 because limestone was taken")
    store.append([admit(one), condensed(one, "The port is 8080", 1)])
    assert find_ids(store.reading(), QUERY, "limestone") == [one.id]


def test_what_is_out_of_sight_is_not_matched(store: Store) -> None:
    old, forgotten, purged = memory("granite old"), memory("granite forgotten"), memory("granite purged")
    new = correction(old, "basalt new")
    store.append([admit(each) for each in (old, forgotten, purged, new)])
    store.append([on(forgotten, ChangeKind.FORGET)])
    store.purge([on(purged, ChangeKind.PURGE)])
    assert find_ids(store.reading(), QUERY, "granite") == []
    store.append([on(forgotten, ChangeKind.RESTORE)])
    assert find_ids(store.reading(), QUERY, "granite") == [forgotten.id]


def test_only_one_of_two_twins_is_matched(store: Store) -> None:
    one, other = memory("granite", created_at=at(1)), memory("granite", created_at=at(2))
    store.append([admit(one), admit(other)])
    assert find_ids(store.reading(), QUERY, "granite") == [one.id]


HOSTILE = (
    *('"', "'", "*", "AND", "OR", "NOT", "NEAR(", "a*", "(", ")", "title:", "-x", "^a", "", " ", "\x00", "a\x00b"),
    *("{title}", "foo.py", "half-life", "user's", "🐚", "数据", "é", '"" OR ""', "%", "_", "\\", "x" * 5000),
)


@pytest.mark.parametrize("word", HOSTILE)
def test_any_text_is_a_legal_word(store: Store, word: str) -> None:
    one = memory("granite")
    store.append([admit(one)])
    assert find_ids(store.reading(), QUERY, f"{word} granite") == [one.id]
    assert find_ids(store.reading(), QUERY, word) == []
    assert store.reading().recent_with_words(token_of(one), [word], each=10) == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=20))
def test_no_text_is_a_syntax_error(store: Store, text: str) -> None:
    reading = store.reading()
    assert find_ids(reading, QUERY, text) == []
    assert reading.recent_with_words("s0", [text], each=10) == ()


def test_exact_texts_are_found_by_their_hash_live_ones_first(store: Store) -> None:
    forgotten, live, elsewhere = memory("same"), memory("same"), memory("same", project="prj_elsewhere")
    old = memory("same")
    store.append([admit(each) for each in (forgotten, live, elsewhere, old)])
    store.append([on(forgotten, ChangeKind.FORGET), admit(correction(old, "not the same"))])
    found = store.reading().same_text(token_of(live), content_hash("same"))
    assert [stored.memory.id for stored in found] == [live.id, forgotten.id]
    assert store.reading().same_text(token_of(live), content_hash("another")) == ()


def test_the_newest_memories_with_a_word_come_first(store: Store) -> None:
    many = [memory(f"granite number {number}", created_at=at(number)) for number in range(6)]
    store.append([admit(one) for one in many])
    found = store.reading().recent_with_words(token_of(many[0]), ["granite"], each=3)
    assert [stored.memory.id for stored in found] == [one.id for one in reversed(many[3:])]
    assert store.reading().recent_with_words(token_of(memory(agent="other")), ["granite"], each=10) == ()


def test_texts_that_are_nearly_alike_are_found(store: Store) -> None:
    text = "The deployment of the payment service needs the feature flag before the database migration runs"
    one = memory(text)
    elsewhere = memory(text, project="prj_elsewhere")
    store.append([admit(one), admit(elsewhere)])
    found = store.reading().near_duplicates(token_of(one), simhash(text + " again"))
    assert [each.memory.id for each in found] == [one.id]


def test_the_nearest_text_is_found_among_many_newer_strangers(store: Store) -> None:
    text = "The deployment of the payment service needs the feature flag before the database migration runs"
    one = memory(text, created_at=START)
    strangers = [
        memory(" ".join(f"word{number * 31 + place * 7}" for place in range(12)), created_at=at(number + 1))
        for number in range(300)
    ]
    store.append([admit(one), *map(admit, strangers)])
    found = store.reading().near_duplicates(token_of(one), simhash(text + " too"))
    assert one.id in [each.memory.id for each in found]


def test_texts_with_more_bands_in_common_are_compared_before_newer_ones(store: Store) -> None:
    one = memory("an older text", created_at=START)
    same = 0x1234_5678_9ABC_DEF0
    strangers = [memory(f"stranger {number}", created_at=at(number + 1)) for number in range(150)]
    # The lowest band differs, or all the others do.
    hashes = [same ^ 1, *[same ^ (1 << 11 | 1 << 22 | 1 << 33 | 1 << 44 | 1 << 55)] * len(strangers)]
    store.append(
        [
            on(each, ChangeKind.ADMIT, memory=encode_memory(each, sparse=True), simhash=value)
            for each, value in zip([one, *strangers], hashes, strict=True)
        ]
    )
    found = store.reading().near_duplicates(token_of(one), same, limit=1)
    assert [each.memory.id for each in found] == [one.id]


def test_only_memories_whose_text_fits_are_returned(store: Store) -> None:
    texts = [f"granite number {number}" for number in range(4)]
    store.append([admit(memory(text)) for text in texts])
    asked: list[str] = []

    def fits(text: str) -> bool:
        asked.append(text)
        return text == texts[2]

    token = token_of(memory("any"))
    found = store.reading().recent_with_words(token, ["granite"], each=10, fits=fits)
    assert [stored.memory.content for stored in found] == [texts[2]]
    assert sorted(asked) == texts
    asked.clear()
    near = store.reading().near_duplicates(token, simhash(texts[0]), fits=fits)
    assert [stored.memory.content for stored in near] in ([], [texts[2]])
    assert texts[0] in asked


def test_what_is_out_of_sight_is_like_nothing(store: Store) -> None:
    one = memory("The deployment needs the feature flag before the migration")
    store.append([admit(one), on(one, ChangeKind.FORGET)])
    assert store.reading().near_duplicates(token_of(one), simhash(one.content)) == ()


def test_the_newest_of_a_kind_is_the_last_live_one_of_its_scope(store: Store) -> None:
    first = memory("one", kind=Kind.EMOTIONAL, created_at=at(1))
    second = memory("two", kind=Kind.EMOTIONAL, created_at=at(2))
    store.append(
        [
            admit(second),
            admit(first),
            admit(memory("three", kind=Kind.LEARNINGS, created_at=at(3))),
            admit(memory("four", kind=Kind.EMOTIONAL, created_at=at(4), region=Region.AGENT)),
            admit(memory("five", kind=Kind.EMOTIONAL, created_at=at(5), agent="other")),
        ]
    )
    token = token_of(first)
    assert store.reading().newest(token, Kind.EMOTIONAL) == second.id
    assert store.reading().newest(token, Kind.ARCHITECTURAL) is None
    store.append([on(second, ChangeKind.FORGET)])
    assert store.reading().newest(token, Kind.EMOTIONAL) == first.id


def test_of_twins_the_later_is_named_and_hidden_until_the_earlier_is_gone(store: Store) -> None:
    one, other = memory("same", created_at=at(1)), memory("same", created_at=at(2))
    foreign = memory("same", created_at=at(3), project="prj_elsewhere")
    store.append([admit(other), admit(foreign)])
    assert store.reading().twins() == ()
    store.append([admit(one)])
    assert [stored.memory.id for stored in store.reading().twins()] == [other.id]
    assert [stored.memory.id for stored in store.reading().browse(QUERY).items] == [one.id]
    store.append([on(one, ChangeKind.FORGET)])
    assert store.reading().twins() == ()
    assert [stored.memory.id for stored in store.reading().browse(QUERY).items] == [other.id]


def test_a_twin_that_lasts_longer_is_not_hidden_by_one_that_expires(store: Store) -> None:
    fading, lasting = memory("same", created_at=at(1), expires_at=at(9)), memory("same", created_at=at(2))
    store.append([admit(fading), admit(lasting)])
    assert store.reading().twins() == ()
    assert [stored.memory.id for stored in store.reading().browse(QUERY).items] == [lasting.id]
