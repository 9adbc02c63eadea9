"""What the environment says about the home folder, the agent client and the session."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from limpet import environment
from limpet.errors import SettingsError
from tests.surroundings import ROOT, files_in, find_unlisted, record_environment, variables_named_in

NOBODY: dict[str, str] = {}


def test_everything_lives_below_the_users_home_unless_limpet_home_says_otherwise() -> None:
    assert environment.home_path({"HOME": "/home/ann"}) == "/home/ann/.limpet"
    assert environment.home_path({"HOME": "/home/ann", "LIMPET_HOME": "/srv/memory/"}) == "/srv/memory"
    assert environment.home_path({"HOME": "/home/ann", "LIMPET_HOME": "~/mem"}) == "/home/ann/mem"
    assert environment.home_path({"HOME": "/home/ann", "LIMPET_HOME": "~"}) == "/home/ann"
    assert environment.home_path({"HOME": "/home/ann", "LIMPET_HOME": " "}) == "/home/ann/.limpet"


def test_a_relative_limpet_home_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert environment.home_path({"LIMPET_HOME": "here/../mem"}) == str(tmp_path / "mem")


@pytest.mark.skipif(os.name == "nt", reason="no passwd there")
def test_without_home_the_passwd_entry_is_used_and_without_that_a_sentence_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import pwd

    own = pwd.getpwuid(os.getuid()).pw_dir
    assert environment.home_path(NOBODY) == os.path.join(own, ".limpet")
    monkeypatch.setattr(os, "getuid", lambda: 987_654_321)
    with pytest.raises(SettingsError, match="set LIMPET_HOME"):
        environment.home_path(NOBODY)
    with pytest.raises(SettingsError, match="set LIMPET_HOME"):
        environment.home_path({"LIMPET_HOME": "~/x"})
    assert environment.home_path({"LIMPET_HOME": "/x"}) == "/x"


@pytest.mark.parametrize("path", ["a\0b", "/" + "x" * 4095])
def test_a_home_that_cannot_be_a_path_is_an_error(path: str) -> None:
    with pytest.raises(SettingsError, match="set LIMPET_HOME"):
        environment.home_path({"LIMPET_HOME": path})
    assert environment.home_path({"LIMPET_HOME": "/" + "x" * 4094})


@pytest.mark.parametrize(
    "mark", ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX", "CODEX_THREAD_ID", "GEMINI_CLI"]
)
def test_an_agent_client_is_recognised_by_the_mark_it_leaves(mark: str) -> None:
    assert environment.has_client_variables([NOBODY, {mark: "1"}])
    assert not environment.has_client_variables([{mark: "0"}, {mark: ""}, NOBODY])


def test_session_project_and_colour_come_from_the_environment() -> None:
    assert environment.session_from_environment({"CLAUDE_CODE_SESSION_ID": "abc "}) == "abc"
    assert environment.session_from_environment(NOBODY) is None
    assert environment.session_from_environment({"CLAUDE_CODE_SESSION_ID": "a\x1b"}) is None
    assert environment.project_from_environment({"CLAUDE_PROJECT_DIR": os.sep + "work"}) == os.sep + "work"
    assert environment.project_from_environment({"CLAUDE_PROJECT_DIR": "work"}) is None
    assert environment.wants_no_colour({"NO_COLOR": "1"})
    assert environment.wants_no_colour({"TERM": "dumb"})
    assert not environment.wants_no_colour({"NO_COLOR": ""})


# What is read by itself is listed in docs/reference/environment.md; tests/conftest.py looks at the variables too


def test_every_variable_that_the_program_names_is_listed() -> None:
    named = variables_named_in(ROOT / "src" / "limpet")
    assert {"HOME", "PATH", "LIMPET_HOME", "MEMORY_FILE_PATH"} <= named
    assert find_unlisted(named) == []


def test_a_variable_that_is_asked_for_by_any_name_is_noticed() -> None:
    asked = record_environment()
    name = "".join(("SHOE", "_SIZE"))
    os.environ.get(name)
    assert find_unlisted(asked) == [name]
    asked.pop(name)
    everything = {**os.environ}
    assert [each for each in everything if each.startswith("PYTEST_XDIST") and each in asked] == []


_LIMPET = [sys.executable, "-m", "limpet"]
_LIBRARIES = "import apsw, ctypes, locale, pwd, sqlite3, ssl, subprocess, time; time.localtime(); pwd.getpwuid(0)"

COMMANDS = [
    *("setup", "remember The tide turns at noon", "recall tide", "list", "inbox", "doctor", "backfill", "import"),
    *("distil --yes", "friction", "stats", "upkeep", "config", "antigens", "export", "check", "share", "uninstall"),
    *("mcp", "hook SessionStart", "hook UserPromptSubmit", "hook PostToolUse", "hook PreCompact", "hook SessionEnd"),
]


def trace(command: list[str], *, home: Path, given: str = "") -> set[str]:
    """Return the files below HOME and /etc that a command asks for, whether they exist or not."""
    out = home.parent / "trace"
    done = subprocess.run(
        ["strace", "-f", "-y", "-qq", "-s", "9999", "-e", "trace=%file", "-o", str(out), *command],
        input=given,
        capture_output=True,
        text=True,
        cwd=home.parent / "project",
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        check=False,
    )
    if "ptrace" in done.stderr.lower():
        pytest.skip("strace may not watch processes here")
    assert "Traceback" not in done.stderr, done.stderr
    return files_in(out.read_text(errors="replace"), home=home, cwd=home.parent / "project")


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_every_file_that_is_read_below_home_and_etc_is_listed(tmp_path: Path) -> None:
    home = tmp_path / "user"
    for name in ("project/.git", "user/.claude/projects/-shop", "user/.codex", "user/.gemini"):
        (tmp_path / name).mkdir(parents=True)
    (home / ".claude" / "CLAUDE.md").write_text("- always use uv\n")
    record = home / ".claude" / "projects" / "-shop" / "s1.jsonl"
    record.write_text(json.dumps({"type": "user", "sessionId": "s1", "message": {"role": "user", "content": "hi"}}))
    found: set[str] = set()
    for command in COMMANDS:
        verb, *rest = command.split(" ", 1)
        given = ""
        if verb == "hook":
            fields = {"session_id": "s1", "transcript_path": str(record), "prompt": "please remember: the tide turns"}
            given = json.dumps({"hook_event_name": rest.pop(), "cwd": str(tmp_path / "project"), **fields})
        found |= trace([*_LIMPET, verb, *rest], home=home, given=given)
    found -= trace([sys.executable, "-c", _LIBRARIES], home=home)
    # A file is replaced by way of a temporary one beside it.
    found = {path for path in found if not path.endswith(".tmp")}
    assert {"~/.claude/settings.json", "/etc/machine-id", "~/.mem0/history.db"} <= found
    assert find_unlisted(found) == []
