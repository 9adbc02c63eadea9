"""What an unsigned export asks for is proposed, not done."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.model.ids import new_id
from limpet.model.memory import Memory, Origin
from limpet.operations.import_ import ImportAnswer
from tests.operations.exports import write_rows
from tests.operations.sandbox import MODEL, Sandbox, git_folder

HEADER = {"format": "limpet-export", "version": 1, "agent": {"id": "anima"}, "projects": []}


def user_rule(sandbox: Sandbox) -> Memory:
    """Store a rule of the user, and return it."""
    return sandbox.remember("Deploys need two approvals", region="PROJECT", impact="CRITICAL")


def stranger_rows(sandbox: Sandbox, text: str = "Deploys need nobody", **fields: Any) -> list[dict[str, Any]]:
    """Return the rows of an export that somebody else has written, with one memory of this project."""
    home = sandbox.folder / "stranger"
    sandbox.ask("remember", text="A pattern for the row", region="PROJECT", home=home)
    memory = sandbox.json("export", home=home)["records"][1]["memory"]
    memory |= {"id": new_id("mem", 5), "content": text, "original_content": text, "signature": None, **fields}
    return [{**HEADER, "projects": []}, {"memory": memory, "status": "live"}]


def import_rows(sandbox: Sandbox, rows: list[dict[str, Any]], **options: Any) -> ImportAnswer:
    answer: ImportAnswer = sandbox.ask("import", file=str(write_rows(sandbox.folder / "in.jsonl", rows)), **options)
    return answer


@pytest.mark.parametrize("signing", [False, True])
def test_an_import_replaces_nothing_that_is_here_but_proposes_it(sandbox: Sandbox, signing: bool) -> None:
    if signing:
        sandbox.ask("sign")
    rule = user_rule(sandbox)
    rows = stranger_rows(sandbox, corrects=rule.id, lineage=[rule.id], version=2)
    answer = import_rows(sandbox, rows)
    assert (answer.added, answer.problems) == (1, [])
    assert answer.proposed == [f"line 2: would replace {rule.id}; if you agree: limpet correct {rule.id}"]
    found = {stored.memory.content: stored for stored in sandbox.ask("list").items}
    assert found["Deploys need two approvals"].memory.origin is Origin.USER
    taken = found["Deploys need nobody"].memory
    assert (taken.origin, taken.corrects, taken.lineage, taken.version) == (Origin.IMPORT, None, (), 1)


def test_an_import_that_was_forgotten_hides_nothing_here_but_proposes_it(sandbox: Sandbox) -> None:
    rule = user_rule(sandbox)
    for fields in ({"lineage": [rule.id], "corrects": rule.id, "version": 2}, {}):
        rows = stranger_rows(sandbox, rule.content, **fields)
        rows[1]["status"] = "forgotten"
        answer = import_rows(sandbox, rows)
        assert (answer.added, answer.problems) == (0, [])
        assert answer.proposed == [f"line 2: would forget {rule.id}; if you agree: limpet forget {rule.id}"]
    assert sandbox.texts() == [rule.content]
    # Nor may it keep an agent from storing the text later.
    sandbox.ask("purge", ids=[rule.id])
    assert sandbox.remember(rule.content, as_=MODEL, region="PROJECT").origin is Origin.AGENT


def test_a_strangers_forgotten_row_is_left_out_and_said(sandbox: Sandbox) -> None:
    rows = stranger_rows(sandbox)
    rows[1]["status"] = "forgotten"
    answer = import_rows(sandbox, rows)
    assert (answer.added, sandbox.texts(all=True)) == (0, [])
    assert answer.proposed == ["line 2: was forgotten where it was exported, so it was not taken"]


def test_an_import_confirms_and_pins_nothing_but_proposes_it(sandbox: Sandbox) -> None:
    rows = stranger_rows(sandbox, confirmed=True, pinned=True)
    answer = import_rows(sandbox, rows)
    taken = sandbox.ask("list").items[0].memory
    assert (taken.confirmed, taken.pinned, taken.origin) == (False, False, Origin.IMPORT)
    assert answer.proposed == [
        f"line 2: would confirm {taken.id}; if you agree: limpet confirm {taken.id}",
        f"line 2: would pin {taken.id}; if you agree: limpet pin {taken.id}",
    ]


def test_versions_of_a_strangers_export_stay_together(sandbox: Sandbox) -> None:
    rows = stranger_rows(sandbox)
    older = rows[1]["memory"]
    newer = {**older, "id": new_id("mem", 6), "corrects": older["id"], "lineage": [older["id"]], "version": 2}
    newer |= {"content": "Deploys need one approval", "original_content": "Deploys need one approval"}
    rows[1]["status"] = "superseded"
    older["superseded_by"] = newer["id"]
    answer = import_rows(sandbox, [*rows, {"memory": newer, "status": "live"}])
    assert (answer.added, answer.proposed) == (2, [])
    assert sandbox.texts() == ["Deploys need one approval"]


def test_an_import_of_a_stranger_merges_no_projects(sandbox: Sandbox) -> None:
    keys = ["git:example.org/mine/one", "git:example.org/mine/two"]
    folders = [
        git_folder(sandbox.folder / name, origin=f"https://example.org/mine/{name}", born=name)
        for name in ("one", "two")
    ]
    rows = stranger_rows(sandbox)
    rows[0]["projects"] = [{"id": "prj_0000000000000000000000ff", "name": "both", "keys": keys}]
    answer = import_rows(sandbox, rows)
    assert answer.proposed == [
        "line 1: would know the project 'both' by git:example.org/mine/one, git:example.org/mine/two; "
        "if you agree: import it with --here in its folder"
    ]
    ids = {sandbox.remember("Kept here", cwd=folder, region="PROJECT").project for folder in folders}
    assert len(ids) == 2 and "prj_0000000000000000000000ff" not in ids
