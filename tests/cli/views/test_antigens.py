"""What a person sees of antigens."""

from __future__ import annotations

from typing import Any

from tests.cli.shell import Shell, plain
from tests.hosts.recorded import call, entry, result, write_lines
from tests.operations.sandbox import git_folder, give_code


def record(shell: Shell, name: str) -> None:
    about: dict[str, Any] = {"sessionId": name, "cwd": str(shell.cwd), "entrypoint": "cli"}
    lines = [
        entry("user", f"add requests for {name}", second=0, **about),
        call("Bash", {"command": "pip install requests"}, id="a", second=1, **about),
        result("ok", id="a", second=2, **about),
        entry("user", f"no, don't use pip ({name})", second=3, **about),
    ]
    write_lines(shell.nobody / ".claude" / "projects" / "-shop" / f"{name}.jsonl", lines)


def test_the_record_of_each_antigen_is_a_row(shell: Shell) -> None:
    for number in range(5):
        record(shell, f"s-{number}")
    done = shell.say("antigens")
    assert done.code == 0, done.err
    assert "\t`pip`\thot\t5\t5 of 5\tno, don't use pip (s-4)\n" in done.out
    assert "to make it a rule: limpet antigens adopt ag_" in done.err


def test_the_evidence_names_transcript_and_line(shell: Shell) -> None:
    record(shell, "s-1")
    id = shell.say("antigens").out.splitlines()[-1].split("\t")[0]
    told = shell.say("antigens", "show", id).out
    assert "observing; seen in 1 conversation" in told
    assert "pip install  “no, don't use pip (s-1)”" in told and "s-1.jsonl:4" in told


def test_the_table_of_an_adopted_antigen_fits_on_eighty_columns(shell: Shell) -> None:
    git_folder(shell.cwd, branch="main", born="x")
    for number in range(5):
        record(shell, f"s-{number}")
    id = shell.say("antigens").out.splitlines()[-1].split("\t")[0]
    assert shell.say("antigens", "adopt", id, "--code", give_code(shell.home, "antigens")).code == 0
    rows = plain(shell.on_a_terminal("antigens", columns=80).out).splitlines()
    assert any("adopted" in row for row in rows)
    assert max(map(len, rows)) <= 80


def test_without_a_recording_it_says_so(shell: Shell) -> None:
    assert "no conversation is recorded here yet" in shell.say("antigens").err


def test_a_rejected_rule_is_named_until_it_is_forgotten_and_a_permission_says_what_became_of_it(shell: Shell) -> None:
    git_folder(shell.cwd, branch="main", born="x")
    for number in range(5):
        record(shell, f"s-{number}")
    id = shell.say("antigens").out.splitlines()[-1].split("\t")[0]
    code = give_code(shell.home, "antigens")
    assert shell.say("antigens", "adopt", id, "--code", code).code == 0
    for action, outcome in (("write", "added"), ("unwrite", "removed")):
        told = shell.say("antigens", action, id, "--code", give_code(shell.home, "antigens"))
        assert f"settings.local.json: {outcome}\n" in told.out
    told = shell.say("antigens", "reject", id, "--code", give_code(shell.home, "antigens"))
    assert "its rule is still told to sessions; to end that: limpet forget mem_" in told.err
