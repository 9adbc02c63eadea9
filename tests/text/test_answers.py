"""The sentence that answers a question is found, and another text says it only with its values."""

from __future__ import annotations

import pytest

from limpet.text.answers import find_answer, keep_answers, says

TEXT = "The export runs at night.\n\n- The timeout of the payment service is 30 seconds.\n- Logs are kept for a week."
ANSWER = "The timeout of the payment service is 30 seconds."


def test_the_sentence_with_most_words_of_the_question_is_the_answer() -> None:
    assert find_answer(TEXT, "what is the payment timeout?") == ANSWER
    assert find_answer("Nothing of it", "what is the payment timeout?") == "Nothing of it"
    assert find_answer("", "anything") == ""


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        (TEXT, True),
        ("- 2026-01-01: The  timeout of the payment service\n  is 30 seconds. And more.", True),
        ("The timeout of our payment service is 30 seconds", True),
        ("The timeout of the payment service is 60 seconds.", False),
        ("The timeout of the payment service is not 30 seconds.", False),
        ("The timeout of the order service is 60 seconds. The retry of the payment service is 30.", False),
        ("", False),
    ],
)
def test_a_text_says_it_only_with_its_values_in_one_sentence(text: str, is_said: bool) -> None:
    assert says(text, ANSWER) is is_said


def test_a_shorter_text_keeps_what_answered() -> None:
    assert keep_answers("The export runs at night.", [ANSWER]) == f"The export runs at night.\n{ANSWER}"
    assert keep_answers(TEXT, [ANSWER]) == TEXT
