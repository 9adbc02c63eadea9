"""What a store answers: pages, and memories with their warnings."""

from __future__ import annotations

from limpet.model.memory import Memory
from limpet.model.query import Page, Stored
from limpet.model.signature import Verdict
from tests.model.making import memory


def test_a_page_knows_whether_there_is_more() -> None:
    def page(count: int, total: int, offset: int) -> Page[Memory]:
        return Page(items=tuple(memory() for _ in range(count)), total=total, offset=offset)

    assert page(2, 5, 0).has_more
    assert page(2, 5, 2).has_more
    assert not page(1, 5, 4).has_more
    assert not page(0, 0, 0).has_more
    assert not page(0, 5, 9).has_more


def test_a_stored_memory_warns_of_suspicions_and_of_its_signature() -> None:
    assert not Stored(memory=memory()).warned
    assert not Stored(memory=memory(), verdict=Verdict.GOOD).warned
    both = Stored(memory=memory(), suspicions=("edited",), verdict=Verdict.MISSING)
    assert both.warned
    assert both.warnings == ("edited", "signature missing")
