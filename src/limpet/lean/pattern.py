"""Compile regular expressions on first use, because compiling all of them takes longer than most commands.

For hooks, the bundle (see `bundle`) contains the patterns in compiled form, so that a hook need not even load `re`.

Before 3.11.5, Python matches a possessive group wrongly: `(?:ab?c)*+` matches "a" (CPython issue 106052). There, such a
group is compiled as `(?>(?:ab?c)*)`, which means the same and is matched correctly.
"""

from __future__ import annotations

import sys

from limpet.lean.bundle import FINDERS, PATTERNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any


class LazyPattern:
    """A regular expression that is compiled when one of its attributes is first used."""

    def __init__(self, source: str, flags: int) -> None:
        self.key = (source, int(flags))

    def __getattr__(self, name: str) -> Any:
        compiled = self._compile()
        for method in ("findall", "finditer", "search", "match", "fullmatch", "sub", "split"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)

    def _compile(self) -> re.Pattern[str]:
        source, flags = self.key
        if self.key not in PATTERNS and FINDERS:
            FINDERS[0].load_seldom_used()
        prepared = PATTERNS.get(self.key)
        if prepared is not None:
            return load_pattern(source, prepared)
        if _mismatches_possessive_groups():
            return load_pattern(source, dump_pattern(source, flags))
        import re

        return re.compile(source, flags)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that behaves as `re.compile(source, flags)` and is compiled on first use."""
    return LazyPattern(source, flags)  # type: ignore[return-value]


def load_pattern(source: str, prepared: bytes) -> re.Pattern[str]:
    """Return the pattern that `dump_pattern` has serialized, without compiling it again."""
    import _sre  # type: ignore[import-not-found]
    import marshal

    pattern: re.Pattern[str] = _sre.compile(source, *marshal.loads(prepared))
    return pattern


def dump_pattern(source: str, flags: int) -> bytes:
    """Compile a pattern and serialize it. Only the same version of Python can load the result with `load_pattern`."""
    import marshal
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(source, flags)
    if _mismatches_possessive_groups():
        parsed = _make_groups_atomic(parsed)
    groups = dict(parsed.state.groupdict)
    names: list[str | None] = [None] * parsed.state.groups
    for name, number in groups.items():
        names[number] = name
    code = [int(each) for each in _compiler._code(parsed, flags)]
    return marshal.dumps((flags | parsed.state.flags, code, parsed.state.groups - 1, groups, tuple(names)))


def _mismatches_possessive_groups() -> bool:
    return sys.version_info < (3, 11, 5)


def _make_groups_atomic(part: Any) -> Any:
    """Return a parsed pattern, or a part of one, with atomic groups instead of possessive quantifiers.

    Possessive quantifiers of single characters stay as they are, because they are matched correctly.
    """
    from re import _compiler, _constants, _parser  # type: ignore[attr-defined]

    if isinstance(part, _parser.SubPattern):
        return _parser.SubPattern(part.state, [_make_groups_atomic(each) for each in part.data])
    if isinstance(part, list):
        return [_make_groups_atomic(each) for each in part]
    if not isinstance(part, tuple):
        return part
    operation, *rest = map(_make_groups_atomic, part)
    if operation is _constants.POSSESSIVE_REPEAT and not _compiler._simple(part[1][2]):
        [(least, most, repeated)] = rest
        greedy = _parser.SubPattern(repeated.state, [(_constants.MAX_REPEAT, (least, most, repeated))])
        return _constants.ATOMIC_GROUP, greedy
    return operation, *rest
