"""What may not come in is refused with a sentence that says what to do, and nothing of it is written."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.curating.writing import build_draft, run_many
from limpet.model.outcome import Admitted, Duplicate, Rejected
from limpet.operations.catalogue import load_verb
from limpet.operations.remember import run
from limpet.text.tokens import count_tokens
from tests.doors.refusals import assert_refused
from tests.operations.sandbox import Sandbox


@pytest.mark.parametrize("text", ["", " ", " \n\t \r\n", "\u00a0\u2003"])
def test_an_empty_text_is_refused(sandbox: Sandbox, text: str) -> None:
    assert_refused(sandbox, "the text is empty; give a text", text=text)


@pytest.mark.parametrize("text", ["x" * 1_000_001, "é" * 500_001, "word " * 400_000], ids=["one", "utf-8", "2 MB"])
def test_a_text_of_more_than_a_megabyte_is_refused(sandbox: Sandbox, text: str) -> None:
    assert_refused(sandbox, "1,000,000 are allowed; store a summary, or the path of a file", text=text)


def test_a_text_of_exactly_a_megabyte_is_kept(sandbox: Sandbox) -> None:
    text = ("word " * 200_000)[:999_999] + "."
    assert sandbox.remember(text).original_content == text


@pytest.mark.parametrize(
    "letter", ["\0", "\x01", "\x07", "\x08", "\x0b", "\x0c", "\x1b", "\x7f", "\x85", "\x9b", "\x9d"]
)
def test_a_control_character_is_refused_and_named(sandbox: Sandbox, letter: str) -> None:
    assert_refused(sandbox, f"U+{ord(letter):04X} at position 6", text=f"before{letter}after")


@pytest.mark.parametrize(
    "escape", ["\x1b[31mred", "\x1b]8;;http://evil\x07here", "\x1b]52;c;ZXZpbA==\x07", "\x9b2J", "\x90q\x9c"]
)
def test_a_terminal_escape_is_refused(sandbox: Sandbox, escape: str) -> None:
    assert_refused(sandbox, "remove it, for instance by copying the text without its colours", text=f"Look: {escape}")


@pytest.mark.parametrize("half", ["\ud800", "\udfff", "ok \udc80 ok"])
def test_half_a_character_is_refused(sandbox: Sandbox, half: str) -> None:
    assert_refused(sandbox, "save it as UTF-8", text=half)


@pytest.mark.parametrize(
    "hidden",
    [
        "\u202e",
        "\u2066",
        "\u2069",
        "\u200b",
        "\u200e",
        "\u2060",
        "\ufeff",
        "\u00ad",
        "\U000e0041",
        "\U000e007f",
        "\U000e0001",
        "\ufff9",
    ],
)
def test_hidden_characters_are_taken_out_and_said(sandbox: Sandbox, hidden: str) -> None:
    outcome = sandbox.ask("remember", text=f"Run {hidden}the tests")
    assert isinstance(outcome, Admitted)
    assert outcome.memory.content == outcome.memory.original_content == "Run the tests"
    assert outcome.memory.title == "Run the tests"
    assert "removed 1 hidden character" in outcome.notes
    assert not any(hidden.encode() in data for data in sandbox.journal().values())


def test_a_text_of_nothing_but_hidden_characters_is_refused(sandbox: Sandbox) -> None:
    assert_refused(sandbox, "add text that may be kept", text="\u200b\u202e\U000e0041")


@pytest.mark.parametrize("text", ["👩‍👩‍👧 reviewed it", "می‌خواهم همین را", "naïve café", "日本語のメモ", "a\tb\nc"])
def test_honest_writing_in_any_script_is_kept_as_it_is(sandbox: Sandbox, text: str) -> None:
    assert sandbox.remember(text).original_content == text


def test_line_ends_of_other_systems_become_plain(sandbox: Sandbox) -> None:
    assert sandbox.remember("one\r\ntwo\rthree").content == "one\ntwo\nthree"


def test_a_batch_keeps_what_is_fit_and_refuses_the_rest(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        drafts = [build_draft(runtime, text=text) for text in ("First of all", "\0", "Last of all")]
        outcomes = run_many(runtime, drafts)
    assert [type(outcome).__name__ for outcome in outcomes] == ["Admitted", "Rejected", "Admitted"]
    assert set(sandbox.texts()) == {"First of all", "Last of all"}


ANY = st.one_of(
    st.text(st.characters(), max_size=200),
    st.text(st.sampled_from("ab \n\t\r\0\x1b[31m\u202e\u200b\U000e0041\ud800😀日本é<private></private>"), max_size=60),
    st.text(max_size=40).map(lambda text: f"password={text} <private>{text}</private>"),
)


def test_any_text_and_title_is_answered_with_a_value(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:

        @given(text=ANY, title=st.one_of(st.none(), ANY), tags=st.lists(ANY, max_size=3))
        def check(text: str, title: str | None, tags: list[str]) -> None:
            sandbox.ms += 1
            outcome = run(runtime, text=text, title=title, tags=tags)
            if isinstance(outcome, Rejected):
                assert outcome.reason and outcome.reason.isprintable()
                return
            memory = outcome.memory
            for kept in (memory.content, memory.original_content, memory.title, memory.subtitle, *memory.tags):
                assert not any(
                    unicodedata.category(letter) in ("Cc", "Cs", "Co") for letter in kept if letter not in "\n\t"
                )
                assert "\u202e" not in kept and "\U000e0041" not in kept
                assert "<private>" not in kept
            if isinstance(outcome, Admitted):
                assert memory.token_count == count_tokens(memory.content)
                assert isinstance(run(runtime, text=text), Duplicate)

        check()
    assert sandbox.ask("verify").problems == ()


def test_any_text_is_a_question_and_an_id_that_breaks_nothing(sandbox: Sandbox) -> None:
    sandbox.remember("Migrations run with alembic")
    with sandbox.open() as runtime:

        @given(text=ANY)
        def check(text: str) -> None:
            page = load_verb("recall").run(runtime, query=text, limit=3)
            assert all(hit.memory.content for hit in page.items)
            load_verb("facts").run(runtime, words=(text,))
            load_verb("list").run(runtime, tag=text, file=text, session=text, branch=text)
            for source in ("session", "file"):
                load_verb("forget").run(runtime, source=f"{source}:x{text}", dry_run=True)

        check()


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("\n  \n    def f():\n        return 1\n\n", "    def f():\n        return 1"),
        ("\tlint:\n\t\truff check", "\tlint:\n\t\truff check"),
        ("   one line  ", "one line"),
        ("\n\n  one line", "one line"),
    ],
)
def test_the_first_of_several_lines_keeps_its_indentation(sandbox: Sandbox, text: str, stored: str) -> None:
    assert sandbox.remember(text).content == stored
