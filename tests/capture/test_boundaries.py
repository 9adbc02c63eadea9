"""C4: where the work shifts to another subject."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from limpet.capture.boundaries import Window, detect_shift, rank_keywords
from limpet.capture.judge import judge
from limpet.capture.state import SegmentState
from limpet.capture.tables import load_table
from limpet.text.similarity import overlap
from tests.capture.marked import make_event

AUTH = "the login session token expires early, the token refresh in the session middleware is broken"
CSS = "sidebar padding collapses on mobile, the flex layout of the header overlaps navigation icons"


def test_the_first_text_is_never_a_boundary() -> None:
    window, shift = detect_shift(Window(), AUTH)
    assert not shift
    assert len(window.texts) == 1


def test_another_subject_is_a_boundary_and_starts_a_new_window() -> None:
    window, _ = detect_shift(Window(), AUTH)
    window, shift = detect_shift(window, CSS)
    assert shift.startswith("from ")
    assert "token" in shift
    assert len(window.texts) == 1
    assert not detect_shift(window, CSS)[1]


def test_the_same_subject_in_other_words_is_none() -> None:
    window, _ = detect_shift(Window(), AUTH)
    assert not detect_shift(window, "session token middleware refresh: the login expires too early")[1]


def test_a_text_under_thirty_characters_says_nothing() -> None:
    window, _ = detect_shift(Window(), AUTH)
    assert detect_shift(window, "paint the header pink") == (window, "")


def test_the_window_holds_five_texts() -> None:
    window = Window()
    for _ in range(9):
        window, _ = detect_shift(window, AUTH)
    assert len(window.texts) == 5


def test_just_under_a_quarter_in_common_is_a_shift_and_a_quarter_is_none() -> None:
    one = " ".join(f"word{n}" for n in "abcdefghijkl")
    shares = " ".join(f"word{n}" for n in "abcd") + " " + " ".join(f"other{n}" for n in "abcdefgh")
    more = " ".join(f"word{n}" for n in "abcde") + " " + " ".join(f"other{n}" for n in "abcdefg")
    assert overlap(set(rank_keywords(one)), set(rank_keywords(shares))) == 4 / 20
    window, _ = detect_shift(Window(), one)
    assert detect_shift(window, shares)[1]
    assert not detect_shift(window, more)[1]


def test_twelve_keywords_are_the_most_frequent() -> None:
    text = "alpha alpha alpha beta beta " + " ".join(f"rare{n}" for n in "abcdefghijklmnop")
    assert len(rank_keywords(text)) == 12
    assert rank_keywords(text)[:2] == ("alpha", "beta")


def test_a_path_counts_by_its_parts() -> None:
    assert set(rank_keywords("src/auth/token_store.py")) >= {"auth", "token", "store"}


def test_a_boundary_is_reported_with_its_time() -> None:
    first = judge(SegmentState(), make_event({"prompt": AUTH}))
    second = judge(first.state, make_event({"prompt": CSS}, minute=7))
    assert first.boundary is None
    assert second.boundary is not None
    assert second.boundary.at.minute == 7
    assert second.boundary.session == "s1"


def test_a_terse_answer_belongs_to_what_it_answers() -> None:
    state = judge(SegmentState(), make_event({"prompt": AUTH})).state
    for short in (
        {"run": "docker ps -a --no-trunc --size", "out": "CONTAINER"},
        {"said": CSS},
        {"prompt": "go ahead then, please"},
    ):
        judged = judge(state, make_event(short))
        assert judged.boundary is None
        state = judged.state


def test_a_rich_answer_about_something_else_is_a_boundary() -> None:
    state = judge(SegmentState(), make_event({"prompt": AUTH})).state
    rich = {
        "run": "terraform plan",
        "out": "bucket policy lambda role subnet gateway route listener cluster volume zone",
    }
    assert judge(state, make_event(rich)).boundary is not None


@given(st.lists(st.text(max_size=200), max_size=12))
def test_any_texts_keep_the_window_small(texts: list[str]) -> None:
    window = Window()
    for text in texts:
        window, _ = detect_shift(window, text)
    assert len(window.texts) <= 5


def test_common_words_are_no_keywords() -> None:
    row = load_table("boundaries")["common words"]
    assert all(rank_keywords(text) == () for text in row.applies_to)
    assert all(rank_keywords(text) != () for text in row.ignores)
