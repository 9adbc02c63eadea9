"""What stands in front of a sentence and says nothing is removed; what could change its meaning is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text.chatter import strip_chatter


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("No, use pnpm instead.", "Use pnpm instead."),
        ("no the port is 5433", "The port is 5433"),
        ("yes github only for now.", "Github only for now."),
        ("Yes — we configured Grafana Cloud", "We configured Grafana Cloud"),
        ("ok lets get back to main", "Lets get back to main"),
        ("✅ Problem solved: the cookie is sent", "Problem solved: the cookie is sent"),
        ("Hi Claude, please always use uv", "Always use uv"),
        ("Great! So the tools are described", "The tools are described"),
        ("hmmm, at this point I am lost", "At this point I am lost"),
        ("Short answer: No, the flow is not exposed", "The flow is not exposed"),
        ("Done. PR created from the branch", "PR created from the branch"),
        ("It turns out that the port is 5433", "The port is 5433"),
        ("ok, src/cart.py holds the tax", "src/cart.py holds the tax"),
        ("好的，`curl` 命令没有返回任何内容", "`curl` 命令没有返回任何内容"),
    ],
)
def test_a_greeting_a_nod_and_a_filler_are_removed(sentence: str, left: str) -> None:
    assert strip_chatter(sentence) == left


@pytest.mark.parametrize(
    "sentence",
    [
        "No implementation work has been done for streaming",
        "No hardcoded values.",
        "No problem with that approach",
        "Just use pnpm here",
        "❌ Use inline calls",
        "I think the cache is stale",
        "Great work needs time",
        "So-called hosts are used",
        "well-known hosts are used",
        "Notebooks must be stripped",
        "sound cards are broken",
        ".env is hidden from the editor",
        "--force is never used",
        "$HOME is used",
        "“Quoted” words stay",
        "`access()` is simplified",
        "ok, done",
    ],
)
def test_what_says_something_stays(sentence: str) -> None:
    assert strip_chatter(sentence) == sentence


@given(st.text(max_size=300))
def test_only_the_beginning_is_ever_removed(text: str) -> None:
    left = strip_chatter(text)
    assert left == text or text.endswith(left[1:])
