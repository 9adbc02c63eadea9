"""Of a huge event, a hook reads the beginning and the end without mixing up the fields."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.cli import hook
from limpet.hooks.handover import END, MOST_INPUT, read_input
from tests.cli.hooks import payload

READ_WHOLE = MOST_INPUT + END // 2
"""A size of which the hook program knows every byte."""


def parse(data: bytes) -> dict[str, object]:
    """Parse an event as the hook program does that reads it from its standard input."""
    file = BytesIO(data)
    return hook._parse(read_input(lambda _, size: file.read(size)))[0]


@pytest.mark.parametrize("typed", ["typed words ", "typed_words_", 'typed "\\ '], ids=["words", "one word", "escapes"])
@pytest.mark.parametrize("size", [READ_WHOLE, 3 * MOST_INPUT], ids=["read", "not read"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_two_huge_texts_are_not_joined(typed: str, size: int, share: float) -> None:
    """Otherwise, what a page says would count as typed."""
    length = len(json.dumps(typed)) - 2
    prompt, page = typed * int(size * share / length) + "\\", "\\" + "page " * int(size * (1 - share) / 5)
    told = payload("UserPromptSubmit", prompt=prompt, page=page + "NEVER push")
    found = parse(json.dumps(told).encode())
    assert found == {name: told[name] for name in ("session_id", "hook_event_name", "transcript_path")}


@pytest.mark.parametrize("typed", ["typed words ", "typed_words_", 'typed\\"\\\\', "\u00e9\n", "\\"])
def test_one_huge_text_is_cut_in_the_middle(typed: str) -> None:
    for size in range(READ_WHOLE, READ_WHOLE + 7):
        length = len(json.dumps(typed)) - 2
        prompt = "x" * (size % length) + typed * (size // length) + "the end"
        told = payload("UserPromptSubmit", prompt=prompt, page="short")
        found = parse(json.dumps(told).encode())
        assert found == {**told, "prompt": found["prompt"]}
        first, gap, last = str(found["prompt"]).partition(" […] ")
        assert str(told["prompt"]).startswith(first) and gap and last.endswith(typed + "the end")


def texts(letter: str) -> st.SearchStrategy[str]:
    return st.text(st.sampled_from(letter * 3 + ' "\\\n:,{}é'), min_size=40, max_size=120)


@given(texts("a"), texts("b"), texts("c"), st.booleans(), st.booleans())
def test_no_field_has_words_of_another(first: str, second: str, third: str, is_spaced: bool, is_ascii: bool) -> None:
    told = {"prompt": first, "page": second, "error": third}
    separators = (", ", ": ") if is_spaced else (",", ":")
    data = json.dumps(told, separators=separators, ensure_ascii=is_ascii).encode()
    with pytest.MonkeyPatch.context() as patch:
        for name, size in (("_BEGINNING", 60), ("END", 60), ("MOST_INPUT", 130)):
            patch.setattr(hook, name, size)
        found = hook._parse(data)[0]
    for name, own in (("prompt", "a"), ("page", "b"), ("error", "c")):
        assert {*"abc"}.intersection(str(found.get(name, ""))) <= {own}
