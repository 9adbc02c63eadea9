"""A question is recognised by its end, in several scripts and inside markup."""

from __future__ import annotations

import pytest

from limpet.text.questions import ends_with_question, is_question


@pytest.mark.parametrize(
    "sentence",
    [
        "Which one?",
        "**Shall I?**",
        "`what is x?`",
        "(is it so?)",
        "这样可以吗",
        "できますか。",
        "なぜ遅いのか",
        "行吗？",
    ],
)
def test_a_question_is_recognised_by_its_end(sentence: str) -> None:
    assert is_question(sentence)


@pytest.mark.parametrize("sentence", ["", "It is done.", "Ask why? Then go.", "很慢", "どれか"])
def test_a_statement_is_no_question(sentence: str) -> None:
    assert not is_question(sentence)


def test_a_message_ends_with_a_question_if_one_of_its_last_sentences_asks() -> None:
    assert ends_with_question("Two ways. Which one do you want? I can start today.")
    assert ends_with_question("Which one do you want?\n\n- the red one\n- the blue one\n")
    assert not ends_with_question("Which one? " + "It is done. " * 5)
    assert not ends_with_question("")
