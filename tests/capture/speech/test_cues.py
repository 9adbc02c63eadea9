"""The examples of the cue table, and that every cue can be found."""

from __future__ import annotations

from collections import Counter

import pytest

from limpet.capture.meaning import Meaning
from limpet.capture.speech.statements import find_cues, find_unspaced_cues, list_cues, parse_statements, to_words
from limpet.capture.tables import load_table
from limpet.text.tables import Row

ROWS = load_table("speech/cues")
UNSPACED = ("zh", "ja", "ko")


def meanings_of(text: str) -> set[Meaning]:
    return {meaning for each in parse_statements(text) for meaning in each.meanings}


def has_cue_of(row: Row, text: str) -> bool:
    _, language, cues = list_cues(row)
    if language in UNSPACED:
        return any(cue in text for cue in cues)
    line = to_words(text)
    return any(f" {cue} " in line or (cue.endswith("*") and f" {cue[:-1]}" in line) for cue in cues)


@pytest.mark.parametrize("name", ROWS)
def test_a_cue_is_found_in_its_examples_and_not_in_its_counterexamples(name: str) -> None:
    row = ROWS[name]
    meaning, _, _ = list_cues(row)
    assert row.applies_to and row.ignores
    for example in row.applies_to:
        assert has_cue_of(row, example), example
        assert meaning in meanings_of(example), example
    for example in row.ignores:
        assert meaning not in meanings_of(example), example


@pytest.mark.parametrize("name", ROWS)
def test_every_cue_is_found_where_it_is_written_and_not_inside_another_word(name: str) -> None:
    meaning, language, cues = list_cues(ROWS[name])
    for cue in cues:
        if language in UNSPACED:
            assert (meaning, cue) in find_unspaced_cues(f"某{cue}某")
            continue
        needle = f" {cue[:-1]}" if cue.endswith("*") else f" {cue} "
        assert (meaning, needle) in find_cues(to_words(cue.rstrip("*"))), cue
        assert (meaning, needle) not in find_cues(to_words(f"x{cue.rstrip('*')}x")), cue


def test_no_cue_is_listed_twice_for_one_meaning() -> None:
    listed = [(meaning, cue) for meaning, _, cues in map(list_cues, ROWS.values()) for cue in cues]
    assert [pair for pair, count in Counter(listed).items() if count > 1] == []


def test_the_meanings_stand_in_their_order() -> None:
    order = [list_cues(row)[0] for row in ROWS.values()]
    assert order == sorted(order, key=list(Meaning).index)
