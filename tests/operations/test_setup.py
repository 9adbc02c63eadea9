"""Setup wires every agent that is there, and says so first."""

from __future__ import annotations

import errno
import json
import shutil
import stat
import sys
from pathlib import Path

import pytest

from limpet import system
from limpet.errors import LimpetError, Refused, StoreReadOnly
from limpet.hosts import wiring
from limpet.model.signature import Verdict
from limpet.runtime.keys import KeyFolder
from tests.hosts.settings_files import BROKEN, CLAUDE_MEM
from tests.operations.sandbox import Sandbox
from tests.operations.user_home import SETTINGS_FILES, hook_commands, snapshot, write_file


def test_every_agent_that_is_there_is_wired(sandbox: Sandbox, user_home: Path) -> None:
    answer = sandbox.ask("setup")
    assert (answer.hosts, answer.problems, answer.done) == (("claude-code", "codex", "gemini"), (), True)
    for name in SETTINGS_FILES:
        hooks, server = wiring.find_wired((user_home / name).read_text(), "toml" if name.endswith("toml") else "json")
        assert hooks or server
    assert "mcpServers" not in json.loads((user_home / ".claude/settings.json").read_text())
    assert json.loads((user_home / ".claude.json").read_text())["mcpServers"]["limpet"]["command"] == sys.executable


def test_groups_of_hooks_that_make_no_sense_stay_as_they_are(sandbox: Sandbox, user_home: Path) -> None:
    text = '{"hooks": {"PostToolUse": [null, 5, {"hooks": 7}, {"hooks": {"a": 1}}, {"hooks": [5, {"command": 6}]}]}}'
    path = write_file(user_home / ".claude/settings.json", text)
    assert sandbox.ask("setup", host="claude-code").problems == ()
    assert len(json.loads(path.read_text())["hooks"]["PostToolUse"]) == 6
    assert not any("settings" in each.what for each in sandbox.ask("doctor").problems)
    sandbox.ask("uninstall")
    assert path.read_text() == text


def test_an_agent_that_is_not_there_is_left_out_unless_it_is_named(sandbox: Sandbox, user_home: Path) -> None:
    (user_home / ".codex").rmdir()
    before = snapshot(user_home)
    assert sandbox.ask("setup").hosts == ("claude-code", "gemini")
    assert not (user_home / ".codex").exists()
    assert sandbox.ask("setup", host="codex").hosts == ("codex",)
    assert (user_home / ".codex/hooks.json").exists()
    sandbox.ask("uninstall")
    assert snapshot(user_home) == before


@pytest.mark.parametrize("verb", ["setup", "uninstall"])
def test_a_home_that_cannot_be_written_is_named(
    sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    sandbox.ask("setup")

    def refuse(path: str) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(system, "try_lock", refuse)
    before = snapshot(user_home)
    with pytest.raises(StoreReadOnly, match=r"cannot be written \(.*\); check its owner and mode"):
        sandbox.ask(verb)
    assert snapshot(user_home) == before


def test_without_an_agent_setup_says_so(sandbox: Sandbox, user_home: Path) -> None:
    for name in (".claude", ".codex", ".gemini"):
        (user_home / name).rmdir()
    before = snapshot(user_home)
    for dry_run in (True, False, False):
        with pytest.raises(Refused, match=r"^no agent was found .* name it, e\.g\. limpet setup claude-code$"):
            sandbox.ask("setup", dry_run=dry_run)
    assert not sandbox.home.exists() and snapshot(user_home) == before, "no key is made for nobody"


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_is_not_understood_is_left_and_the_others_go_on(
    sandbox: Sandbox, user_home: Path, text: str
) -> None:
    broken = write_file(user_home / ".gemini/settings.json", text)
    answer = sandbox.ask("setup")
    assert len(answer.problems) == 1 and str(broken) in answer.problems[0] and "left as it is" in answer.problems[0]
    assert broken.read_text() == text
    assert answer.hosts == ("claude-code", "codex")
    assert hook_commands(user_home / ".claude/settings.json")


def test_a_dry_run_says_all_and_touches_nothing(sandbox: Sandbox, user_home: Path) -> None:
    write_file(user_home / ".claude/settings.json", CLAUDE_MEM)
    before = snapshot(user_home)
    answer = sandbox.ask("setup", dry_run=True)
    assert [step.path for step in answer.steps] == [str(user_home / name) for name in SETTINGS_FILES]
    assert all(step.lines for step in answer.steps) and not answer.done
    assert snapshot(user_home) == before and not (sandbox.home / "wiring.json").exists()
    sandbox.ask("setup")
    wired = snapshot(user_home)
    assert {step.action for step in sandbox.ask("uninstall", dry_run=True).steps} == {"restore", "delete"}
    assert snapshot(user_home) == wired


def test_the_folders_that_variables_name_are_used(
    sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(sandbox.folder / "elsewhere"))
    monkeypatch.setenv("CODEX_HOME", str(sandbox.folder / "codex"))
    before = snapshot(sandbox.folder)
    for host in ("claude-code", "codex"):
        sandbox.ask("setup", host=host)
    assert hook_commands(sandbox.folder / "elsewhere/settings.json")
    assert (sandbox.folder / "elsewhere/.claude.json").exists() and (sandbox.folder / "codex/config.toml").exists()
    assert not (user_home / ".claude.json").exists()
    sandbox.ask("uninstall")
    assert snapshot(sandbox.folder) == before


def test_a_project_can_be_wired_alone(sandbox: Sandbox, user_home: Path) -> None:
    before = snapshot(sandbox.project)
    answer = sandbox.ask("setup", host="claude-code", project=True)
    assert hook_commands(sandbox.project / ".claude/settings.json") and (sandbox.project / ".mcp.json").exists()
    assert stat.S_IMODE((sandbox.project / ".mcp.json").stat().st_mode) == 0o644
    assert not (user_home / ".claude/settings.json").exists()
    assert any("paths of this machine" in note for note in answer.notes)
    assert json.loads((sandbox.home / "runtime.json").read_text())["projects"] == [str(sandbox.project)]
    sandbox.ask("uninstall")
    assert snapshot(sandbox.project) == before


def test_a_project_is_never_wired_twice(sandbox: Sandbox, user_home: Path) -> None:
    before = snapshot(sandbox.project)
    sandbox.ask("setup", project=True)
    sandbox.ask("setup")
    assert snapshot(sandbox.project) == before
    assert any("every project already" in note for note in sandbox.ask("setup", project=True).notes)
    assert snapshot(sandbox.project) == before


def test_where_the_plugin_is_enabled_settings_are_left_alone(sandbox: Sandbox, user_home: Path) -> None:
    path = write_file(user_home / ".claude/settings.json", '{"enabledPlugins": {"limpet@limpet": true}}')
    before = snapshot(user_home)
    answer = sandbox.ask("setup", host="claude-code")
    assert answer.steps == () and "plugin" in answer.notes[0]
    assert snapshot(user_home) == before
    assert json.loads((sandbox.home / "runtime.json").read_text())["hosts"] == {"claude-code": "plugin"}
    path.write_text('{"enabledPlugins": {"limpet@limpet": false}}')
    sandbox.ask("setup", host="claude-code")
    assert hook_commands(path)
    path.write_text(path.read_text().replace("false", "true"))
    sandbox.ask("setup", host="claude-code")
    assert path.read_text() == '{"enabledPlugins": {"limpet@limpet": true}}'


def test_without_a_home_folder_there_is_one_sentence(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused, match="is not there; set HOME"):
        sandbox.ask("setup")
    (sandbox.folder / "nobody").write_text("a file")
    with pytest.raises(Refused, match="is not there; set HOME"):
        sandbox.ask("setup")


def test_a_home_that_is_no_folder_is_one_sentence(sandbox: Sandbox, user_home: Path) -> None:
    before = snapshot(user_home)
    write_file(sandbox.folder / "file", "x")
    with pytest.raises(LimpetError, match="folder"):
        sandbox.ask("setup", home=sandbox.folder / "file")
    assert snapshot(user_home) == before


def test_a_home_that_cannot_be_written_is_one_sentence(
    sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(user_home)

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(system, "private_directory", refuse)
    with pytest.raises(StoreReadOnly, match="cannot be written"):
        sandbox.ask("setup")
    assert snapshot(user_home) == before


def test_setup_makes_a_signing_key_without_a_question(sandbox: Sandbox, user_home: Path) -> None:
    answer = sandbox.ask("setup", host="claude-code")
    key = answer.key_id
    assert [key in path.name for path in Path(answer.key_folder).iterdir()] == [True]
    assert not (sandbox.home / "index.db").exists()
    again = sandbox.ask("setup", host="claude-code")
    assert (again.key_id, again.key_folder) == ("", "")
    assert sandbox.verdict(sandbox.remember("Use tabs")) is Verdict.GOOD
    found = sandbox.json("verify")
    assert (found["ok"], found["signed"]) == (True, 1)


def test_setup_vouches_for_what_was_stored_before_it(sandbox: Sandbox, user_home: Path) -> None:
    before = sandbox.remember("Use tabs")
    sandbox.ask("setup", host="claude-code")
    assert sandbox.verdict(before) is Verdict.GOOD
    assert sandbox.json("verify")["ok"]


def test_a_person_can_say_no_to_the_key(sandbox: Sandbox, user_home: Path) -> None:
    assert sandbox.ask("setup", host="claude-code", flags={"sign.at_setup": False}).key_id == ""
    assert sandbox.ask("setup", host="claude-code", dry_run=True).key_id == ""
    assert not (sandbox.home / "keys").exists()


def test_a_home_that_has_lost_its_key_gets_no_other_one_unasked(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup", host="claude-code")
    sandbox.remember("Use tabs")
    shutil.rmtree(sandbox.home / "keys")
    assert sandbox.ask("setup", host="claude-code").key_id == ""


def test_a_setup_killed_before_the_key_counts_leaves_no_memory_in_doubt(
    sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = sandbox.remember("Use tabs")
    with monkeypatch.context() as patch:
        patch.setattr(KeyFolder, "finish", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            sandbox.ask("setup", host="claude-code")
    stored = sandbox.ask("show", id=memory.id).stored
    assert not stored.failed
    later = sandbox.remember("Use spaces in YAML")
    sandbox.ask("setup", host="claude-code")
    assert sandbox.verdict(memory) is Verdict.GOOD
    assert sandbox.verdict(later) is Verdict.GOOD
    assert sandbox.json("verify")["ok"]


def read_status_line(user_home: Path) -> object:
    return json.loads((user_home / ".claude/settings.json").read_text()).get("statusLine")


def test_the_status_line_is_offered_and_added_only_if_it_is_wanted(sandbox: Sandbox, user_home: Path) -> None:
    path = write_file(user_home / ".claude/settings.json", '{"theme": "dark"}\n')
    [offer] = sandbox.ask("setup", dry_run=True).offers
    assert "limpet setup --statusline" in offer
    assert sandbox.json("setup")["offers"] == [offer] and read_status_line(user_home) is None
    answer = sandbox.ask("setup", statusline=True)
    assert answer.offers == () and read_status_line(user_home)
    # Another setup leaves it there.
    assert {step.action for step in sandbox.ask("setup").steps} == {"keep"}
    sandbox.ask("uninstall")
    assert path.read_text() == '{"theme": "dark"}\n'


def test_a_status_line_of_the_user_stays(sandbox: Sandbox, user_home: Path) -> None:
    text = '{"statusLine": {"type": "command", "command": "~/line.sh"}}'
    path = write_file(user_home / ".claude/settings.json", text)
    answer = sandbox.ask("setup", statusline=True)
    assert (answer.offers, answer.problems) == ((), ())
    assert read_status_line(user_home) == {"type": "command", "command": "~/line.sh"}
    sandbox.ask("uninstall")
    assert path.read_text() == text


def test_a_status_line_that_the_user_took_out_stays_out(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup", statusline=True)
    path = user_home / ".claude/settings.json"
    data = json.loads(path.read_text())
    del data["statusLine"]
    path.write_text(json.dumps(data))
    sandbox.ask("setup")
    assert read_status_line(user_home) is None and hook_commands(path)


def test_beside_the_plugin_only_the_status_line_is_added(sandbox: Sandbox, user_home: Path) -> None:
    text = '{"enabledPlugins": {"limpet@limpet": true}}'
    path = write_file(user_home / ".claude/settings.json", text)
    before = snapshot(user_home)
    assert len(sandbox.ask("setup", host="claude-code").offers) == 1
    assert snapshot(user_home) == before
    sandbox.ask("setup", host="claude-code", statusline=True)
    assert read_status_line(user_home) and hook_commands(path) == []
    assert not (user_home / ".claude.json").exists()
    assert sandbox.ask("setup", host="claude-code").steps[0].action == "keep"
    assert not [each for each in sandbox.ask("doctor").problems if "wired" in each.what]
    (sandbox.home / "wiring.json").unlink()
    sandbox.ask("uninstall")
    assert path.read_text() == text


def test_a_project_is_offered_no_status_line(sandbox: Sandbox, user_home: Path) -> None:
    answer = sandbox.ask("setup", host="claude-code", project=True, statusline=True)
    assert answer.offers == ()
    assert "statusLine" not in (sandbox.project / ".claude/settings.json").read_text()
