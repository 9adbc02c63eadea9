"""Notes are listed as a table for people and as rows for programs."""

from __future__ import annotations

from limpet.model.memory import Origin
from tests.cli.notes import FIRST, SECOND, THIRD, capture
from tests.cli.shell import Shell


def test_a_row_has_id_kind_date_origin_and_text(notes: Shell) -> None:
    rows = [line.split("\t") for line in notes.say("inbox").out.splitlines()]
    assert [row[4] for row in rows] == [FIRST, SECOND, THIRD]
    assert (rows[0][0][:4], rows[0][1], rows[0][3]) == ("mem_", "ARCH:MED", "user")


def test_the_rest_is_counted(notes: Shell) -> None:
    assert notes.say("inbox", "--limit", "1").err == "limpet: 2 more: --offset 1\n"


def test_what_was_decided_is_named(notes: Shell) -> None:
    first, second, _ = (each["id"] for each in notes.ask("inbox")["memories"])
    done = notes.on_a_terminal("inbox", "--keep", first, "--drop", second)
    told = f"The next start tells: {FIRST}\n"
    assert done.out == f"kept {first}  {FIRST}\ndropped {second}  {SECOND}\n{told}"
    undone = notes.on_a_terminal("inbox", "undo").out
    assert undone == f"waits again: {first}  {FIRST}\nwaits again: {second}  {SECOND}\n"


def test_three_lines_say_what_the_next_start_tells(shell: Shell) -> None:
    capture(shell, *(f"Part {number} takes a lock" for number in range(5)), origin=Origin.TOOL)
    ids = [each["id"] for each in shell.ask("inbox")["memories"]]
    shown = shell.on_a_terminal("inbox", "--keep", ",".join(ids)).out
    told = shown[shown.index("The next start tells: Part ") :].splitlines()[:3]
    assert told[2].startswith(" " * 22) and told[2].endswith(", and 2 more")


def test_an_import_that_waits_is_named(shell: Shell) -> None:
    shell.remember("From the old laptop", "--origin", "import")
    done = shell.say("inbox")
    assert "no notes wait for a decision" in done.err and "1 imported memory is told only when asked for" in done.err
