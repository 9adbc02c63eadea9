"""The one encoding of receipts, and of the tallies that add them up."""

from __future__ import annotations

import pytest

from limpet.model.ids import ms_of, stamp
from limpet.model.receipt import Receipt, Use, decode_uses, encode_tally, is_tally
from tests.model.making import START_MS

ID = stamp(START_MS)


@pytest.mark.parametrize("counts", [True, False])
def test_a_receipt_survives_its_encoding(counts: bool) -> None:
    receipt = Receipt(
        id=ID,
        way="prompt",
        ids=("mem_a", "mem_b"),
        session="s1",
        tokens=12,
        parts={"mem_a": {"words": 0.5}},
        notes={"mem_b": "stale"},
        left_out=3,
        held_back=("mem_c",),
        outcomes={"mem_a": "used"},
        counts=counts,
    )
    assert Receipt.decode(ID, receipt.encode()) == receipt


def test_an_access_is_written_in_few_words() -> None:
    assert Receipt(id="", way="recall", ids=("mem_a",), counts=True).encode() == {"ids": ["mem_a"], "way": "recall"}


def test_only_what_was_asked_for_or_used_is_an_access() -> None:
    shown = Receipt(id=ID, way="start", ids=("mem_a",), session="s1")
    recalled = Receipt(id=ID, way="recall", ids=("mem_a",), counts=True)
    outcome = Receipt(id=ID, way="outcome", session="s1", outcomes={"mem_a": "used", "mem_b": "ignored"})
    assert decode_uses(ID, shown.encode()) == {}, "being told unasked counts as nothing"
    assert decode_uses(ID, recalled.encode()) == {"mem_a": Use(count=1, last=ms_of(ID), session=None, named="")}
    assert decode_uses(ID, outcome.encode()) == {"mem_a": Use(count=1, last=ms_of(ID), session="s1", named=ID)}


def test_a_tally_survives_its_encoding() -> None:
    uses = {"mem_a": Use(count=4, last=START_MS, session="s1", named=ID)}
    payload = encode_tally(uses)
    assert is_tally(payload)
    assert decode_uses(ID, payload) == uses


@pytest.mark.parametrize(
    "body", [None, [], {"mem_a": 1}, {"mem_a": [-1, 0, None, ""]}, {"mem_a": [1, 1e300, None, ""]}]
)
def test_what_does_not_fit_in_a_tally_is_skipped(body: object) -> None:
    assert decode_uses(ID, {"way": "tally", "tally": body}) == {}
