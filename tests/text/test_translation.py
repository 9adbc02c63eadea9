"""Only the function words of a text are translated, and only in a text of their language."""

from __future__ import annotations

import pytest

from limpet.text.clauses import translate


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Wir benutzen npm", "we use npm"),
        ("npm wurde durch pnpm ersetzt", "npm was replaced by pnpm"),
        ("Nous utilisons npm", "we use npm"),
        ("Desplegamos en Heroku para la demo", "Desplegamos to Heroku for the demo"),
        ("npmの代わりにpnpmを使います", "pnpm instead of npm use"),
        ("我们使用npm", "we use npm"),
        ("The license is MIT", "The license is MIT"),
        ("License: MIT", "License: MIT"),
        ("We die on this hill", "We die on this hill"),
    ],
)
def test_function_words_are_translated(text: str, english: str) -> None:
    assert translate(text).split() == english.split()
