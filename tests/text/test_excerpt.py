"""A text that is too long is cut between words, never beyond its place, and says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text.excerpt import shorten, shorten_sentences, split_excerpt
from limpet.text.inference import infer


def test_a_text_that_fits_is_left_alone() -> None:
    assert split_excerpt("as it is…", 9) == ("as it is…", "")


def test_a_text_is_cut_between_words_and_lines() -> None:
    assert split_excerpt("use pnpm, not npm", 12) == ("use pnpm…", "not npm")
    assert shorten("first line\nsecond line", 12) == "first line…"


def test_a_word_is_cut_where_the_only_gap_is_far_to_the_front() -> None:
    assert shorten("a " + "b" * 30, 20) == "a " + "b" * 17 + "…"


@given(st.text(alphabet=" \nab,…", max_size=60), st.integers(1, 40))
def test_no_text_outgrows_its_place(text: str, limit: int) -> None:
    head = shorten(text, limit)
    assert len(head) <= limit
    assert head == text or head.endswith("…")


def test_the_title_is_the_heading_without_its_marks() -> None:
    inferred = infer("## **Deploying** with [Helm](https://helm.sh)\n\nRun `make deploy`. Then wait.")
    assert inferred.title == "Deploying with Helm"
    assert inferred.subtitle == "Run make deploy."


def test_the_title_is_the_first_sentence() -> None:
    inferred = infer("Use v1.2 of foo.py, e.g. for tests. It is faster.")
    assert (inferred.title, inferred.subtitle) == ("Use v1.2 of foo.py, e.g. for tests.", "It is faster.")


def test_a_long_first_sentence_is_cut_between_words_and_its_rest_is_no_subtitle() -> None:
    text = "The importer reads every line of the journal and writes what it finds into the index of the project."
    inferred = infer(text)
    assert inferred.title == "The importer reads every line of the journal and writes what it finds into the…"
    assert inferred.subtitle == ""
    assert infer(f"{text} It runs nightly.").subtitle == "It runs nightly."


@pytest.mark.parametrize(
    "text",
    ["Keep it short. Keep it short.", "The gate is blue. It is " + "very " * 30 + "blue."],
    ids=["in the title", "too long"],
)
def test_a_subtitle_is_a_whole_sentence_that_the_title_does_not_have(text: str) -> None:
    assert infer(text).subtitle == ""


@pytest.mark.parametrize(
    ("text", "title", "subtitle"),
    [
        (
            "Deploys: 1. run make release 2. wait for CI 3. push the tag",
            "Deploys: 1. run make release 2. wait for CI 3. push the tag",
            "",
        ),
        ("Deploys: 1. Run make release. 2. Wait for CI.", "Deploys: 1. Run make release.", "2. Wait for CI."),
        ("Deploy before 3 p.m. on Fridays. Ask Ann.", "Deploy before 3 p.m. on Fridays.", "Ask Ann."),
        ("Freeze at 9 a.m. UTC. Ask Ann.", "Freeze at 9 a.m. UTC.", "Ask Ann."),
        ("Releases stop at 3 p.m. The gate is shut then.", "Releases stop at 3 p.m.", "The gate is shut then."),
        ("The limit is 42. It is fixed.", "The limit is 42.", "It is fixed."),
        ("We run Python 3.11. It is fixed.", "We run Python 3.11.", "It is fixed."),
        ("The fee is $42. It is fixed.", "The fee is $42.", "It is fixed."),
    ],
)
def test_the_number_of_an_item_and_a_time_of_day_do_not_end_a_sentence(text: str, title: str, subtitle: str) -> None:
    inferred = infer(text)
    assert (inferred.title, inferred.subtitle) == (title, subtitle)


def test_names_keep_the_marks_that_belong_to_them() -> None:
    assert infer("_Note_: rename `snake_case` to __init__").title == "Note: rename snake_case to __init__"
    assert infer("Put *.py under ~/src/<name> and 2 * 3").title == "Put *.py under ~/src/<name> and 2 * 3"


def test_code_alone_still_has_a_title() -> None:
    assert infer("```python\nprint('hello')\n```").title == "print('hello')"


@given(st.text(st.sampled_from("#*_`>[]() -\n.aA1<|~"), max_size=300))
def test_any_markup_gets_a_title_of_one_line(text: str) -> None:
    inferred = infer(text)
    assert len(inferred.title.splitlines()) <= 1
    assert inferred.title == inferred.title.strip()


@pytest.mark.parametrize(
    ("text", "limit", "left"),
    [
        ("It is short.", 40, "It is short."),
        ("The port is 5433. It was 5432 before the move.", 30, "The port is 5433."),
        ("Use `a.b` e.g. here and there, always. Then stop at the gate.", 45, "Use `a.b` e.g. here and there, always."),
        ("Never deploy after 3 p.m. on Fridays. Ask Ann first.", 40, "Never deploy after 3 p.m. on Fridays."),
        ("Never deploy after 3 p.m. on Fridays, but before.", 40, "Never deploy after 3 p.m. on Fridays…"),
        ("One sentence that is much too long for its place", 20, "One sentence that…"),
        ("端口是5433。之前是5432，迁移之后改了，请注意这一点。", 12, "端口是5433。"),
    ],
)
def test_a_text_is_cut_after_a_sentence_if_one_fits(text: str, limit: int, left: str) -> None:
    assert shorten_sentences(text, limit) == left
