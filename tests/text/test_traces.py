"""The traces of a text are found in whatever form it was repeated, and nothing else is cut out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text.traces import Traces

TEXT = "The zebra crossing is white. Ann painted it, because the mayor didn't want a yellow one."
TRACES = Traces([TEXT])


@pytest.mark.parametrize(
    ("found", "left"),
    [
        (TEXT, ""),
        ("- The zebra crossing is white.\n- The light is green.\n", "- The light is green.\n"),
        ("- the ZEBRA crossing\n  is white\n", ""),
        ("> open: The zebra crossing is white (3 observations)\n", ""),
        ("# The zebra crossing is white\n\nOther words.\n", "\nOther words.\n"),
        ("Decided: the zebra crossing is white, says Ann.", "Decided: says Ann."),
        ("User said: “Ann painted it, because the mayor didn’t wa…”", "User said: “”"),
        ("User said: “Ann painted it, because the mayor didn't wa...”", "User said: “”"),
        ("<li>the mayor didn&#x27;t want a yellow one</li>", "<li></li>"),
        ("1. The zebra crossing is white\r\n2. Another thing\r\n", "2. Another thing\r\n"),
        ("the-zebra-crossing-is-white", ""),
    ],
)
def test_what_repeats_a_text_is_cut_out(found: str, left: str) -> None:
    assert TRACES.erase(found) == left
    assert TRACES.finds_in(found)


@pytest.mark.parametrize(
    "other",
    ["", "The crossing is wide.", "A zebra is white.", "Ann likes the mayor.", "is white because the", "- \n\n> \n"],
)
def test_other_words_stay(other: str) -> None:
    assert TRACES.erase(other) == other
    assert not TRACES.finds_in(other)


def test_a_word_that_only_begins_alike_stays_if_nothing_was_shortened() -> None:
    assert TRACES.erase("Ann painted it, because the mayor didn't wan today") == "wan today"


@pytest.mark.parametrize(
    ("found", "is_trace"),
    [
        ("He said that my dog barks loudly.", True),
        # Three meaningful words are enough, two are not, however many stand between them.
        ("with our dog barks loudly", True),
        ("and with our dog barks at", False),
    ],
)
def test_four_words_count_if_three_of_them_have_a_meaning(found: str, is_trace: bool) -> None:
    traces = Traces(["On Monday my dog barks loudly and with our dog barks at us, with our dog barks loudly"])
    assert traces.finds_in(found) is is_trace


def test_signs_between_adjacent_parts_go_with_them() -> None:
    other = Traces(["The zebra crossing is white.", "The mayor wants a yellow one."])
    said = "Ann: “The zebra crossing is white” – (the mayor wants a yellow one) – says Kim."
    assert other.erase(said) == "Ann: “) – says Kim."
    lines = "Ann: the zebra crossing is white\n- the mayor wants a yellow one, says Kim\n"
    assert other.erase(lines) == "Ann: \n- says Kim\n"


def test_a_short_text_goes_where_it_is_all_that_a_line_says() -> None:
    short = Traces(["Use pnpm"])
    assert short.erase("- Use pnpm\n- Use pnpm for the app\n") == "- Use pnpm for the app\n"


def test_a_text_in_a_script_without_spaces_is_found() -> None:
    assert Traces(["横断歩道は白い色です"]).erase("- 横断歩道は白い色です。\n- 信号は緑\n") == "- 信号は緑\n"
    # Compatibility ideographs such as \uf900 count as words as well.
    assert Traces(["\uf900\uf901\uf902\uf903\uf904"]).finds_in("信号\uf900\uf901\uf902\uf903です")


def test_signs_of_json_are_no_words() -> None:
    raw = r'"said": "The zebra\ncrossing is white", "x": "\u00e9"'
    assert TRACES.erase(raw, is_escaped=True) == r'"said": "", "x": "\u00e9"'


@given(st.text(alphabet="abcd \n.", max_size=200), st.text(alphabet="abcd \n.", max_size=200))
def test_erasing_adds_and_reorders_nothing(text: str, purged: str) -> None:
    signs = iter(text)
    assert all(sign in signs for sign in Traces([purged]).erase(text))


def test_repeated_words_mean_nothing_and_cost_little() -> None:
    # Quadratic work would take minutes.
    text = "b " * 20_000 + "very " * 20_000
    assert Traces(["b " * 15_000, "very " * 15_000]).erase(text) == text
