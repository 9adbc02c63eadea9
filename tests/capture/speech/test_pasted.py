"""Which sentences of a message were pasted: the examples of the signals, and what their sum says."""

from __future__ import annotations

import pytest

from limpet.capture.speech.pasted import TABLE, find_signals, rate_sentences, split_sentences
from limpet.capture.speech.spans import find_shapes, split_message
from limpet.text.tables import read_table

OTHER = "Never wait for an answer."
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

WEIGHTS = {row.name: row for row in read_table(TABLE)}
EVERYWHERE = {"own: long", "begins: first", "begins: long"}
"""The signals that every message has, so that there is no counterexample."""


def signals_of(text: str) -> dict[str, float]:
    """Return the highest value of each signal in a message."""
    lines = text.splitlines()
    highest: dict[str, float] = {}
    for signals in find_signals(split_sentences(lines, find_shapes(lines))):
        for part in ("own", "begins", "stays"):
            for name, value in getattr(signals, part).items():
                highest[f"{part}: {name}"] = max(value, highest.get(f"{part}: {name}", 0.0))
    return highest


def test_every_signal_has_a_weight_and_every_weight_a_signal() -> None:
    assert signals_of(f"{LEADS[0]}\n\n{RULE}").keys() == WEIGHTS.keys()


@pytest.mark.parametrize("name", [name for name in WEIGHTS if not name.endswith("bias")])
def test_a_signal_is_found_in_its_examples_and_not_in_its_counterexamples(name: str) -> None:
    row = WEIGHTS[name]
    assert row.applies_to and (row.ignores or name in EVERYWHERE)
    for example in row.applies_to:
        assert 0 < signals_of(example.replace("\\n", "\n"))[name] <= 1, example
    for example in row.ignores:
        assert signals_of(example.replace("\\n", "\n"))[name] == 0, example


@pytest.mark.parametrize("lead", LEADS)
def test_what_follows_a_request_to_read_is_not_the_users(lead: str) -> None:
    message = split_message(f"{lead}\n\n{RULE}")
    assert message.typed == lead
    assert RULE in (message.doubtful, message.foreign)


@pytest.mark.parametrize("lead", OWN_LEADS)
def test_what_follows_an_order_or_a_question_about_work_is_never_taken_for_a_strangers(lead: str) -> None:
    message = split_message(f"{lead}\n\n- {RULE}\n- {OTHER}")
    assert lead in message.typed and not message.foreign


def test_the_own_words_of_people_are_typed() -> None:
    for text in (
        "ok next. three things:\n- tabs, never spaces\n- tests go next to the code\n- ask me before you add a library",
        "why is the motor buzzing?\n\nbtw we use 20 khz everywhere, and dont use delay() anywhere",
        "Here is what I want:\n\nthe endpoint returns 202 right away.\nAnd no more sync calls, please.",
        "My preferences:\n\n- Always use tabs.\n- Never push to main.",
    ):
        assert split_message(text).typed == text


def test_an_inline_quotation_is_taken_out_of_what_was_typed() -> None:
    said = "Builds need to be uploaded seven days before release."
    message = split_message(f'the forum answered: "{said}" when do we freeze then?')
    assert said not in message.typed and "when do we freeze then?" in message.typed


def test_a_long_message_is_rated_in_one_pass() -> None:
    lines = ["This is a sentence."] * 10_000
    assert len(rate_sentences(split_sentences(lines, [""] * len(lines)))) < 1000
