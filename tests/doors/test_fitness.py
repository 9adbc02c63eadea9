"""What may not come in is refused with a sentence that says what to do, and nothing of it is written."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.model.outcome import Admitted, Rejected
from limpet.operations.remember import draft_from, run, run_many
from tests.operations.desk import Desk

TEXT = "Migrations run with alembic"


def refused(desk: Desk, said: str, /, **values: Any) -> Rejected:
    """Ask for something unfit; the journal must be what it was."""
    with desk.open() as runtime:
        run(runtime, text="Something was there before")
        before = desk.journal()
        outcome = run(runtime, **{"text": TEXT, **values})
    assert isinstance(outcome, Rejected), outcome
    assert desk.journal() == before
    assert said in outcome.reason
    assert "\n" not in outcome.reason and len(outcome.reason) < 300
    assert outcome.reason.isprintable()
    return outcome


@pytest.mark.parametrize("text", ["", " ", " \n\t \r\n", "\u00a0\u2003"])
def test_an_empty_text_is_refused(desk: Desk, text: str) -> None:
    refused(desk, "the text is empty; say what should be kept", text=text)


@pytest.mark.parametrize("text", ["x" * 1_000_001, "é" * 500_001, "word " * 400_000], ids=["one", "utf-8", "2 MB"])
def test_a_text_of_more_than_a_megabyte_is_refused(desk: Desk, text: str) -> None:
    refused(desk, "1,000,000 are allowed; store its essence, or point to a file", text=text)


def test_a_text_of_exactly_a_megabyte_is_kept(desk: Desk) -> None:
    text = ("word " * 200_000)[:999_999] + "."
    assert desk.remember(text).original_content == text


@pytest.mark.parametrize(
    "letter", ["\0", "\x01", "\x07", "\x08", "\x0b", "\x0c", "\x1b", "\x7f", "\x85", "\x9b", "\x9d"]
)
def test_a_control_character_is_refused_and_named(desk: Desk, letter: str) -> None:
    refused(desk, f"U+{ord(letter):04X} at position 6", text=f"before{letter}after")


@pytest.mark.parametrize(
    "escape", ["\x1b[31mred", "\x1b]8;;http://evil\x07here", "\x1b]52;c;ZXZpbA==\x07", "\x9b2J", "\x90q\x9c"]
)
def test_a_terminal_escape_is_refused(desk: Desk, escape: str) -> None:
    refused(desk, "remove it, for instance by copying the text without its colours", text=f"Look: {escape}")


@pytest.mark.parametrize("half", ["\ud800", "\udfff", "ok \udc80 ok"])
def test_half_a_character_is_refused(desk: Desk, half: str) -> None:
    refused(desk, "save it as UTF-8", text=half)


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
def test_hidden_characters_are_taken_out_and_said(desk: Desk, hidden: str) -> None:
    outcome = desk.ask("remember", text=f"Run {hidden}the tests")
    assert isinstance(outcome, Admitted)
    assert outcome.memory.content == outcome.memory.original_content == "Run the tests"
    assert outcome.memory.title == "Run the tests"
    assert "removed 1 hidden character" in outcome.notes
    assert not any(hidden.encode() in data for data in desk.journal().values())


def test_a_text_of_nothing_but_hidden_characters_is_refused(desk: Desk) -> None:
    refused(desk, "say what may be kept", text="\u200b\u202e\U000e0041")


@pytest.mark.parametrize("text", ["👩‍👩‍👧 reviewed it", "می‌خواهم همین را", "naïve café", "日本語のメモ", "a\tb\nc"])
def test_honest_writing_in_any_script_is_kept_as_it_is(desk: Desk, text: str) -> None:
    assert desk.remember(text).original_content == text


def test_line_ends_of_other_systems_become_plain(desk: Desk) -> None:
    assert desk.remember("one\r\ntwo\rthree").content == "one\ntwo\nthree"


@pytest.mark.parametrize("name", ["importance", "difficulty", "confidence"])
@pytest.mark.parametrize("value", [-0.1, 1.01, 5, float("nan"), float("inf"), float("-inf")])
def test_a_share_must_lie_between_0_and_1(desk: Desk, name: str, value: float) -> None:
    refused(desk, f"{name} is {value!r}; give a number between 0 and 1", **{name: value})


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), 1e9])
def test_a_time_to_live_must_be_a_number_of_days(desk: Desk, value: float) -> None:
    refused(desk, "give a number of days", ttl_days=value)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("tags", ["t" * 65], "tags has 65 characters and 64 are allowed; shorten it"),
        ("tags", ["t" * 2_000_000], "2,000,000 characters"),
        ("tags", [f"tag{n}" for n in range(33)], "33 are too many; give at most 32"),
        ("tags", ["fine", "ba\x07d"], "control character"),
        ("tags", ["nul\0"], "control character"),
        ("tags", ["half\ud800"], "save it as UTF-8"),
        ("title", "t" * 201, "title has 201 characters and 200 are allowed; shorten it"),
        ("title", "\x1b[2J", "control character"),
        ("title", "half\udfff", "save it as UTF-8"),
        ("subtitle", "s" * 301, "subtitle has 301 characters and 300 are allowed; shorten it"),
        ("subtitle", "bell\x07", "control character"),
        ("files", ["f" * 1001], "files has 1,001 characters"),
        ("files", [f"src/{n}.py" for n in range(201)], "201 are too many; give at most 200"),
        ("files", ["a\x1bb.py"], "control character"),
    ],
)
def test_an_unfit_field_is_refused_like_an_unfit_text(desk: Desk, field: str, value: Any, said: str) -> None:
    refused(desk, said, **{field: value})


def test_fields_are_made_tidy(desk: Desk) -> None:
    memory = desk.remember(
        TEXT, tags=["#Deploy", "deploy", " ", "#", "Ci"], title="  two\n words ", files=["a.py", "a.py", ""]
    )
    assert memory.tags == ("deploy", "ci")
    assert memory.title == "two words"
    assert memory.files_read == ("a.py",)


def test_a_batch_keeps_what_is_fit_and_refuses_the_rest(desk: Desk) -> None:
    with desk.open() as runtime:
        drafts = [draft_from(runtime, text=text) for text in ("First of all", "\0", "Last of all")]
        outcomes = run_many(runtime, drafts)
    assert [type(outcome).__name__ for outcome in outcomes] == ["Admitted", "Rejected", "Admitted"]
    assert set(desk.texts()) == {"First of all", "Last of all"}
