"""A budget is never exceeded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from limpet.inject.budget import Budget
from limpet.settings import InjectSettings
from limpet.text.tokens import count_tokens


@given(st.lists(st.text(min_size=1, max_size=300), max_size=30), st.integers(0, 10), st.integers(0, 200))
def test_a_budget_is_never_exceeded(texts: list[str], items: int, tokens: int) -> None:
    settings = InjectSettings(characters=1000)
    budget = Budget.of(settings, items=items, tokens=tokens, frame="[LTM]")
    taken = [text for text in texts if budget.take(text)]
    assert len(taken) <= items
    assert sum(map(count_tokens, taken)) <= max(0, tokens)
    assert sum(len(text) + 1 for text in taken) <= 1000
