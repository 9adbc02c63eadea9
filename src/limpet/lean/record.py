"""Frozen, slotted, keyword-only records that cost next to nothing to define.

`dataclasses` compiles six functions for each class and loads `inspect` to do so, which took more than half of the time
that a hook may take. A record has the same fields, defaults, equality and repr, made of a few functions that all
records share; a type checker sees a frozen dataclass. `Generic` and `Protocol` stand in for those of `typing`.
"""

from __future__ import annotations

__all__ = ["MISSING", "Field", "Generic", "Protocol", "field", "fields", "mutable", "record", "replace"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Generic, Protocol, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    class Generic:
        """A stand-in for `typing.Generic` that only type checkers understand."""

        def __class_getitem__(cls, item):
            return cls

    Protocol = object


class Missing:
    """The type of `MISSING`, which marks a field without a default."""


MISSING = Missing()


class Field:
    """One field of a record; `metadata` is for the module that declares it."""

    __slots__ = ("compare", "default", "default_factory", "metadata", "name", "repr", "type")

    def __init__(
        self,
        default: Any = MISSING,
        default_factory: Callable[[], Any] | None = None,
        repr: bool = True,
        compare: bool = True,
        metadata: Mapping[str, Any] = {},
    ) -> None:
        self.name = ""
        self.type = ""
        self.default = default
        self.default_factory = default_factory
        self.repr = repr
        self.compare = compare
        self.metadata = metadata


def field(
    *,
    default: Any = MISSING,
    default_factory: Callable[[], Any] | None = None,
    repr: bool = True,
    compare: bool = True,
    metadata: Mapping[str, Any] = {},
) -> Any:
    """Declare a field that needs more than an annotation and a default."""
    return Field(default, default_factory, repr, compare, metadata)


def fields(kind: Any) -> tuple[Field, ...]:
    """Return the fields of a record or of its class, in the order of their declaration."""
    found: tuple[Field, ...] = kind.__fields__
    return found


if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
    def record(kind: type[T]) -> type[T]: ...

    @dataclass_transform(kw_only_default=True, field_specifiers=(field,))
    def mutable(kind: type[T]) -> type[T]: ...

else:

    def record(kind):
        """Make a class a record: its annotations are the fields."""
        return _build(kind, {"__setattr__": _refuse, "__delattr__": _refuse})

    def mutable(kind):
        """Make a class a record whose fields can be set again; it is not hashable."""
        return _build(kind, {"__hash__": None})


def replace(original: T, /, **changed: Any) -> T:
    """Return a copy with some fields changed."""
    for each in fields(original):
        if each.name not in changed:
            changed[each.name] = getattr(original, each.name)
    return type(original)(**changed)


def _build(kind: Any, methods: Mapping[str, Any]) -> Any:
    space = dict(kind.__dict__)
    found = []
    for name, type_ in space.get("__annotations__", {}).items():
        given = space.pop(name, MISSING)
        each = given if isinstance(given, Field) else Field(given)
        each.name, each.type = name, type_
        found.append(each)
    for name in ("__dict__", "__weakref__"):
        space.pop(name, None)
    space |= {"__slots__": tuple(each.name for each in found), "__fields__": tuple(found), **_SHARED, **methods}
    made = type(kind)(kind.__name__, kind.__bases__, space)
    made.__qualname__ = kind.__qualname__
    # The constructor sets slots through their descriptors, which a frozen record does not refuse.
    made.__plan__ = tuple(
        (each.name, made.__dict__[each.name].__set__, each.default, each.default_factory) for each in found
    )
    return made


def _init(self: Any, **given: Any) -> None:
    for name, put, default, factory in self.__plan__:
        if name in given:
            put(self, given.pop(name))
        elif default is not MISSING:
            put(self, default)
        elif factory is not None:
            put(self, factory())
        else:
            raise TypeError(f"{type(self).__name__} needs {name!r}")
    if given:
        raise TypeError(f"{type(self).__name__} has no {next(iter(given))!r}")


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, each.name) for each in self.__fields__ if each.compare)


def _equals(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in self.__fields__ if each.repr)
    return f"{type(self).__qualname__}({shown})"


def _refuse(self: Any, name: str, value: object = None) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} cannot be changed; `replace` makes a copy")


def _reduce(self: Any) -> tuple[Any, ...]:
    return _rebuild, (type(self), {name: getattr(self, name) for name in self.__slots__})


def _rebuild(kind: type[T], values: Mapping[str, Any]) -> T:
    return kind(**values)


_SHARED = {"__init__": _init, "__eq__": _equals, "__hash__": _hash, "__repr__": _repr, "__reduce__": _reduce}
