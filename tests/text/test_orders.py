"""Which sentences give an order, and which only sound like one."""

from __future__ import annotations

import pytest

from limpet.text.inference import infer
from limpet.text.orders import is_guess, may_order


@pytest.mark.parametrize(
    ("sentence", "orders"),
    [
        ("always run the tests", True),
        ("never commit secrets", True),
        ("never pass None", True),
        ("always good to see you", False),
        ("always a pleasure", False),
        ("always the same story", False),
        ("never returns None", False),
        ("never finished it", False),
        ("never mind", False),
        ("never", False),
    ],
)
def test_an_order_has_a_verb_after_always_or_never(sentence: str, orders: bool) -> None:
    words = sentence.split()
    assert may_order(words, 0) is orders
    assert (infer(sentence).impact == "CRITICAL") is orders


@pytest.mark.parametrize(
    ("sentence", "guess"),
    [
        ("must be the cache", True),
        ("must have been slow", True),
        ("must be green", False),
        ("must run first", False),
        ("must", False),
    ],
)
def test_a_must_can_be_a_guess(sentence: str, guess: bool) -> None:
    assert is_guess(sentence.split(), 0) is guess
