"""A lazy pattern behaves as a compiled one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import limpet
from limpet.lean.pattern import dump_pattern, lazy


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


@pytest.mark.parametrize(
    ("possessive", "atomic"),
    [
        (r"(?:ab?c)*+d", r"(?>(?:ab?c)*)d"),
        (r"(?:ab?c){2,5}+", r"(?>(?:ab?c){2,5})"),
        (r"(x|(?=(?:ab?c)?+))y", r"(x|(?=(?>(?:ab?c)?)))y"),
        (r"(?:(?:ab?c)++-)*+", r"(?>(?:(?>(?:ab?c)+)-)*)"),
    ],
)
def test_an_old_python_is_given_atomic_groups(possessive: str, atomic: str, monkeypatch: pytest.MonkeyPatch) -> None:
    newer = dump_pattern(possessive, 0)
    monkeypatch.setattr(sys, "version_info", (3, 11, 4))
    assert dump_pattern(possessive, 0) == dump_pattern(atomic, 0)
    assert dump_pattern(r"[a-z]*+\d", 0) != dump_pattern(r"(?>[a-z]*)\d", 0), "this one it matches correctly"
    monkeypatch.undo()
    assert dump_pattern(possessive, 0) == newer


def test_a_possessive_group_gives_nothing_back_and_matches_whole_repetitions() -> None:
    """Python 3.11.2, which Debian 12 has, fails this for a pattern that it compiled itself."""
    steps = lazy(r"(?:ab?c)*+")
    assert [steps.match(text).group() for text in ("a", "ac", "acabca", "x")] == ["", "ac", "acabc", ""]  # type: ignore[union-attr]
    assert lazy(r"(?:ab?c)*+ac").match("abcac") is None


def test_no_pattern_with_a_possessive_group_is_compiled_elsewhere() -> None:
    source = Path(limpet.__file__).parent
    direct = [
        f"{path.relative_to(source)}: {found.group()}"
        for path in source.rglob("*.py")
        for found in re.finditer(
            r"\bre\.(?:compile|search|match|fullmatch|sub|split|findall|finditer)\([^\n]*\)(?:[*+?]|\{[\d,]+\})\+.*",
            path.read_text(encoding="utf-8"),
        )
    ]
    assert direct == []
