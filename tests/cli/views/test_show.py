"""One memory is shown in full: text, details, links and versions."""

from __future__ import annotations

from tests.cli.shell import Shell


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
