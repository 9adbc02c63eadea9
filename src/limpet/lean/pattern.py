"""Compile regular expressions on first use: compiling them all would cost more than most commands take."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any


class _LazyPattern:
    """A stand-in for a compiled pattern, which is compiled when one of its attributes is first used."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        import re

        compiled = re.compile(self._source, self._flags)
        for method in ("findall", "finditer", "search", "match", "fullmatch", "sub", "split"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that behaves as `re.compile(source, flags)` and is compiled on first use."""
    return _LazyPattern(source, flags)  # type: ignore[return-value]
