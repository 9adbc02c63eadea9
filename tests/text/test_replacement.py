"""Which statements contradict or replace an older one, and which only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text.replacement import contradicts, find_search_words, replaces
from limpet.text.words import word_set
from tests.text import contradiction_pairs, replacement_pairs, value_pairs

Pairs = list[tuple[str, str]]
ANY_TEXT = st.text(st.characters(), max_size=200)
# Words the rules look at, in any order: the texts most likely to break them.
TELLING = st.lists(
    st.sampled_from(
        sorted(
            word_set(
                "We use not never Redis from to 3.1.2 5 s days instead of over prefer , . ? ; but was replaced by "
                "removed used to `x.py` unused without is default: 10:30 % v1 $5 issue 7 switched"
            )
        )
    ),
    max_size=14,
).map(" ".join)


def found(labelled: Pairs) -> int:
    return sum(contradicts(newer, older) is not None for newer, older in labelled)


@pytest.mark.parametrize(
    ("contradicting", "compatible", "precision", "recall"),
    [
        (contradiction_pairs.CONTRADICTING_TUNED, contradiction_pairs.COMPATIBLE_TUNED, 0.97, 0.95),
        (contradiction_pairs.CONTRADICTING_CHECKED, contradiction_pairs.COMPATIBLE_CHECKED, 0.97, 0.92),
        (contradiction_pairs.CONTRADICTING_UNSEEN, contradiction_pairs.COMPATIBLE_UNSEEN, 0.95, 0.85),
    ],
    ids=["tuned", "checked", "unseen"],
)
def test_labelled_pairs_are_told_apart(
    contradicting: Pairs, compatible: Pairs, precision: float, recall: float
) -> None:
    right, wrong = found(contradicting), found(compatible)
    assert right / len(contradicting) >= recall
    assert right / (right + wrong) >= precision


def test_no_pair_is_labelled_both_ways() -> None:
    yes = {
        *contradiction_pairs.CONTRADICTING_TUNED,
        *contradiction_pairs.CONTRADICTING_CHECKED,
        *contradiction_pairs.CONTRADICTING_UNSEEN,
    }
    no = {
        *contradiction_pairs.COMPATIBLE_TUNED,
        *contradiction_pairs.COMPATIBLE_CHECKED,
        *contradiction_pairs.COMPATIBLE_UNSEEN,
    }
    assert not yes & no
    assert len(yes) >= 60
    assert len(no) >= 60


def test_unrelated_statements_hardly_ever_contradict() -> None:
    statements = sorted({side for pair in contradiction_pairs.COMPATIBLE_UNSEEN for side in pair if side})
    alarms = sum(contradicts(a, b) is not None for a in statements for b in statements)
    assert alarms <= 6  # the labelled alarm and its mirror image, and their like


def test_the_reason_shows_both_values() -> None:
    reason = contradicts("The default port is 9090.", "The default port is 8080.")
    assert reason == "another value for default port: 8080 → 9090"


def test_the_reason_shows_what_is_negated() -> None:
    assert contradicts("We do not use Redis any more.", "We use Redis.") == "negated: Redis"


def test_the_same_quantity_in_other_units_is_no_contradiction() -> None:
    assert contradicts("The timeout is 90 s.", "The timeout is 1.5 minutes.") is None
    assert contradicts("The timeout is 90 s.", "The timeout is 90000 ms.") is None


def test_a_question_a_guess_and_a_condition_contradict_nothing() -> None:
    for newer in ("Do we not use Redis?", "Perhaps we do not use Redis.", "If Redis is down, we do not use Redis."):
        assert contradicts(newer, "We use Redis.") is None


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert contradicts("Filler words here. " * 60_000 + "We do not use Redis.", "We use Redis.") is None


@given(st.one_of(ANY_TEXT, TELLING), st.one_of(ANY_TEXT, TELLING))
def test_any_two_texts_get_an_answer(newer: str, older: str) -> None:
    reason = contradicts(newer, older)
    assert reason is None or (0 < len(reason) <= 220 and "\n" not in reason)


@given(st.one_of(ANY_TEXT, TELLING).filter(lambda text: "\n" not in text and "." not in text and ";" not in text))
def test_a_single_statement_never_contradicts_itself(text: str) -> None:
    assert text.count(",") > 0 or " but" in text or contradicts(text, text) is None


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        *replacement_pairs.REPLACING_TUNED,
        *replacement_pairs.REPLACING_MENDED,
        *replacement_pairs.REPLACING_FREE_WORDS,
    ],
)
def test_a_replacement_that_says_so_is_found(newer: str, older: str) -> None:
    assert replaces(newer, older) is not None


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        *replacement_pairs.COEXISTING_TUNED,
        *replacement_pairs.COEXISTING_MENDED,
        *replacement_pairs.COEXISTING_FREE_WORDS,
    ],
)
def test_what_can_stand_beside_the_older_one_replaces_nothing(newer: str, older: str) -> None:
    assert replaces(newer, older) is None


def test_another_value_of_the_same_subject_replaces_the_older_one() -> None:
    assert [pair for pair in value_pairs.REPLACING if replaces(*pair) is None] == []


def test_a_value_of_something_else_replaces_nothing() -> None:
    assert [pair for pair in value_pairs.COEXISTING if replaces(*pair) is not None] == []
    alarms = [pair for pair in value_pairs.COEXISTING if contradicts(*pair) is not None]
    assert len(alarms) <= len(value_pairs.COEXISTING) // 50, alarms


def test_pairs_that_were_kept_back_are_told_apart() -> None:
    assert sum(replaces(*pair) is not None for pair in replacement_pairs.REPLACING_KEPT_BACK) >= 19
    assert [pair for pair in replacement_pairs.COEXISTING_KEPT_BACK if replaces(*pair)] == []


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
    assert find_search_words("Anselm retired, Yusuf signs off schema changes") == ["anselm"]


@given(st.one_of(ANY_TEXT, TELLING), st.one_of(ANY_TEXT, TELLING))
def test_any_two_texts_replace_each_other_or_not(newer: str, older: str) -> None:
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


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("we always use pnpm here, never npm", "Use uv here, never pip"),
        ("Tests run with jest", "Tests run with pytest"),
        ("We lint with eslint", "We lint with ruff"),
    ],
)
def test_tools_of_two_languages_stand_side_by_side(newer: str, older: str) -> None:
    assert contradicts(newer, older) is None
    assert replaces(newer, older) is None


def test_what_is_one_thing_is_written_with_one_tool_and_a_language_has_one_package_manager() -> None:
    assert contradicts("The gateway is Rails", "The gateway is Django")
    assert contradicts("We use poetry here", "Use uv here, never pip")
