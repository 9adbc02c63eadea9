"""A language model may word what stays; what it gets wrong costs nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from limpet.llm.extractive import Extractive
from limpet.model.memory import Phase, Type
from limpet.upkeep.condense import condense_text
from tests.upkeep.house import House, long
from tests.upkeep.test_compression import ALIKE, OTHERS


class Scripted(Extractive):
    """Answers everything with one text."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    def summarise(self, text: str, phase: Phase) -> str:
        return self.answer

    def merge(self, texts: Sequence[tuple[str, str]]) -> str:
        return self.answer


def test_its_words_are_taken(house: House) -> None:
    one = house.remember(long(1), impact="LOW")
    house.work(2)
    house.upkeep(roles=Scripted("Port 1 is taken: stop the worker."))
    assert house.get(one).memory.content == "Port 1 is taken: stop the worker."
    assert house.ask("restore", id=one.id).stored.memory.content == one.content


@pytest.mark.parametrize("answer", ["", " \n", long(1) * 2])
def test_a_bad_answer_falls_back_to_what_needs_no_model(house: House, answer: str) -> None:
    one = house.remember(long(1), impact="LOW")
    house.work(2)
    house.upkeep(roles=Scripted(answer))
    assert house.get(one).memory.content == condense_text(one.content, Phase.ABSTRACT)


def test_it_may_not_reword_a_summary_that_somebody_wrote(house: House) -> None:
    one = house.remember(f"## Summary\n\nStop the worker.\n\n## Content\n\n{long(1)}", impact="MEDIUM")
    house.work(7)
    house.upkeep(roles=Scripted("Something else."))
    assert "Stop the worker." in house.get(one).memory.content


def test_merging_with_an_empty_answer_keeps_every_essence(house: House) -> None:
    house.fill(OTHERS)
    house.fill(ALIKE)
    house.rest(8)
    house.upkeep(roles=Scripted(""))
    (made,) = [each for each in house.ask("list", limit=100).items if each.memory.type is Type.COMPRESSED_SUMMARY]
    assert all(part in made.memory.content for part in ("in Ulm", "mail to ops", "needs the tunnel"))
