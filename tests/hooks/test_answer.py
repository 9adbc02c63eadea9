"""The same event gets the same answer, whoever asks: the hook program calls this, and a server can."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from limpet import clock, system
from limpet.hooks.answer import answer
from tests.operations.sandbox import MODEL, Sandbox, git_folder, isolate_environment, without_ids
from tests.operations.sharing import edit, share

RULE = "Use pytest, never unittest, for new tests"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    isolate_environment(monkeypatch, tmp_path)
    made = Sandbox(tmp_path)
    monkeypatch.setenv("LIMPET_HOME", str(made.home))
    # A busy machine would exceed the budget, and then the rest is taken in at the next start.
    monkeypatch.setattr("limpet.hooks.answer._FILES_MS", 60_000)
    return made


def ask(sandbox: Sandbox, event: str, *, host: str = "claude-code", **fields: object) -> str:
    payload = {"session_id": "s1", "cwd": str(sandbox.project), "hook_event_name": event, **fields}
    printed = answer(payload, event, host)
    return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"]) if printed else ""


def test_a_start_is_answered_with_the_memories_of_the_project(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.remember(RULE, impact="HIGH")
    assert RULE in ask(sandbox, "SessionStart", source="startup")
    other = tmp_path / "other"
    other.mkdir()
    assert ask(sandbox, "SessionStart", source="startup", cwd=str(other)) == ""


def test_what_the_host_tells_from_its_own_notes_is_not_told_again(sandbox: Sandbox) -> None:
    sandbox.remember(RULE, impact="HIGH")
    sandbox.remember("Deploy only from the release branch", impact="HIGH")
    folder = sandbox.folder / "nobody" / ".claude" / "projects" / "-shop"
    (folder / "memory").mkdir(parents=True)
    note = folder / "memory" / "MEMORY.md"
    note.write_text(f"# Notes\n\n- {RULE}.\n", "utf-8")
    before = note.stat()
    told = ask(sandbox, "SessionStart", source="startup", transcript_path=str(folder / "s1.jsonl"))
    assert RULE not in told and "release branch" in told
    assert (note.read_text("utf-8"), note.stat().st_mtime_ns) == (f"# Notes\n\n- {RULE}.\n", before.st_mtime_ns)
    note.unlink()
    assert RULE in ask(sandbox, "SessionStart", source="compact", transcript_path=str(folder / "s1.jsonl"))


class SteppedClock:
    """A clock that moves only when somebody pauses, and counts how long that was."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waited = 0
        monkeypatch.setattr(clock, "pause", self.pause)
        monkeypatch.setattr(clock, "monotonic_ms", lambda: self.waited)

    def pause(self, milliseconds: int) -> None:
        self.waited += milliseconds


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "should new tests use pytest?"}),
        ("UserPromptExpansion", {"command_name": "remember", "command_args": "The linter is ruff"}),
    ],
)
def test_a_lock_that_another_process_keeps_costs_at_most_a_tenth_of_a_second(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, event: str, fields: dict[str, str]
) -> None:
    sandbox.remember(RULE, impact="HIGH")
    # As if another program had touched the index: then it is checked, which needs the lock once more.
    os.utime(sandbox.home / "index.db", (1, 1))
    passing = SteppedClock(monkeypatch)
    with system.lock(str(sandbox.home / "locks" / "apply")) as is_held:
        assert is_held
        assert ask(sandbox, event, **fields)
    assert 0 < passing.waited <= 100


def test_a_start_in_a_folder_that_proves_nothing_is_answered_with_one_line(sandbox: Sandbox, tmp_path: Path) -> None:
    git_folder(sandbox.project, origin="https://example.org/rock", born="rock")
    sandbox.remember(RULE, impact="HIGH")
    other = str(git_folder(tmp_path / "other", origin="https://example.org/rock", born="other"))
    told = ask(sandbox, "SessionStart", source="startup", cwd=other)
    assert told.startswith("Limpet: this folder says that it is a project")
    assert "`limpet confirm --project`" in told
    assert ask(sandbox, "UserPromptSubmit", prompt="Should new tests use pytest or unittest?", cwd=other) == ""


def test_an_event_without_an_answer_prints_nothing(sandbox: Sandbox) -> None:
    sandbox.remember(RULE)
    assert ask(sandbox, "PostCompact", compact_summary="nothing") == ""
    assert ask(sandbox, "UserPromptSubmit", prompt="how warm is the water today in Oslo?") == ""


def ask_to_remember(sandbox: Sandbox) -> str:
    fields = {"command_name": "please-remember", "command_args": RULE, "expansion_type": "slash_command"}
    return ask(sandbox, "UserPromptExpansion", **fields)


def test_a_command_stores_what_follows_it_and_says_whose_word_it_is(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = ask_to_remember(sandbox)
    assert "word for word" in told
    [stored] = sandbox.json("list")["memories"]
    assert (stored["content"], stored["origin"]) == (RULE, "agent")
    assert "names no transcript" in told
    later = clock.now_ms() + 60_000
    monkeypatch.setattr(clock, "now_ms", lambda: later)
    assert "knew this already" in ask_to_remember(sandbox)


def test_a_command_that_a_worker_took_from_the_queue_first_is_answered_as_stored(sandbox: Sandbox) -> None:
    ask_to_remember(sandbox)
    [stored] = sandbox.json("list")["memories"]
    assert f"has stored what the user asked to remember, word for word, as {stored['id']}" in ask_to_remember(sandbox)


def test_where_injection_is_off_nothing_is_said(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.remember(RULE, impact="HIGH")
    monkeypatch.setenv("LIMPET_INJECT__ENABLED", "false")
    assert ask(sandbox, "SessionStart", source="startup") == ""


def test_a_start_does_not_repeat_what_the_host_loads_itself(sandbox: Sandbox) -> None:
    sandbox.remember(RULE, impact="HIGH")
    sandbox.ask("distil", yes=True)
    later = "Migrations run with alembic"
    sandbox.remember(later, impact="HIGH")
    told = ask(sandbox, "SessionStart", source="startup")
    assert later in told and RULE not in told
    # Codex loads another file, which has no block.
    assert RULE in ask(sandbox, "SessionStart", source="startup", host="codex", session_id="s2")


def test_a_start_takes_in_shared_files_and_tells_nothing_of_them_until_they_are_approved(sandbox: Sandbox) -> None:
    sandbox.remember(RULE, impact="HIGH")
    folder = share(sandbox)
    (folder / "port.md").write_text("---\nimpact: CRITICAL\n---\nThe admin port of the shop is 7070.\n")
    told = ask(sandbox, "SessionStart", source="startup")
    assert RULE in told and "7070" not in without_ids(told)
    assert "1 memory came with the files of this repository" in told
    assert "came with the files" not in ask(sandbox, "SessionStart", source="startup", session_id="s2")
    sandbox.ask("confirm", project=True)
    assert "7070" in ask(sandbox, "SessionStart", source="startup", session_id="s3")


def test_a_pulled_edit_and_a_pulled_deletion_are_known_at_the_next_start(sandbox: Sandbox) -> None:
    first = sandbox.remember(RULE, impact="HIGH", as_=MODEL)
    second = sandbox.remember("Deploy only from the release branch", impact="HIGH", as_=MODEL)
    sandbox.remember("Reviews are done by two people", impact="HIGH")
    folder = share(sandbox)
    (folder / f"{first.id}.md").unlink()
    edit(folder / f"{second.id}.md", "release", "main")
    told = ask(sandbox, "SessionStart", source="startup")
    assert RULE not in told and "release branch" not in told and "main branch" not in told
    assert "two people" in told


def test_a_deleted_file_waits_for_no_worker(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = sandbox.remember(RULE, impact="HIGH", as_=MODEL)
    path = share(sandbox) / f"{memory.id}.md"
    path.unlink()
    held = SteppedClock(monkeypatch)
    with system.lock(str(sandbox.home / "locks" / "capture"), doing="test") as is_held:
        assert is_held
        ask(sandbox, "SessionStart", source="startup")
    assert held.waited <= 100
    assert sandbox.ask("sync").forgotten == [memory.id]


def test_a_start_without_shared_files_loads_nothing_of_them(sandbox: Sandbox) -> None:
    sandbox.remember(RULE, impact="HIGH")
    payload = {"session_id": "s1", "cwd": str(sandbox.project), "hook_event_name": "SessionStart", "source": "startup"}
    code = (
        f"import sys; from limpet.hooks.answer import answer; answer({payload!r}, 'SessionStart', 'claude-code'); "
        "print([name for name in sys.modules if 'mirror' in name or 'sharing' in name or name == 'yaml'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_start_with_unchanged_shared_files_compares_only_their_stamps(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = sandbox.remember(RULE, impact="HIGH")
    path = share(sandbox) / f"{memory.id}.md"
    os.utime(path, (1_700_000_000, 1_700_000_000))
    sandbox.ask("sync")

    def refuse(*words: object, **values: object) -> None:
        raise AssertionError("nothing has changed")

    monkeypatch.setattr("limpet.sharing.folder.take_in_at_start", refuse)
    assert RULE in ask(sandbox, "SessionStart", source="startup")


def test_the_state_of_a_shared_folder_may_lower_the_lines_of_a_start(sandbox: Sandbox) -> None:
    for number in range(5):
        sandbox.remember(f"Rule {number}: service {number} is never restarted by hand", impact="HIGH")
    state = share(sandbox).parent / "state.json"
    found = json.loads(state.read_text())
    assert found["config"]["memories_to_load"] == 20
    found["config"]["memories_to_load"] = 2
    state.write_text(json.dumps(found))
    assert ask(sandbox, "SessionStart", source="startup").count("~") == 2
    for path in (sandbox.home / "mirror").iterdir():
        path.unlink()  # as in a clone that nobody has shared from here
    assert ask(sandbox, "SessionStart", source="startup", session_id="s2").count("~") == 5


def test_a_shared_folder_that_cannot_be_read_breaks_no_start(sandbox: Sandbox) -> None:
    sandbox.remember(RULE, impact="HIGH")
    folder = share(sandbox)
    os.rename(folder, folder.parent / "elsewhere")
    os.symlink(folder.parent / "elsewhere", folder)
    assert RULE in ask(sandbox, "SessionStart", source="startup")


def test_a_fresh_clone_has_nothing_to_repair(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.remember("The staging port is 8443", impact="HIGH", kind="ARCHITECTURAL")
    share(sandbox)
    home = sandbox.folder / "another"
    monkeypatch.setenv("LIMPET_HOME", str(home))
    assert "memory came with the files" in ask(sandbox, "SessionStart", source="startup")
    with sandbox.open(home=home) as runtime:
        assert runtime.reading().projects() and runtime.store.notices == []
    # To confirm gives back what the file says about it, which moves it.
    sandbox.ask("confirm", project=True, home=home)
    (row,) = sandbox.json("list", home=home)["memories"]
    assert (row["kind"], row["impact"]) == ("ARCHITECTURAL", "HIGH")
    assert sandbox.ask("doctor", home=home).notes == []
    assert sandbox.ask("restore", id=row["id"], home=home).how == "there was nothing to restore"
