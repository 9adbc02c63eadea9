"""Verbs and programs are loaded by their names."""

from __future__ import annotations

import pytest

from limpet.cli.commands import COMMANDS, is_program, load_command


@pytest.mark.parametrize("name", [each.name for each in COMMANDS])
def test_every_command_has_a_declaration(name: str) -> None:
    command = load_command(name)
    assert callable(command.run) and command.examples


def test_only_what_serves_another_program_is_a_program() -> None:
    assert [each.name for each in COMMANDS if is_program(each.name)] == ["mcp", "hook", "statusline", "serve"]
