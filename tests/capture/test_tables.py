"""The table files are well formed."""

from __future__ import annotations

from pathlib import Path

import pytest

import limpet.capture
from limpet.capture.tables import load_table, word_list

FOLDER = Path(next(iter(limpet.capture.__path__)))
TABLES = sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.table"))


@pytest.mark.parametrize("table", TABLES)
def test_every_row_of_a_table_is_read(table: str) -> None:
    lines = (FOLDER / f"{table}.table").read_text(encoding="utf-8").splitlines()
    headings = [line for line in lines if line and not line.startswith(("#", "    ", "+ ", "- "))]
    assert len(load_table(table)) == len(headings)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_says_at_its_top_what_it_is_for(table: str) -> None:
    assert (FOLDER / f"{table}.table").read_text(encoding="utf-8").startswith("# ")


def test_a_row_has_a_name_a_weight_contents_and_examples() -> None:
    row = load_table("prompt_signals")["only"]
    assert (row.name, row.weight) == ("only", 0.6)
    assert "seulement" in word_list("prompt_signals", "only")
    assert row.applies_to == ("Sync only over wifi.",)
    assert row.ignores == ("Sync over wifi.",)
