"""Objections in any form: what the model finds beside the rules, and what it leaves alone."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text.objections import GRAMS, find_any_reaction, load_signals, measure_message, score_objection
from limpet.text.reactions import ReactionKind, find_reaction
from limpet.text.tables import Row, read_weights, table_path

SIGNALS = [row for row in load_signals().values() if row.contents]


@pytest.mark.parametrize("row", SIGNALS, ids=[row.name for row in SIGNALS])
def test_a_signal_applies_to_its_example_and_not_to_its_counterexample(row: Row) -> None:
    assert row.applies_to and row.ignores
    for texts, value in ((row.applies_to, 1.0), (row.ignores, 0.0)):
        assert {measure_message(text, is_answer=False)[0][row.name] for text in texts} == {value}


@pytest.mark.parametrize(
    "text",
    [
        "I still don't see the new button anywhere, nothing has changed",
        "why did you put it there again, I didn't ask for that",
        "the import still does not work, I get the same error",
        "还是不行，你怎么又改错了",
        "ça ne marche toujours pas",
        "did you even run the tests",
        "who told you to delete that?",
        "leave my config alone",
    ],
)
def test_an_objection_in_a_form_that_no_rule_knows_is_found(text: str) -> None:
    assert find_reaction(text) is None
    found = find_any_reaction(text)
    assert found is not None
    assert (found.kind, found.points) == (ReactionKind.COMPLAINT, False)
    assert text.startswith(found.words[:20])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "ok",
        "yes please, go ahead with option 2",
        "Great, it works now. Next, add a dark theme to the settings page.",
        "What does the retry setting do?",
        "Add a page that shows all errors of the last day.",
        "继续",
        "the user must not see an error when the upload fails",
        "the app must not crash if the file is missing",
        "shit, my mistake, I gave you the wrong path",
        "did you already run the tests?",
    ],
)
def test_a_request_a_question_or_praise_is_no_objection(text: str) -> None:
    assert find_any_reaction(text) is None


def test_what_a_rule_finds_keeps_its_kind() -> None:
    assert find_any_reaction("no, revert that") == find_reaction("no, revert that")


def test_an_answer_weighs_less_than_the_same_words_unasked() -> None:
    assert score_objection("not that one", is_answer=True) < score_objection("not that one")


def test_only_the_beginning_of_a_message_counts() -> None:
    text = "Add a page for the harbour. " + "It lists the ships and their berths. " * 8
    assert score_objection(text) == score_objection(text + "Why is it still broken?")


def test_the_table_is_small_and_says_how_well_it_does_on_strangers() -> None:
    assert os.path.getsize(table_path(GRAMS)) < 40 * 1024
    for figures in read_weights(GRAMS)[0]["figures"].values():
        assert figures["rules and model"]["precision"] >= 0.85
        assert figures["rules and model"]["recall"] > 2 * figures["rules"]["recall"]


@given(st.text(max_size=2000))
def test_any_text_has_points(text: str) -> None:
    assert isinstance(score_objection(text), float)
