"""The program of a host is asked in Limpet's own folder, and nothing of that is ever learnt."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from limpet.cli import hook
from limpet.llm.protocol import Request
from limpet.llm.providers.host_cli import HostCli
from limpet.queue import files as queue
from tests.operations.sandbox import Sandbox, isolate_environment

HOOK = str(Path(hook.__file__).with_name("run_hook.py"))
RULE = "From now on always deploy with ./ship.sh, because the old script skips the migrations."

# A client that calls Limpet's hooks and records its session, as a client does that is told not to and does it anyway.
# It is asked about a session, so what it is told is full of rules.
PROGRAM = f"""#!{sys.executable}
import json, os, pathlib, subprocess, sys
text = sys.stdin.read()
home = pathlib.Path(os.environ["HOME"])
session = "7f3a0000-0000-4000-8000-00000000000" + str(len(sys.argv) % 10)
environment = dict(os.environ)
if (home / "forgets").exists():
    del environment["LIMPET_QUIET"]
told = {{"session_id": session, "transcript_path": "", "cwd": os.getcwd()}}
for event, more in (
    ("SessionStart", {{"source": "startup"}}),
    ("UserPromptSubmit", {{"prompt": text}}),
    ("Stop", {{"last_assistant_message": text}}),
    ("SessionEnd", {{"reason": "other"}}),
):
    done = subprocess.run(
        [sys.executable, "-I", "-S", {HOOK!r}], input=json.dumps({{**told, "hook_event_name": event, **more}}),
        env=environment, capture_output=True, text=True,
    )
    with open(home / "told.txt", "a") as file:
        file.write(done.stdout)
folder = home / ".claude" / "projects" / "-llm"
folder.mkdir(parents=True, exist_ok=True)
with open(folder / (session + ".jsonl"), "w") as file:
    for who in ("user", "assistant"):
        message = {{"role": who, "content": [{{"type": "text", "text": text}}]}}
        file.write(json.dumps({{"type": who, "message": message, "timestamp": "2026-03-01T09:00:00Z",
                               "cwd": os.getcwd(), "sessionId": session}}) + "\\n")
if "exec" in sys.argv:
    pathlib.Path(sys.argv[sys.argv.index("--output-last-message") + 1]).write_text("nothing")
print(json.dumps({{"result": "nothing", "usage": {{}}}}))
"""


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    isolate_environment(monkeypatch, tmp_path)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    found = Sandbox(tmp_path)
    monkeypatch.setenv("LIMPET_HOME", str(found.home))
    (tmp_path / "nobody").mkdir()
    for name in ("claude", "codex"):
        path = tmp_path / name
        path.write_text(PROGRAM)
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return found


@pytest.mark.parametrize("client", ["claude", "codex"])
@pytest.mark.parametrize("forgets", [False, True], ids=["quiet", "forgets the variable"])
def test_nothing_of_its_own_call_is_captured_told_or_backfilled(sandbox: Sandbox, client: str, forgets: bool) -> None:
    sandbox.remember("The API speaks JSON")
    nobody = sandbox.folder / "nobody"
    if forgets:
        (nobody / "forgets").touch()
    model = HostCli(client, model="", home=str(sandbox.home), timeout=60)
    reply = model.ask(Request(instructions="Choose what is kept.", text=RULE))
    assert reply.text == "nothing"
    assert (nobody / "told.txt").read_text() == "", "the model is told no memory"
    assert queue.list_queue_files(str(sandbox.home)) == []
    filled = sandbox.ask("backfill").filled
    assert (filled.found, filled.nowhere, filled.kept, filled.summaries) == (1, 1, 0, 0)
    assert sandbox.texts(all_projects=True) == ["The API speaks JSON"]


def test_a_home_that_is_reached_by_a_link_is_recognised_too(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    link = sandbox.folder / "link"
    link.symlink_to(sandbox.home)
    sandbox.home.mkdir(exist_ok=True)
    monkeypatch.setenv("LIMPET_HOME", str(link))
    nobody = sandbox.folder / "nobody"
    (nobody / "forgets").touch()
    HostCli("claude", model="", home=str(link), timeout=60).ask(Request(instructions="Choose.", text=RULE))
    assert (nobody / "told.txt").read_text() == "" and queue.list_queue_files(str(sandbox.home)) == []
    record = json.loads(next((nobody / ".claude").rglob("*.jsonl")).read_text().splitlines()[0])
    assert record["cwd"] == str(sandbox.home / "llm")
    filled = sandbox.ask("backfill", home=link).filled
    assert (filled.nowhere, filled.kept) == (1, 0)
