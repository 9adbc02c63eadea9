"""JSON is changed entry by entry: everything else stays, and what cannot be understood is left."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.errors import NotJson, NotWirable
from limpet.hosts import jsonc, wiring
from tests.hosts.settings_files import BROKEN, FILE, JSON, LATER


def without_comments(text: str) -> Any:
    """Return what a reader of plain JSON sees, for comparison: an independent way to read these few texts."""
    plain = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda found: found[1] or "", text, flags=re.S)
    plain = re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', lambda found: found[1] or "", plain)
    return json.loads(plain.removeprefix("\ufeff") or "{}") if plain.strip() else {}


@pytest.mark.parametrize("text", JSON.values(), ids=JSON.keys())
def test_json_with_comments_is_read_as_others_read_it(text: str) -> None:
    assert jsonc.load(text) == without_comments(text)


@pytest.mark.parametrize("text", JSON.values(), ids=JSON.keys())
def test_a_text_that_was_folded_can_be_unfolded(text: str) -> None:
    short, folded = jsonc.fold_long_values(text, keep=("hooks",))
    assert jsonc.unfold(short, folded) == text
    assert jsonc.load(short).keys() == jsonc.load(text).keys()


def test_edits_of_a_huge_file_read_little_of_it() -> None:
    short, folded = jsonc.fold_long_values(JSON["huge"], keep=("hooks", "mcpServers"))
    assert len(folded) == 1 and len(short) < 1_000


def test_a_text_whose_only_lines_are_in_a_long_value_is_not_folded() -> None:
    """Whether entries stand on lines could no longer be seen."""
    text = '{"history": [\n' + '  "a prompt",\n' * 1_000 + '  "b"], "model": "opus"}'
    assert jsonc.fold_long_values(text, keep=("hooks",)) == (text, {})


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
    hooks, server = wiring.find_wired(made, "json")
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
def test_no_text_raises_any_other_error(text: str) -> None:
    try:
        known = json.loads(text)
    except ValueError:
        known = None
    try:
        found = jsonc.load(text)
    except NotJson:
        found = None
    assert found == known if isinstance(known, dict) else found is None or isinstance(found, dict)


def test_an_entry_of_a_missing_object_is_not_looked_for_elsewhere() -> None:
    text = '{"limpet": 1, "hooks": {"limpet": 2}}'
    assert jsonc.drop(text, ("mcpServers", "limpet")) == text
    assert jsonc.drop(text, ("hooks", "Stop", "limpet")) == text
