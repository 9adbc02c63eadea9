"""The agent that a repository defines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.workspace import make_slug, read_agent_definition

DEFINITIONS = {
    "---\nid: rock-1\nname: The Rock\n---\n# Other\n": ("rock-1", "The Rock"),
    "---\nid: Rock One\n---\n# The Rock ##\n": ("rock-one", "The Rock"),
    '---\r\nname: "The: Rock" \r\nmodel: x\r\n---\r\n': ("the-rock", "The: Rock"),
    "---\nname: Rock # a comment\n  id: nested\n---\n": ("rock", "Rock"),
    "---\nid: ../../etc\n---\n": ("etc", "../../etc"),
    "\ufeff# Rock\x1b[2J \u202eevil\n": ("rock-2j-evil", "Rock[2J evil"),
    "text\n# First\n# Second\n": ("first", "First"),
    "---\nname: never closed\n# Heading\n": ("heading", "Heading"),
    "---\nname:\n---\n": None,
    "nothing here": None,
    "": None,
}


@pytest.mark.parametrize(("text", "expected"), DEFINITIONS.items(), ids=range(len(DEFINITIONS)))
def test_an_agent_definition_gives_id_and_name(tmp_path: Path, text: str, expected: tuple[str, str] | None) -> None:
    (tmp_path / "AGENT.md").write_bytes(text.encode())
    found = read_agent_definition(str(tmp_path / "AGENT.md"))
    assert (None if found is None else (found.id, found.name)) == expected


def test_a_definition_that_is_no_small_text_file_is_none(tmp_path: Path) -> None:
    path = tmp_path / "AGENT.md"
    assert read_agent_definition(str(path)) is None
    path.write_text("# Rock\n" + "x" * 65_536)
    assert read_agent_definition(str(path)) is None
    path.write_bytes(b"# Rock\n\xff\x00")
    found = read_agent_definition(str(path))
    assert found is not None
    assert found.name == "Rock"
    path.write_text("# " + "long " * 100)
    found = read_agent_definition(str(path))
    assert found is not None
    assert len(found.name) <= 80


@given(st.text())
def test_a_slug_is_always_a_valid_id_and_its_own_slug(text: str) -> None:
    made = make_slug(text)
    assert 0 < len(made) <= 64
    assert made[0].isalnum()
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")
    assert make_slug(made) == made


def test_a_slug_keeps_what_it_can_and_tells_the_rest_apart() -> None:
    assert make_slug("Anima") == "anima"
    assert make_slug("  Élan Vital! ") == "elan-vital"
    assert make_slug("snake_case-ok") == "snake_case-ok"
    different = ["小明", "小红", "🤖", "👻", "Bot", "Bot 🤖", "x" * 65, "x" * 66, "Søren", "Sren"]
    assert len({make_slug(name) for name in different}) == len(different)
