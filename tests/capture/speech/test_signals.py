"""The signals of a message, and the examples of their tables."""

from __future__ import annotations

import pytest

from limpet.capture.score import BIAS, PROMPTS, REPORTS
from limpet.capture.speech.prompts import read_prompt
from limpet.capture.speech.signals import report_signals
from limpet.capture.speech.statements import parse_statements
from limpet.capture.tables import load_table

SIGNALS = [(table, name) for table in (PROMPTS, REPORTS) for name in load_table(table) if name != BIAS]


def signals_of(table: str, text: str) -> dict[str, float]:
    return report_signals(parse_statements(text)) if table == REPORTS else read_prompt(text).signals


@pytest.mark.parametrize("table", [PROMPTS, REPORTS])
def test_every_signal_has_a_weight_and_every_weight_a_signal(table: str) -> None:
    assert load_table(table).keys() - {BIAS} == signals_of(table, "One thing is in `a.py`.").keys()


@pytest.mark.parametrize(("table", "name"), SIGNALS)
def test_a_signal_is_found_in_its_examples_and_not_in_its_counterexamples(table: str, name: str) -> None:
    row = load_table(table)[name]
    assert row.applies_to and row.ignores
    for example in row.applies_to:
        assert 0 < signals_of(table, example)[name] <= 1, example
    for example in row.ignores:
        assert signals_of(table, example)[name] == 0, example
