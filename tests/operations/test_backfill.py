"""`limpet backfill`: where it looks, what it says, and what it leaves alone."""

from __future__ import annotations

import os
import re
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from limpet.errors import Refused, StoreError, UsageError
from limpet.learning.from_recordings import BackfillReport
from tests.cli.shell import Done, Shell, plain
from tests.hosts.recorded import HERE, SESSION, config_folder, entry, write_lines
from tests.learning.sessions import make
from tests.operations.sandbox import MODEL, Sandbox

PATHS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME")


@pytest.fixture(autouse=True)
def no_folders_of_the_tester(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PATHS:
        monkeypatch.delenv(name, raising=False)


def fill(sandbox: Sandbox, **values: Any) -> BackfillReport:
    filled: BackfillReport = sandbox.ask("backfill", **values).filled
    return filled


def own(sandbox: Sandbox, name: str = ".claude") -> Path:
    """Return the folder of a host in the user's home folder."""
    return sandbox.folder / "nobody" / name


def recorded(sandbox: Sandbox) -> None:
    """Write recorded sessions of three agents."""
    config_folder(own(sandbox))
    rollouts = own(sandbox, ".codex") / "sessions" / "2026" / "11" / "15"
    rollouts.mkdir(parents=True)
    shutil.copy(
        HERE / "codex.jsonl", rollouts / "rollout-2026-11-15T05-00-00-019a0000-0000-7000-8000-000000000001.jsonl"
    )
    chats = own(sandbox, ".gemini") / "tmp" / "abc" / "chats"
    chats.mkdir(parents=True)
    shutil.copy(HERE / "gemini.jsonl", chats / "session-2026-11-15T05-00-1.jsonl")
    (chats.parent / ".project_root").write_text(str(sandbox.project), "utf-8")


# Where it looks


def test_the_sessions_of_every_agent_are_found(sandbox: Sandbox) -> None:
    recorded(sandbox)
    filled = fill(sandbox)
    assert (filled.found, filled.done, filled.failed) == (4, 4, [])
    assert filled.events > 20
    assert fill(sandbox).sessions == 0


@pytest.mark.parametrize(("host", "count"), [("claude-code", 2), ("codex", 1), ("gemini", 1)])
def test_one_agent_can_be_asked_for(sandbox: Sandbox, host: str, count: int) -> None:
    recorded(sandbox)
    assert fill(sandbox, host=host, dry_run=True).found == count


def test_the_variables_of_the_hosts_say_where_their_folders_are(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(sandbox)
    for name, folder in (("CLAUDE_CONFIG_DIR", ".claude"), ("CODEX_HOME", ".codex")):
        moved = own(sandbox, folder).rename(sandbox.folder / f"moved{folder}")
        monkeypatch.setenv(name, str(moved))
    answer = sandbox.ask("backfill", dry_run=True)
    assert answer.filled.found == 4
    assert str(sandbox.folder / "moved.claude") in answer.places


def test_a_folder_or_a_file_can_be_named(sandbox: Sandbox) -> None:
    recorded(sandbox)
    [path] = own(sandbox).rglob(f"{SESSION}.jsonl")
    assert fill(sandbox, path=str(path), dry_run=True).found == 1
    assert fill(sandbox, path=str(sandbox.folder / "nobody"), dry_run=True).found == 4


def test_only_sessions_since_a_day_are_read(sandbox: Sandbox) -> None:
    make(own(sandbox), [sandbox.project], 4)
    assert fill(sandbox, since=datetime(2026, 2, 1, 20, tzinfo=UTC), dry_run=True).found == 2
    assert fill(sandbox, since="2027-01-01").found == 0


def test_a_place_that_does_not_exist_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="no file or folder"):
        sandbox.ask("backfill", path=str(sandbox.folder / "nowhere"))


def test_a_model_cannot_pass_off_files_of_its_own_as_sessions(sandbox: Sandbox) -> None:
    make(sandbox.folder / "forged", [sandbox.project], 1)
    make(own(sandbox), [sandbox.project], 1, first=1)
    with pytest.raises(Refused, match="only a person"):
        sandbox.ask("backfill", path=str(sandbox.folder / "forged"), as_=MODEL)
    assert fill(sandbox, as_=MODEL).found == 1
    assert fill(sandbox, as_=MODEL, path=str(own(sandbox) / "projects")).found == 1


# What it does


def test_a_dry_run_tells_and_stores_nothing(sandbox: Sandbox) -> None:
    make(own(sandbox), [sandbox.project], 3)
    filled = fill(sandbox, dry_run=True)
    assert filled.dry and filled.sessions == 3 and filled.events and filled.kept and filled.examples
    assert sandbox.journal() == {}
    assert not (sandbox.home / "queue").exists()
    assert fill(sandbox).sessions == 3


def test_memories_are_of_the_agent_that_was_asked_for(sandbox: Sandbox) -> None:
    make(own(sandbox), [sandbox.project], 1)
    fill(sandbox, by="Nautilus")
    assert sandbox.texts() == []
    assert sandbox.texts(by="Nautilus")


def test_a_session_of_a_folder_that_is_gone_is_kept_for_that_folder(sandbox: Sandbox) -> None:
    gone = sandbox.folder / "gone"
    make(own(sandbox), [gone], 1)
    assert fill(sandbox).kept
    assert sandbox.texts() == []
    gone.mkdir()
    assert sandbox.texts(cwd=gone)


def test_what_was_forgotten_or_purged_does_not_come_back(sandbox: Sandbox) -> None:
    make(own(sandbox), [sandbox.project], 2)
    fill(sandbox)
    before = sandbox.json("list")["memories"]
    one, other = before[0]["id"], before[1]["id"]
    sandbox.ask("forget", ids=[one])
    sandbox.ask("purge", ids=[other], yes=True)
    kept = {memory["id"] for memory in before} - {one, other}
    fill(sandbox)
    assert {memory["id"] for memory in sandbox.json("list")["memories"]} == kept


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file that opens and cannot be read")
def test_a_file_that_cannot_be_read_is_told_and_the_others_are_read(sandbox: Sandbox) -> None:
    make(own(sandbox), [sandbox.project], 2)
    [folder] = (own(sandbox) / "projects").iterdir()
    os.symlink("/proc/self/mem", folder / "bad.jsonl")
    filled = fill(sandbox)
    assert filled.done == 2
    [(path, problem)] = filled.failed
    assert path.endswith("bad.jsonl") and problem


def test_lines_that_are_damaged_are_counted_and_the_others_read(sandbox: Sandbox) -> None:
    make(own(sandbox), [sandbox.project], 1)
    [path] = own(sandbox).rglob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3:3] = [b'{"type":"user","message":{"ro\n', b"\x00\xff\xfe not json\n"]
    path.write_bytes(b"".join(lines))
    filled = fill(sandbox)
    assert filled.unread == 2 and filled.kept and not filled.failed


def test_a_home_that_cannot_be_written_is_reported(sandbox: Sandbox) -> None:
    make(own(sandbox), [sandbox.project], 2)
    sandbox.home.mkdir()
    (sandbox.home / "locks").write_text("in the way", "utf-8")
    with pytest.raises(StoreError, match="could not learn"):
        sandbox.ask("backfill")


# What it says


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def test_without_sessions_it_says_where_it_looked(shell: Shell) -> None:
    assert shell.say("backfill") == Done(0, "", "limpet: no folder with sessions of an agent was found\n")
    (shell.nobody / ".claude").mkdir()
    done = shell.say("backfill")
    assert (done.code, done.out) == (0, "")
    assert "no sessions found in" in done.err and ".claude" in done.err
    empty = shell.folder / "empty"
    empty.mkdir()
    assert shell.say("backfill", str(empty)).code == 0
    assert shell.ask("backfill")["found"] == 0


def test_without_a_home_folder_a_place_can_still_be_named(shell: Shell) -> None:
    make(shell.folder / "sessions", [shell.cwd], 1)
    done = shell.start("backfill", str(shell.folder / "sessions"), "--json", env={"HOME": ""})
    assert done.code == 0 and done.json["sessions"] == 1


def test_it_reports_what_was_learnt(shell: Shell) -> None:
    make(shell.nobody / ".claude", [shell.cwd], 2)
    planned = shell.say("backfill", "--dry-run").out
    assert "2 sessions with" in planned and "would be noted" in planned
    first = shell.say("backfill")
    assert "2 sessions with" in first.out and "2 summaries noted" in first.out
    assert first.code == 0 and re.fullmatch(r"limpet: \d+ notes wait for a decision: limpet inbox\n", first.err)
    assert "[LTM:Anima@shop]" in first.out
    assert shell.say("backfill").out == "nothing new: all sessions on disk have been read\n"


def test_on_a_terminal_a_bar_shows_how_many_and_how_long(shell: Shell) -> None:
    make(shell.nobody / ".claude", [shell.cwd], 4)
    # The bar is for work that takes a while, and a quick machine would be done before.
    slow = "from limpet import cli; from limpet.forms.terminal import ProgressBar as bar; bar.DELAY_MS = 0; cli.main()"
    shown = plain(shell.on_a_terminal("backfill", typed="q", program=(sys.executable, "-c", slow)).out)
    assert re.search(r"session \d+ of 4, \d+ noted [█░]{30} +\d+%  \d+ s left", shown)
    assert "\n  2026-" in shown


def test_json_tells_every_count(shell: Shell) -> None:
    make(shell.nobody / ".claude", [shell.cwd], 1)
    answer = shell.ask("backfill")
    assert answer["found"] == answer["done"] == answer["sessions"] == answer["summaries"] == 1
    assert answer["kept"] and answer["events"] and answer["examples"][0]["title"]
    assert not answer["stopped"] and not answer["busy"] and not answer["dry_run"]


def test_a_session_with_nothing_but_a_line_too_long_is_named(sandbox: Sandbox) -> None:
    path = write_lines(own(sandbox) / "projects" / "-p" / "long.jsonl", [entry("user", "x" * (5 << 20))])
    [(failed, problem)] = fill(sandbox, dry_run=True).failed
    assert failed == str(path) and "too long" in problem
