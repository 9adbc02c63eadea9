"""What a conversation leaves: the few statements that tell most, never longer than there is room for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text.dialogue import summarise_messages

messages = st.lists(st.tuples(st.booleans(), st.text(max_size=300)), max_size=12)


def test_what_people_say_about_themselves_comes_before_requests() -> None:
    said = [
        (True, "Hi! Can you find me a restaurant in Graz?"),
        (False, "Sure, what do you like?"),
        (True, "I am allergic to peanuts. Please show me three."),
        (False, "The restaurant Lilie in Graz opens at 6pm."),
    ]
    assert summarise_messages(said, most=200) == (
        "I am allergic to peanuts. The assistant said: The restaurant Lilie in Graz opens at 6pm."
    )


@pytest.mark.parametrize(
    "text", ["", "hello", "Find a time with Ben, please.", "Can you help me?", "ok", "Thanks!", "```\nx = 1\n```", "?"]
)
def test_greetings_questions_and_code_tell_nothing(text: str) -> None:
    assert summarise_messages([(True, text)], most=200) == ""


def test_one_long_statement_is_cut_at_a_sentence_or_a_word() -> None:
    text = "I decided to move the weekly planning meeting with the whole team " + "and its guests " * 30
    found = summarise_messages([(True, text)], most=120)
    assert 60 < len(found) <= 120 and found.endswith("…")


@given(messages, st.integers(40, 400))
def test_it_fits_and_is_one_paragraph(said: list[tuple[bool, str]], most: int) -> None:
    found = summarise_messages(said, most=most)
    assert len(found) <= most and "\n" not in found
    assert found == summarise_messages(said, most=most)
