"""The sentences of a text, and what each says."""

from __future__ import annotations

import pytest

from limpet.capture.meaning import Meaning
from limpet.capture.speech.statements import is_machine_line, parse_statements, to_words


def test_code_logs_and_listings_are_no_sentences() -> None:
    text = "The cache is cold.\n```\nwe always use = 1\n```\n2026-03-01 10:00:01 ERROR worker died\nRestart it."
    assert [each.text for each in parse_statements(text)] == ["The cache is cold.", "Restart it."]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Floats, dates etc. are text. It is slow.", ["Floats, dates etc. are text.", "It is slow."]),
        ("use uv here. never pip", ["use uv here.", "never pip"]),
        ("keep node.js at v20... we need it", ["keep node.js at v20... we need it"]),
        ("update 1) the page 2) the text :)", ["update 1) the page 2) the text :)"]),
        ("Scopes (\napi, auth, web).\nDone with it.", ["Scopes (", "Done with it."]),
        ("Progress: [████████░░░] 121 plans complete\nIt went well.", ["It went well."]),
    ],
)
def test_a_sentence_ends_where_its_writer_ended_it(text: str, sentences: list[str]) -> None:
    assert [each.text for each in parse_statements(text)] == sentences


def test_the_items_of_a_list_share_the_verb_of_its_heading() -> None:
    heading, *items = parse_statements("I added:\n- a search box\n- sorting by date")
    assert heading.first_done is Meaning.FEATURE
    assert [(each.item, each.first_done) for each in items] == [(True, Meaning.FEATURE)] * 2


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("I fixed the login.", True),
        ("I could not get it fixed.", False),
        ("The wheel is built for glibc.", False),
        ("I have built the wheel.", True),
    ],
)
def test_work_that_is_denied_or_only_described_is_not_reported(text: str, is_reported: bool) -> None:
    (only,) = parse_statements(text)
    assert (only.first_done is not None) is is_reported


def test_names_and_amounts_are_counted_once_each() -> None:
    (only,) = parse_statements("`parse` in src/a.py takes 250 ms, and `parse` is slow.")
    assert only.amounts == 1
    assert only.concrete == 3


def test_an_amount_that_went_from_one_value_to_another_is_a_measurement() -> None:
    (only,) = parse_statements("The import shrank from 12 s to 3 s.")
    assert Meaning.MEASUREMENT in only.meanings


def test_words_are_in_lower_case_with_hasty_contractions_spelt_out() -> None:
    assert to_words("Dont touch ‘a.py’, PLS!") == " don't touch a.py , please ! "


@pytest.mark.parametrize("line", ["src/a.py:12: error", "$ make", "import os", "drwxr-xr-x 2 dev", "KeyError: 'x'"])
def test_output_and_code_are_not_speech(line: str) -> None:
    assert is_machine_line(line)
    assert not is_machine_line("the build is red")
