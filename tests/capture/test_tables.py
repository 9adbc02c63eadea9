"""The tables of capture are looked up by the names of their rows."""

from __future__ import annotations

from limpet.capture.tables import load_table, word_list
from limpet.text.tables import read_table


def test_the_rows_of_a_table_have_different_names() -> None:
    rows = read_table("capture/speech/words.table")
    assert tuple(load_table("speech/words").values()) == rows


def test_a_word_list_holds_the_words_of_one_row() -> None:
    assert {"might", "pourrait"} <= word_list("report_signals", "weighs what might be")
