"""A person is asked before anything that cannot be undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from limpet.cli import preview
from limpet.errors import Refused
from limpet.forms.terminal import Output
from limpet.operations.catalogue import load_verb
from tests.cli.shell import Shell
from tests.cli.views.test_antigens import record
from tests.operations.sandbox import Sandbox, git_folder, give_code, isolate_environment
from tests.operations.stashes import STASH, write_stash


@pytest.mark.parametrize(("typed", "left"), [("n\n", 1), ("\n", 1), ("yes please\n", 1), ("y\n", 0), ("YES\n", 0)])
def test_a_purge_asks_first(shell: Shell, typed: str, left: int) -> None:
    id = shell.remember("Migrations run with alembic")
    done = shell.on_a_terminal("purge", id[:14], typed=typed)
    assert "would purge" in done.out and "Erase 1 memory for good, from every file? [y/N]" in done.out
    assert done.code == left
    assert shell.ask("list")["total"] == left
    assert ("nothing was changed" in done.out) == bool(left)


def test_a_purge_that_cannot_ask_needs_a_code(shell: Shell) -> None:
    id = shell.remember("Migrations run with alembic")
    for words in ((), ("--yes",)):
        done = shell.on_a_terminal("purge", id, *words, piped=b"y\n")
        assert done.code == 1 and "run this on a terminal" in done.out
    assert shell.ask("list")["total"] == 1
    assert shell.start("purge", id, "--code", give_code(shell.home, "purge")).code == 0
    assert shell.ask("list")["total"] == 0


def test_a_distil_writes_only_what_the_person_agreed_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate_environment(monkeypatch, tmp_path)
    sandbox = Sandbox(tmp_path)
    write_stash(sandbox, "lsp")

    def agree_while_a_stash_arrives(question: str) -> bool:
        write_stash(sandbox, "later", STASH.replace("a queue", "a ring buffer"))
        return True

    monkeypatch.setattr(preview, "_ask", agree_while_a_stash_arrives)
    values: dict[str, Any] = {}
    with sandbox.open() as runtime:
        assert preview.confirm_distil(load_verb("distil"), runtime, values, Output())
        with pytest.raises(Refused, match="run `limpet distil` again"):
            load_verb("distil").run(runtime, **values)
    assert not (sandbox.project / "CLAUDE.md").exists()


@pytest.mark.parametrize(("typed", "files"), [("n\n", 0), ("\n", 0), ("y\n", 1)])
def test_sharing_shows_the_list_and_asks(shell: Shell, typed: str, files: int) -> None:
    shell.remember("Migrations run with alembic")
    done = shell.on_a_terminal("share", typed=typed)
    assert "Migrations run with alembic" in done.out and "Write these files? [y/N]" in done.out
    assert len(list(shell.cwd.rglob("mem_*.md"))) == files
    assert done.code == (0 if files else 1)


@pytest.mark.parametrize(("typed", "waiting"), [("n\n", 1), ("y\n", 0)])
def test_files_of_others_are_shown_before_a_person_vouches_for_them(shell: Shell, typed: str, waiting: int) -> None:
    folder = shell.cwd / ".claude" / "ltm" / "memories"
    folder.mkdir(parents=True)
    (folder / "port.md").write_text("The admin port is 7070.\n")
    done = shell.on_a_terminal("confirm", "--project", typed=typed)
    assert "The admin port is 7070" in done.out and "Vouch for 1 memory from the files" in done.out
    assert shell.start("sync", "--json").json["waiting"] == waiting


@pytest.mark.parametrize(("typed", "code"), [("n\n", 1), ("y\n", 0)])
def test_an_import_is_shown_with_what_it_claims_before_a_person_confirms_it(
    shell: Shell, typed: str, code: int
) -> None:
    rows = [
        {"id": "1", "region": "AGENT", "kind": "EMOTIONAL", "impact": "HIGH", "content": "Likes dry humour"},
        {"id": "2", "region": "AGENT", "kind": "LEARNINGS", "impact": "LOW", "content": "Ropes are coiled clockwise"},
    ]
    (shell.cwd / "ltm.json").write_text(json.dumps({"memories": rows}))
    added = shell.on_a_terminal("import", "ltm.json")
    assert "limpet confirm --source origin:import" in added.out
    done = shell.on_a_terminal("confirm", "--source", "origin:import", typed=typed)
    assert "EMOT:HIGH" in done.out and "Likes dry humour" in done.out and "Ropes are coiled" in done.out
    assert "Vouch for 2 memories from origin:import? [y/N]" in done.out
    assert done.code == code
    confirmed = [each["confirmed"] for each in shell.start("list", "--json").json["memories"]]
    assert confirmed == [not code] * 2


def test_what_the_files_change_is_shown_before_a_person_agrees(shell: Shell) -> None:
    first = shell.on_a_terminal("remember", "Deploy only from the release branch", "--json").json["memory"]["id"]
    second = shell.on_a_terminal("remember", "Reviews are done by two people", "--json").json["memory"]["id"]
    shell.on_a_terminal("share", "--yes")
    folder = shell.cwd / ".claude" / "ltm" / "memories"
    path = folder / f"{first}.md"
    path.write_text(path.read_text().replace("release", "main"))
    (folder / f"{second}.md").unlink()
    declined = shell.on_a_terminal("confirm", "--project", typed="n\n")
    assert "Deploy only from the release branch" in declined.out and "by: Deploy only from the main" in declined.out
    assert "forget " in declined.out and "Reviews are done by two people" in declined.out
    assert "Let the files change 2 memories of yours? [y/N]" in declined.out
    assert len(shell.start("sync", "--json").json["proposed"]) == 2
    shell.on_a_terminal("confirm", "--project", typed="y\n")
    assert shell.start("sync", "--json").json["proposed"] == []


@pytest.mark.parametrize("name", ["restore", "purge", "sign", "apps"])
def test_a_code_is_shown_without_naming_what_it_is_for(shell: Shell, name: str) -> None:
    done = shell.on_a_terminal(name, "--code", "new")
    assert done.code == 0 and f"limpet {name} … --code" in done.out


@pytest.mark.parametrize("typed", ["n\n", "y\n"])
def test_erasing_the_memories_of_an_app_asks_first(shell: Shell, typed: str) -> None:
    shell.say("apps", "register", "calendar")
    shell.say("apps", "converse", "calendar", "I prefer meetings after 2pm.")
    done = shell.on_a_terminal("apps", "purge", "calendar", typed=typed)
    assert "Erase 0 memories and 1 conversation of calendar for good? [y/N]" in done.out
    assert done.code == (0 if typed == "y\n" else 1)
    assert ("nothing was changed" in done.out) == (typed == "n\n")
    assert shell.ask("apps", "conversations", "calendar")["total"] == (0 if typed == "y\n" else 1)


@pytest.mark.parametrize("words", [("register", "mail"), ("uninstall", "calendar")])
def test_what_erases_nothing_of_an_app_is_not_asked_about(shell: Shell, words: tuple[str, str]) -> None:
    shell.say("apps", "register", "calendar")
    done = shell.on_a_terminal("apps", *words)
    assert done.code == 0 and "[y/N]" not in done.out


def test_a_new_key_is_made_after_a_question(shell: Shell) -> None:
    assert shell.on_a_terminal("sign").code == 0
    declined = shell.on_a_terminal("sign", "--new-key", typed="n\n")
    assert declined.code == 1 and "Make a new key, and sign with it from now on? [y/N]" in declined.out
    assert "created key" not in declined.out
    for words, typed in ((("--new-key",), "y\n"), (("--new-key", "--yes"), "")):
        assert "created key" in shell.on_a_terminal("sign", *words, typed=typed).out


def test_a_decision_about_an_antigen_asks_first(shell: Shell) -> None:
    git_folder(shell.cwd, branch="main", born="x")
    for number in range(4):
        record(shell, f"s-{number}")
    id = shell.say("antigens").out.splitlines()[-1].split("\t")[0]
    refused = shell.on_a_terminal("antigens", "adopt", id)
    assert "4 of 5 conversations" in refused.out and "[y/N]" not in refused.out
    record(shell, "s-4")
    asked = "Make this a rule: 'Use uv.'? [y/N]"
    declined = shell.on_a_terminal("antigens", "adopt", id, "--rule", "Use uv.", typed="n\n")
    assert declined.code == 1 and asked in declined.out and "adopted ag_" not in declined.out
    assert "adopted ag_" in shell.on_a_terminal("antigens", "adopt", id, "--rule", "Use uv.", typed="y\n").out
    settings = shell.cwd / ".claude" / "settings.local.json"
    for action, typed, is_there in (("write", "n\n", False), ("write", "y\n", True), ("unwrite", "y\n", False)):
        assert "this rule? [y/N]" in shell.on_a_terminal("antigens", action, id, typed=typed).out
        assert (settings.exists() and "pip" in settings.read_text("utf-8")) == is_there
    assert "[y/N]" not in shell.on_a_terminal("antigens", "unwrite", id).out
    assert "Reject it" in shell.on_a_terminal("antigens", "reject", id, typed="n\n").out
    assert "rejected ag_" in shell.on_a_terminal("antigens", "reject", id, "--yes").out


def test_a_purge_of_a_source_without_memories_is_no_failure(shell: Shell) -> None:
    shell.remember("Migrations run with alembic")
    for source in ("session:none", "origin:external"):
        done = shell.on_a_terminal("purge", "--source", source)
        assert done.code == 0 and "nothing to purge" in done.out and "[y/N]" not in done.out
    assert shell.ask("list")["total"] == 1
