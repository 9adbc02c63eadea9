"""Purging erases memories from every file, and only a person can do it."""

from __future__ import annotations

import pytest

from limpet.curating.writing import run_many
from limpet.errors import Refused, UsageError
from limpet.model.memory import Draft, Origin
from limpet.model.outcome import Admitted
from limpet.operations.catalogue import load_verb
from limpet.runtime import Caller
from limpet.runtime.codes import show_code
from tests.operations.sandbox import MODEL, PROGRAM, USER, Sandbox, files_with, git_folder, worktree
from tests.operations.stashes import files_below, write_objections, write_stash


def test_purging_leaves_no_byte_in_any_file(sandbox: Sandbox) -> None:
    keep = sandbox.remember("The harbour light is green")
    memory = sandbox.remember("The pelican crossing is white", title="Quagga", tags=["okapi"], files=["giraffe.py"])
    sandbox.ask("correct", id=memory.id, text="The pelican crossing is yellow", title="Onager")
    sandbox.ask("forget", ids=[memory.id], reason="painted by a tapir")
    sandbox.ask("restore", id=memory.id)
    with sandbox.open() as runtime:
        runtime.store.backup()
    sandbox.ask("doctor", fix=True)
    sandbox.ask("purge", ids=[memory.id])
    for word in ("pelican", "quagga", "Quagga", "okapi", "giraffe", "onager", "Onager", "tapir", "yellow"):
        assert sandbox.files_with(word) == [], word
    assert sandbox.texts() == [keep.content]
    assert sandbox.ask("verify").problems == ()
    assert sandbox.ask("doctor").problems == []


def test_purging_any_version_purges_all_of_them(sandbox: Sandbox) -> None:
    first = sandbox.remember("The pelican crossing is white")
    second = sandbox.ask("correct", id=first.id, text="The pelican crossing is yellow").memory
    third = sandbox.ask("correct", id=first.id, text="The pelican crossing is gone").memory
    answer = sandbox.ask("purge", ids=[second.id])
    assert set(answer.ids) == {first.id, second.id, third.id}
    assert sandbox.files_with("pelican") == []


def test_what_was_made_of_a_purged_memory_goes_with_it(sandbox: Sandbox) -> None:
    source = sandbox.remember("The pelican crossing is white")
    with sandbox.open() as runtime:
        outcome = run_many(
            runtime, [Draft(text="Both crossings are like a pelican", origin=Origin.USER, sources=(source,))]
        )[0]
    assert isinstance(outcome, Admitted)
    answer = sandbox.ask("purge", ids=[source.id])
    assert set(answer.ids) == {source.id, outcome.memory.id}
    assert sandbox.files_with("pelican") == []


def test_another_memory_that_repeats_the_text_is_named_and_stays(sandbox: Sandbox) -> None:
    first = sandbox.remember("The pelican crossing is white.")
    second = sandbox.remember("In the town we saw that the pelican crossing is  white, and the light is green")
    sandbox.remember("The pelican is white")
    for values in ({"dry_run": True}, {}):
        answer = sandbox.ask("purge", ids=[first.id], **values)
        assert (answer.ids, answer.others) == ((first.id,), (second.id,))
    assert len(sandbox.texts()) == 2


def test_facts_that_rest_on_nothing_else_go_too(sandbox: Sandbox) -> None:
    first, second = sandbox.remember("The pelican crossing is white"), sandbox.remember("The harbour light is green")
    alone = sandbox.ask("facts", action="add", words=["crossing", "like", "pelican"], sources=[first.id]).facts[0]
    shared = sandbox.ask("facts", action="add", words=["town", "has", "light"], sources=[first.id, second.id]).facts[0]
    answer = sandbox.ask("purge", ids=[first.id])
    assert answer.facts == (alone.id,)
    assert [fact.id for fact in sandbox.ask("facts").facts] == [shared.id]
    assert sandbox.files_with("pelican") == []


def test_a_purge_can_be_tried_first(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The pelican crossing is white")
    before = sandbox.journal()
    answer = sandbox.ask("purge", ids=[memory.id], dry_run=True)
    assert (answer.ids, answer.done) == ((memory.id,), False)
    assert sandbox.journal() == before


def test_a_source_can_be_purged(sandbox: Sandbox) -> None:
    sandbox.remember("Read about a pelican", origin="external", session="s-1")
    sandbox.remember("The harbour light is green")
    sandbox.ask("purge", source="session:s-1")
    assert sandbox.files_with("pelican") == []
    assert sandbox.texts() == ["The harbour light is green"]


@pytest.mark.parametrize("values", [{}, {"yes": True}, {"dry_run": True}])
def test_no_model_can_purge_nor_see_what_it_would_purge(sandbox: Sandbox, values: dict[str, object]) -> None:
    memory = sandbox.remember("The pelican crossing is white")
    with pytest.raises(Refused, match="only a person can purge memories"):
        sandbox.ask("purge", ids=[memory.id], as_=MODEL, **values)
    assert sandbox.texts() == ["The pelican crossing is white"]


def test_without_a_terminal_a_purge_needs_a_code(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The pelican crossing is white")
    for values in ({}, {"yes": True}):
        with pytest.raises(Refused, match="run this on a terminal"):
            sandbox.ask("purge", ids=[memory.id], as_=PROGRAM, **values)
    code = show_code(str(sandbox.home), "purge", now_ms=sandbox.ms)
    sandbox.ask("purge", ids=[memory.id], as_=PROGRAM, code=code)
    assert sandbox.files_with("pelican") == []


def test_of_a_purged_memory_only_its_owner_sees_that_it_was(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The pelican crossing is white")
    sandbox.ask("purge", ids=[memory.id])
    blame = sandbox.json("blame", id=memory.id)
    assert [change["verb"] for change in blame["changes"]] == ["admit", "purge"]
    assert "pelican" not in str(blame)
    strangers: tuple[tuple[Caller, str | None], ...] = ((MODEL, None), (USER, "Other"))
    for caller, agent in strangers:
        with pytest.raises(UsageError, match="no memory here has the id"):
            sandbox.ask("blame", id=memory.id, as_=caller, by=agent)


def test_a_purged_text_may_be_stored_again_as_something_new(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The pelican crossing is white")
    sandbox.ask("purge", ids=[memory.id])
    assert sandbox.remember("The pelican crossing is white").id != memory.id


# Files in projects


def test_no_file_that_limpet_wrote_in_the_project_keeps_the_text(sandbox: Sandbox) -> None:
    pelican, other = "We paint every pelican crossing white, because Ann said so.", "The harbour light stays green."
    write_stash(sandbox, "town", f"## Decisions\n- {pelican}\n- {other}\n")
    write_objections(sandbox, ("c1", f"No! {pelican}"))
    (sandbox.project / "CLAUDE.md").write_text("# Mine\n")
    sandbox.ask("distil", yes=True, agents=True, gemini=True)
    assert {"CLAUDE.md", "AGENTS.md", "GEMINI.md"} < {*files_with("pelican", sandbox.project)}
    ids = [memory["id"] for memory in sandbox.json("list", limit=50)["memories"] if "pelican" in memory["content"]]
    before = files_below(sandbox.project)
    tried = sandbox.ask("purge", ids=ids, dry_run=True)
    assert files_below(sandbox.project) == before
    answer = sandbox.ask("purge", ids=ids)
    assert answer.files == tried.files and answer.failed == ()
    assert str(sandbox.project / "CLAUDE.md") in answer.files
    for folder in (sandbox.project, sandbox.home):
        assert files_with("pelican", folder) == []
    assert files_with("harbour light", sandbox.project)
    assert (sandbox.project / "CLAUDE.md").read_text().startswith("# Mine\n")
    after = files_below(sandbox.project)
    assert not sandbox.ask("distil", yes=True, agents=True, gemini=True).has_changes
    assert files_below(sandbox.project) == after


def test_the_work_trees_of_the_project_are_reached_and_no_other_project(sandbox: Sandbox) -> None:
    main = git_folder(sandbox.folder / "main", origin="https://example.org/town.git", born="first")
    tree = worktree(sandbox.folder / "tree", main, branch="topic")
    text = "We paint every pelican crossing white, because Ann said so."
    memory = sandbox.remember(text, cwd=main)
    stashes = [folder / ".claude" / "stash" / "a.md" for folder in (main, tree, sandbox.project)]
    for path in stashes:
        path.parent.mkdir(parents=True)
        path.write_text(f"- {text}\n")
    sandbox.remember("Another project is known too")
    answer = sandbox.ask("purge", ids=[memory.id], cwd=main)
    assert answer.files == (str(stashes[0]), str(stashes[1]))
    assert [path.read_text() for path in stashes] == ["", "", f"- {text}\n"]


def test_a_purge_that_was_stopped_between_files_and_store_can_be_repeated(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = sandbox.remember("We paint every pelican crossing white, because Ann said so.")
    sandbox.ask("distil", yes=True)

    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped, pytest.raises(KeyboardInterrupt):
        stopped.setattr("limpet.care.purging.erase_traces", stop)
        sandbox.ask("purge", ids=[memory.id])
    assert sandbox.texts() == [memory.content]
    sandbox.ask("purge", ids=[memory.id])
    assert files_with("pelican", sandbox.folder) == []


def test_a_file_that_keeps_the_text_is_named_and_the_purge_fails(sandbox: Sandbox) -> None:
    memory = sandbox.remember("We paint every pelican crossing white, because Ann said so.")
    path = write_stash(sandbox, "a", f"- {memory.content}\n")
    path.chmod(0o400)
    answer = sandbox.ask("purge", ids=[memory.id])
    assert answer.failed == ((str(path), "it is write-protected"),)
    assert load_verb("purge").is_failure(answer)
    assert sandbox.files_with("pelican") == []
