"""The plugin is what the catalogue and the table of hooks say, and its programs find Limpet or say how to get it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scripts import plugin as making

import limpet
from limpet.hosts.wiring import HOOKS
from limpet.mcp.tools import TOOLS
from limpet.operations.catalogue import CATALOGUE

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "plugin"
COMMANDS = sorted((PLUGIN / "commands").glob("*.md"))
START = json.dumps({"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"})
PROMPT = json.dumps({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "hello"})
ASKED = (
    *("please-remember", "recall", "memories", "forget", "memory-stats", "memory-graph", "memory-export"),
    *("memory-import", "sign-memories", "detect-achievements", "stash", "friction", "remember"),
)


def front(path: Path) -> dict[str, str]:
    head = path.read_text(encoding="utf-8").split("---\n")[1]
    return dict(line.split(": ", 1) for line in head.replace("\\\n", "").splitlines())


def test_the_plugin_files_are_up_to_date() -> None:
    assert making.main(["--check"]) == 0


def test_every_command_that_was_asked_for_is_known() -> None:
    assert tuple(command.name for command in making.COMMANDS) == ASKED


def test_there_is_a_command_for_every_verb_that_has_one() -> None:
    verbs = {each.name for each in CATALOGUE}
    assert [path.stem for path in COMMANDS] == sorted(each.name for each in making.COMMANDS if each.verb in verbs)


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_a_command_names_only_tools_and_verbs_that_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    verbs = {each.name for each in CATALOGUE}
    assert set(re.findall(r"`limpet ([a-z]+)", text)) <= verbs
    tools = {tool.name for tool in TOOLS}
    assert set(re.findall(r"`([a-z_]+)` tool", text)) <= tools
    assert "$ARGUMENTS" in text or path.stem in ("memory-stats", "sign-memories")
    assert not re.search(r"\$\d", text)


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_no_command_can_be_typed_by_a_model(path: Path) -> None:
    """What is typed counts as said by the user, so a model that could type it would speak in their name."""
    assert front(path)["disable-model-invocation"] == "true"
    assert json.loads(front(path)["description"])


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_a_command_approves_only_the_verb_that_it_runs(path: Path) -> None:
    """Whatever a command approves runs without a question, so `limpet` as a whole would approve every verb."""
    head, body = front(path), path.read_text(encoding="utf-8").split("---\n", 2)[2]
    found = re.findall(r"`limpet ([a-z]+)( [^`]*)?` in the shell", body)
    run = {f"Bash(limpet {verb}{':*' if options else ''})" for verb, options in found}
    assert len(run) <= 1
    assert {head["allowed-tools"]} == run if run else "allowed-tools" not in head


def test_the_skill_names_only_tools_that_exist() -> None:
    text = (PLUGIN / "skills/long-term-memory/SKILL.md").read_text(encoding="utf-8")
    tools = {tool.name for tool in TOOLS}
    assert {"recall", "store_memory", "search_by_file", "store_fact", "update_memory"} <= tools
    assert set(re.findall(r"`([a-z]+_[a-z_]+)`", text)) <= tools
    assert front(PLUGIN / "skills/long-term-memory/SKILL.md")["name"] == "long-term-memory"


def test_hooks_are_those_of_the_table() -> None:
    events: dict[str, Any] = json.loads((PLUGIN / "hooks/hooks.json").read_text())["hooks"]
    found = [
        (event, call["timeout"], call.get("async", False), "upkeep" in call["command"])
        for event, groups in events.items()
        for group in groups
        for call in group["hooks"]
    ]
    assert sorted(found) == sorted((each.event, each.timeout, each.background, bool(each.argument)) for each in HOOKS)
    assert all('"${CLAUDE_PLUGIN_ROOT}"' in group["hooks"][0]["command"] for each in events.values() for group in each)


def test_the_manifests_name_this_version() -> None:
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text())
    market = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())
    assert manifest["version"] == market["plugins"][0]["version"] == limpet.__version__
    assert (ROOT / market["plugins"][0]["source"]).samefile(PLUGIN)
    assert len((PLUGIN / "README.md").read_text().split()) >= 40
    assert (PLUGIN / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


class Machine:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / ".limpet"
        self.program = folder / "found.py"
        self.program.write_text("import sys; print('found', sys.argv[1:], sys.stdin.read(), end='')")

    def know(self, **values: Any) -> None:
        self.home.mkdir(exist_ok=True)
        known = {"python": sys.executable, "hook": str(self.program), "hosts": {}, "projects": [], **values}
        (self.home / "runtime.json").write_text(json.dumps(known))

    def run(self, *arguments: str, stdin: str = START, program: str = "hooks/hook.py", **env: str) -> Any:
        return subprocess.run(
            [sys.executable, "-I", "-S", str(PLUGIN / program), *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env={"HOME": str(self.folder), "PATH": str(self.folder / "bin"), **env},
        )

    def put_on_path(self, text: str) -> None:
        path = self.folder / "bin" / "limpet"
        path.parent.mkdir()
        path.write_text(text)
        path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(Path(os.path.realpath(tmp_path)))


def test_the_hook_becomes_the_program_that_setup_wrote_down(machine: Machine) -> None:
    machine.know()
    done = machine.run("upkeep")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"found ['upkeep'] {START}", "")


def test_another_home_is_looked_into_if_a_variable_says_so(machine: Machine) -> None:
    machine.know()
    machine.home.rename(machine.folder / "elsewhere")
    assert machine.run(LIMPET_HOME=str(machine.folder / "elsewhere")).stdout.startswith("found")


def test_where_the_settings_call_limpet_the_plugin_is_silent(machine: Machine) -> None:
    machine.know(hosts={"claude-code": "settings"})
    assert machine.run().stdout == ""
    machine.know(hosts={"claude-code": "plugin"})
    assert machine.run().stdout.startswith("found")
    machine.know(projects=[str(machine.folder)])
    assert machine.run().stdout == ""
    assert machine.run(CLAUDE_PROJECT_DIR="/elsewhere").stdout.startswith("found")


@pytest.mark.parametrize(
    "first",
    ["#!{python}\n", "#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\n"],
    ids=["in the first line", "handed to a shell"],
)
def test_without_setup_the_command_on_the_path_is_asked(machine: Machine, first: str) -> None:
    machine.put_on_path(first.format(python=sys.executable) + "import limpet\n")
    done = machine.run(stdin="{}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.run(program="mcp.py", stdin="").returncode == 0


@pytest.mark.parametrize("path", [".", "", "bin", ".:/nowhere", ":/nowhere", "/nowhere:"])
def test_no_program_of_the_repository_is_started(machine: Machine, path: str) -> None:
    """The session is in a folder that somebody else may have filled, and the path has an entry that means it."""
    for folder in (machine.folder, machine.folder / "bin"):
        folder.mkdir(exist_ok=True)
        for name in ("limpet", "python3"):
            (folder / name).write_text("#!/bin/sh\necho started\n")
            (folder / name).chmod(0o755)
    assert "started" not in machine.run(PATH=path).stdout
    assert "started" not in machine.run(program="mcp.py", PATH=path).stdout


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize("path", [".", "", "bin", ".:/nowhere", ":/nowhere", "/nowhere:"])
def test_the_command_line_starts_no_program_of_the_repository(machine: Machine, path: str) -> None:
    for folder in (machine.folder, machine.folder / "bin"):
        folder.mkdir(exist_ok=True)
        for name in ("python", "python3"):
            (folder / name).write_text("#!/bin/sh\necho started\n")
            (folder / name).chmod(0o755)
    for groups in json.loads((PLUGIN / "hooks/hooks.json").read_text())["hooks"].values():
        for call in (call for group in groups for call in group["hooks"]):
            for root in (PLUGIN, machine.folder / "gone"):
                env = {"PATH": path, "CLAUDE_PLUGIN_ROOT": str(root)}
                done = subprocess.run(
                    ["/bin/sh", "-c", call["command"]],
                    env=env,
                    cwd=machine.folder,
                    input=b"",
                    capture_output=True,
                    check=False,
                )
                assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_the_command_line_starts_the_program_that_setup_wrote_down(machine: Machine) -> None:
    machine.know()
    groups = json.loads((PLUGIN / "hooks/hooks.json").read_text())["hooks"]["SessionStart"]
    for group, arguments in zip(groups, ("[]", "['upkeep']"), strict=True):
        done = subprocess.run(
            ["/bin/sh", "-c", group["hooks"][0]["command"]],
            env={
                "HOME": str(machine.folder),
                "PATH": os.path.dirname(sys.executable),
                "CLAUDE_PLUGIN_ROOT": str(PLUGIN),
            },
            cwd=machine.folder,
            input=START,
            text=True,
            capture_output=True,
            check=False,
        )
        assert done.stdout == f"found {arguments} {START}"


def test_an_interpreter_named_without_its_folder_is_not_started(machine: Machine) -> None:
    machine.put_on_path("#!python3\n")
    (machine.folder / "python3").write_text("#!/bin/sh\necho started\n")
    (machine.folder / "python3").chmod(0o755)
    assert "started" not in machine.run().stdout


def test_where_there_is_nothing_one_line_says_so_at_the_start_only(machine: Machine) -> None:
    done = machine.run()
    answer = json.loads(done.stdout)
    assert done.returncode == 0 and "uv tool install limpet && limpet setup" in answer["systemMessage"]
    assert "\n" not in answer["systemMessage"]
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert machine.run(stdin=PROMPT).stdout == ""
    assert machine.run("upkeep").stdout == ""
    assert machine.run(program="mcp.py").returncode == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"python": 3, "hook": null}', '{"python": "/gone", "hook": "/gone"}'])
def test_whatever_the_file_says_the_hook_ends_well(machine: Machine, text: str) -> None:
    machine.home.mkdir()
    (machine.home / "runtime.json").write_text(text)
    done = machine.run(stdin=PROMPT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("stdin", ["", "no json", "[]", "null", "\x00"])
def test_whatever_is_said_to_it_the_hook_ends_well(machine: Machine, stdin: str) -> None:
    done = machine.run(stdin=stdin)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_command_line_of_the_plugin_ends_well_without_any_python(machine: Machine) -> None:
    events = json.loads((PLUGIN / "hooks/hooks.json").read_text())["hooks"]
    line = events["SessionStart"][0]["hooks"][0]["command"]
    env = {"PATH": str(machine.folder), "CLAUDE_PLUGIN_ROOT": str(PLUGIN)}
    done = subprocess.run(["/bin/sh", "-c", line], env=env, input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_nothing_is_left_in_the_plugins_folder(machine: Machine) -> None:
    machine.run(program="mcp.py")
    assert not (PLUGIN / "hooks/__pycache__").exists()
