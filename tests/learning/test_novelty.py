"""How new a text is depends on what the store holds, and for the user's words on their own words only."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.learning.novelty import measure_novelty
from tests.operations.sandbox import Sandbox, isolate_environment

TEXT = "The staging database is called heron-7 and resets every night at two"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    isolate_environment(monkeypatch, tmp_path)
    return Sandbox(tmp_path)


def novelty(sandbox: Sandbox, text: str, *, typed: bool = False) -> float:
    with sandbox.open() as runtime:
        return measure_novelty(text, reading=runtime.reading(), scope=runtime.scope(), now=runtime.now(), typed=typed)


def test_everything_is_new_to_an_empty_store(sandbox: Sandbox) -> None:
    assert novelty(sandbox, TEXT) == 1.0


def test_a_text_that_is_stored_is_not_new_and_another_one_is(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    assert novelty(sandbox, TEXT) < 0.05
    assert novelty(sandbox, "Invoices are rounded once per order, never per line") > 0.5


def test_what_others_have_said_does_not_make_the_users_words_known(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT, origin="external")
    assert novelty(sandbox, TEXT) < 0.05
    assert novelty(sandbox, TEXT, typed=True) == 1.0
