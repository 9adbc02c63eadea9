"""A reply of any form is read without an error, and what is malformed is counted."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.llm.reply import read_objects

OBJECTS = [{"do": "fact", "text": "a {brace} and ``` a fence"}, {"do": "nothing"}]
LINES = "\n".join(map(json.dumps, OBJECTS))


def read(reply: str, most: int = 200) -> tuple[list[dict[str, object]], dict[str, int]]:
    refused = Counter[str]()
    return read_objects(reply, lambda reason: refused.update([reason]), most=most), dict(refused)


@pytest.mark.parametrize(
    "reply",
    [
        LINES,
        json.dumps(OBJECTS),
        json.dumps(OBJECTS, indent=2),
        f"Here you are:\n```json\n{json.dumps(OBJECTS[1:], indent=2)}\n```\nDone.",
        f"Here you are:\n```\n{LINES}\n```",
        f"  [\n{json.dumps(OBJECTS[0])},\n{json.dumps(OBJECTS[1])},\n]",
    ],
)
def test_objects_are_found_in_every_usual_form(reply: str) -> None:
    found, refused = read(reply)
    assert found and all(each in OBJECTS for each in found) and refused == {}
    assert found[-1] == OBJECTS[-1]


def test_one_object_over_several_lines_is_read() -> None:
    assert read(json.dumps(OBJECTS[0], indent=1)) == (OBJECTS[:1], {})


@pytest.mark.parametrize("reply", ["", "I have nothing to add.", "[]", "null", "7", "[" * 10_000])
def test_chatter_is_neither_an_object_nor_an_error(reply: str) -> None:
    assert read(reply) == ([], {})


def test_what_is_malformed_or_too_much_is_counted() -> None:
    assert read(f"{LINES}\n" + '{"do": "fact", "te') == (OBJECTS, {"not JSON": 1})
    assert read("[1, {}, null]") == ([{}], {"not an object": 2})
    assert read("{}\n" * 7, most=5) == ([{}] * 5, {"more than 5": 2})
    assert read('{"a": "' + "x" * 9_000 + '"}\n{}') == ([{}], {"not JSON": 1})


@given(st.text(max_size=300) | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_no_reply_raises(reply: str) -> None:
    read(reply)
