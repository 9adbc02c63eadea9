"""A text is named by its heading or its first sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from limpet.text.inference import infer


def test_the_title_is_the_heading_without_its_marks() -> None:
    inferred = infer("## **Deploying** with [Helm](https://helm.sh)\n\nRun `make deploy`. Then wait.")
    assert inferred.title == "Deploying with Helm"
    assert inferred.subtitle == "Run make deploy."


def test_the_title_is_the_first_sentence() -> None:
    inferred = infer("Use v1.2 of foo.py, e.g. for tests. It is faster.")
    assert (inferred.title, inferred.subtitle) == ("Use v1.2 of foo.py, e.g. for tests.", "It is faster.")


def test_a_long_first_sentence_is_cut_between_words_and_goes_on_below() -> None:
    text = "The importer reads every line of the journal and writes what it finds into the index of the project."
    inferred = infer(text)
    assert inferred.title == "The importer reads every line of the journal and writes what it finds into the…"
    assert inferred.subtitle == "index of the project."


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
