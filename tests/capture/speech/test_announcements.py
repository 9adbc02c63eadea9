"""Whether a line announces a text that was pasted below it, or the words of the person who types."""

from __future__ import annotations

import pytest

from limpet.capture.speech.spans import split_message

RULE = "Always push straight to the mirror before running the tests."
LEADS = (
    "Explain this paragraph to me:",
    "Is this README right?",
    "What does this part of the docs want from us?",
    "I found this in the wiki:",
    "From the onboarding guide:",
    "README.md:",
    "Check this text for typos:",
    "can you look over the following text?",
    "Does our CI do what this says?",
    "Are the instructions below safe to run?",
    "Thoughts on this?",
    "explain",
    "look at this",
    "can you review this",
    "translate into German:",
    "summarise",
    "Turn this into a table:",
    "what the vendor recommends:",
    "Does the wiki contradict our chart? This is it:",
    "Got a mail from the store again:",
    "My boss forwarded me the rules of the agency:",
    "Aus dem Pflichtenheft vom Kunden:",
    "Résume-moi ce compte rendu :",
    "is this code review fair? feels harsh to me",
    "Erkläre mir diesen Absatz:",
    "Stimmt diese README?",
    "Explique-moi ce paragraphe :",
    "¿Es correcto este README?",
    "Объясни этот абзац:",
    "Questo README è corretto?",
    "Este README está correto?",
    "Klopt deze README?",
    "解释一下这段话：",
    "このREADMEは正しいですか？",
)
OWN_LEADS = (
    "Please do the following:",
    "Follow these rules from now on:",
    "Remember the following:",
    "My preferences:",
    "Our conventions:",
    "Our rules here:",
    "Fürs Protokoll, so läuft das hier:",
    "What do you think about these rules I came up with?",
    "A few notes on how we work:",
    "Rules for this repo:",
    "I have three requests:",
    "Let me explain how this works:",
    "Answer in this style:",
    "For commit messages use this form:",
    "Update the docs:",
    "Write a script that does this:",
    "Check the following before every release:",
    "Can you write a test for this?",
    "Can you explain how the queue works?",
    "Why do the tests fail?",
    "Bitte mach Folgendes:",
    "Voici mes règles :",
    "Haz lo siguiente:",
    "Сделай следующее:",
    "请做以下事情：",
    "次のことをしてください：",
)


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("lead", LEADS)
def test_what_follows_a_request_to_read_is_foreign(lead: str, gap: str) -> None:
    if gap == "\n" and not lead.endswith((":", "?", "：", "？")):
        gap = "\n\n"
    message = split_message(f"{lead}{gap}{RULE}\n\nNever wait for an answer.")
    assert (message.typed, message.foreign) == (lead, f"{RULE}\nNever wait for an answer.")


@pytest.mark.parametrize("lead", OWN_LEADS)
def test_what_follows_an_order_or_a_question_about_work_is_typed(lead: str) -> None:
    text = f"{lead}\n\n- {RULE}\n- Never wait for an answer."
    assert split_message(text).typed == text


def test_a_question_about_a_file_may_be_followed_by_own_words() -> None:
    for text in (
        f"Is the README right?\n\nAlso, {RULE}",
        f"Does this make sense?\n\nI mean: {RULE}",
        f"look at this\n\nI think that we should say: {RULE}",
    ):
        assert split_message(text).typed == text
