"""A plain command line is read as argparse reads it, and everything else is left to argparse."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.cli.arguments import parse_plain
from limpet.cli.commands import COMMANDS, is_program, load_command
from limpet.cli.parser import parse_fully
from limpet.errors import UsageError
from limpet.operations.catalogue import find_summary

NAMES = sorted(each.name for each in COMMANDS if not is_program(each.name))


@st.composite
def typed_lines(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Return a command and words that may follow it, right or wrong."""
    name = draw(st.sampled_from(NAMES))
    params = load_command(name).params
    flags = [param.flag for param in params] + [f"-{param.short}" for param in params if param.short]
    flags += ["--json", "--home", "--agent", "--project", "--session", "--unknown", "-h", "--", "-"]
    words = ["word", "two words", "7", "0.5", "-3", "", "a,b", "--", "-x", "-x y", "=", "é"]
    word = st.sampled_from(words) | st.sampled_from(flags)
    joined = st.tuples(st.sampled_from(flags), st.sampled_from(words)).map("=".join)
    return name, draw(st.lists(word | joined, max_size=6))


@given(typed_lines())
def test_a_plain_command_line_means_the_same_as_to_argparse(line: tuple[str, list[str]]) -> None:
    name, words = line
    chosen = load_command(name)
    plain = parse_plain(chosen, words)
    if plain is not None:
        assert plain == parse_fully(find_summary(name), chosen, words)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("recall", ["how", "do", "migrations", "run", "--limit", "3", "--json"]),
        ("remember", ["--tags=a,b", "-t", "c", "Use pnpm"]),
        ("list", ["--home", "/tmp/x"]),
        ("forget", ["mem_01", "mem_02"]),
    ],
)
def test_everyday_command_lines_are_plain(name: str, words: list[str]) -> None:
    assert parse_plain(load_command(name), words) is not None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("recall", []),
        ("recall", ["one", "--json", "two"]),
        ("recall", ["--limit", "many", "x"]),
        ("recall", ["x", "--limit"]),
        ("list", ["word"]),
        ("list", ["--nothing"]),
        ("list", ["--json=yes"]),
    ],
)
def test_what_is_wrong_is_left_to_argparse(name: str, words: list[str]) -> None:
    assert parse_plain(load_command(name), words) is None
    with pytest.raises(UsageError):
        parse_fully(find_summary(name), load_command(name), words)


def test_the_plain_way_needs_no_argparse() -> None:
    code = "import limpet.cli.program, sys; sys.exit('argparse' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
