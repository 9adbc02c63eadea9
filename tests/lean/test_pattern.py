"""A lazy pattern behaves as a compiled one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import limpet
from limpet.lean.pattern import lazy


def test_a_lazy_pattern_finds_what_a_compiled_one_finds() -> None:
    text = "One fish, two FISH"
    late, early = lazy(r"(\w+) (fish)", re.IGNORECASE), re.compile(r"(\w+) (fish)", re.IGNORECASE)
    assert late.findall(text) == early.findall(text)
    assert late.sub(r"\2", text) == early.sub(r"\2", text)
    assert [found.span() for found in late.finditer(text)] == [found.span() for found in early.finditer(text)]
    assert (late.match("x"), late.fullmatch("one fish") is None) == (None, False)
    assert (late.pattern, late.flags) == (early.pattern, early.flags)


def test_a_pattern_that_is_not_used_loads_nothing() -> None:
    source = str(Path(limpet.__file__).parent.parent)
    code = (
        f"import sys; sys.path.insert(0, {source!r}); from limpet.lean.pattern import lazy; found = lazy('a');"
        "assert 're' not in sys.modules; found.search('a'); assert 're' in sys.modules"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)
