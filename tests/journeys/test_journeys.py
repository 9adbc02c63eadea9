"""Whole stories through the real program, as a person would use it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import Shell, plain
from tests.operations.sandbox import files_with, git_folder

AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-1"}


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def as_person(shell: Shell, *words: str, typed: str = "") -> str:
    done = shell.on_a_terminal(*words, typed=typed)
    assert done.code == 0, done.out
    return plain(done.out)


def as_agent(shell: Shell, *words: str, env: dict[str, str] | None = AGENT) -> Any:
    done = shell.start(*words, "--json", env=env)
    assert done.code == 0, done.err
    return json.loads(done.out)


def as_script(shell: Shell, *words: str) -> Any:
    """Return what a program outside of an agent is answered."""
    return as_agent(shell, *words, env=None)


def test_the_first_day(shell: Shell) -> None:
    """A person tries it, stores and recalls something, and a secret typed by mistake leaves no trace."""
    git_folder(shell.cwd, origin="https://example.org/shop", born="shop")
    assert "Start here" in as_person(shell)
    assert "limpet remember" in as_person(shell, "list")
    said = as_person(shell, "remember", "Migrations run with alembic, never by hand")
    assert "remembered mem_" in said and "ARCH:CRIT" in said
    assert "already stored" in as_person(shell, "remember", "Migrations run with alembic, never by hand")
    assert "redacted: " in as_person(shell, "remember", f"The deploy password={'Xq9-tr0ub4dor'} is in the vault")
    assert files_with("tr0ub4dor", shell.home) == []
    found = as_person(shell, "recall", "how do migrations run")
    assert "alembic" in found
    assert "password" not in as_person(shell, "list")
    assert "password" in as_person(shell, "list", "--private")
    examined = as_person(shell, "doctor")
    assert "all is well" not in examined and "run: limpet setup" in examined
    assert "Anima in shop" in as_person(shell, "stats")


def test_correcting_a_wrong_memory(shell: Shell) -> None:
    """An agent learns something wrong; the person corrects it, regrets it, and can ask what happened."""
    wrong = as_agent(shell, "remember", "The default port of the API is 8080")
    told = shell.ask("show", wrong["id"])["memory"]
    assert told["origin"] == "agent" and told["session"] == "s-1"
    corrected = as_person(shell, "correct", wrong["id"][:14], "The default port of the API is 9090")
    assert "version 2" in corrected
    found = as_agent(shell, "recall", "default port")["memories"]
    assert [row["text"] for row in found] == ["The default port of the API is 9090"]
    # The new text may repeat words of the old one, so it is trusted no more until the person vouches for it.
    assert found[0]["trust"] == "agent" and "limpet confirm" in corrected
    as_person(shell, "confirm", found[0]["id"], "--yes")
    shown = as_person(shell, "show", found[0]["id"][:14])
    assert "8080" in shown and "confirmed on a terminal at " in shown
    doubted = as_agent(shell, "remember", "The default port of the API is 7070")
    assert any("contradicts" in note for note in doubted["notes"])
    assert shell.ask("show", doubted["id"])["memory"]["confidence"] < 0.7
    assert "ARCH:MED?" in as_person(shell, "list")
    as_person(shell, "forget", doubted["id"], "--reason", "made up")
    refused = shell.start("remember", "The default port of the API is 7070", env=AGENT)
    assert refused.code == 1 and "only the user can bring it back" in refused.err
    assert "made up" in as_person(shell, "blame", doubted["id"])
    as_person(shell, "restore", wrong["id"])
    assert as_agent(shell, "recall", "default port")["memories"][0]["text"].endswith("8080")
    as_person(shell, "purge", wrong["id"], typed="y\n")
    assert files_with("the API is 8080", shell.home) == files_with("the API is 9090", shell.home) == []
    assert "all is well" in as_person(shell, "verify")


def test_two_agents_in_one_repository(shell: Shell) -> None:
    """A repository describes an agent; the two agents are isolated, and the person can look at both."""
    git_folder(shell.cwd, origin="https://example.org/shop", born="shop")
    as_agent(shell, "remember", "The default agent knows the walrus")
    (shell.cwd / "AGENT.md").write_text("---\nid: keeper\nname: The Keeper\n---\n")
    assert as_agent(shell, "list")["total"] == 1
    assert "limpet confirm --project" in as_person(shell, "doctor")
    assert shell.start("confirm", "--project", "--yes", env=AGENT).code == 1
    assert "the agent is now keeper" in as_person(shell, "confirm", "--project")
    assert as_agent(shell, "list")["total"] == 0
    as_agent(shell, "remember", "The keeper knows the narwhal")
    as_agent(shell, "remember", "The keeper prefers fish in all projects", "--region", "AGENT")
    mine = as_agent(shell, "recall", "who knows the walrus or the narwhal", "-n", "50")
    assert "walrus" not in json.dumps(mine["memories"])
    other = shell.folder / "elsewhere"
    other.mkdir()
    shell.cwd = other
    assert as_agent(shell, "list")["total"] == 0
    shell.cwd = shell.folder / "shop"
    assert "walrus" in as_person(shell, "list", "--agent", "Anima")
    assert "narwhal" not in as_person(shell, "list", "--agent", "Anima")
    assert "The Keeper in shop" in as_person(shell, "stats")


def test_moving_to_another_machine(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders journal/ and keys/ are copied; everything is there, signed, and both machines go on from it."""
    git_folder(shell.cwd, origin="https://example.org/shop", born="first machine")
    as_person(shell, "sign")
    first = as_agent(shell, "remember", "Migrations run with alembic")
    gone = as_agent(shell, "remember", "The office plant needs water")
    as_person(shell, "forget", gone["id"])
    as_agent(shell, "facts", "add", "api", "port", "8080")

    second = Shell(shell.folder / "machine", monkeypatch)
    git_folder(second.cwd, origin="git@example.org:shop", born="second machine", history=["first machine"])
    for name in ("journal", "keys"):
        shutil.copytree(shell.home / name, second.home / name)
    listed = as_script(second, "list")
    assert [memory["content"] for memory in listed["memories"]] == ["Migrations run with alembic"]
    assert listed["memories"][0]["warnings"] == []
    assert as_agent(second, "facts")["facts"][0]["object"] == "8080"
    assert as_agent(second, "verify")["ok"]
    as_agent(second, "correct", first["id"], "Migrations run with alembic 1.13")
    as_agent(shell, "remember", "Written meanwhile on the first machine")

    shutil.copytree(second.home / "journal", shell.home / "journal", dirs_exist_ok=True)
    found = as_script(shell, "list")
    assert {memory["content"] for memory in found["memories"]} == {
        "Migrations run with alembic 1.13",
        "Written meanwhile on the first machine",
    }
    assert all(memory["warnings"] == [] for memory in found["memories"])
    assert as_agent(shell, "verify")["ok"]
    assert as_agent(shell, "doctor")["ok"]
