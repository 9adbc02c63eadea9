"""The ledger of antigens: how changes fold, and what status and voice follow from them."""

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
    Voice,
    antigen_id,
    decode_antigen,
    encode_antigen,
    fold_antigen,
)
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import Change, ChangeKind
from limpet.model.ids import new_id
from limpet.settings import InsightSettings

START = datetime(2026, 11, 1, tzinfo=UTC)
LIMITS = InsightSettings()
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


def hit(day: float, *, objected: bool, session: str = "") -> Change:
    at = to_ms(START + timedelta(days=day))
    return change(day, hits=[{"session": session or f"h-{day}", "at": at, "objected": objected}])


def fold(*changes: Change) -> Antigen:
    found = fold_antigen(changes)
    assert found is not None
    return found


HOT = tuple(seen(day) for day in range(5))
ADOPTED = (*HOT, change(6, decision="adopted", memory="mem_1"))


@pytest.mark.parametrize(
    ("changes", "day", "status", "voice"),
    [
        (HOT[:4], 5, "observing", "silent"),
        (HOT, 5, "hot", "silent"),
        (HOT[:4], 90, "expired", "silent"),
        (HOT, 400, "hot", "silent"),
        ((*HOT, change(6, decision="rejected")), 7, "rejected", "silent"),
        (ADOPTED, 7, "hot", "shadow"),
        (ADOPTED, 9, "hot", "warn"),
        ((*ADOPTED, hit(6.5, objected=True)), 7, "hot", "warn"),
        ((*ADOPTED, hit(7, objected=False)), 20, "hot", "shadow"),
        ((*ADOPTED, hit(7, objected=False), hit(8, objected=False)), 20, "hot", "withdrawn"),
        ((*ADOPTED, hit(7, objected=False, session="a"), hit(8, objected=False, session="a")), 20, "hot", "shadow"),
        ((*ADOPTED, seen(10), seen(11), hit(12, objected=True)), 20, "escalated", "silent"),
        ((*ADOPTED, change(7, decision="rejected")), 20, "rejected", "silent"),
    ],
)
def test_status_and_voice_follow_from_the_changes(
    changes: Sequence[Change], day: int, status: AntigenStatus, voice: Voice
) -> None:
    antigen, now = fold(*changes), START + timedelta(days=day)
    assert (antigen.status(now, LIMITS), antigen.voice(now, LIMITS)) == (status, voice)


@given(st.permutations((*ADOPTED, seen(2, "s-1"), hit(7, objected=True), hit(8, objected=False))))
def test_any_order_of_arrival_gives_the_same_antigen(changes: list[Change]) -> None:
    assert fold(*changes) == fold(*ADOPTED, seen(2, "s-1"), hit(7, objected=True), hit(8, objected=False))


@pytest.mark.parametrize(
    "payload",
    [
        {"incidents": [{"at": "x"}]},
        {"incidents": "x"},
        {"pattern": {"kind": "command", "words": []}},
        {"pattern": 3},
        {"decision": "blocked"},
        {"hits": [{}]},
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
    antigen = fold(*ADOPTED, hit(7, objected=True))
    assert decode_antigen(encode_antigen(antigen)) == antigen


def test_the_id_is_the_same_on_every_machine_and_differs_by_project() -> None:
    assert antigen_id("anima", "prj_1", PATTERN) == ID != antigen_id("anima", "prj_2", PATTERN)
    assert antigen_id("a", "bc", PATTERN) != antigen_id("ab", "c", PATTERN)
