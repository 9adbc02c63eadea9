"""What is in the index and not in the journal is found and put right."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.store.acting import all_memories
from tests.store.damage import (
    fill_home,
)
from tests.store.homes import (
    open_store,
    tables,
)


def test_mending_puts_back_rows_that_somebody_wrote_by_hand(home: Path) -> None:
    import apsw

    before = fill_home(home)
    store = open_store(home)
    store.reading()
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute("UPDATE memory SET status = 'live' WHERE status = 'forgotten'")
    connection.execute("DELETE FROM memory WHERE key = 7")
    connection.close()
    assert any(problem.fixable for problem in store.verify().problems)
    report = store.mend()
    assert report.problems == []
    assert report.mended
    assert all_memories(store.reading()) == before


def test_a_number_of_memories_that_somebody_wrote_by_hand_is_not_believed(home: Path) -> None:
    import apsw

    fill_home(home)
    with closing(open_store(home)) as store:
        before = tables(store)["census"]
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute("UPDATE census SET count = count + 1")
    connection.close()
    with closing(open_store(home)) as store:
        assert tables(store)["census"] == before


def test_a_memory_that_was_removed_from_the_index_with_its_changes_is_missed(home: Path) -> None:
    import apsw

    before = fill_home(home)
    store = open_store(home)
    store.reading()
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute("DELETE FROM change WHERE root = (SELECT id FROM memory WHERE key = 7 AND root IS NULL)")
    assert connection.changes()
    connection.execute("DELETE FROM memory WHERE coalesce(root, id) NOT IN (SELECT root FROM change)")
    connection.close()
    assert [problem.what for problem in store.verify().problems] == ["the index lacks changes of this segment"]
    assert store.mend().problems == []
    assert all_memories(store.reading()) == before


@pytest.mark.parametrize("table", ["fact", "agent"])
def test_rows_of_other_tables_written_by_hand_are_found_too(home: Path, table: str) -> None:
    import apsw

    before = fill_home(home)
    store = open_store(home)
    store.reading()
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute(f"DELETE FROM {table}")
    connection.close()
    assert any(problem.fixable for problem in store.verify().problems)
    assert store.mend().problems == []
    assert all_memories(store.reading()) == before
    assert tables(store)[table] != []


def test_a_healthy_store_has_nothing_to_mend(home: Path) -> None:
    fill_home(home)
    store = open_store(home)
    report = store.mend()
    assert (report.problems, report.mended) == ([], [])
    assert store.notices == []


def test_a_memory_that_somebody_has_hidden_as_a_repetition_is_shown_again(home: Path) -> None:
    import apsw

    fill_home(home)
    with closing(open_store(home)) as store:
        before = tables(store)["memory"]
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute("UPDATE memory SET twin = 1 - twin WHERE key = 3")
    connection.close()
    with closing(open_store(home)) as store:
        store.mend()
        assert tables(store)["memory"] == before
