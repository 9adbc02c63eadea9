"""Settings files are changed entry by entry: everything else in them stays, and what cannot be understood is left."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.hosts import HOSTS, jsonc, wiring
from limpet.hosts.wiring import Launcher, NotWirable, SettingsFile
from tests.hosts.settings_files import BROKEN, BROKEN_TOML, JSON, TOML

LAUNCHER = Launcher(python="/opt/my tools/bin/python", hook="/opt/my tools/limpet/cli/hook.py", path=(), version="1")
NEWER = Launcher(python="/usr/bin/python3.13", hook="/usr/lib/limpet/cli/hook.py", path=(), version="2")


def file_of(launcher: Launcher) -> SettingsFile:
    """Hooks and server in one file, as Gemini CLI has them."""
    hooks, servers = wiring.files("claude-code", launcher)
    return SettingsFile(host="claude-code", path="x", groups=hooks.groups, server=servers.server)


FILE, LATER = file_of(LAUNCHER), file_of(NEWER)
CODEX_FILE = SettingsFile(host="codex", path="x", server=LAUNCHER.server, syntax="toml")


def without_comments(text: str) -> Any:
    """What a reader of the plain form sees, for comparison: an independent way to read these few texts."""
    plain = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda found: found[1] or "", text, flags=re.S)
    plain = re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', lambda found: found[1] or "", plain)
    return json.loads(plain.removeprefix("\ufeff") or "{}") if plain.strip() else {}


@pytest.mark.parametrize("text", JSON.values(), ids=JSON.keys())
def test_json_with_comments_is_read_as_others_read_it(text: str) -> None:
    assert jsonc.load(text) == without_comments(text)


@pytest.mark.parametrize("text", JSON.values(), ids=JSON.keys())
def test_entries_are_added_once_and_everything_else_stays(text: str) -> None:
    made = wiring.add(text, FILE)
    assert wiring.add(made, FILE) == made
    data, before = without_comments(made), without_comments(text)
    assert data["mcpServers"].pop("limpet") == FILE.server
    ours = [(event, group) for event, groups in data["hooks"].items() for group in groups if "/limpet/" in str(group)]
    assert sorted(ours, key=str) == sorted(FILE.groups, key=str)
    for event, groups in list(data["hooks"].items()):
        data["hooks"][event] = [group for group in groups if "/limpet/" not in str(group)]
        if not data["hooks"][event] and event not in before.get("hooks", {}):
            del data["hooks"][event]
    for name in ("hooks", "mcpServers"):
        if name not in before and not data[name]:
            del data[name]
    assert data == before


@pytest.mark.parametrize("text", JSON.values(), ids=JSON.keys())
def test_no_character_of_the_others_is_lost(text: str) -> None:
    """What was there is there still, in the same order: only something was put in between."""
    made = iter(wiring.add(text, FILE))
    assert all(sign in made for sign in text if not sign.isspace())


@pytest.mark.parametrize("text", [text for name, text in JSON.items() if "empty" not in name and "only" not in name])
def test_what_was_added_can_be_taken_out_of_the_text_again(text: str) -> None:
    assert wiring.remove(wiring.add(text, FILE), FILE, keep=text) == text


@pytest.mark.parametrize("text", JSON.values(), ids=JSON.keys())
def test_a_new_interpreter_takes_the_place_of_the_old_one(text: str) -> None:
    made = wiring.add(wiring.add(text, FILE), LATER)
    assert "/opt/my tools" not in made
    hooks, server = wiring.wired(made, "json")
    assert len(hooks) == len(LATER.groups) and server == LATER.server


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_is_not_understood_is_not_changed(text: str) -> None:
    with pytest.raises(NotWirable) as caught:
        wiring.add(text, FILE)
    assert 0 < len(str(caught.value)) < 200


def test_line_endings_and_indentation_are_the_files_own() -> None:
    made = wiring.add(JSON["with the line endings of Windows"], FILE)
    assert made.count("\n") == made.count("\r\n")
    assert "\n  " not in wiring.add(JSON["with tabs"], FILE)
    assert wiring.add(JSON["on one line"], FILE).count("\n") == 0


def test_a_hook_that_somebody_put_beside_ours_stays() -> None:
    data = json.loads(wiring.add("{}", FILE))
    data["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    made = wiring.remove(json.dumps(data, indent=2), FILE)
    assert json.loads(made) == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
INDENTS = st.sampled_from([None, 1, 2, 4, "\t"])


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), INDENTS, st.booleans())
def test_any_json_is_read_filled_and_emptied_again(data: dict[str, Any], indent: Any, ascii: bool) -> None:
    for name in ("hooks", "mcpServers"):
        data.pop(name, None)
    text = json.dumps(data, indent=indent, ensure_ascii=ascii)
    assert jsonc.load(text) == data
    made = wiring.add(text, FILE)
    assert {key: value for key, value in json.loads(made).items() if key in data} == data
    assert json.loads(wiring.remove(made, FILE)) == data


@given(st.text(alphabet='{}[],:"\\/* \n1truefalsn', max_size=40))
def test_no_text_makes_the_reader_fail_otherwise(text: str) -> None:
    try:
        known = json.loads(text)
    except ValueError:
        known = None
    try:
        found = jsonc.load(text)
    except jsonc.NotJson:
        found = None
    assert found == known if isinstance(known, dict) else found is None or isinstance(found, dict)


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
def test_toml_is_byte_for_byte_what_it_was(text: str) -> None:
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


@pytest.mark.parametrize("host", HOSTS)
def test_every_host_has_every_entry_once(host: str) -> None:
    for file in wiring.files(host, LAUNCHER):
        made = wiring.add("", file)
        hooks, server = wiring.wired(made, file.syntax)
        assert len(hooks) == len(set(hooks)) == len(file.groups)
        assert server == file.server
