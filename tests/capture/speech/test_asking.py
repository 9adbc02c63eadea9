"""What a prompt asks for."""

from __future__ import annotations

import pytest

from limpet.capture.speech.asking import find_request


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("the build fails with exit 1", "mend"),
        ('Traceback (most recent call last):\n  File "a.py", line 1\nValueError: x', "mend"),
        ("fix the typo", "mend"),
        ("why do we have two queues", "learn"),
        ("can you explain the cache?", "learn"),
        ("can you please add a button", "feature"),
        ("let's refactor this", "refactor"),
        ("i want to change the colour", "change"),
        ("yes", "before"),
        ("The harbour has seven gulls and a lighthouse that nobody has ever painted", ""),
    ],
)
def test_a_prompt_is_sorted_by_what_it_asks_for(prompt: str, wanted: str) -> None:
    assert find_request(prompt, "before") == wanted
