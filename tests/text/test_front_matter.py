"""Front matter is read as plain texts, whoever wrote it."""

from __future__ import annotations

import pytest

from limpet.errors import Unreadable
from limpet.text.front_matter import (
    MAX_YAML,
    list_field,
    parse_yaml,
    split_front_matter,
    split_lenient_front_matter,
    text_field,
)


def test_values_stay_the_texts_that_were_written() -> None:
    fields, body = split_front_matter("---\ntopic: 2024\nflag: no\nat: 12:30\nwhen: 2026-01-02\nnone:\n---\nBody\n")
    assert fields == {"topic": "2024", "flag": "no", "at": "12:30", "when": "2026-01-02", "none": ""}
    assert body == "Body\n"


def test_lists_and_mappings_are_read() -> None:
    assert parse_yaml("a: [x, y]\nb: {c: d}") == {"a": ["x", "y"], "b": {"c": "d"}}


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("Plain", "Plain"),
        ("---\nnever closed", "---\nnever closed"),
        ("---\na: b\n---", ""),
        ("---\n---\nempty", "empty"),
        ("\ufeff---\r\na: b\r\n---\r\nWindows", "Windows"),
        ("\n \n---\na: b\n---\nbehind empty lines", "behind empty lines"),
        ("--- \na: b\n---\t\nbehind spaces", "behind spaces"),
        ("---\na: b\n...\nbehind dots", "behind dots"),
    ],
)
def test_the_body_is_what_comes_after_the_front_matter(text: str, body: str) -> None:
    assert split_front_matter(text)[1] == body


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: &x [1]\nb: *x", "alias"),
        ("[" * 50 + "]" * 50, "nested"),
        ("[" * 5000, "nested"),
        ("a: " + "x" * MAX_YAML, "characters"),
        ("a: [1", "cannot be read"),
        ("a: b: c", "cannot be read in line 1"),
        ("a: \x00", "cannot be read"),
        ("a: \ud800", "cannot be read"),
    ],
)
def test_what_front_matter_does_not_need_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        parse_yaml(text)


def test_a_tag_makes_no_object() -> None:
    assert parse_yaml("a: !!python/object/apply:os.system [echo]") == {"a": ["echo"]}


def test_front_matter_that_is_no_mapping_is_refused() -> None:
    with pytest.raises(Unreadable, match="name: value"):
        split_front_matter("---\n- a\n---\nBody")


def test_front_matter_for_editors_need_not_be_yaml() -> None:
    text = "---\ndescription: Rules: for tests\nglobs: *.ts, *.tsx\nalwaysApply:\n---\nBody\n"
    assert split_lenient_front_matter(text) == (
        {"description": "Rules: for tests", "globs": "*.ts, *.tsx", "alwaysApply": ""},
        "Body\n",
    )
    assert split_lenient_front_matter("---\na: [b]\n---\nBody") == ({"a": ["b"]}, "Body")


@pytest.mark.parametrize("text", ["---\n\nNever do this\n\n---\n\nBody", "---\n- a\n---\nBody"])
def test_a_text_between_lines_across_the_page_is_no_front_matter(text: str) -> None:
    assert split_lenient_front_matter(text) == ({}, text)


def test_fields_are_found_under_any_of_their_names() -> None:
    fields = {"topic": " Port ", "tags": "a, b,", "labels": ["c", {"d": "e"}]}
    assert text_field(fields, "title", "topic") == "Port"
    assert text_field(fields, "labels", "none") == ""
    assert list_field(fields, "tags") == ["a", "b"]
    assert list_field(fields, "none", "labels") == ["c"]
