"""One memory is shown in full: text, details, links and versions."""

from __future__ import annotations

from tests.cli.shell import Shell, plain
from tests.operations.sandbox import git_folder


def test_text_details_and_versions_are_shown(shell: Shell) -> None:
    id = shell.remember("The port is 8080", "--tags", "net")
    shell.say("correct", id, "The port is 9090")
    rows = shell.say("show", id).out.splitlines()
    assert rows[0].startswith(f"{id}  ") and rows[1] == "The port is 8080"
    assert "tags        net" in rows
    assert any(row.startswith("→ v1 ") for row in rows) and any(row.startswith("  v2 ") for row in rows)


def test_a_title_that_says_more_stands_above_the_text(shell: Shell) -> None:
    id = shell.remember("It listens on 9090", "--title", "Port of the API", "--subtitle", "since March")
    assert shell.say("show", id).out.splitlines()[1:5] == ["Port of the API", "since March", "", "It listens on 9090"]


def test_versions_are_shown_from_where_they_differ(shell: Shell) -> None:
    text = "The oven service listens on port {}, because the harbour office opens the range from 7000 to 7099 only."
    id = shell.remember(text.format(7000))
    shell.say("correct", id, text.format(7001))
    rows = plain(shell.on_a_terminal("show", id, columns=80).out).splitlines()
    assert [row[:5] for row in rows[-2:]] == ["→ v1 ", "  v2 "]
    assert "… port 7000, because" in rows[-2] and "… port 7001, because" in rows[-1]
    assert max(map(len, rows)) <= 80
    assert shell.start("show", id).out.splitlines()[-1].endswith(text.format(7001))


def test_a_forgotten_memory_is_not_forgotten_by_its_next_version(shell: Shell) -> None:
    id = shell.remember("The port is 8080")
    newer = shell.ask("correct", id, "The port is 9090")["memory"]["id"]
    assert f"status      superseded by {newer}" in shell.say("show", id).out.splitlines()
    shell.say("forget", id)
    assert f"status      forgotten; replaced by {newer}" in shell.say("show", id).out.splitlines()


def test_a_branch_without_a_commit_is_named_alone(shell: Shell) -> None:
    git_folder(shell.cwd, branch="main")
    (shell.cwd / ".git" / "refs" / "heads" / "main").unlink()
    id = shell.remember("The port is 8080")
    assert "branch      main" in shell.say("show", id).out.splitlines()


def test_the_tier_is_shown_with_what_earned_it(notes: Shell) -> None:
    id = notes.remember("The port is 8080")
    assert "tier        kept: stored on purpose" in notes.say("show", id).out.splitlines()
    noted = notes.ask("list", "--tier", "noted")["memories"][0]["id"]
    assert "tier        noted" in notes.say("show", noted).out.splitlines()
