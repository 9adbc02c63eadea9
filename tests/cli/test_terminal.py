"""On a real terminal, the caller is a person, tables are drawn, and no stored text moves the cursor."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from limpet.curating.writing import build_draft
from limpet.forms.terminal import wrap_words
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind
from limpet.model.codec import encode_memory
from limpet.model.outcome import Admitted
from limpet.runtime import Caller, open_runtime
from tests.cli.shell import Shell, controls, plain

AGENT = {"CLAUDECODE": "1"}


# Who speaks


@pytest.mark.parametrize(
    ("env", "terminal", "origin"),
    [({}, True, "user"), (AGENT, True, "agent"), ({}, False, "agent"), (AGENT, False, "agent")],
)
def test_only_a_person_at_a_terminal_is_the_user(
    shell: Shell, env: dict[str, str], terminal: bool, origin: str
) -> None:
    start = shell.on_a_terminal if terminal else shell.start
    assert start("remember", "Migrations run with alembic", env=env).code == 0
    assert shell.ask("list")["memories"][0]["origin"] == origin


def test_what_is_piped_in_by_a_person_is_the_persons(shell: Shell) -> None:
    done = shell.on_a_terminal("remember", "-", "--json", piped=b"Migrations run with alembic")
    assert json.loads(done.out)["memory"]["origin"] == "user"


@pytest.mark.parametrize(
    "mark", ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI"]
)
def test_every_host_is_known_for_an_agent(shell: Shell, monkeypatch: pytest.MonkeyPatch, mark: str) -> None:
    assert not Caller.at(has_terminal=True).is_agent
    monkeypatch.setenv(mark, "1")
    caller = Caller.at(has_terminal=True)
    assert (caller.is_agent, caller.origin) == (True, "agent")


PRETEND = """\
import subprocess, sys
sys.exit(subprocess.run([sys.executable, "-m", "limpet", *sys.argv[1:]]).returncode)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not show a process's ancestors")
@pytest.mark.parametrize("terminal", [True, False])
def test_without_its_variables_an_agent_is_known_by_its_process(shell: Shell, terminal: bool) -> None:
    """As `env -u CLAUDECODE limpet confirm ID --yes` would be run by an agent, also on a terminal of its own."""
    id = shell.remember("Migrations run with alembic", "--origin", "external")
    claude = shell.folder / "claude"
    claude.write_text(f"#!{sys.executable}\n{PRETEND}")
    claude.chmod(0o700)
    for words in (("confirm", id, "--yes"), ("purge", id, "--yes"), ("sign", "--yes"), ("list", "--private")):
        done = (shell.on_a_terminal if terminal else shell.start)(*words, program=[str(claude)])
        assert done.code == 1 and "ask the user" in done.out + done.err, words
    assert not shell.ask("list")["memories"][0]["confirmed"]
    assert shell.on_a_terminal("confirm", id, "--yes").code == 0
    assert shell.ask("list")["memories"][0]["confirmed"]


def test_a_code_shown_on_a_terminal_lets_a_person_confirm_without_one(shell: Shell) -> None:
    id = shell.remember("Migrations run with alembic")
    refused = shell.start("confirm", id, "--yes")
    assert refused.code == 1 and "limpet confirm --code new" in refused.err
    code = shell.on_a_terminal("confirm", "--code", "new").out.split()[0]
    assert shell.start("purge", id, "--code", code).code == 1
    assert shell.start("confirm", id, "--code", code, env=AGENT).code == 0
    assert shell.start("confirm", id, "--code", code).code == 1


def test_inside_an_agent_what_only_a_person_may_do_is_refused_even_on_a_terminal(shell: Shell) -> None:
    id = shell.remember("Migrations run with alembic")
    shell.remember("For the owner", "--sensitivity", "private")
    for words in (
        ("purge", id, "--yes"),
        ("confirm", id, "--yes"),
        ("sign", "--yes"),
        ("config", "recall.limit", "3"),
        ("list", "--private"),
        ("export", "--private"),
        ("list", "--all-projects"),
    ):
        done = shell.on_a_terminal(*words, env=AGENT)
        assert done.code == 1, words
        assert "limpet: " in done.out and "ask the user" in done.out
    assert shell.ask("list", "--private")["total"] == 2
    assert not (shell.home / "config.toml").exists()


# How it looks


def test_people_get_tables_and_programs_do_not(shell: Shell) -> None:
    shell.remember("Migrations run with alembic", "--pinned")
    done = shell.on_a_terminal("list")
    rows = plain(done.out).splitlines()
    assert rows[0].split() == ["id", "kind", "date", "state", "memory"]
    assert set(rows[1]) <= {"─", " "}
    assert "Migrations run with alembic" in rows[2]
    assert "─" not in shell.start("list").out


LONG = (
    "Nightly invoices for the northern harbour office are sent by the batch job at six in the morning, after the tide "
    "table was fetched"
)


def test_a_wide_terminal_and_a_pipe_show_more_than_a_narrow_one(shell: Shell) -> None:
    shell.remember(LONG)
    for name in ("list", "timeline"):
        assert LONG in plain(shell.on_a_terminal(name, columns=200).out)
        assert LONG in shell.start(name).out
        narrow = plain(shell.on_a_terminal(name, columns=80).out)
        assert max(map(len, narrow.splitlines())) <= 80


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_tables_fit_any_width(shell: Shell, columns: int) -> None:
    shell.remember("Migrations run with alembic, " * 20)
    shell.say("facts", "add", "a subject of some length", "a predicate", "an object that is rather long " * 4)
    for name in ("list", "facts", "config", "graph", "stats", "timeline"):
        done = shell.on_a_terminal(name, columns=columns)
        assert done.code == 0, done.out
        assert "something went wrong" not in done.out


@pytest.mark.parametrize("columns", [60, 80])
def test_lines_break_between_words_on_a_terminal_only(shell: Shell, columns: int) -> None:
    id = shell.remember(LONG)
    for words in (("recall", "nightly invoices"), ("show", id)):
        shown = plain(shell.on_a_terminal(*words, columns=columns).out)
        assert max(map(len, shown.splitlines())) <= columns
        assert LONG in " ".join(shown.split())
        assert LONG in shell.start(*words).out
    for line in ("stats", "recall x --kind x", "doctor"):
        shown = plain(shell.on_a_terminal(*line.split(), columns=columns).out)
        # Only a path that is too long for a line of its own is broken, by the terminal.
        assert all(len(row) <= columns or " " not in row.strip() for row in shown.splitlines()), line


@pytest.mark.parametrize("columns", [40, 55])
def test_a_row_that_is_too_wide_takes_several_lines(shell: Shell, columns: int) -> None:
    text = "Nightly invoices are sent at six in the morning, after the tide table"
    id = shell.remember(text)
    rows = plain(shell.on_a_terminal("list", columns=columns).out).splitlines()
    assert rows[0].startswith(id[:18]) and "date" not in rows[0]
    assert max(map(len, rows)) <= columns
    assert text in " ".join(" ".join(rows).split())


@pytest.mark.parametrize(
    ("row", "hang", "lines"),
    [
        ("one two three four", None, ["one two", "  three", "  four"]),
        ("    one two three", None, ["    one", "    two", "    three"]),
        ("kind  one, two", 5, ["kind  one,", "     two"]),
        ("one aaaaaaaaaaaaaaaa two", 0, ["one", "aaaaaaaaaaaaaaaa", "two"]),
        ("see: limpet x", 0, ["see:", "limpet x"]),
        ("see: limpet upkeep", 0, ["see:", "limpet", "upkeep"]),
        ("日本 日本 日本", 0, ["日本 日本", "日本"]),
    ],
)
def test_a_row_is_wrapped_with_a_hanging_indent(row: str, hang: int | None, lines: list[str]) -> None:
    assert wrap_words(row, 10, hang).split("\n") == lines


def test_facts_are_shown_in_full_on_eighty_columns(shell: Shell) -> None:
    shell.say("facts", "add", "oven", "port", "7000")
    shell.say("facts", "add", "oven", "port", "7100, as it is written on the door")
    rows = plain(shell.on_a_terminal("facts", "--closed", columns=80).out).splitlines()
    assert rows[0].split() == ["id", "subject", "predicate", "object", "conf.", "from", "to"]
    assert max(map(len, rows)) <= 80
    closed = rows[-1].split()
    assert closed[1:5] == ["oven", "port", "7000", "0.6"] and closed[5] == closed[6] and len(closed[6]) == 10


def test_a_fact_on_a_narrow_terminal_is_a_row_in_the_order_of_the_headings(shell: Shell) -> None:
    shell.say("facts", "add", "oven", "port", "7000")
    rows = plain(shell.on_a_terminal("facts", columns=50).out).splitlines()
    assert rows[0].split()[:4] == ["id", "subject", "predicate", "object"]
    assert rows[1].split()[1:4] == ["oven", "port", "7000"]


def test_a_table_wider_than_the_terminal_loses_nothing(shell: Shell) -> None:
    shell.say("facts", "add", "a subject that is longer than usual", "is kept in", "the cellar")
    assert "cellar" in shell.on_a_terminal("facts", columns=40).out


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colours_there_is_no_escape_at_all(shell: Shell, env: dict[str, str]) -> None:
    shell.remember("Migrations run with alembic")
    for words in (("list",), ("recall", "alembic migrations"), ("stats",), ("nothing",), ("--help",)):
        assert "\x1b" not in shell.on_a_terminal(*words, env=env).out


def test_on_a_terminal_json_is_indented(shell: Shell) -> None:
    shell.remember("Migrations run with alembic")
    done = shell.on_a_terminal("list", "--json")
    assert done.out.startswith('{\n  "memories": [')
    assert json.loads(done.out)["total"] == 1


def test_an_empty_listing_says_what_to_do_next(shell: Shell) -> None:
    assert "limpet remember" in shell.on_a_terminal("list").out
    done = shell.start("list")
    assert (done.out, done.err) == ("", "limpet: no memories here\n")


# Nothing stored is obeyed

HOSTILE = (
    "\x1b[31mred\x07 \x9b2J\x9d0;title\x9c \u202eevil\u2066 \U000e0041 \x00 \x7f \ud83d\ude00 \r over \u2028 \x85 end"
)


def force(shell: Shell) -> str:
    """Write a hostile memory past the door, as tampering or another machine could."""
    text = HOSTILE.encode("utf-8", "replace").decode()
    with_caller: dict[str, Any] = {"home": str(shell.home), "cwd": str(shell.cwd), "caller": Caller()}
    runtime = open_runtime(**with_caller)
    door = runtime.admission()
    outcome = door.admit(build_draft(runtime, text="Something harmless"))
    assert isinstance(outcome, Admitted)
    memory = replace(
        outcome.memory,
        title=text,
        subtitle=text,
        content=text,
        original_content=f"{text} and more",
        tags=(text,),
        files_read=(text,),
        session=text,
        branch=text,
    )
    change = replace(door.changes[0], payload={**door.changes[0].payload, "memory": encode_memory(memory)})
    runtime.write([change])
    fact = {
        "id": "fact_01jz4000000000000000000000",
        "agent": "anima",
        "project": memory.project,
        "subject": text,
        "predicate": text,
        "object": text,
        "valid_from": "2026-01-01T00:00:00Z",
    }
    runtime.write(
        [
            Change(kind=ChangeKind.FACT, subject=fact["id"] or "", payload={"fact": fact}),
            Change(kind=ChangeKind.REFRESH, subject=memory.id, payload={"tags": [text], "why": text}),
            Change(kind=ChangeKind.PROJECT, subject=memory.project or "", payload={"name": text}),
            Change(kind=ChangeKind.AGENT, subject="agent:anima", payload={"name": text}),
        ]
    )
    runtime.close()
    return memory.id


def test_no_output_moves_the_cursor_whatever_is_stored(shell: Shell) -> None:
    id = force(shell)
    questions = (
        ("list",),
        ("list", "--all"),
        ("recall", "something harmless red evil title end"),
        ("show", id),
        ("timeline",),
        ("related", id),
        ("facts",),
        ("graph",),
        ("stats", "--projects"),
        ("blame", id),
        ("verify",),
        ("doctor",),
        ("export",),
        ("forget", id, "--dry-run"),
        ("purge", id, "--dry-run"),
        ("pin", id),
        ("remember", "Something harmless"),
        ("correct", id, "Something else"),
        ("restore", id),
        ("show", HOSTILE.replace("\x00", "").encode("utf-8", "replace").decode()),
        ("list", "--project", "\x1b[2Jx\u202e"),
        ("\x1b[2Jcommand",),
        ("list", "--kind", "\x1b[2J\x9b"),
        ("import", "\x1b[2J\u202e.jsonl"),
        ("config", "\x1b[2J\x9b"),
    )
    seen = 0
    for words in questions:
        for extra in ((), ("--json",)):
            done = shell.say(*words, *extra)
            assert controls(done.out) == controls(done.err) == [], (words, done)
            seen += "evil" in done.out
    assert seen > 15
    for words in (("list",), ("show", id), ("graph",), ("facts",), ("stats",), ("recall", "red evil title end")):
        done = shell.on_a_terminal(*words)
        assert controls(plain(done.out)) == [], (words, done)


def test_json_says_exactly_what_is_stored(shell: Shell) -> None:
    id = force(shell)
    found = shell.say("show", id, "--json").json["memory"]
    assert found["content"] == HOSTILE.encode("utf-8", "replace").decode()
