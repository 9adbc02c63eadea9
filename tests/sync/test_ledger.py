"""What other machines write down about themselves is shown, and never trusted."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from limpet.sync.ledger import MachineLedger, decode_ledger, encode_ledger

DEVICE = "d0123456789ab"
WHOLE = MachineLedger(
    device=DEVICE, label="laptop", at=datetime(2026, 3, 1, tzinfo=UTC), has={f"{DEVICE}/000001": 7, "x/1": 2}
)


def test_a_ledger_comes_back_as_it_was() -> None:
    assert decode_ledger(DEVICE, encode_ledger(WHOLE)) == WHOLE
    assert (WHOLE.count(), WHOLE.count(DEVICE)) == (9, 7)


def test_a_ledger_says_nothing_about_another_device() -> None:
    assert decode_ledger("dffffffffffff", encode_ledger(WHOLE)).device == "dffffffffffff"


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"[]", b'{"label": 7, "at": 9, "has": []}', b"[" * 100_000, b'{"at": "2026-03-01"}']
)
def test_an_odd_ledger_is_an_empty_one(data: bytes) -> None:
    assert decode_ledger(DEVICE, data) == MachineLedger(device=DEVICE)


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_time_that_no_time_zone_can_show_is_left_out(at: str) -> None:
    assert decode_ledger(DEVICE, json.dumps({"at": at}).encode()).at is None


def test_odd_counts_are_left_out_and_a_long_name_is_cut() -> None:
    data = b'{"label": "%s", "has": {"a": 1, "b": -1, "c": true, "d": "2", "e": 1e3}}' % (b"x" * 900)
    found = decode_ledger(DEVICE, data)
    assert found.has == {"a": 1} and len(found.label) == 60
