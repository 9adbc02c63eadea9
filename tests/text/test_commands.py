"""How a command line is split into simple commands."""

from __future__ import annotations

import pytest

from limpet.text.commands import name_subcommand, split_commands


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cd x && ENV=1 timeout 60 uv run pytest -q 2>&1 | tail", [["pytest", "-q"], ["tail"]]),
        ("/usr/bin/git push", [["git", "push"]]),
        ("python3 -m pip install x", [["pip", "install", "x"]]),
        ('git commit -m "a; rm -rf /"', [["git", "commit", "-m", "_"]]),
        ("", []),
        ("echo 'a b; rm", [["echo", "_"]]),
    ],
)
def test_a_line_is_split_into_simple_commands(line: str, expected: list[list[str]]) -> None:
    assert split_commands(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git -C ../x push", "push"),
        ("npm run build", "build"),
        ("docker compose up", "up"),
        ("rm -rf x", ""),
        ("git", ""),
    ],
)
def test_a_program_with_subcommands_names_its_subcommand(line: str, expected: str) -> None:
    assert name_subcommand(line.split()) == expected
