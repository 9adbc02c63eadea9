"""The table files are well formed."""

from __future__ import annotations

from pathlib import Path

import pytest

import limpet
from limpet.text.tables import read_table

PACKAGE = Path(limpet.__file__).parent
TABLES = sorted(
    path.relative_to(PACKAGE).as_posix() for pattern in ("*.table", "*.rules") for path in PACKAGE.rglob(pattern)
)


@pytest.mark.parametrize("table", TABLES)
def test_every_row_of_a_table_is_read(table: str) -> None:
    lines = (PACKAGE / table).read_text(encoding="utf-8").splitlines()
    headings = [line for line in lines if line and not line.startswith(("#", "    ", "+ ", "- "))]
    assert len(read_table(table)) == len(headings)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_says_at_its_top_what_it_is_for(table: str) -> None:
    assert (PACKAGE / table).read_text(encoding="utf-8").startswith("# ")


def test_a_row_has_a_name_a_weight_contents_and_examples() -> None:
    row = next(row for row in read_table("capture/report_signals.table") if row.name == "names a problem")
    assert row.weight > 0
    assert "erreur" in row.contents
    assert row.applies_to == ("The problem is old.",)
    assert row.ignores == ("The page is old.",)
