"""An index of another version is built anew."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from limpet.guard.signs import EDITION
from limpet.store.view.open import VERSION, connect, create_tables
from tests.model.making import admit, memory
from tests.store.acting import all_memories
from tests.store.homes import (
    open_store,
)


def test_an_index_of_an_older_form_is_built_anew(home: Path) -> None:
    one = memory()
    store = open_store(home)
    store.append([admit(one)])
    store.close()
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute("DROP TABLE memory; PRAGMA user_version=-1")
    connection.close()
    again = open_store(home)
    assert set(all_memories(again.reading())) == {one.id}
    assert any("older form" in notice for notice in again.notices)
    assert not list((home / "damaged").glob("*")), "a sound index is no damaged file"
    again.append([admit(memory("more"))])
    assert len(all_memories(again.reading())) == 2


def test_a_statement_is_prepared_once_for_all_values(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "index.db"), create=True)
    create_tables(connection)
    prepared: list[int] = []

    def note(action: int, *_: object) -> int:
        prepared.append(action)
        return apsw.SQLITE_OK

    connection.authorizer = note
    # It has conditions that SQLite would like to weigh by their values.
    statement = "SELECT id FROM memory WHERE scope = ? AND kind = ? AND status = 'live' ORDER BY created LIMIT 1"
    connection.execute(statement, (1, "LEARNINGS")).fetchall()
    assert prepared
    prepared.clear()
    connection.execute(statement, (2, "EMOTIONAL")).fetchall()
    assert prepared == []
    connection.close()


def test_newer_rules_for_signs_make_the_rows_anew() -> None:
    assert VERSION % 1000 == EDITION


def test_an_index_for_which_there_is_no_room_says_so(tmp_path: Path) -> None:
    connection = connect(str(tmp_path / "index.db"), create=True)
    connection.execute("PRAGMA max_page_count=10").fetchall()
    with pytest.raises(apsw.FullError, match="disk is full"):
        create_tables(connection)
    connection.close()
