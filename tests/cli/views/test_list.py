"""A list has one row per memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.shell import Shell


def test_a_row_has_id_kind_date_state_and_headline(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    row = shell.say("list").out.rstrip("\n").split("\t")
    assert (row[0], row[3], row[4]) == (id, "kept", "The port is 9090")
    assert ":" in row[1]
    shell.ask("forget", id)
    assert shell.say("list", "--all").out.split("\t")[3] == "forgotten"


def test_a_list_says_what_is_noted_and_what_is_archived(notes: Shell) -> None:
    kept = notes.remember("The port is 9090", "--ttl-days", "0.000000001")
    notes.say("upkeep")
    states = {row.split("\t")[0]: row.split("\t")[3] for row in notes.say("list", "--all").out.splitlines()}
    assert states.pop(kept) == "archived"
    assert set(states.values()) == {"noted"} and len(states) == 3


def test_an_empty_list_names_its_filters_as_they_were_typed(shell: Shell) -> None:
    shell.remember("The port is 9090")
    assert shell.say("list", "--limit", "5", "--tag", "db", "--since", "last week", "--pinned").err == (
        "limpet: no memories here with --tag db --since 'last week' --pinned\n"
    )
    assert shell.say("recall", "harbour", "--kind", "EMOT").err == "limpet: nothing found with --kind EMOT\n"
    assert shell.say("timeline", "--tag", "db").err == "limpet: no memories here with --tag db\n"
    assert shell.say("facts", "--subject", "api").err == "limpet: no facts with --subject api\n"


def test_beyond_the_end_it_says_how_many_there_are(shell: Shell) -> None:
    shell.remember("The port is 9090")
    assert "no more: there are only 1" in shell.say("list", "--offset", "5").err


@pytest.mark.parametrize(("words", "views"), [(["list"], ["", ".memories"]), (["list", "--json"], [])])
def test_a_command_loads_the_views_of_its_subject_only(shell: Shell, words: list[str], views: list[str]) -> None:
    shell.remember("Migrations run with alembic")
    code = (
        f"import sys; from limpet.cli.program import run; run({words!r}); start = 'limpet.forms.views';"
        "print(*sorted(name for name in sys.modules if name.startswith(start)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "alembic" in done.stdout
    assert done.stderr.split() == [f"limpet.forms.views{each}" for each in views]
