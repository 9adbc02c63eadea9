"""What is compiled for the bundle does what the source does, without what only type checkers read."""

from __future__ import annotations
import __future__

from types import CodeType
from typing import Any

from limpet.lean.record import fields
from limpet.wiring.hook_code import compile_for_hooks

SOURCE = '''
"""A module."""
from __future__ import annotations

from limpet.lean.record import Protocol, field, mutable, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nowhere import Nothing
else:
    Nothing = 7

COUNT: int = 3
LATER: int


class Reading(Protocol):
    """What can be read."""

    def read(self, name: str) -> Nothing: ...

    def read_all(self) -> Nothing:
        """Return everything."""

    def count(self) -> int:
        return COUNT


@record
class Stone:
    """A thing on the shore."""

    name: str
    marks: list[str] = field(default_factory=list)

    def describe(self, *more: str, **others: Nothing) -> str:
        """Describe it."""
        said: str = self.name
        assert not more, "never checked"
        return said + str(__class__.__name__)


@mutable
class Pile:
    count: int = 0
'''


def load(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "shore"}
    exec(compile_for_hooks(text, "shore.py"), space)
    return space


def test_records_are_the_same() -> None:
    space = load(SOURCE)
    stone = space["Stone"](name="granite")
    assert repr(stone) == "Stone(name='granite', marks=[])"
    assert [(each.name, each.type) for each in fields(stone)] == [("name", "str"), ("marks", "list[str]")]
    pile = space["Pile"]()
    pile.count += 1
    assert pile == space["Pile"](count=1)


def test_a_record_is_made_once() -> None:
    """The cell that methods use for their own class is that of the finished class."""
    stone = load(SOURCE)["Stone"]
    assert stone(name="granite").describe("more") == "graniteStone"
    assert stone.describe.__closure__[0].cell_contents is stone


def test_what_is_for_type_checkers_is_left_out() -> None:
    space = load(SOURCE)
    assert (space["COUNT"], space["Nothing"]) == (3, 7)
    assert not space["Stone"].describe.__annotations__
    assert "LATER" not in space
    names = _names(compile_for_hooks(SOURCE, "shore.py"))
    assert not {"nowhere", "LATER", "read", "read_all"} & names
    assert {"count", "describe"} <= names


def test_a_block_that_loses_all_its_statements_is_still_one() -> None:
    """A function that imports only types, and a protocol that only declares, would have no body."""
    space = load(
        "from limpet.lean.record import Protocol\n"
        "TYPE_CHECKING = False\n"
        "def read():\n    if TYPE_CHECKING:\n        from nowhere import Nothing\n"
        "class Reading(Protocol):\n    def read(self) -> int: ...\n"
    )
    assert space["read"]() is None and not hasattr(space["Reading"], "read")


def test_a_module_that_asks_for_no_future_feature_gets_none() -> None:
    """The module that compiles has one, which `compile` would pass on."""
    flag = __future__.annotations.compiler_flag
    assert not compile_for_hooks("x = 1", "shore.py").co_flags & flag
    assert compile_for_hooks("from __future__ import annotations", "shore.py").co_flags & flag


def _names(code: CodeType) -> set[str]:
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def test_the_place_of_an_error_is_kept() -> None:
    text = "def f(a: int,\n      b: int = 2) -> int:\n    return (\n        1 // a\n    )\n"
    try:
        load(text)["f"](0)
    except ZeroDivisionError as error:
        last = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        assert last is not None and (last.tb_frame.f_code.co_filename, last.tb_lineno) == ("shore.py", 4)
    else:
        raise AssertionError
