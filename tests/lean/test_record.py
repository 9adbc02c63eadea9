"""Records behave as the frozen dataclasses that type checkers take them for."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import pytest

from limpet.lean.record import LATER, field, fields, mutable, pick, record, replace


@record
class Stone:
    """A thing on the shore."""

    name: str
    weight: float = 1.0
    marks: tuple[str, ...] = ()
    found: list[str] = field(default_factory=list)
    hidden: str = field(default="", repr=False, compare=False)

    @property
    def is_heavy(self) -> bool:
        return self.weight > 10


@mutable
class Pile:
    count: int = 0
    stones: list[Stone] = field(default_factory=list)


def test_what_is_not_given_has_its_default() -> None:
    stone = Stone(name="granite")
    assert (stone.weight, stone.marks, stone.found, stone.is_heavy) == (1.0, (), [], False)
    assert Stone(name="a").found is not Stone(name="a").found


def test_a_field_without_a_default_must_be_given_and_no_other_can_be() -> None:
    with pytest.raises(TypeError, match="needs 'name'"):
        Stone(weight=2.0)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="has no 'colour'"):
        Stone(name="granite", colour="grey")  # type: ignore[call-arg]


def test_a_record_cannot_be_changed_and_has_no_other_attributes() -> None:
    stone = Stone(name="granite")
    with pytest.raises(AttributeError, match="cannot be changed"):
        stone.name = "basalt"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="cannot be changed"):
        del stone.name
    assert not hasattr(stone, "__dict__")


@record
class Wave:
    height: float
    length: float = LATER
    asked: list[str] = field(default_factory=list, compare=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            self.asked.append(name)
            type(self).length.__set__(self, 7 * self.height)
            return self.length


def test_a_field_that_comes_later_is_computed_once_when_it_is_asked_for() -> None:
    wave = Wave(height=2.0)
    assert wave.asked == []
    assert (wave.length, wave.length, wave.asked) == (14.0, 14.0, ["length"])
    assert Wave(height=2.0, length=3.0).length == 3.0
    assert Wave(height=2.0) == wave == pickle.loads(pickle.dumps(Wave(height=2.0)))
    assert replace(Wave(height=2.0), height=3.0).length == 14.0


def test_replace_makes_a_copy() -> None:
    stone = Stone(name="granite", weight=3.0, hidden="x")
    other = replace(stone, name="basalt")
    assert (other.name, other.weight, other.hidden, stone.name) == ("basalt", 3.0, "x", "granite")
    with pytest.raises(TypeError, match="Stone has no 'colour'"):
        replace(stone, colour="grey")


def test_records_are_equal_when_what_they_compare_is() -> None:
    assert Stone(name="a", hidden="1") == Stone(name="a", hidden="2")
    assert Stone(name="a") != Stone(name="b")
    other: object = Pile()
    assert Stone(name="a") != other
    assert hash(replace(Stone(name="a"), found=())) == hash(replace(Stone(name="a"), found=()))


def test_a_record_shows_its_fields() -> None:
    assert repr(Stone(name="a")) == "Stone(name='a', weight=1.0, marks=(), found=[])"
    assert [each.name for each in fields(Stone)] == ["name", "weight", "marks", "found", "hidden"]
    assert Stone.__doc__ == "A thing on the shore."


def test_a_mutable_record_can_be_set_and_is_no_key() -> None:
    pile = Pile()
    pile.count += 1
    assert pile == Pile(count=1)
    with pytest.raises(TypeError):
        hash(pile)


def test_records_can_be_copied_and_sent_to_another_process() -> None:
    stone = Stone(name="granite", found=["here"])
    assert pickle.loads(pickle.dumps(stone)) == stone
    assert copy.deepcopy(stone) == stone


def test_a_record_that_is_made_by_its_metaclass_is_the_same() -> None:
    body: dict[str, Any] = {
        "__annotations__": {"name": "str", "weight": "float", "found": "list[str]"},
        "__qualname__": "Shore.Pebble",
        "__module__": __name__,
        "weight": 1.0,
        "found": field(default_factory=list),
    }
    make: Any = record
    pebble = make("Pebble", (), body)
    assert repr(pebble(name="a")) == "Shore.Pebble(name='a', weight=1.0, found=[])"
    assert [each.type for each in fields(pebble)] == ["str", "float", "list[str]"]
    assert pebble(name="a") == pebble(name="a") != pebble(name="b")
    with pytest.raises(AttributeError, match="cannot be changed"):
        pebble(name="a").name = "b"


def test_a_class_that_extends_a_record_has_its_fields() -> None:
    class Boulder(Stone):
        def describe(self) -> str:
            return f"{self.name}, {self.weight}"

    assert Boulder(name="a").describe() == "a, 1.0"
    assert Boulder(name="a") == Boulder(name="a")
    assert [each.name for each in fields(Boulder)] == [each.name for each in fields(Stone)]


def test_picked_values_keep_the_names_and_the_order_of_a_record() -> None:
    @record
    class Span:
        start: int
        end: int

        @property
        def length(self) -> int:
            return self.end - self.start

    assert list(pick(Span(end=5, start=2)).items()) == [("start", 2), ("end", 5)]
    assert pick(Span(start=2, end=5), "end", "length") == {"end": 5, "length": 3}
