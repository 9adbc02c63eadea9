"""What an impact is worth, which origin is trusted least, and where a line of corrections begins."""

from __future__ import annotations

from datetime import timedelta

import pytest

from limpet.lean.record import replace
from limpet.model.memory import Impact, Kind, Origin, Phase, Scale
from tests.model.making import START, correction, memory


def test_impacts_are_worth_what_the_specification_says() -> None:
    assert [impact.importance for impact in Impact] == [0.3, 0.5, 0.7, 0.9]
    assert [impact.rank for impact in Impact] == [0, 1, 2, 3]


def test_origins_have_the_ceilings_of_the_specification() -> None:
    assert {origin.value: origin.ceiling for origin in Origin} == {
        "user": 1.0,
        "agent": 0.8,
        "tool": 0.6,
        "file": 0.4,
        "import": 0.4,
        "external": 0.2,
    }


def test_what_is_derived_has_the_lowest_origin_of_its_sources() -> None:
    assert Origin.lowest((Origin.USER, Origin.TOOL, Origin.AGENT)) is Origin.TOOL
    assert Origin.lowest((Origin.IMPORT, Origin.FILE)) is Origin.lowest((Origin.FILE, Origin.IMPORT))


def test_the_enumerations_are_those_of_the_specification() -> None:
    assert list(Kind) == ["EMOTIONAL", "ARCHITECTURAL", "LEARNINGS", "ACHIEVEMENTS"]
    assert [int(phase) for phase in Phase] == [0, 1, 2, 3]


def test_a_line_of_corrections_has_one_root() -> None:
    first = memory("one")
    second = correction(first, "two")
    third = correction(second, "three")
    assert [each.root for each in (first, second, third)] == [first.id] * 3
    assert third.lineage == (second.id, first.id)
    assert [each.made_of for each in (first, second, third)] == [(), (), ()]


def test_the_correction_of_a_summary_stays_in_the_summary_s_own_line() -> None:
    members = [memory(f"member {number}") for number in range(3)]
    summary = memory("all three", lineage=tuple(member.id for member in members))
    better = correction(summary, "all three, better")
    assert summary.root == summary.id
    assert better.root == summary.id
    assert summary.made_of == better.made_of == tuple(member.id for member in members)


@pytest.mark.parametrize("version", [-3, 0, 1, 99])
def test_a_version_that_does_not_fit_the_lineage_breaks_nothing(version: int) -> None:
    strange = memory(version=version, corrects="mem_x", lineage=("mem_x", "mem_y"))
    assert strange.root in (strange.id, "mem_x", "mem_y")
    assert set(strange.made_of) <= {"mem_x", "mem_y"}


def test_a_memory_expires_at_its_moment_and_not_before() -> None:
    fading = memory(expires_at=START)
    assert fading.is_expired(START)
    assert not fading.is_expired(START - timedelta(milliseconds=1))
    assert not memory().is_expired(START)


@pytest.mark.parametrize(
    ("seconds", "scale"),
    [
        (-10, Scale.IMMEDIATE),
        (0, Scale.IMMEDIATE),
        (299, Scale.IMMEDIATE),
        (300, Scale.TASK),
        (1799, Scale.TASK),
        (1800, Scale.SESSION),
        (7199, Scale.SESSION),
        (7200, Scale.PROJECT),
        (10**9, Scale.PROJECT),
    ],
)
def test_the_scale_follows_from_the_age(seconds: float, scale: Scale) -> None:
    assert Scale.at(timedelta(seconds=seconds)) is scale


@pytest.mark.parametrize("origin", Origin)
def test_a_confirmed_memory_counts_as_the_users_whoever_said_it(origin: Origin) -> None:
    said = memory(origin=origin)
    assert said.effective_origin is origin
    assert replace(said, confirmed=True).effective_origin is Origin.USER
