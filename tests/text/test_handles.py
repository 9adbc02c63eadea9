"""The handles of a text are its words that name something."""

from __future__ import annotations

import pytest

from limpet.text.handles import find_handles


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
    assert {"npm", "pnpm", "yarn", "bun"} <= {term.text for term in find_handles("npm install lodash")}
