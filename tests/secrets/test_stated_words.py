"""A part of a text is split into words and marks with their classes, in scripts with and without spaces."""

from __future__ import annotations

import pytest

from limpet.secrets.stated_words import TABLE, split_part
from limpet.text.tables import read_table


def classes(text: str) -> list[tuple[str, str]]:
    return [(text[start:end], name) for start, end, name in split_part(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My password is Kork3n!", [("My", "my"), ("password", "pass"), ("is", "is"), ("Kork3n!", "")]),
        ("Adminpasswort: x4", [("Adminpasswort", "pass"), (":", "colon"), ("x4", "")]),
        ("admin/toor, please", [("admin", "place"), ("/", "slash"), ("toor", ""), (",", "comma"), ("please", "goes")]),
        ("密码是hetao", [("密码", "pass"), ("是", "is"), ("hetao", "")]),
        (
            "パスワードは「neko」",
            [("パスワード", "pass"), ("は", "is"), ("「", "quote"), ("neko", ""), ("」", "quote")],
        ),
    ],
)
def test_words_and_marks_have_their_classes(text: str, found: list[tuple[str, str]]) -> None:
    assert classes(text) == found


def test_the_name_of_a_hidden_secret_is_no_label() -> None:
    assert "pass" not in {name for _, name in classes("[REDACTED:password] is here")}


def test_each_word_of_the_table_is_in_lower_case_and_in_one_class_only() -> None:
    words = [word for row in read_table(f"secrets/{TABLE}") for word in row.contents.split()]
    assert [word for word in words if word != word.lower()] == []
    assert sorted(words) == sorted({*words})
