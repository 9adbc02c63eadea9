"""What is in the index and not in the journal is found and put right."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.acting import Actor, Clock, all_memories
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


SAME_SIZES = """
    INSERT OR REPLACE INTO words (rowid, title, subtitle, content, tags, files, scope)
    SELECT doc,
    group_concat(iif(col = 'title', 'forged', NULL), ' '), group_concat(iif(col = 'subtitle', term, NULL), ' '),
    group_concat(iif(col = 'content', term, NULL), ' '), group_concat(iif(col = 'tags', term, NULL), ' '),
    group_concat(iif(col = 'files', term, NULL), ' '), group_concat(iif(col = 'scope', term, NULL), ' ')
    FROM (SELECT * FROM temp.spelt ORDER BY col, offset) WHERE doc = (SELECT max(rowid) FROM words)
"""
"""Another title for a memory; each column keeps its number of words."""


@pytest.mark.parametrize(
    "edit",
    [
        "DELETE FROM facet WHERE memory = (SELECT max(memory) FROM facet)",
        "UPDATE facet SET value = value || 'x' WHERE name = 'tag'",
        "INSERT INTO facet VALUES ('tag', 'forged', 3)",
        "DELETE FROM band WHERE memory = (SELECT max(memory) FROM band)",
        "UPDATE band SET value = value + 1 WHERE memory = (SELECT max(memory) FROM band)",
        "INSERT INTO band VALUES (1, 3)",
        "DELETE FROM words WHERE rowid = (SELECT max(rowid) FROM words)",
        "INSERT INTO words (rowid, title, content) VALUES (900001, 'forged', 'forged')",
        "INSERT OR REPLACE INTO words (rowid, title, subtitle, content, tags, files, scope) "
        "SELECT max(rowid), 'forged', '', 'forged', '', '', 'x' FROM words",
        SAME_SIZES,
        "DELETE FROM vector",
        "DELETE FROM sketch WHERE key = (SELECT max(key) FROM sketch)",
    ],
)
def test_rows_for_search_that_somebody_wrote_by_hand_are_put_right(home: Path, edit: str) -> None:
    import apsw

    with closing(open_store(home)) as store:
        Actor(store, Clock(), random.Random(3), purging=False).act(60)
        assert store.verify().problems == []
        before = tables(store)
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute("CREATE VIRTUAL TABLE temp.spelt USING fts5vocab(main, words, instance)")
    connection.execute(edit)
    assert connection.changes()
    connection.close()
    with closing(open_store(home)) as store:
        assert any(problem.fixable for problem in store.verify().problems)
        assert store.mend().problems == []
        after = tables(store)
        assert [name for name in before if after[name] != before[name]] == []


@pytest.mark.parametrize("seed", range(4))
def test_the_rows_for_search_are_right_after_random_steps(home: Path, seed: int) -> None:
    with closing(open_store(home)) as store:
        Actor(store, Clock(), random.Random(seed)).act(150)
        assert store.verify().problems == []


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
