"""Which statements replace an older one, and which only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text import replacement
from limpet.text.replacement import find_search_words, replaces
from tests.text import contradiction_pairs
from tests.text import replacement_pairs as pairs
from tests.text.test_assertions import list_texts
from tests.text.test_contradiction import ANY_TEXT, TELLING


@pytest.mark.parametrize(("newer", "older"), [*pairs.REPLACING_TUNED, *pairs.REPLACING_MENDED])
def test_a_replacement_that_says_so_is_found(newer: str, older: str) -> None:
    assert replaces(newer, older) is not None


@pytest.mark.parametrize(("newer", "older"), [*pairs.COEXISTING_TUNED, *pairs.COEXISTING_MENDED])
def test_what_can_stand_beside_the_older_one_replaces_nothing(newer: str, older: str) -> None:
    assert replaces(newer, older) is None


def test_pairs_that_were_kept_back_are_told_apart() -> None:
    assert sum(replaces(*pair) is not None for pair in pairs.REPLACING_KEPT_BACK) >= 19
    assert [pair for pair in pairs.COEXISTING_KEPT_BACK if replaces(*pair)] == []


def test_notes_that_can_both_be_true_replace_nothing() -> None:
    compatible = (
        *contradiction_pairs.COMPATIBLE_TUNED,
        *contradiction_pairs.COMPATIBLE_CHECKED,
        *contradiction_pairs.COMPATIBLE_UNSEEN,
    )
    alarms = [pair for pair in compatible if replaces(*pair)]
    assert len(alarms) <= len(compatible) // 50, alarms


def test_the_way_of_a_replacement_is_named() -> None:
    assert replaces("Use 10 retries instead of 5.", "We use 5 retries.") == "says what it replaces"
    assert replaces("We no longer use Lerna.", "We use Lerna.") == "says that it is over"
    assert replaces("the 0.80 was leakage", "The AUC is 0.8 on the test set.") == "says that it was wrong"
    assert replaces("The page size is 50.", "The page size is 25.") == "a later value"


def test_what_is_replaced_is_found_without_its_words() -> None:
    assert "npm" in find_search_words("We moved to pnpm.")
    assert find_search_words("the 0.80 was leakage") == ["0.80"]
    assert find_search_words("We use pnpm.") == []


@given(st.one_of(ANY_TEXT, TELLING), st.one_of(ANY_TEXT, TELLING))
def test_any_two_texts_get_an_answer(newer: str, older: str) -> None:
    assert replaces(newer, older) in (
        None,
        "says what it replaces",
        "says that it is over",
        "says that it was wrong",
        "a later value",
    )


@given(st.one_of(ANY_TEXT, TELLING))
def test_a_hostile_text_has_few_search_words(text: str) -> None:
    assert len(find_search_words(text)) <= 200


def test_a_text_that_is_not_read_would_not_have_been_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = list_texts()[::8] + [text for pair in pairs.REPLACING_TUNED for text in pair]
    found = [(new, old, replaces(new, old)) for new in texts for old in texts]
    monkeypatch.setattr(replacement, "get_item_prefix", lambda item: "")
    replacement._find_replacing.cache_clear()
    assert found == [(new, old, replaces(new, old)) for new in texts for old in texts]
    assert any(how == replacement.LATER_VALUE for _, _, how in found)
    replacement._find_replacing.cache_clear()
