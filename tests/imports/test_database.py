"""The database of another tool is read row by row, within limits, and only what is stored in it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from limpet.exchange.account import ImportAnswer, Result
from limpet.imports import database, row_tools
from limpet.model.change import Status
from tests.imports.samples import CLAUDE_MEM, SAMPLES
from tests.operations.sandbox import Sandbox

# SQLite cannot compute it, so whoever reads such a column gets an error.
FAILING = "abs(-9223372036854775807 - 1)"


def is_database(path: Path) -> bool:
    return path.is_file() and path.read_bytes()[:6] == b"SQLite"


def import_texts(sandbox: Sandbox, name: str, path: Path) -> tuple[ImportAnswer, list[str]]:
    answer: ImportAnswer = sandbox.ask("import", from_=SAMPLES[name][0], file=str(path))
    return answer, sorted(each.why for each in answer.objects if each.result is Result.REFUSED)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_column_that_is_computed_at_each_read_is_not_read(sandbox: Sandbox, name: str) -> None:
    _, make, memories, facts = SAMPLES[name]
    path = make(sandbox.folder)
    if not is_database(path):
        # Only a database has computed columns, but no other store may come to be one unnoticed.
        assert path.suffix not in (".db", ".sqlite")
        return
    with sqlite3.connect(path) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'")]
        for table in set(tables) - {"sqlite_sequence"}:
            connection.execute(f'ALTER TABLE "{table}" ADD COLUMN slow GENERATED ALWAYS AS ({FAILING}) VIRTUAL')
    answer, refused = import_texts(sandbox, name, path)
    assert (answer.added, answer.facts, refused) == (memories, facts, [])


def test_a_table_whose_order_is_computed_is_read_in_the_order_of_its_rows(sandbox: Sandbox) -> None:
    path = sandbox.folder / "memories.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE memories (id TEXT, content TEXT, content_hash TEXT, memory_type TEXT)")
        rows = [(str(at), f"The ferry number {at} leaves from pier {at + 3}.") for at in range(3)]
        connection.executemany("INSERT INTO memories (id, content, content_hash) VALUES (?, ?, 'h')", rows)
        connection.execute(f"ALTER TABLE memories ADD COLUMN created_at GENERATED ALWAYS AS ({FAILING}) VIRTUAL")
    answer, refused = import_texts(sandbox, "mcp-memory-service", path)
    assert (answer.added, refused) == (3, [])


def test_a_row_that_is_too_large_is_refused_alone(sandbox: Sandbox) -> None:
    path = sandbox.folder / "claude-mem.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(CLAUDE_MEM)
        connection.execute("UPDATE observations SET narrative = ? WHERE id = 2", ("x" * (5 << 20),))
    answer, refused = import_texts(sandbox, "claude-mem", path)
    assert answer.added == SAMPLES["claude-mem"][2] - 1
    assert refused == ["it has more than the 4,194,304 bytes that are allowed"]
    assert [each.name for each in answer.objects if each.result is Result.REFUSED] == ["row 2 of observations"]


def test_a_table_that_takes_too_many_steps_is_refused(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    path = SAMPLES["claude-mem"][1](sandbox.folder)
    monkeypatch.setattr(database, "_STEPS", 1)
    monkeypatch.setattr(database, "_MOST_CALLS", 3)
    answer, refused = import_texts(sandbox, "claude-mem", path)
    assert (answer.added, refused) == (0, ["it takes too long to read"])


@pytest.mark.parametrize("column", ["rowid TEXT", f"rowid GENERATED ALWAYS AS ({FAILING}) VIRTUAL"])
def test_a_table_with_a_column_named_rowid_is_refused(sandbox: Sandbox, column: str) -> None:
    path = sandbox.folder / "claude-mem.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE observations (id, memory_session_id, project, narrative)")
        connection.execute("INSERT INTO observations (id, narrative) VALUES (1, 'The mast is made of spruce.')")
        connection.execute(f"ALTER TABLE observations ADD COLUMN {column}")
    answer, refused = import_texts(sandbox, "claude-mem", path)
    assert answer.added == 0 and len(refused) == 1 and "column named rowid" in refused[0]


def test_an_import_that_was_interrupted_is_continued(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    path = sandbox.folder / "claude-mem.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(CLAUDE_MEM)
        for number in range(20):
            connection.execute(
                "INSERT INTO observations (memory_session_id, project, type, narrative, created_at, created_at_epoch)"
                " VALUES ('s', 'shop', 'discovery', ?, '', 0)",
                (f"Harbour {number} has {number * 7 + 2} berths and a crane.",),
            )
    read, rows = row_tools._read_observation, []

    def interrupt(row: dict[str, object], path: str) -> object:
        rows.append(row)
        if len(rows) == 9:
            raise KeyboardInterrupt
        return read(row, path)

    monkeypatch.setattr(row_tools, "_read_observation", interrupt)
    first: ImportAnswer = sandbox.ask("import", from_="claude-mem", file=str(path))
    assert first.stopped and 0 < first.added == len(sandbox.texts()) < 9
    second: ImportAnswer = sandbox.ask("import", from_="claude-mem", file=str(path))
    assert not second.stopped
    assert first.added + second.added == len(sandbox.texts()) == SAMPLES["claude-mem"][2] + 20
    journal = sandbox.journal()
    sandbox.ask("import", from_="claude-mem", file=str(path))
    assert sandbox.journal() == journal


def test_what_was_replaced_is_replaced_also_if_its_successor_comes_with_the_next_run(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    from limpet.imports import ltm

    path, read = SAMPLES["ltm"][1](sandbox.folder), ltm._read_row

    def interrupt(row: dict[str, object], *more: object) -> object:
        if "Redis since spring" in str(row):
            raise KeyboardInterrupt
        return read(row, *more)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(ltm, "_read_row", interrupt)
        assert sandbox.ask("import", from_="ltm", file=str(path)).stopped
    assert sandbox.texts() == [] and sandbox.texts("list", all=True) == ["The basket lives in cookies"]
    sandbox.ask("import", from_="ltm", file=str(path))
    found = {stored.memory.content: stored.status for stored in sandbox.ask("list", all=True).items}
    assert found["The basket lives in cookies"] is Status.SUPERSEDED
    # A person may bring the older one back, and then a third run leaves it.
    older = next(each for each in sandbox.ask("list", all=True).items if each.status is Status.SUPERSEDED)
    sandbox.ask("restore", id=older.memory.id)
    sandbox.ask("import", from_="ltm", file=str(path))
    assert "The basket lives in cookies" in sandbox.texts()
