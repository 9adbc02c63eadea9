"""Patterns that are compiled when they are first used: compiling costs more than most commands do."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any


class _Lazy:
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
    """What `re.compile` gives, later."""
    return _Lazy(source, flags)  # type: ignore[return-value]
