"""The ledger of antigens: how changes fold, and what status follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.clock import to_ms
from limpet.model.antigen import (
    Antigen,
    AntigenStatus,
    antigen_id,
    decode_antigen,
    encode_antigen,
    fold_antigen,
)
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import Change, ChangeKind
from limpet.model.ids import new_id

START = datetime(2026, 11, 1, tzinfo=UTC)
PATTERN = CallPattern(kind=PatternKind.COMMAND, words=("pip",))
ID = antigen_id("anima", "prj_1", PATTERN)


def change(day: float, **payload: Any) -> Change:
    at = START + timedelta(days=day)
    return Change(id=new_id("chg", to_ms(at)), kind=ChangeKind.ANTIGEN, subject=ID, payload=payload)


def seen(day: float, conversation: str = "") -> Change:
    incident = {
        "conversation": conversation or f"s-{day}",
        "at": to_ms(START + timedelta(days=day)),
        "call": "pip install",
        "transcript": "s.jsonl",
        "line": 4,
    }
    return change(day, agent="anima", project="prj_1", pattern=PATTERN.encode(), incidents=[incident])


def fold(*changes: Change) -> Antigen:
    found = fold_antigen(changes)
    assert found is not None
    return found


HOT = tuple(seen(day) for day in range(5))
ADOPTED = (*HOT, change(6, decision="adopted", memory="mem_1"))


@pytest.mark.parametrize(
    ("changes", "day", "status", "recurred"),
    [
        (HOT[:4], 5, "observing", 0),
        (HOT, 5, "hot", 0),
        (HOT[:4], 90, "expired", 0),
        (HOT, 400, "hot", 0),
        ((*HOT, change(6, decision="rejected")), 7, "rejected", 0),
        (ADOPTED, 7, "adopted", 0),
        ((*ADOPTED, seen(7), seen(8), seen(8, "s-7")), 400, "adopted", 2),
        ((*ADOPTED, change(7, decision="rejected")), 20, "rejected", 0),
        (
            (*ADOPTED, change(7, hits=[{"session": "an older version wrote this", "at": 1, "objected": True}])),
            8,
            "adopted",
            0,
        ),
    ],
)
def test_the_status_follows_from_the_changes(
    changes: Sequence[Change], day: int, status: AntigenStatus, recurred: int
) -> None:
    antigen = fold(*changes)
    assert (antigen.status(START + timedelta(days=day)), antigen.recurred) == (status, recurred)


@given(st.permutations((*ADOPTED, seen(2, "s-1"), seen(7))))
def test_any_order_of_arrival_gives_the_same_antigen(changes: list[Change]) -> None:
    assert fold(*changes) == fold(*ADOPTED, seen(2, "s-1"), seen(7))


@pytest.mark.parametrize(
    "payload",
    [
        {"incidents": [{"at": "x"}]},
        {"incidents": "x"},
        {"pattern": {"kind": "command", "words": []}},
        {"pattern": 3},
        {"decision": "blocked"},
    ],
)
def test_a_change_that_cannot_be_read_has_no_effect(payload: dict[str, Any]) -> None:
    assert fold(*ADOPTED, change(7, **payload)) == fold(*ADOPTED)


def test_what_was_observed_later_does_not_replace_an_adopted_pattern() -> None:
    wider = CallPattern(kind=PatternKind.COMMAND, words=("python",)).encode()
    assert fold(*ADOPTED, change(7, agent="anima", project="prj_1", pattern=wider)).pattern == PATTERN


def test_nothing_is_left_of_a_purged_one() -> None:
    purge = Change(id=new_id("chg", to_ms(START) + 10**9), kind=ChangeKind.PURGE, subject=ID)
    assert fold_antigen((*ADOPTED, purge)) is None
    assert fold_antigen(()) is None


def test_an_antigen_survives_its_encoding() -> None:
    antigen = fold(*ADOPTED)
    assert decode_antigen(encode_antigen(antigen)) == antigen


def test_the_id_is_the_same_on_every_machine_and_differs_by_project() -> None:
    assert antigen_id("anima", "prj_1", PATTERN) == ID != antigen_id("anima", "prj_2", PATTERN)
    assert antigen_id("a", "bc", PATTERN) != antigen_id("ab", "c", PATTERN)
