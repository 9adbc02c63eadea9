"""Frozen, slotted, keyword-only records that take little time to define.

`dataclasses` compiles six functions for each class and loads `inspect` to do so. This took more than half of the time
limit of a hook. A record has the same fields, defaults, equality and repr, but all records share a few functions. A
type checker sees a frozen dataclass. `Generic` and `Protocol` replace those of `typing`.
"""

from __future__ import annotations

__all__ = ["LATER", "MISSING", "Generic", "Protocol", "field", "fields", "mutable", "pick", "record", "replace"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Generic, Protocol, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    class Generic:
        """A replacement for `typing.Generic` that ignores type parameters at run time."""

        def __class_getitem__(cls, item):
            return cls

    Protocol = object


class Missing:
    """The type of `MISSING`, the marker for a field without a default."""


MISSING = Missing()
LATER: Any = Missing()
"""The default of a field that is not set until it is first read. `__getattr__` of the class then computes its value."""


class Field:
    """The declaration of one field of a record; `metadata` is for use by the module that declares the field."""

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
    """Return the fields of a record, or of a record class, in the order in which they are declared."""
    found: tuple[Field, ...] = kind.__fields__ or _set_fields(kind)
    return found


def pick(record: Any, *names: str) -> dict[str, Any]:
    """Return the values of these fields or properties of a record by name, or of all its fields."""
    return {name: getattr(record, name) for name in names or (each.name for each in fields(record))}


if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
    def record(kind: type[T]) -> type[T]: ...

    @dataclass_transform(kw_only_default=True, field_specifiers=(field,))
    def mutable(kind: type[T]) -> type[T]: ...

else:
    # The source uses these functions as decorators. The bundle uses them as metaclasses, to make each class only once.

    def record(kind, bases=None, space=None):
        """Turn a class into a record, whose fields are the annotations of the class."""
        return _build(kind, bases, space, _FROZEN)

    def mutable(kind, bases=None, space=None):
        """Turn a class into a record whose fields can be changed, and which is therefore not hashable."""
        return _build(kind, bases, space, _MUTABLE)


def replace(original: T, /, **changed: Any) -> T:
    """Return a copy of a record with some fields changed."""
    kind = type(original)
    made, take = kind.__new__(kind), changed.pop
    for name, put, _, _ in kind.__plan__ or _set_plan(kind):  # type: ignore[attr-defined]
        put(made, take(name) if name in changed else getattr(original, name))
    if changed:
        raise TypeError(f"{kind.__name__} has no {next(iter(changed))!r}")
    return made


def _build(kind: Any, bases: tuple[type, ...] | None, space: dict[str, Any] | None, methods: Mapping[str, Any]) -> Any:
    if bases is None or space is None:
        # Slots cannot be added to an existing class, so a decorated class is made a second time.
        name, bases, space = kind.__name__, kind.__bases__, dict(kind.__dict__)
        space["__qualname__"] = kind.__qualname__
        for each in ("__dict__", "__weakref__"):
            space.pop(each, None)
    else:
        name = kind
    names = tuple(space.get("__annotations__", ()))
    defaults = {each: space.pop(each) for each in names if each in space}
    return type(name, bases, {**space, **methods, "__slots__": names, "__defaults__": defaults})


def _find_declaring_class(kind: Any) -> Any:
    """Return the class that declares the fields of a record or record class. It may be a base class."""
    made = kind if isinstance(kind, type) else type(kind)
    return next(each for each in made.__mro__ if "__defaults__" in each.__dict__)


def _set_fields(kind: Any) -> tuple[Field, ...]:
    """Compute the fields of a record class, store them in the class and return them.

    This is done on first use, because the fields of most records are never requested.
    """
    owner = _find_declaring_class(kind)
    found = []
    for name in owner.__slots__:
        given = owner.__defaults__.get(name, MISSING)
        each = given if isinstance(given, Field) else Field(given)
        each.name, each.type = name, owner.__annotations__[name]
        found.append(each)
    made = owner.__fields__ = tuple(found)
    return made


def _set_plan(kind: Any) -> Any:
    """Compute how the constructor sets each field, store this plan in the class and return it.

    This is done on first use, because many record classes are never instantiated.
    """
    owner = _find_declaring_class(kind)
    plan = []
    for name in owner.__slots__:
        given, factory = owner.__defaults__.get(name, MISSING), None
        if isinstance(given, Field):
            given, factory = given.default, given.default_factory
        if given is LATER:
            given, factory = MISSING, LATER
        # The constructor sets slots through their descriptors, which a frozen record does not refuse.
        plan.append((name, owner.__dict__[name].__set__, given, factory))
    made = owner.__plan__ = tuple(plan)
    return made


def _init(self: Any, **given: Any) -> None:
    take = given.pop
    for name, put, default, factory in self.__plan__ or _set_plan(self):
        value = take(name, default)
        if value is MISSING:
            if factory is LATER:
                continue
            if factory is None:
                raise TypeError(f"{type(self).__name__} needs {name!r}")
            value = factory()
        put(self, value)
    if given:
        raise TypeError(f"{type(self).__name__} has no {next(iter(given))!r}")


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, each.name) for each in fields(self) if each.compare)


def _equals(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({shown})"


def _refuse(self: Any, name: str, value: object = None) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} cannot be changed; `replace` makes a copy")


def _reduce(self: Any) -> tuple[Any, ...]:
    return _rebuild, (type(self), {name: getattr(self, name) for name in self.__slots__})


def _rebuild(kind: type[T], values: Mapping[str, Any]) -> T:
    return kind(**values)


_SHARED = {
    "__init__": _init,
    "__eq__": _equals,
    "__hash__": _hash,
    "__repr__": _repr,
    "__reduce__": _reduce,
    "__fields__": None,
    "__plan__": None,
}
_FROZEN = {**_SHARED, "__setattr__": _refuse, "__delattr__": _refuse}
_MUTABLE = {**_SHARED, "__hash__": None}
