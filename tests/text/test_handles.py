"""The handles of a text are its words that name something."""

from __future__ import annotations

import pytest

from limpet.text.handles import asks_for_state, find_handles, find_rivals, stem_handles


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("add a log call in checkout.py", {"log", "checkout.py"}),
        ("never change this here, please", set()),
        ("edit src/app.ts", {"src/app.ts"}),
        ("run mypy again", {"mypy"}),
    ],
)
def test_words_that_any_request_has_name_nothing(text: str, names: set[str]) -> None:
    assert {term.text for term in find_handles(text)} >= names
    assert (not names) == (find_handles(text) == [])


def test_a_program_stands_for_those_that_do_the_same_job() -> None:
    assert {term.text for term in find_rivals(find_handles("npm install lodash"))} == {"pnpm", "yarn", "bun"}


@pytest.mark.parametrize(
    "text", ["theres no point", "it's late, shall we go on", "otherwise she shows it", "only ones"]
)
def test_a_word_that_names_nothing_does_so_in_every_form(text: str) -> None:
    assert not {"there", "it", "go", "show", "otherwis", "on"} & set(stem_handles(text))
    assert not {"theres", "it's", "go", "otherwise", "shows", "ones"} & {term.text for term in find_handles(text)}


@pytest.mark.parametrize(
    "text",
    [
        "which branch am i on",
        "show me the last five commits",
        "could you explain how a claim is settled",
        "on what date did we tag v2.3",
        "is the flag still referenced?",
        "welche Funktion ruft parseRow auf?",
    ],
)
def test_a_message_may_only_ask_how_something_is(text: str) -> None:
    assert asks_for_state(text)


@pytest.mark.parametrize(
    "text",
    [
        "commit what we have so far",
        "how do i run the make target for the docs",
        "can you scale the deployment?",
        "shall we release it this afternoon?",
        "what's the best way to clone this?",
        "",
    ],
)
def test_a_message_that_asks_for_work_or_how_to_do_it_asks_for_more(text: str) -> None:
    assert not asks_for_state(text)
