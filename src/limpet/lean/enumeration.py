"""Enums that take little time to define.

A member is an instance of its class with a name and a value, as in the standard module `enum`. Loading `enum` takes
time, and it takes six times as long to make a member. Aliases, flags, automatic values and enums made by a call are not
supported. A type checker sees the enums of the standard library.
"""

from __future__ import annotations

__all__ = ["Enum", "IntEnum", "StrEnum"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from enum import Enum, IntEnum, StrEnum
else:

    class _EnumType(type):
        """The metaclass of enums, which lets a class be called with a value, iterated and indexed by name."""

        def __new__(cls, name, bases, space):
            given = {key: each for key, each in space.items() if key[0] != "_" and not hasattr(each, "__get__")}
            for key in given:
                del space[key]
            made = type.__new__(cls, name, bases, space)
            made.__members__ = {}
            # The name that the table of members by value has in `enum`.
            made._value2member_map_ = {}
            for key, each in given.items():
                member = made.__new__(made, *each) if type(each) is tuple else made.__new__(made, each)
                value = member.value = member.__dict__.pop("_value_", each)
                member.name = key
                if made._value2member_map_.setdefault(value, member) is not member:
                    raise TypeError(f"{name}.{key} has the value of another member: {value!r}")
                made.__members__[key] = member
                setattr(made, key, member)
            return made

        def __call__(cls, value):
            """Return the member that has the value; raise ValueError if there is none."""
            try:
                return cls._value2member_map_[value]
            except (KeyError, TypeError):
                raise ValueError(f"{value!r} is not a valid {cls.__name__}") from None

        def __getitem__(cls, name):
            return cls.__members__[name]

        def __contains__(cls, value):
            return value in cls._value2member_map_

        def __iter__(cls):
            return iter(cls.__members__.values())

        def __reversed__(cls):
            return reversed(cls.__members__.values())

        def __len__(cls):
            return len(cls.__members__)

    class Enum(metaclass=_EnumType):
        """A closed set of named values."""

        def __repr__(self):
            return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

        def __reduce__(self):
            return type(self), (self.value,)

    class StrEnum(Enum, str):
        """An enum whose members are texts."""

        __str__ = str.__str__

    class IntEnum(Enum, int):
        """An enum whose members are whole numbers."""

        __str__ = int.__repr__
