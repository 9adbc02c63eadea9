"""What goes into the full-text index, and what a question becomes."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

import limpet
from limpet.text.lexicon import TOKENIZER, expand_for_index, match_terms, parse_terms


def finds(text: str, question: str) -> bool:
    """Whether a question's terms match a text in a real full-text index."""
    connection = apsw.Connection(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE words USING fts5 (text, tokenize='{' '.join(TOKENIZER)}')")
    connection.execute("INSERT INTO words VALUES (?)", (expand_for_index(text),))
    ways = [way for term in parse_terms(question) for way in term.ways]
    if not ways:
        return False
    return bool(connection.execute("SELECT 1 FROM words WHERE words MATCH ?", (" OR ".join(ways),)).get)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("getUserName returns None", "getUserName"),
        ("getUserName returns None", "get_user_name"),
        ("getUserName returns None", "user name"),
        ("def get_user_name(): ...", "getUserName"),
        ("snake_case_here", "case"),
        ("HTTPServerError on start", "server error"),
        ("see src/app/models/user.py for it", "user.py"),
        ("see src/app/models/user.py for it", "src/app/models/user.py"),
        ("see src/app/models/user.py for it", "models/user.py"),
        ("fixed in a1b2c3d4e5f60718293a4b5c6d7e8f9012345678", "a1b2c3d4"),
        ("error TS2345 in the build", "ts2345"),
        ("E0502 from the borrow checker", "E0502"),
        ("the half-life is 21 days", "half-life"),
        ("the user's own words", "user's"),
        ("数据库连接超时", "连接"),
        ("数据库连接超时", "数据库"),
        ("接続プールが枯渇", "枯渇"),
        ("데이터베이스 연결", "연결"),
        ("Le café est fermé", "cafe ferme"),
        ("Ошибка подключения к базе", "ошибки подключение"),
        ("we shipped it 🚀", "🚀"),
        ("the parser is in C++", "C++"),
        ("the client is C# on .NET", "c#"),
        ("the client is C# on .NET", ".net"),
        ("migrations are running", "run migration"),
        ("requires Python 3.11", "3.11"),
        ("Grüße aus Köln", "grusse koln grüße"),
    ],
)
def test_a_person_finds_it_as_they_would_write_it(text: str, question: str) -> None:
    assert finds(text, question)


@pytest.mark.parametrize("question", ["", " ", "?", '"', "()*^", "\x00", "…", "\ud800"])
def test_a_question_that_names_nothing_has_no_terms(question: str) -> None:
    assert parse_terms(question) == []


def test_stop_words_are_kept_only_if_there_is_nothing_else() -> None:
    assert [term.text for term in parse_terms("what is the port")] == ["port"]
    assert [term.text for term in parse_terms("what is it")] == ["what", "is", "it"]


def test_a_long_question_is_cut_to_its_longest_words() -> None:
    question = " ".join(f"w{number} considerable{number}" for number in range(100))
    found = parse_terms(question)
    assert len(found) == 32
    assert all(term.text.startswith("considerable") for term in found)


@given(st.text())
def test_any_text_is_a_legal_question(question: str) -> None:
    finds("some text", question.encode("utf-8", "replace").decode())


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_every_text_can_be_put_into_the_index(text: str) -> None:
    assert isinstance(expand_for_index(text), str)


def covers(text: str, question: str) -> bool:
    return any(match_terms(parse_terms(question), text))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("all files are sorted", "file"),
        ("the query is slow", "queries"),
        ("tests run at night", "running"),
        ("two policies apply", "policy"),
        ("the cached pages", "caching page"),
        ("the worker is idle", "working"),
        ("it was created", "creation"),
        ("Grüße aus Köln", "koln"),
        ("fixed in a1b2c3d4e5f6", "a1b2c3d4"),
        ("the news site", "new"),
    ],
)
def test_a_text_holds_a_word_exactly_if_the_index_finds_it(text: str, question: str) -> None:
    assert covers(text, question) == finds(text, question)


@given(st.text(), st.text(max_size=40))
def test_any_text_holds_a_word_exactly_if_the_index_finds_it(text: str, question: str) -> None:
    text, question = (each.encode("utf-8", "replace").decode().replace("\0", "") for each in (text, question))
    assert covers(text, question) == finds(text, question)


def test_the_index_splits_texts_as_they_are_compared() -> None:
    schema = (Path(limpet.__file__).parent / "store" / "view" / "schema.sql").read_text(encoding="utf-8")
    assert f"tokenize='{' '.join(TOKENIZER)}'" in schema
