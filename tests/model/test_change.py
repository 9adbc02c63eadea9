"""A change is one record of the journal."""

from __future__ import annotations

from tests.model.making import START, admit, in_sequence, memory


def test_a_change_knows_its_moment() -> None:
    (one,) = in_sequence([admit(memory())])
    assert one.at == START
