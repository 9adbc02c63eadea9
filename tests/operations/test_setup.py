"""Setup wires every agent that is there, says so first, and uninstall leaves no trace of it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

import limpet
from limpet import system
from limpet.errors import LimpetError, Refused, StoreReadOnly
from limpet.hosts import wiring
from limpet.operations.wiring.launcher import find_launcher
from limpet.operations.wiring.ledger import Entry, Ledger
from tests.hosts.settings_files import BROKEN, CLAUDE_MEM, CODEX, JSON, TOML
from tests.operations.sandbox import Sandbox

FILES = (".claude/settings.json", ".claude.json", ".codex/hooks.json", ".codex/config.toml", ".gemini/settings.json")


@pytest.fixture
def you(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own folder, with all three agents in it and no program to be found."""
    folder = sandbox.folder / "nobody"
    for name in (".claude", ".codex", ".gemini"):
        (folder / name).mkdir(parents=True)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLAUDE_CODE_DISABLE_AUTO_MEMORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    return folder


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def everything(folder: Path) -> dict[str, bytes | str]:
    """Every file, folder and link below a folder, with its rights."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        mode = oct(stat.S_IMODE(path.lstat().st_mode))
        name = f"{path.relative_to(folder)} {mode}"
        found[name] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else ""
    return found


def commands(path: Path) -> list[str]:
    hooks, _ = wiring.wired(path.read_text(encoding="utf-8"), "json")
    return [command for _, command in hooks]


def test_every_agent_that_is_there_is_wired(sandbox: Sandbox, you: Path) -> None:
    answer = sandbox.ask("setup")
    assert (answer.hosts, answer.problems, answer.done) == (("claude-code", "codex", "gemini"), (), True)
    for name in FILES:
        hooks, server = wiring.wired((you / name).read_text(), "toml" if name.endswith("toml") else "json")
        assert hooks or server
    assert "mcpServers" not in json.loads((you / ".claude/settings.json").read_text())
    assert json.loads((you / ".claude.json").read_text())["mcpServers"]["limpet"]["command"] == sys.executable


def test_an_agent_that_is_not_there_is_left_out_unless_it_is_named(sandbox: Sandbox, you: Path) -> None:
    (you / ".codex").rmdir()
    before = everything(you)
    assert sandbox.ask("setup").hosts == ("claude-code", "gemini")
    assert not (you / ".codex").exists()
    assert sandbox.ask("setup", host="codex").hosts == ("codex",)
    assert (you / ".codex/hooks.json").exists()
    sandbox.ask("uninstall")
    assert everything(you) == before


def test_where_there_is_no_agent_that_is_said(sandbox: Sandbox, you: Path) -> None:
    for name in (".claude", ".codex", ".gemini"):
        (you / name).rmdir()
    answer = sandbox.ask("setup")
    assert answer.hosts == () and "no agent was found" in answer.notes[0]
    assert (sandbox.home / "runtime.json").exists()


@pytest.mark.parametrize("text", JSON.values(), ids=JSON.keys())
def test_a_settings_file_is_put_back_byte_for_byte(sandbox: Sandbox, you: Path, text: str) -> None:
    for name in FILES:
        put(you / name, text if name.endswith("json") else CODEX)
    before = everything(you)
    assert sandbox.ask("setup").problems == ()
    wired = everything(you)
    assert wired != before
    again = sandbox.ask("setup")
    assert {step.action for step in again.steps} == {"keep"}
    assert everything(you) == wired
    assert sandbox.ask("uninstall").problems == ()
    assert everything(you) == before
    assert not sandbox.home.exists()


@pytest.mark.parametrize("text", TOML.values(), ids=TOML.keys())
def test_a_toml_file_is_put_back_byte_for_byte(sandbox: Sandbox, you: Path, text: str) -> None:
    put(you / ".codex/config.toml", text)
    before = everything(you)
    assert sandbox.ask("setup").problems == ()
    sandbox.ask("uninstall")
    assert everything(you) == before


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_is_not_understood_is_left_and_the_others_go_on(sandbox: Sandbox, you: Path, text: str) -> None:
    broken = put(you / ".gemini/settings.json", text)
    answer = sandbox.ask("setup")
    assert len(answer.problems) == 1 and str(broken) in answer.problems[0] and "left as it is" in answer.problems[0]
    assert broken.read_text() == text
    assert answer.hosts == ("claude-code", "codex")
    assert commands(you / ".claude/settings.json")


def test_what_is_not_utf_8_is_left(sandbox: Sandbox, you: Path) -> None:
    path = you / ".claude.json"
    path.write_bytes('{"name": "Zoë"}'.encode("latin-1"))
    answer = sandbox.ask("setup", host="claude-code")
    assert "is not UTF-8" in answer.problems[0]
    assert path.read_bytes() == '{"name": "Zoë"}'.encode("latin-1")


def test_a_dry_run_says_all_and_touches_nothing(sandbox: Sandbox, you: Path) -> None:
    put(you / ".claude/settings.json", CLAUDE_MEM)
    before = everything(you)
    answer = sandbox.ask("setup", dry_run=True)
    assert [step.path for step in answer.steps] == [str(you / name) for name in FILES]
    assert all(step.lines for step in answer.steps) and not answer.done
    assert everything(you) == before and not (sandbox.home / "wiring.json").exists()
    sandbox.ask("setup")
    wired = everything(you)
    assert {step.action for step in sandbox.ask("uninstall", dry_run=True).steps} == {"restore", "delete"}
    assert everything(you) == wired


def test_edits_made_since_stay_and_only_our_entries_go(sandbox: Sandbox, you: Path) -> None:
    path = put(you / ".claude/settings.json", CLAUDE_MEM)
    servers = put(you / ".claude.json", '{\n  "numStartups": 1\n}\n')
    sandbox.ask("setup")
    edited = path.read_text().replace('"deny": []', '"deny": ["Bash(rm:*)"] // careful')
    path.write_text(edited)
    servers.write_text(servers.read_text().replace(": 1", ": 2"))
    steps = {step.path: step.action for step in sandbox.ask("uninstall").steps}
    assert steps[str(path)] == steps[str(servers)] == "clean"
    assert path.read_text() == CLAUDE_MEM.replace('"deny": []', '"deny": ["Bash(rm:*)"] // careful')
    assert servers.read_text() == '{\n  "numStartups": 2\n}\n'


def test_what_was_edited_can_be_wired_anew_and_still_taken_out(sandbox: Sandbox, you: Path) -> None:
    path = put(you / ".claude/settings.json", CLAUDE_MEM)
    sandbox.ask("setup")
    first = path.read_text()
    path.write_text(first.replace('"timeout": 5', '"timeout": 7').replace("Edit|Write", "Edit"))
    assert sandbox.ask("setup").problems == ()
    assert path.read_text() == first.replace("Edit|Write", "Edit")
    sandbox.ask("uninstall")
    assert path.read_text() == CLAUDE_MEM.replace("Edit|Write", "Edit")


def test_a_file_of_ours_that_somebody_fills_stays_without_us(sandbox: Sandbox, you: Path) -> None:
    sandbox.ask("setup")
    path = you / ".gemini/settings.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps({"theme": "dark", **data}))
    sandbox.ask("uninstall")
    assert json.loads(path.read_text()) == {"theme": "dark"}
    assert not (you / ".codex/hooks.json").exists()


def test_a_file_that_somebody_deleted_is_not_brought_back(sandbox: Sandbox, you: Path) -> None:
    path = put(you / ".claude/settings.json", CLAUDE_MEM)
    sandbox.ask("setup")
    path.unlink()
    assert sandbox.ask("uninstall").problems == ()
    assert not path.exists()


class Stopped(Exception):
    pass


@pytest.mark.parametrize("stop_at", range(12))
def test_stopped_at_any_moment_the_way_back_is_known(
    sandbox: Sandbox, you: Path, monkeypatch: pytest.MonkeyPatch, stop_at: int
) -> None:
    """Whatever was written last, the next uninstall puts everything back."""
    for name in FILES:
        put(you / name, CODEX if name.endswith("toml") else CLAUDE_MEM)
    before = everything(you)
    written: list[str] = []
    real = system.write_atomically

    def write(path: str, data: bytes, **options: bool) -> None:
        if len(written) == stop_at:
            raise Stopped
        written.append(path)
        real(path, data, **options)

    monkeypatch.setattr(system, "write_atomically", write)
    with pytest.raises(Stopped) if stop_at < 11 else nullcontext():
        sandbox.ask("setup")
    monkeypatch.setattr(system, "write_atomically", real)
    assert len(written) == min(stop_at, 11)
    assert sandbox.ask("uninstall").problems == ()
    assert everything(you) == before


@pytest.mark.parametrize("stop_at", range(10))
def test_an_upgrade_that_was_stopped_is_taken_back_byte_for_byte(
    sandbox: Sandbox, you: Path, monkeypatch: pytest.MonkeyPatch, stop_at: int
) -> None:
    put(you / ".claude/settings.json", CLAUDE_MEM.rstrip())
    put(you / ".codex/config.toml", CODEX.rstrip())
    before = everything(you)
    sandbox.ask("setup")
    written: list[str] = []
    real = system.write_atomically

    def write(path: str, data: bytes, **options: bool) -> None:
        if len(written) == stop_at:
            raise Stopped
        written.append(path)
        real(path, data, **options)

    other = sandbox.folder / "python"
    other.symlink_to(sys.executable)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(other))
        patch.setattr(system, "write_atomically", write)
        with pytest.raises(Stopped):
            sandbox.ask("setup")
    assert sandbox.ask("uninstall").problems == ()
    assert everything(you) == before


def test_without_a_ledger_our_entries_are_found_and_taken_out(sandbox: Sandbox, you: Path) -> None:
    path = put(you / ".claude/settings.json", CLAUDE_MEM)
    sandbox.ask("setup")
    (sandbox.home / "wiring.json").unlink()
    assert sandbox.ask("uninstall").problems == ()
    assert path.read_text() == CLAUDE_MEM
    assert "limpet" not in (you / ".codex/config.toml").read_text()


def test_one_agent_can_be_taken_out_alone(sandbox: Sandbox, you: Path) -> None:
    sandbox.ask("setup")
    sandbox.ask("uninstall", host="codex")
    assert not (you / ".codex/hooks.json").exists()
    assert commands(you / ".claude/settings.json")
    assert json.loads((sandbox.home / "runtime.json").read_text())["hosts"] == {
        "claude-code": "settings",
        "gemini": "settings",
    }


def test_memories_stay_and_it_says_where(sandbox: Sandbox, you: Path) -> None:
    sandbox.remember("Migrations run with alembic")
    sandbox.ask("setup")
    answer = sandbox.ask("uninstall")
    assert answer.notes[-1] == f"your memories stay in {sandbox.home}"
    assert sandbox.texts() == ["Migrations run with alembic"]
    assert not (sandbox.home / "runtime.json").exists() and not (sandbox.home / "wiring.json").exists()


def test_the_ledger_is_for_its_owner_only(sandbox: Sandbox, you: Path) -> None:
    sandbox.ask("setup")
    for name in ("wiring.json", "runtime.json"):
        assert stat.S_IMODE((sandbox.home / name).stat().st_mode) == 0o600
    assert sandbox.ask("doctor").problems == []


def test_a_link_to_settings_kept_elsewhere_is_followed_and_stays_a_link(sandbox: Sandbox, you: Path) -> None:
    """Many keep their settings in a repository and link to them."""
    kept = put(sandbox.folder / "dotfiles/claude.json", CLAUDE_MEM)
    kept.chmod(0o640)
    link = you / ".claude/settings.json"
    link.symlink_to("../../dotfiles/claude.json")
    before = everything(sandbox.folder)
    sandbox.ask("setup")
    assert link.is_symlink() and commands(kept)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    sandbox.ask("uninstall")
    assert everything(sandbox.folder) == before


def test_a_link_to_nothing_is_left(sandbox: Sandbox, you: Path) -> None:
    (you / ".claude/settings.json").symlink_to("nowhere.json")
    answer = sandbox.ask("setup", host="claude-code")
    assert "is a link to nothing" in answer.problems[0]
    assert not (you / ".claude/nowhere.json").exists()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
def test_a_file_of_somebody_else_is_left(sandbox: Sandbox, you: Path) -> None:
    kept = put(sandbox.folder / "theirs.json", "{}")
    os.chown(kept, 4242, -1)
    (you / ".claude/settings.json").symlink_to(kept)
    answer = sandbox.ask("setup", host="claude-code")
    assert "belongs to another user" in answer.problems[0]
    assert kept.read_text() == "{}"


def test_a_write_protected_file_is_left(sandbox: Sandbox, you: Path) -> None:
    path = put(you / ".claude/settings.json", "{}")
    path.chmod(0o444)
    assert "is write-protected" in sandbox.ask("setup", host="claude-code").problems[0]
    assert path.read_text() == "{}"


def test_a_folder_in_the_place_of_a_file_is_left(sandbox: Sandbox, you: Path) -> None:
    (you / ".claude/settings.json").mkdir()
    assert "is not a regular file" in sandbox.ask("setup", host="claude-code").problems[0]


def test_a_file_in_the_place_of_a_folder_is_said(sandbox: Sandbox, you: Path) -> None:
    (you / ".codex").rmdir()
    put(you / ".codex", "oops")
    problems = sandbox.ask("setup", host="codex").problems
    assert len(problems) == 2 and all("cannot be" in problem for problem in problems)


def test_a_change_at_the_same_moment_is_not_overwritten(
    sandbox: Sandbox, you: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(you / ".claude.json", "{}")
    put_in = Ledger.put

    def racing(self: Ledger, entry: Entry) -> None:
        put_in(self, entry)
        path.write_text('{"numStartups": 3}')

    monkeypatch.setattr(Ledger, "put", racing)
    assert "at the same moment" in sandbox.ask("setup", host="claude-code").problems[0]
    assert path.read_text() == '{"numStartups": 3}'


def test_the_folders_that_variables_name_are_used(sandbox: Sandbox, you: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(sandbox.folder / "elsewhere"))
    monkeypatch.setenv("CODEX_HOME", str(sandbox.folder / "codex"))
    before = everything(sandbox.folder)
    for host in ("claude-code", "codex"):
        sandbox.ask("setup", host=host)
    assert commands(sandbox.folder / "elsewhere/settings.json")
    assert (sandbox.folder / "elsewhere/.claude.json").exists() and (sandbox.folder / "codex/config.toml").exists()
    assert not (you / ".claude.json").exists()
    sandbox.ask("uninstall")
    assert everything(sandbox.folder) == before


def test_a_project_can_be_wired_alone(sandbox: Sandbox, you: Path) -> None:
    before = everything(sandbox.project)
    answer = sandbox.ask("setup", host="claude-code", project=True)
    assert commands(sandbox.project / ".claude/settings.json") and (sandbox.project / ".mcp.json").exists()
    assert stat.S_IMODE((sandbox.project / ".mcp.json").stat().st_mode) == 0o644
    assert not (you / ".claude/settings.json").exists()
    assert any("paths of this machine" in note for note in answer.notes)
    assert json.loads((sandbox.home / "runtime.json").read_text())["projects"] == [str(sandbox.project)]
    sandbox.ask("uninstall")
    assert everything(sandbox.project) == before


def test_a_project_is_never_wired_twice(sandbox: Sandbox, you: Path) -> None:
    before = everything(sandbox.project)
    sandbox.ask("setup", project=True)
    sandbox.ask("setup")
    assert everything(sandbox.project) == before
    assert any("every project already" in note for note in sandbox.ask("setup", project=True).notes)
    assert everything(sandbox.project) == before


def test_where_the_plugin_is_enabled_it_does_the_rest(sandbox: Sandbox, you: Path) -> None:
    path = put(you / ".claude/settings.json", '{"enabledPlugins": {"limpet@limpet": true}}')
    before = everything(you)
    answer = sandbox.ask("setup", host="claude-code")
    assert answer.steps == () and "plugin" in answer.notes[0]
    assert everything(you) == before
    assert json.loads((sandbox.home / "runtime.json").read_text())["hosts"] == {"claude-code": "plugin"}
    path.write_text('{"enabledPlugins": {"limpet@limpet": false}}')
    sandbox.ask("setup", host="claude-code")
    assert commands(path)
    path.write_text(path.read_text().replace("false", "true"))
    sandbox.ask("setup", host="claude-code")
    assert path.read_text() == '{"enabledPlugins": {"limpet@limpet": true}}'


def test_what_starts_us_is_written_down(sandbox: Sandbox, you: Path) -> None:
    sandbox.ask("setup")
    found = json.loads((sandbox.home / "runtime.json").read_text())
    assert found["python"] == sys.executable and found["version"] == limpet.__version__
    assert os.path.isdir(found["path"][0]) and found["hook"].endswith(os.path.join("limpet", "cli", "hook.py"))
    code = f"import sys; sys.path += {found['path']!r}; import limpet.runtime, apsw, sqlite_vec"
    done = subprocess.run([found["python"], "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_interpreter_that_will_vanish_is_refused(
    sandbox: Sandbox, you: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = sandbox.folder / "uv/archive-v0/x/bin/python"
    cached.parent.mkdir(parents=True)
    cached.symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(cached))
    with pytest.raises(Refused, match="uv tool install limpet"):
        sandbox.ask("setup")


def test_an_interpreter_of_a_virtual_environment_stays_the_link_it_is(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = sandbox.folder / "venv/bin/python"
    link.parent.mkdir(parents=True)
    link.symlink_to(os.path.realpath(sys.executable))
    monkeypatch.setattr(sys, "executable", str(link))
    assert find_launcher().python == str(link)


def test_without_a_home_folder_there_is_one_sentence(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused, match="is not there; set HOME"):
        sandbox.ask("setup")
    (sandbox.folder / "nobody").write_text("a file")
    with pytest.raises(Refused, match="is not there; set HOME"):
        sandbox.ask("setup")


def test_a_home_that_is_no_folder_is_one_sentence(sandbox: Sandbox, you: Path) -> None:
    before = everything(you)
    put(sandbox.folder / "file", "x")
    with pytest.raises(LimpetError, match="folder"):
        sandbox.ask("setup", home=sandbox.folder / "file")
    assert everything(you) == before


def test_a_home_that_cannot_be_written_is_one_sentence(
    sandbox: Sandbox, you: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(you)

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(system, "private_directory", refuse)
    with pytest.raises(StoreReadOnly, match="cannot be written"):
        sandbox.ask("setup")
    assert everything(you) == before


def test_two_at_once_are_not_possible(sandbox: Sandbox, you: Path) -> None:
    with Ledger(str(sandbox.home)).lock(), pytest.raises(Refused, match="another setup is running"):
        sandbox.ask("setup")


def test_a_damaged_ledger_is_one_sentence(sandbox: Sandbox, you: Path) -> None:
    sandbox.home.mkdir(mode=0o700)
    (sandbox.home / "wiring.json").write_text("{")
    with pytest.raises(Refused, match="move it away"):
        sandbox.ask("setup")
