"""The options an agent offers, and the one the user chooses."""

from __future__ import annotations

import pytest

from limpet.capture.judge import judge
from limpet.capture.speech.choices import choice_candidate, find_options
from limpet.capture.state import SegmentState, decode_segment_state, encode_segment_state
from limpet.model.memory import Origin, Type
from tests.capture.marked import make_event

ASKED = """For files that all apps use there are a few ways:

1. **Shared package**: each app imports it
2. **Service of its own** (`apps/files`): the others call it over HTTP
3. tRPC

Which one do you want?"""
OPTIONS = (
    ("1", "Shared package: each app imports it"),
    ("2", "Service of its own (apps/files): the others call it over HTTP"),
    ("3", "tRPC"),
)


def test_the_options_of_a_message_that_asks_are_known_by_their_numbers() -> None:
    assert find_options(ASKED) == OPTIONS
    assert find_options("Options:\n\nA) keep it\nB) drop it\n\nA or B?") == (("A", "keep it"), ("B", "drop it"))


@pytest.mark.parametrize(
    "said",
    [
        "1. Which columns do you want?\n2. As HTML or as PDF?\n\nCould you tell me?",
        "1. One thing\n\nShall I?",
        "",
    ],
    ids=["questions", "only one", "nothing"],
)
def test_what_is_no_choice_offers_none(said: str) -> None:
    assert find_options(said) == ()


@pytest.mark.parametrize("answer", ["2", "2.", "option 2", "let's go with 2 please", "ok, 2", "2 but only for files"])
def test_an_answer_is_kept_in_the_words_of_the_option(answer: str) -> None:
    found = choice_candidate(answer, OPTIONS)
    assert found is not None
    assert (found.type, found.origin) == (Type.DECISION, Origin.TOOL)
    assert found.text.startswith("Chosen: Service of its own (apps/files)")
    assert "Shared package" in found.subtitle


@pytest.mark.parametrize(
    "answer",
    [
        "yes",
        "2 workers hang",
        "12",
        "1.1.5",
        "1 and 2 done",
        "a few things first",
        "1. yes 2. no",
        "9",
        "",
        "1 is wrong",
        "2, no wait, 3",
        "1, 2",
        "2: what would that cost?",
        "2, never",
        "C:\\x is empty",
        "e.g. this",
    ],
)
def test_what_names_no_option_chooses_none(answer: str) -> None:
    assert choice_candidate(answer, OPTIONS) is None


def test_a_list_beside_no_question_offers_nothing() -> None:
    state = judge(
        SegmentState(), make_event({"said": ASKED.replace("Which one do you want?", "I took the second.")})
    ).state
    assert judge(state, make_event({"prompt": "2"}, minute=2)).kept == ()


def test_a_list_that_was_cut_offers_nothing_and_the_last_whole_one_counts() -> None:
    assert find_options("1. Drop the table\n2. Make it anew\n\n…\n2. Migrate by hand\n3. Wait\n\nWhich one?") == ()
    two = "Done:\n1. Removed the cache\n2. Deleted tests\n\nWhich language?\n1. Go\n2. Rust\n\nWhich one?"
    assert find_options(two) == (("1", "Go"), ("2", "Rust"))


def test_a_damaged_state_offers_nothing() -> None:
    assert (
        choice_candidate("1", decode_segment_state({"turn": {"options": [["1"], ["2", ["y"]]]}}).turn.options) is None
    )


def test_a_choice_is_kept_and_none_where_the_options_may_be_somebody_elses() -> None:
    said, answer = make_event({"said": ASKED}), make_event({"prompt": "2, please"}, minute=2)
    state = decode_segment_state(encode_segment_state(judge(SegmentState(), said).state))
    (kept,) = judge(state, answer).kept
    assert kept.draft.title == "Chosen: Service of its own (apps/files): the others call it over HTTP"
    read = judge(SegmentState(), make_event({"fetch": "https://example.org/ways", "out": ASKED})).state
    assert judge(judge(read, said).state, answer).kept == ()


def test_a_choice_is_kept_once_however_it_is_worded() -> None:
    state = judge(SegmentState(), make_event({"said": ASKED})).state
    answer = "2 seems right, we always want one `files.py` for every app because copies drift"
    kept = judge(state, make_event({"prompt": answer}, minute=2)).kept
    assert [each.draft.text.startswith("Chosen: Service of its own") for each in kept] == [True]
