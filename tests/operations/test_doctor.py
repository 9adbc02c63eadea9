"""The doctor finds what is wrong with a store and, when asked, repairs it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from limpet.curating.writing import build_draft
from limpet.lean.record import replace
from limpet.model.change import Status
from limpet.model.outcome import Admitted
from tests.operations.sandbox import Sandbox
from tests.operations.sharing import share

TEXT = "Migrations run with alembic"


def modes(home: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (home, *home.rglob("*"))}


def test_a_healthy_store_has_no_problems(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    found = sandbox.json("doctor")
    assert (found["ok"], found["problems"], found["mended"], found["notes"]) == (True, [], [], [])
    assert found["home"] == str(sandbox.home)
    assert found["agent"] == "Anima (anima)"
    assert found["project"].startswith("shop (prj_")


def test_a_store_that_does_not_exist_yet_is_healthy(sandbox: Sandbox) -> None:
    assert sandbox.json("doctor")["ok"]


def test_files_that_others_may_read_are_found_and_tightened(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    journal = next((sandbox.home / "journal").rglob("*.jsonl"))
    (sandbox.home / "notes.txt").write_text("mine")
    for path in (sandbox.home / "notes.txt", journal.parent):
        path.chmod(0o755)
    found = sandbox.ask("doctor")
    assert {problem.where for problem in found.problems} >= {str(sandbox.home / "notes.txt")}
    assert all(problem.fixable for problem in found.problems)
    fixed = sandbox.ask("doctor", fix=True)
    assert fixed.problems == []
    assert any("only you may read" in text for text in fixed.mended)
    assert modes(sandbox.home) == {0}


def test_a_link_in_the_home_is_left_alone(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    outside = sandbox.folder / "outside"
    outside.write_text("theirs")
    outside.chmod(0o644)
    (sandbox.home / "link").symlink_to(outside)
    sandbox.ask("doctor", fix=True)
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


def stored_twice(sandbox: Sandbox) -> tuple[str, str]:
    """Two processes admit the same text at once: neither sees the other's."""
    with sandbox.open() as one, sandbox.open() as two:
        first = one.admission()
        sandbox.ms += 5
        second = two.admission()
        outcomes = first.admit(build_draft(one, text=TEXT)), second.admit(build_draft(two, text=TEXT))
        one.write(first.changes)
        two.write(second.changes)
    assert isinstance(outcomes[0], Admitted) and isinstance(outcomes[1], Admitted)
    return outcomes[0].memory.id, outcomes[1].memory.id


def test_twins_are_shown_once_found_and_superseded(sandbox: Sandbox) -> None:
    _, later = stored_twice(sandbox)
    assert sandbox.texts() == [TEXT]
    problems = sandbox.ask("doctor").problems
    assert [(problem.what, problem.fixable) for problem in problems] == [
        ("an earlier memory says exactly the same", True)
    ]
    fixed = sandbox.ask("doctor", fix=True)
    assert fixed.problems == []
    assert problems[0].subject == later
    assert any(later in text and "stored twice" in text for text in fixed.mended)
    assert sandbox.ask("show", id=later).stored.status is Status.SUPERSEDED
    assert sandbox.texts() == [TEXT]


def test_a_lost_index_is_reported_and_then_rebuilt(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    os.unlink(sandbox.home / "index.db")
    assert [problem.what for problem in sandbox.ask("doctor").problems] == ["the index was missing"]
    fixed = sandbox.ask("doctor", fix=True)
    assert fixed.problems == []
    assert any("rebuilt it from the journal" in text for text in fixed.mended)
    assert sandbox.texts() == [TEXT]


def test_what_both_copies_have_lost_comes_back_from_the_backup(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    with sandbox.open() as runtime:
        runtime.store.backup()
    for path in (*(sandbox.home / "journal").rglob("0*.jsonl"), *sandbox.home.glob("index.db*")):
        path.unlink()
    answer = sandbox.ask("doctor", fix=True, from_backup=True)
    assert answer.problems == []
    assert any("came back from the backup" in text for text in answer.mended)
    assert sandbox.texts() == [TEXT]


def test_a_link_to_a_missing_memory_is_found(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        door = runtime.admission()
        outcome = door.admit(build_draft(runtime, text=TEXT))
        assert isinstance(outcome, Admitted)
        change = door.changes[0]
        record = dict(change.payload["memory"], previous_memory_id="mem_01jz4000000000000000000000")
        runtime.write([replace(change, payload={**change.payload, "memory": record})])
    problems = sandbox.ask("doctor").problems
    assert [problem.subject for problem in problems] == [outcome.memory.id]
    assert "mem_01jz4000000000000000000000, which is not here" in problems[0].what


def test_a_link_to_something_purged_is_fine(sandbox: Sandbox) -> None:
    first = sandbox.remember("Learnt first", kind="LEARNINGS")
    sandbox.remember("Learnt second", kind="LEARNINGS")
    sandbox.ask("purge", ids=[first.id])
    assert sandbox.ask("doctor").problems == []


def test_a_bad_signature_is_a_problem(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    memory = sandbox.remember(TEXT)
    for key in (sandbox.home / "keys").iterdir():
        key.unlink()
    problems = sandbox.ask("doctor").problems
    assert [(problem.subject, problem.what) for problem in problems] == [
        (memory.id, "signed with a key that is not here")
    ]


def test_settings_that_are_ignored_are_noted(sandbox: Sandbox) -> None:
    (sandbox.project / ".limpet.toml").write_text("[admit]\nredact = false\n")
    notes = sandbox.ask("doctor").notes
    assert any("admit.redact" in note and "a project may not set it" in note for note in notes)


def test_shared_files_that_are_not_indexed_are_found_and_indexed(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080")
    folder = share(sandbox)
    (folder / "ports.md").write_text("The admin port is 7070.\n")
    (folder / "links.md").write_text("---\nrelated: ['[[nowhere]]']\n---\nSee the other note.\n")
    (folder / "bad.md").write_bytes(b"\xff\xfe")
    index = folder.parent / "index.json"
    index.write_text(index.read_text().replace(memory.id, "mem_gone"))
    found = {f"{each.where.rpartition('/')[2]} {each.what}" for each in sandbox.ask("doctor").problems}
    assert found == {
        "ports.md the file is not among the memories yet",
        "links.md the file is not among the memories yet",
        "links.md it links to 'nowhere', which has no file",
        "bad.md the file cannot be read: it is not UTF-8 (byte 0); save it as UTF-8",
        "index.json the index names 'mem_gone', which has no file",
        f"index.json the index does not name {memory.id!r}",
    }
    mended = sandbox.ask("doctor", fix=True)
    assert "2 shared files taken in" in mended.mended
    assert {each.where.rpartition("/")[2] for each in mended.problems} == {"bad.md", "links.md"}
    assert {"ports.md", "links.md", "bad.md"} <= {path.name for path in folder.iterdir()}


def test_a_shared_folder_that_leads_elsewhere_is_a_problem_and_the_rest_is_mended(sandbox: Sandbox) -> None:
    sandbox.remember("The default port is 8080")
    folder = share(sandbox)
    os.rename(folder, sandbox.folder / "elsewhere")
    os.symlink(sandbox.folder / "elsewhere", folder)
    for fix in (False, True):
        answer = sandbox.ask("doctor", fix=fix)
        assert ["symlink" in each.what for each in answer.problems] == [True]
