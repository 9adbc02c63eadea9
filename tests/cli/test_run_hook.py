"""The program that hosts start loads the modules that its answer needs, from the bundle if there is one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from limpet.cli import hook
from limpet.wiring.bundle import make_bundle, read_parts
from tests.cli.hooks import Host, payload

SOURCE = Path(hook.__file__).parents[2]
EVENTS: dict[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "PostToolUse": (
        ("capture", "pattern", "redact"),
        {"tool_name": "Bash", "tool_input": {"command": "make test"}, "tool_response": {"stdout": "12 passed"}},
    ),
    "SessionStart": (("capture", "pattern", "answer", "start", "notice", "fences"), {"source": "startup"}),
    "UserPromptSubmit": (
        ("capture", "pattern", "redact", "answer", "prompt", "fences", "words", "statement", "nudge"),
        {"prompt": "describe how we run the alembic migrations before a release"},
    ),
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    made = Host(tmp_path_factory.mktemp("host"))
    made.limpet("remember", "Run the database migrations with alembic before a release, never by hand")
    # The receipts of these are applied by the hooks that are measured.
    made.context("SessionStart", source="startup")
    return made


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bundle") / "bundle"
    made.write_bytes(make_bundle(read_parts().values()))
    return made


def loaded_by(host: Host, event: str, bundle: Path | None = None, *arguments: str) -> set[str]:
    """Return the modules that the hook program has loaded when it is done, as its own process sees them."""
    code = (
        "import os, sys; before = set(sys.modules);"
        f"sys.path += {[str(SOURCE), *(each for each in sys.path if each.endswith('site-packages'))]!r};"
        "from limpet.lean import bundle;"
        f"bundle.bundle_path = lambda: {str(bundle or '/nowhere')!r}; bundle.use_bundle();"
        f"from limpet.cli.hook import main; main({arguments!r});"
        "named = [name for name in sys.modules if name not in before];"
        "os.write(2, repr([(name, type(sys.modules[name].__spec__.loader).__name__) for name in named]).encode())"
    )
    # In a new session, with nothing to learn from others.
    shutil.rmtree(host.home / "queue", ignore_errors=True)
    fields = {"session_id": os.urandom(8).hex(), "cwd": str(host.project), **EVENTS[event][1]}
    told = json.dumps(payload(event, **fields)).encode()
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], input=told, capture_output=True, env=host.environment, check=True
    )
    found = dict(eval(done.stderr))
    # On a busy machine an answer may be slow, which is logged too.
    log = host.home / "hook.log"
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    assert [row for row in rows if row["error"] or row["late"]] == []
    if not (event == "PostToolUse" or arguments):
        assert json.loads(done.stdout)["hookSpecificOutput"]["hookEventName"] == event
    if bundle is not None:
        assert found["limpet.cli.hook"] == "BundleFinder"
    return set(found)


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_loads_the_modules_of_its_parts_and_no_others(host: Host, event: str) -> None:
    parts = read_parts()
    listed = {name for part in EVENTS[event][0] for name in parts[part] if name.startswith("limpet.")}
    loaded = {name for name in loaded_by(host, event) if name.startswith("limpet.")}
    # The program has loaded these before the bundle.
    assert loaded - listed == {"limpet.lean", "limpet.lean.bundle", "limpet.hooks.handover"}
    assert listed - loaded == set()


@pytest.mark.parametrize("event", EVENTS)
def test_with_the_bundle_the_same_answer_needs_no_regular_expressions(host: Host, event: str, bundle: Path) -> None:
    plain, bundled = loaded_by(host, event), loaded_by(host, event, bundle)
    own = {name for name in plain if name.startswith("limpet.")}
    assert own == {name for name in bundled if name.startswith("limpet.")}
    assert bundled.isdisjoint({"re", "json", "typing", "dataclasses", "hashlib", "importlib", "inspect", "logging"})


def test_the_status_line_loads_what_an_answer_needs(host: Host, bundle: Path) -> None:
    parts = read_parts()
    loaded = loaded_by(host, "SessionStart", bundle, hook.STATUS)
    needed = {name for part in ("notice", "statusline") for name in parts[part]}
    assert needed <= loaded
    assert not loaded.intersection(parts["start"] + parts["prompt"] + parts["redact"])
    listed = {name for part in ("capture", "pattern", "answer") for name in parts[part]} | needed
    assert {name for name in loaded if name.startswith("limpet.")} - listed <= {
        "limpet.lean",
        "limpet.lean.bundle",
        "limpet.hooks.handover",
    }


def test_importing_the_program_runs_nothing() -> None:
    subprocess.run(
        [sys.executable, "-c", "import limpet.cli.run_hook"],
        check=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdin=subprocess.DEVNULL,
    )


COMMANDS = {
    "recall": ("pattern", "redact", "answer", "prompt", "command", "words", "examine", "fences", "recall"),
    "remember": (
        "pattern",
        "redact",
        "answer",
        "prompt",
        "command",
        "words",
        "statement",
        "examine",
        "fences",
        "remember",
    ),
}


def loaded_by_command(host: Host, bundle: Path, *words: str) -> dict[str, str]:
    """Return the modules that a command has loaded when it is done, with their loaders."""
    code = (
        f"import atexit, os, sys; sys.argv = ['limpet', *{words!r}]; sys.path.insert(0, {str(SOURCE)!r});"
        "before = set(sys.modules); from limpet.lean import bundle;"
        f"bundle.bundle_path = lambda: {str(bundle)!r};"
        "tell = lambda: {name: type(found.__spec__.loader).__name__ "
        "for name, found in sys.modules.items() if name not in before};"
        "atexit.register(lambda: os.write(2, repr(tell()).encode()));"
        "from limpet.cli import main; sys.exit(main())"
    )
    # In no session, and with nothing to learn from others.
    shutil.rmtree(host.home / "queue", ignore_errors=True)
    folders = [each for each in sys.path if each.endswith("site-packages")]
    # What an agent runs is answered by other modules.
    alone = {name: value for name, value in host.environment.items() if not name.startswith("CLAUDE")}
    environment = {**alone, "PYTHONPATH": os.pathsep.join(folders)}
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, env=environment, cwd=host.project)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = eval(done.stderr[done.stderr.index(b"{") :])
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_loads_its_parts_of_the_bundle_and_little_else(host: Host, command: str, bundle: Path) -> None:
    # The words differ from what is stored, so that both are examined in full.
    loaded = loaded_by_command(host, bundle, command, f"how do we {command} the release notes of the payment service?")
    listed = {name for part in COMMANDS[command] for name in read_parts()[part] if name.startswith("limpet.")}
    own = {name for name in loaded if name.startswith("limpet.")}
    others = {name for part in ("capture", "changes") for name in read_parts()[part]}
    before = {"limpet.cli", "limpet.lean", "limpet.lean.bundle"}
    assert own - listed - others - before == set()
    assert {name for name in own if loaded[name] != "BundleFinder"} == before
    slow = {"json", "argparse", "typing", "dataclasses", "hashlib", "inspect", "logging"}
    # A text that is stored is examined for secrets with patterns that are compiled only where they may match.
    assert set(loaded).isdisjoint(slow if command == "remember" else {"re", *slow})


def test_a_command_ends_at_once_unless_something_waits_for_its_end(host: Host) -> None:
    told = "import atexit, sys; sys.argv = ['limpet', 'list', '--json'];"
    at_end = "sys.addaudithook(lambda name, _: name == 'cpython._PySys_ClearAuditHooks' and print('torn down'));"
    run = f"sys.path.insert(0, {str(SOURCE)!r}); from limpet.cli import main; sys.exit(main())"
    for waiting, is_torn_down in (("", False), ("atexit.register(print, 'told at the end');", True)):
        code = told + at_end + waiting + run
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, env=host.environment, cwd=host.project, text=True
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout.splitlines()[0])["total"] >= 1
        assert ("told at the end" in done.stdout) is is_torn_down
