"""A text that two processes stored at once is kept once."""

from __future__ import annotations

from tests.operations.sandbox import MODEL
from tests.store.homes import copy_journal
from tests.upkeep.sandbox import UpkeepSandbox
from tests.upkeep.similar_texts import OTHERS


def test_twins_are_retired_in_one_place(sandbox: UpkeepSandbox) -> None:
    laptop = sandbox.folder / "laptop"
    first = sandbox.remember("Two machines were told the very same")
    sandbox.fill(OTHERS)
    second = sandbox.remember("Two machines were told the very same", home=laptop)
    copy_journal(laptop, sandbox.home)
    assert sandbox.upkeep().done == {"deduplication": 1}
    assert sandbox.get(second).memory.superseded_by == first.id
    assert sandbox.upkeep().done == {}


def test_the_most_trusted_twin_stays(sandbox: UpkeepSandbox) -> None:
    laptop = sandbox.folder / "laptop"
    first = sandbox.remember("Two machines were told the very same", as_=MODEL)
    sandbox.fill(OTHERS)
    second = sandbox.remember("Two machines were told the very same", home=laptop)
    copy_journal(laptop, sandbox.home)
    assert sandbox.upkeep().done == {"deduplication": 1}
    assert sandbox.get(first).memory.superseded_by == second.id
