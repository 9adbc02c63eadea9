"""A question is recognised by its end, in several scripts and inside markup."""

from __future__ import annotations

import pytest

from limpet.text.questions import ends_with_question, is_question, only_asks


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
    assert ends_with_question("Which one?\n1. Redis\n2. SQLite in a file")
    assert not ends_with_question("Which one? " + "It is done. " * 5)
    assert not ends_with_question("")


def test_a_text_only_asks_if_each_of_its_sentences_is_a_question() -> None:
    assert only_asks("Which port does the API use? And why?")
    assert only_asks("Which port?\n\nWhich host?\n")
    assert not only_asks("Which port does the API use? It is 9090.")
    assert not only_asks("We moved to pnpm. Does CI know?")
    assert not only_asks("How do we deploy?\nmake deploy")
    assert not only_asks("")
