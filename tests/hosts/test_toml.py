"""A table is put into TOML and taken out again, and everything else in the file stays."""

from __future__ import annotations

import tomllib

import pytest

from limpet.errors import NotWirable
from limpet.hosts import wiring
from tests.hosts.settings_files import BROKEN_TOML, CODEX_FILE, LAUNCHER, TOML


@pytest.mark.parametrize("text", TOML.values(), ids=TOML.keys())
def test_a_table_is_added_to_toml_and_taken_out(text: str) -> None:
    before = tomllib.loads(text.removeprefix("\ufeff"))
    made = wiring.add(text, CODEX_FILE)
    assert wiring.add(made, CODEX_FILE) == made
    data = tomllib.loads(made.removeprefix("\ufeff"))
    assert data["mcp_servers"].pop("limpet") == LAUNCHER.server
    assert {key: value for key, value in data.items() if value or key in before} == before
    assert tomllib.loads(wiring.remove(made, CODEX_FILE).removeprefix("\ufeff")) == before
    assert made.startswith(text.rstrip()[:40])


@pytest.mark.parametrize("text", [TOML["with comments"], TOML["with the line endings of Windows"]])
def test_toml_is_restored_byte_for_byte(text: str) -> None:
    assert wiring.remove(wiring.add(text, CODEX_FILE), CODEX_FILE) == text
    assert wiring.add(text, CODEX_FILE).startswith(text)


def test_what_was_added_to_our_table_goes_with_it_and_nothing_else() -> None:
    made = wiring.add(TOML["with comments"], CODEX_FILE)
    made += '[mcp_servers.limpet.env]\nA = "b"\n\n# mine\n[other]\nx = 1\n'
    rest = wiring.remove(made, CODEX_FILE)
    assert "limpet" not in rest and "# mine\n[other]\nx = 1\n" in rest


@pytest.mark.parametrize("text", BROKEN_TOML.values(), ids=BROKEN_TOML.keys())
def test_toml_that_is_not_understood_is_not_changed(text: str) -> None:
    with pytest.raises(NotWirable):
        wiring.add(text, CODEX_FILE)
