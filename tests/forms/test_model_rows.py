"""The rows of an answer for a model share a budget, and each has passed the governor."""

from __future__ import annotations

import json

from limpet.forms.model_rows import (
    BUDGET,
    compact_json,
    cut_to_tokens,
    drop_empty,
    make_text_rows,
    make_title_rows,
)
from limpet.text.tokens import count_tokens
from tests.operations.sandbox import Sandbox, without_ids

LONG = "The nightly job copies every table of the shop to the second site. "


def stored(sandbox: Sandbox) -> list[str]:
    return [sandbox.remember(f"{LONG * 60} Number {number}.").id for number in range(3)]


def test_long_texts_share_what_short_ones_leave(sandbox: Sandbox) -> None:
    stored(sandbox)
    sandbox.remember("The port is 9090")
    with sandbox.open() as runtime:
        page = sandbox.ask("list").items
        rows = make_text_rows(runtime, page)
        titles = make_title_rows(runtime, page)
    assert "The port is 9090" in [row["text"] for row in rows]
    assert 0.7 * BUDGET < count_tokens(compact_json(rows)) <= 1.1 * BUDGET
    assert all("text" not in row and row["title"] for row in titles)


def test_a_forgotten_memory_has_a_reason_instead_of_a_text(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The port is 9090")
    page = sandbox.ask("list").items
    sandbox.ask("forget", ids=[memory.id])
    with sandbox.open() as runtime:
        (row,) = make_text_rows(runtime, page)
    assert row["id"] == memory.id and "forgotten" in row["withheld"] and "9090" not in without_ids(str(row))


def test_a_text_is_cut_to_its_tokens() -> None:
    assert cut_to_tokens("short", 10) == "short"
    cut = cut_to_tokens(LONG * 20, 30)
    assert cut.endswith("…") and count_tokens(json.dumps(cut, ensure_ascii=False)) <= 31


def test_empty_values_are_left_out() -> None:
    assert drop_empty({"b": "", "c": None, "d": [], "e": False, "g": "x"}) == {"g": "x"}
