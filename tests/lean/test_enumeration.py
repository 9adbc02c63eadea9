"""Enums behave as those of the standard library, which type checkers take them for."""

from __future__ import annotations

import copy
import enum
import json
import pickle
from typing import Any

import pytest

from limpet.lean.enumeration import IntEnum, StrEnum


class Tide(StrEnum):
    height: int

    LOW = "low", 1
    HIGH = "high", 4

    def __new__(cls, value: str, height: int = 0) -> Tide:
        made = str.__new__(cls, value)
        made._value_, made.height = value, height
        return made

    @property
    def is_high(self) -> bool:
        return self is Tide.HIGH

    @staticmethod
    def first() -> Tide:
        return Tide.LOW


class Shell(StrEnum):
    WHELK = "whelk"
    LIMPET = "limpet"


class Depth(IntEnum):
    SHORE = 0
    SHELF = 1


class RealShell(enum.StrEnum):
    WHELK = "whelk"
    LIMPET = "limpet"


class RealDepth(enum.IntEnum):
    SHORE = 0
    SHELF = 1


PAIRS = [(Shell, RealShell, Shell.LIMPET, RealShell.LIMPET), (Depth, RealDepth, Depth.SHELF, RealDepth.SHELF)]


@pytest.mark.parametrize(("kind", "real", "member", "expected"), PAIRS)
def test_a_member_is_what_it_is_in_the_standard_library(kind: Any, real: Any, member: Any, expected: Any) -> None:
    assert (member.name, member.value) == (expected.name, expected.value)
    assert type(member.value) is type(expected.value)
    assert (str(member), f"{member}", json.dumps(member)) == (str(expected), f"{expected}", json.dumps(expected))
    assert repr(member) == repr(expected).replace("Real", "")
    assert member == expected and hash(member) == hash(expected)
    assert [each.value for each in kind] == [each.value for each in real]
    assert [each.value for each in reversed(kind)] == [each.value for each in reversed(real)]
    assert list(kind.__members__) == list(real.__members__)
    assert len(kind) == len(real)
    assert kind(expected.value) is kind(member) is kind[expected.name] is member
    assert isinstance(member, kind)


def test_a_member_can_have_attributes_and_methods() -> None:
    assert (Tide.HIGH.value, Tide.HIGH.height, Tide.HIGH.is_high, Tide.first()) == ("high", 4, True, Tide.LOW)
    assert list(Tide) == [Tide.LOW, Tide.HIGH]


@pytest.mark.parametrize("value", ["cockle", None, 3, ["whelk"]])
def test_a_value_of_no_member_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="is not a valid Shell"):
        Shell(value)


def test_a_member_stays_the_same_one_when_it_is_copied_or_sent() -> None:
    assert pickle.loads(pickle.dumps(Tide.HIGH)) is Tide.HIGH
    assert copy.copy(Depth.SHELF) is copy.deepcopy(Depth.SHELF) is Depth.SHELF


def test_two_members_cannot_have_one_value() -> None:
    with pytest.raises(TypeError, match="the value of another member: 'a'"):
        make: Any = type(Shell)
        make("Twice", (StrEnum,), {"FIRST": "a", "SECOND": "a"})
