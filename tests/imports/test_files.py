"""Two hundred hostile files are refused one by one, each with its reason, and what lies between them is imported."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from limpet.errors import Unreadable
from limpet.exchange.account import Result
from limpet.imports.files import MAX_TEXT, as_texts, parse_foreign_time, parse_json, read_text
from limpet.imports.note_files import walk_folder
from tests.imports.samples import database, write
from tests.operations.sandbox import Sandbox

BOMB = "---\na: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n---\nA text behind a bomb of aliases.\n"
DEEP = "---\na: " + "[" * 3000 + "\n---\nA text behind deep front matter.\n"


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def _bytes(data: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


HOSTILE: dict[str, tuple[Callable[[Path], None], str]] = {
    "a link to a secret": (_link("/etc/passwd"), "symlink"),
    "a link upwards": (_link("../../../../../../etc/hostname"), "symlink"),
    "a dangling link": (_link("nowhere.md"), "symlink"),
    "a link to itself": (lambda path: path.symlink_to(path), "symlink"),
    "a link to a device": (_link("/dev/zero"), "symlink"),
    "a pipe": (lambda path: os.mkfifo(path), "not a plain file"),
    "ten megabytes": (_bytes(b"x " * (5 << 20)), "bytes and 1,000,000 are allowed"),
    "one byte too many": (_bytes(b"y" * (MAX_TEXT + 1)), "are allowed"),
    "a picture": (_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 100), "binary"),
    "a program": (_bytes(b"\x7fELF" + bytes(range(256))), "binary"),
    "a zip bomb": (_bytes(b"PK\x03\x04" + b"\0" * 1000), "binary"),
    "UTF-16": (_bytes("Some text in UTF-16".encode("utf-16")), "binary, or not UTF-8"),
    "UTF-32": (_bytes("Some text in UTF-32".encode("utf-32")), "binary, or not UTF-8"),
    "Latin-1": (_bytes("Ein Text über Größe".encode("latin-1")), "not UTF-8"),
    "Shift-JIS": (_bytes("これはメモです".encode("shift-jis")), "not UTF-8"),
    "half a character": (_bytes(b"Some text \xe2\x82"), "not UTF-8"),
    "a surrogate": (_bytes(b"Some text \xed\xa0\x80 here"), "not UTF-8"),
    "empty": (_bytes(b""), "empty"),
    "an alias bomb": (_bytes(BOMB.encode()), "alias"),
    "deep front matter": (_bytes(DEEP.encode()), "nested"),
    "broken front matter": (_bytes(b"---\na: [1\n---\nA text behind it.\n"), "cannot be read"),
    "a list as front matter": (_bytes(b"---\n- a\n- b\n---\nA text behind it.\n"), "name: value"),
    "huge front matter": (_bytes(b"---\na: " + b"x" * 70_000 + b"\n---\nA text.\n"), "characters"),
    "escape sequences": (_bytes(b"A text with \x1b[31mcolours\x1b[0m in it.\n"), "control character"),
    "a bell": (_bytes(b"Ring the bell \x07 now please\n"), "control character"),
}


def test_what_serena_tells_itself_about_its_notes_is_left_out(sandbox: Sandbox) -> None:
    folder = sandbox.project / ".serena" / "memories"
    write(folder / "memory_maintenance.md", "# Maintenance\n\nRead `mem:core` first and keep every note short.\n")
    write(folder / "tasks" / "completion.md", "Run `make check` before a task is finished.\n")
    answer = sandbox.ask("import", from_="serena")
    assert answer.added == 1
    (left_out,) = (report for report in answer.objects if report.result is Result.LEFT_OUT)
    assert left_out.name == "memory_maintenance.md" and "Serena" in left_out.why


def test_two_hundred_hostile_files_are_refused_one_by_one(sandbox: Sandbox) -> None:
    folder = sandbox.project / ".serena" / "memories"
    folder.mkdir(parents=True)
    kinds = list(HOSTILE.items())
    expected = {}
    for number in range(200):
        # The largest kinds are made once; the loop is about the number of files.
        name, (make, reason) = kinds[number % len(kinds)]
        path = folder / f"{number:03}.md"
        make(path)
        expected[path.name] = (name, reason)
    for number in range(20):
        write(folder / f"{number * 10:03}-good.md", f"The honest note number {number} says something useful.\n")
    answer = sandbox.ask("import", from_="serena")
    assert answer.added == 20
    refused = {report.name: report.why for report in answer.objects if report.result is Result.REFUSED}
    assert set(refused) == set(expected)
    for file, (name, reason) in expected.items():
        assert reason in refused[file], (name, refused[file])
        assert "\n" not in refused[file] and len(refused[file]) < 200
    assert sandbox.ask("list", limit=100).total == 20
    assert sandbox.files_with("root:x:0") == []
    assert sandbox.ask("verify").problems == ()


@pytest.mark.parametrize(
    "script",
    [
        "CREATE VIEW observations AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id FROM c) SELECT id, 1 "
        "project FROM c",
        "CREATE VIRTUAL TABLE observations USING fts5(id, project)",
        "CREATE TABLE something (id)",
    ],
)
def test_a_database_that_is_not_what_it_says_is_refused(sandbox: Sandbox, script: str) -> None:
    path = database(sandbox.folder / "claude-mem.db", script)
    answer = sandbox.ask("import", from_="claude-mem", file=str(path))
    assert [report.result for report in answer.objects] == [Result.REFUSED]
    assert "no database of claude-mem" in answer.objects[0].why


@pytest.mark.parametrize("data", [b"SQLite format 3\0" + b"\xff" * 5000, b"SQLite format 3\0", b"no database at all"])
def test_a_damaged_database_is_refused(sandbox: Sandbox, data: bytes) -> None:
    path = sandbox.folder / "claude-mem.db"
    path.write_bytes(data)
    answer = sandbox.ask("import", from_="claude-mem", file=str(path))
    assert [report.result for report in answer.objects] == [Result.REFUSED]


def test_a_row_with_hostile_paths_names_no_file_outside(sandbox: Sandbox) -> None:
    path = database(
        sandbox.folder / "claude-mem.db",
        "CREATE TABLE observations (id, memory_session_id, project, type, title, narrative, files_read,"
        " created_at_epoch);"
        "INSERT INTO observations VALUES (1, 's', 'shop', 'change', 't', 'Reads ../../../etc/passwd at every start',"
        ' \'["../../../etc/passwd", "/etc/shadow"]\', 9e99);',
    )
    assert sandbox.ask("import", file=str(path)).added == 1
    assert sandbox.ask("list").items[0].memory.citations == ()


def test_a_folder_too_deep_or_too_full_is_named(tmp_path: Path) -> None:
    deep = tmp_path
    for number in range(20):
        deep = deep / f"d{number}"
    write(deep / "a.md", "x")
    write(tmp_path / ".git" / "b.md", "x")
    found = list(walk_folder(str(tmp_path), ".md"))
    assert [item.refused for _, item in found if item] == ["its folder is more than 12 deep"]


NO_TIMES: tuple[object, ...] = ("", "soon", None, True, -5, 1e300, "9" * 400, "0001-01-01T00:00:00+23:00", [])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05+00:00"),
        ("2026-01-02", "2026-01-02T00:00:00+00:00"),
        (1767323045000, "2026-01-02T03:04:05+00:00"),
        (1767323045.5, "2026-01-02T03:04:05.500000+00:00"),
        ("1767323045", "2026-01-02T03:04:05+00:00"),
        ("2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05+00:00"),
        *((value, None) for value in NO_TIMES),
    ],
)
def test_a_foreign_time_is_read_or_ignored(value: object, expected: str | None) -> None:
    found = parse_foreign_time(value)
    assert (found and found.isoformat()) == expected


def test_lists_come_in_three_forms() -> None:
    assert as_texts(["a", 1, " b "]) == as_texts('["a", "b"]') == as_texts("a, b") == ["a", "b"]
    assert as_texts("[" * 100_000) == as_texts(None) == as_texts({"a": 1}) == []


def test_deep_json_is_refused() -> None:
    with pytest.raises(Unreadable, match="not JSON"):
        parse_json("[" * 200_000)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be read: No such file"):
        read_text(str(tmp_path / "none"))
