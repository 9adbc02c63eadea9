"""Odd surroundings: no home folder, another time zone, any umask, no locale."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TextIO

import pytest

from tests.cli.hooks import Host
from tests.faults.processes import (
    COMMAND,
    assert_sound,
    leave_rights,
    limpet,
    limpet_afresh,
    limpet_without_rights,
    remember,
)
from tests.operations.sandbox import give_code
from tests.workspace.repositories import repository

AS_UNKNOWN_USER = """
import os, sys
os.getuid = lambda: 987_654_321
from limpet.cli import main
sys.exit(main())
"""


def surroundings(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("HOME", "LIMPET_HOME")}
    return {**kept, **more}


def test_without_any_home_folder_it_says_what_to_set(home: str) -> None:
    for arguments in (["list"], ["remember", "nowhere to keep this"]):
        program = [sys.executable, "-c", AS_UNKNOWN_USER, *arguments]
        done = subprocess.run(program, env=surroundings(), capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "set LIMPET_HOME" in done.stderr
        assert done.stdout == ""


@pytest.mark.parametrize("variable", ["HOME", "LIMPET_HOME"])
def test_a_home_that_cannot_be_made_is_named(open_folder: Path, variable: str) -> None:
    leave_rights(open_folder, folders=5)
    nowhere = str(open_folder / "nonexistent" / "deeper")
    env = surroundings(**{variable: nowhere})
    done = limpet_without_rights("remember", "nowhere to keep this", env=env)
    assert done.returncode == 1
    assert str(open_folder / "nonexistent") in done.stderr and "LIMPET_HOME" in done.stderr
    assert done.stdout == ""
    empty = limpet_without_rights("list", env=env)
    assert (empty.returncode, empty.stderr) == (0, "limpet: no memories here\n"), "reading makes no home"


def test_a_home_that_is_a_file_is_refused(home: str) -> None:
    Path(home).write_text("not a folder")
    done = limpet("remember", "nowhere to keep this")
    assert done.returncode in (1, 2)
    assert home in done.stderr
    assert Path(home).read_text() == "not a folder"


needs_any_file_name = pytest.mark.skipif(sys.platform != "linux", reason="file names are UTF-8 there")
ODD = os.fsdecode(b"caf\xe9")


@needs_any_file_name
@pytest.mark.parametrize("arguments", [["list"], ["remember", "nowhere to keep this"], ["setup"], ["doctor", "--fix"]])
def test_a_home_that_is_not_utf8_is_refused_in_one_sentence(home: str, arguments: list[str]) -> None:
    done = limpet_afresh(*arguments, env={"LIMPET_HOME": f"{home}-{ODD}"})
    assert (done.returncode, done.stdout) == (2, "")
    assert "not UTF-8" in done.stderr and "set LIMPET_HOME" in done.stderr and done.stderr.count("\n") == 1


@needs_any_file_name
@pytest.mark.parametrize("is_repository", [False, True])
def test_a_project_whose_path_is_not_utf8_is_remembered(
    home: str, is_repository: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Path(ODD)
    if is_repository:
        repository(project, text="a work tree")
    else:
        project.mkdir()
    monkeypatch.chdir(project)
    assert limpet_afresh("remember", "the tide turns at noon").returncode == 0
    assert "the tide turns" in limpet_afresh("recall", "tide").stdout
    for arguments in (["doctor"], ["stats"], ["export"], ["upkeep"], ["distil"], ["stash", "x", "--text", "a note"]):
        assert limpet_afresh(*arguments).returncode == 0, arguments
    monkeypatch.chdir("..")
    assert "the tide turns" not in limpet_afresh("list").stdout


@needs_any_file_name
def test_hooks_in_a_project_whose_path_is_not_utf8_work(tmp_path: Path) -> None:
    host = Host(tmp_path / ODD)
    host.environment["LIMPET_HOME"] = str(tmp_path / "home")
    host.fire("SessionStart", source="startup")
    host.fire("UserPromptSubmit", prompt="From now on deploy with ./ship.sh only, never by hand.")
    host.fire("PostToolUse", tool_name="Bash", tool_input={"command": "make"}, tool_response={"stdout": "ok"})
    host.fire("SessionEnd", reason="clear")
    assert not (tmp_path / "home" / "hook.log").exists()
    assert "./ship.sh" in host.limpet("list")


@needs_any_file_name
def test_hooks_with_a_home_that_is_not_utf8_say_nothing(tmp_path: Path) -> None:
    host = Host(tmp_path / ODD)
    assert host.fire("SessionStart", source="startup") == ""
    assert host.fire("UserPromptSubmit", prompt="What is the plan?") == ""


@needs_any_file_name
def test_setup_works_in_a_user_folder_whose_path_is_not_utf8(home: str, tmp_path: Path) -> None:
    user = tmp_path / ODD
    (user / ".claude").mkdir(parents=True)
    for arguments in (["setup", "claude-code"], ["doctor"], ["uninstall"]):
        assert limpet_afresh(*arguments, env={"HOME": str(user)}).returncode == 0, arguments
    assert list((user / ".claude").iterdir()) == []


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "America/St_Johns"])
def test_times_are_kept_in_utc_whatever_the_zone(home: str, zone: str) -> None:
    done = limpet_afresh("remember", "--json", "the tide turns at noon", env={"TZ": zone})
    made = json.loads(done.stdout)["memory"]["created_at"]
    assert made.endswith("Z")
    assert abs(datetime.fromisoformat(made) - datetime.now(UTC)) < timedelta(minutes=5)
    later = (datetime.now(UTC) + timedelta(minutes=10)).isoformat()
    listed = limpet_afresh("list", "--json", "--at", later, env={"TZ": zone})
    assert json.loads(listed.stdout)["total"] == 1


def test_a_time_zone_of_days_is_read_as_utc(home: str) -> None:
    limpet_afresh("remember", "the tide turns at noon")
    for arguments in (["timeline"], ["recall", "what did we decide yesterday?"], ["list"], ["stats"]):
        assert limpet_afresh(*arguments, env={"TZ": "XYZ99:99"}).returncode == 0, arguments


needs_full_device = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")

ENDINGS = [
    *(["remember", "the tide turns at noon"], ["list", "--json"], ["list", "--all"], ["config"], ["doctor"]),
    *(["--version"], ["help"], ["help", "recall"], ["recall", "--help"], ["--completion", "bash"], ["export"]),
    *(["show", "mem_00000"], ["no-such-command"]),
]
"""Commands that end in different ways: with short and long output, in JSON, without a store, and with an error."""


def start(arguments: list[str], **streams: Any) -> subprocess.CompletedProcess[str]:
    """Run a command whose output Python buffers, as it does unless PYTHONUNBUFFERED is set."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    streams.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([*COMMAND, *arguments], env=env, text=True, check=False, timeout=60, **streams)


@needs_full_device
@pytest.mark.parametrize("arguments", ENDINGS[:-2], ids=" ".join)
def test_an_output_that_is_full_is_named(home: str, arguments: list[str]) -> None:
    remember("mussels grow on ropes")
    with open("/dev/full", "w") as full:
        done = start(arguments, stdout=full, stderr=subprocess.PIPE)
        silent = start(arguments, stdout=full, stderr=full)
    assert (done.returncode, silent.returncode) == (1, 1)
    assert "cannot write the output: No space left on device" in done.stderr and done.stderr.count("\n") == 1
    assert done.stderr.startswith('{"error"' if "--json" in arguments else "limpet: ")


@needs_full_device
@pytest.mark.parametrize("arguments", ENDINGS, ids=" ".join)
@pytest.mark.parametrize("stream", ["full", "a pipe without a reader", "closed"])
def test_notices_that_cannot_be_written_change_nothing(home: str, arguments: list[str], stream: str) -> None:
    remember("mussels grow on ropes")
    plain = start(arguments, capture_output=True)
    streams: dict[str, Any] = {"stdout": subprocess.PIPE}
    if stream == "closed":
        done = start(arguments, preexec_fn=lambda: os.close(2), **streams)
    else:
        with open_full() if stream == "full" else open_abandoned_pipe() as unwritable:
            done = start(arguments, stderr=unwritable, **streams)
    assert done.returncode == plain.returncode
    assert bool(done.stdout) == bool(plain.stdout)


@pytest.mark.parametrize("arguments", ENDINGS, ids=" ".join)
def test_a_reader_that_has_left_is_no_failure(home: str, arguments: list[str]) -> None:
    remember("mussels grow on ropes")
    plain = start(arguments, capture_output=True)
    with open_abandoned_pipe() as abandoned:
        done = start(arguments, stdout=abandoned, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (plain.returncode, plain.stderr)


@pytest.mark.parametrize("arguments", ENDINGS, ids=" ".join)
def test_a_command_without_standard_output_works(home: str, arguments: list[str]) -> None:
    plain = start(arguments, capture_output=True)
    done = start(arguments, preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (plain.returncode, plain.stderr)
    assert_sound()


def open_full() -> TextIO:
    return open("/dev/full", "w")


def open_abandoned_pipe() -> TextIO:
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w")


@pytest.mark.parametrize("umask", [0o000, 0o077, 0o022])
def test_only_the_owner_may_read_any_file_whatever_the_umask(
    home: str, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIMPET_STORE__BACKUP_HOURS", "0.000001")
    done = limpet("remember", "--json", "mine alone", umask=umask)
    name = json.loads(done.stdout)["memory"]["id"]
    export = os.path.join(os.path.dirname(home), "export.jsonl")
    for arguments in (
        ["show", name],
        ["sign", "--code", give_code(home, "sign")],
        ["doctor", "--fix"],
        ["export", export],
        ["purge", name, "--code", give_code(home, "purge")],
    ):
        assert limpet(*arguments, umask=umask).returncode == 0, arguments
    wide = [
        str(path)
        for path in (Path(home), Path(export), *Path(home).rglob("*"))
        if stat.S_IMODE(path.stat().st_mode) != (0o700 if path.is_dir() else 0o600)
    ]
    assert wide == []


@pytest.mark.parametrize(
    "locale", [{"LANG": "C", "LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}]
)
def test_a_terminal_that_knows_no_unicode_gets_what_it_can_show(home: str, locale: dict[str, str]) -> None:
    text = "the café at the quay says 記憶 ☕"
    remember(text)
    for arguments in (["recall", "quay"], ["doctor"], ["list", "--json"]):
        done = limpet_afresh(*arguments, env=locale)
        assert done.returncode == 0, done.stderr
        if "--json" in arguments:
            assert json.loads(done.stdout)["memories"][0]["content"] == text
