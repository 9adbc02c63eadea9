"""Every promise has a test: the table in `requirements.py` is whole, and the tests it names exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.requirements import ROWS, Row

ROOT = Path(__file__).resolve().parent.parent


@cache
def functions_of(name: str) -> frozenset[str]:
    path = ROOT / name
    if not path.is_file():
        return frozenset()
    functions = (node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef))
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


def test_the_ids_are_unique() -> None:
    ids = [row.id for row in ROWS]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_the_row_says_what_is_promised_and_where_it_comes_from(row: Row) -> None:
    assert re.fullmatch(r"[A-Z]\d+", row.id)
    assert row.sentence.endswith(".")
    assert all(part in ("0", "1", "2", "3", "4", "own") for part in row.source.split(", "))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_the_promise_has_a_test(row: Row) -> None:
    assert row.tests, f"{row.id} has no test: {row.sentence}"
    missing = [test for test in row.tests if test.partition("::")[2] not in functions_of(test.partition("::")[0])]
    assert missing == []
