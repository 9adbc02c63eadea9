"""A message that only agrees is told from one that also asks for, or says, something."""

from __future__ import annotations

import pytest

from limpet.text.assent import only_assents


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "y",
        "OK!",
        "continue",
        "continue please.",
        "ok, go on please",
        "please continue where you left off",
        "yes, go ahead and continue",
        "Sounds good, proceed",
        "great, keep going!",
        "looks great, ship it",
        "lgtm, merge it",
        "Yes, that's exactly right. Go ahead with it now.",
        "that makes sense, let's do it",
        "that works for me, thanks",
        "ja, mach weiter",
        "sí, continúa",
        "oui, continuez",
        "vas-y",
        "да, продолжай",
        "好的，继续",
        "はい、続けて",
    ],
)
def test_a_message_of_assent_only_assents(text: str) -> None:
    assert only_assents(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "👍?",
        "please",
        "now",
        "thanks",
        "What works on start?",
        "Why does the start move?",
        "ok?",
        "继续吗？",
        "what works on start",
        "yes, but not on Fridays",
        "no",
        "no, continue",
        "do not continue",
        "don't merge it",
        "yes, option 2",
        "great! what is the staging database called",
        "ok, commit",
        "keep the old name",
        "make it right",
        "go to the staging server",
        "the module has another name, see modules/",
        "yes " * 1_000,
    ],
)
def test_a_message_that_says_more_does_not(text: str) -> None:
    assert not only_assents(text)
