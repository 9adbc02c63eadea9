"""What a person has confirmed is neither retired nor replaced by the shared files until a person agrees."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from limpet.model.change import Status
from limpet.model.memory import Impact, Kind, Memory, Origin, Sensitivity
from tests.hooks.test_answer import ask
from tests.inject.injecting import inject
from tests.operations.sandbox import MODEL, Sandbox, isolate_environment
from tests.operations.sharing import edit, share

RULE = "Deploy only from the release branch"
OTHERS = ("Reviews are done by two people", "The office plant needs water every Friday", "Tests run with pytest")


@pytest.fixture
def sandbox(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    isolate_environment(monkeypatch, sandbox.folder)
    monkeypatch.setenv("LIMPET_HOME", str(sandbox.home))
    # A busy machine would exceed the budget, and then the rest is taken in at the next start.
    monkeypatch.setattr("limpet.hooks.answer._FILES_MS", 60_000)
    return sandbox


@pytest.fixture
def path(sandbox: Sandbox) -> Path:
    """Return the file of a rule of the user, which is shared with three others."""
    rule = sandbox.remember(RULE, impact="HIGH", kind="ARCHITECTURAL", tags=["deploy"])
    for text in OTHERS:
        sandbox.remember(text)
    return share(sandbox) / f"{rule.id}.md"


def find(sandbox: Sandbox, path: Path) -> tuple[Memory, Status]:
    """Return the memory that the file had at first, and its status."""
    with sandbox.open() as runtime:
        stored = runtime.reading().get(path.stem)
        assert stored is not None
        return stored.memory, stored.status


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def rename_edited(path: Path) -> None:
    edit(path, "release", "main")
    path.rename(path.with_name("deploying.md"))


def swap_for_another(path: Path) -> None:
    path.unlink()
    (path.parent / "new.md").write_text(f"---\nid: {path.stem}\n---\nDeploy from any branch.\n")


def claim_twice(path: Path) -> None:
    path.unlink()
    for name in ("one", "two"):
        (path.parent / f"{name}.md").write_text(f"---\nid: {path.stem}\n---\nDeploy from branch {name}.\n")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a deletion": Path.unlink,
    "a full stop": lambda path: edit(path, RULE, f"{RULE}."),
    "another text": lambda path: edit(path, "release", "main"),
    "another impact": lambda path: replace_in(path, "impact: HIGH", "impact: LOW"),
    "another importance": lambda path: replace_in(path, "importance: 0.7", "importance: 0.1"),
    "another kind": lambda path: replace_in(path, "kind: ARCHITECTURAL", "kind: EMOTIONAL"),
    "another tag": lambda path: replace_in(path, "- deploy\n", "- none\n"),
    "another title": lambda path: replace_in(path, f"title: {RULE}", "title: Old and wrong"),
    "a new name and text": rename_edited,
    "another file with its id": swap_for_another,
    "two files with its id": claim_twice,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_its_file_is_only_proposed(sandbox: Sandbox, path: Path, change: str) -> None:
    before = find(sandbox, path)
    CHANGES[change](path)
    for _ in range(2):
        answer = sandbox.ask("sync")
        assert answer.proposed
        assert not (answer.edited or answer.both or answer.taken or answer.forgotten)
        assert find(sandbox, path) == before
    assert any("limpet confirm --project" in line for line in sandbox.ask("inbox").confirmable)
    assert not sandbox.ask("doctor").problems
    assert sandbox.ask("confirm", project=True)
    assert sandbox.ask("sync").proposed == []
    assert find(sandbox, path)[1] is not Status.LIVE


@pytest.mark.parametrize("line", ["sensitivity: secret", "region: AGENT", "status: forgotten", "superseded_by: mem_0"])
def test_a_field_that_files_do_not_have_changes_nothing(sandbox: Sandbox, path: Path, line: str) -> None:
    before = find(sandbox, path)
    replace_in(path, "impact: HIGH\n", f"impact: HIGH\n{line}\n")
    sandbox.ask("sync")
    sandbox.ask("sync")
    assert find(sandbox, path) == before and before[0].sensitivity is Sensitivity.PUBLIC


@pytest.mark.parametrize(
    "text",
    [
        "Do not deploy only from the release branch",
        "Deploy only from the main branch, no longer from the release branch",
        f"---\nsupersedes: {{id}}\ncorrects: {{id}}\n---\n{RULE}, but never on a Friday",
        f"---\nimpact: CRITICAL\nimportance: 0\n---\n{RULE}",
    ],
)
def test_a_new_file_does_not_replace_or_weaken_it(sandbox: Sandbox, path: Path, text: str) -> None:
    before = find(sandbox, path)
    (path.parent / "new.md").write_text(text.format(id=path.stem))
    sandbox.ask("sync")
    assert find(sandbox, path) == before
    assert RULE in inject(sandbox)


def test_moving_or_removing_the_folder_retires_nothing(sandbox: Sandbox, path: Path) -> None:
    before = find(sandbox, path)
    os.rename(path, path.parents[1] / "archives" / path.name)
    sandbox.ask("sync")
    assert find(sandbox, path) == before
    shutil.rmtree(path.parents[1])
    assert RULE in inject(sandbox)
    path.parent.mkdir(parents=True)
    answer = sandbox.ask("sync")
    assert "limpet sync --deleted" in answer.notes[0] and not answer.forgotten
    assert find(sandbox, path) == before


def test_what_only_the_agent_has_stored_follows_its_file(sandbox: Sandbox, path: Path) -> None:
    memory = sandbox.remember("The default port is 8080", as_=MODEL)
    kept = sandbox.remember("Migrations run with alembic", as_=MODEL)
    sandbox.ask("confirm", ids=[kept.id])
    sandbox.ask("sync")
    for each in (memory, kept):
        (path.parent / f"{each.id}.md").unlink()
    answer = sandbox.ask("sync")
    assert (answer.forgotten, answer.proposed) == ([memory.id], [kept.id])


def test_a_start_tells_the_confirmed_text_and_the_command(sandbox: Sandbox, path: Path) -> None:
    edit(path, "release", "main")
    (path.parent / f"{sandbox.json('list', keyword='plant')['memories'][0]['id']}.md").unlink()
    for session in ("s1", "s2"):
        told = ask(sandbox, "SessionStart", source="startup", session_id=session)
        assert RULE in told and "plant" in told and "main branch" not in told
        assert "change or delete 2 memories that the user has confirmed" in told
        assert "limpet confirm --project" in told
    sandbox.ask("confirm", project=True)
    told = ask(sandbox, "SessionStart", source="startup", session_id="s3")
    assert "Deploy only from the main branch" in told
    assert "plant" not in told and "confirm --project" not in told


def test_an_agreed_edit_is_confirmed_and_has_the_fields_of_its_file(sandbox: Sandbox, path: Path) -> None:
    edit(path, "release", "main")
    sandbox.ask("sync")
    (stored,) = sandbox.ask("confirm", project=True).memories
    memory = stored.memory
    assert memory.content == "Deploy only from the main branch"
    assert (memory.kind, memory.impact, memory.confirmed) == (Kind.ARCHITECTURAL, Impact.HIGH, True)
    assert (memory.corrects, memory.origin) == (path.stem, Origin.FILE)
    assert sandbox.json("verify")["ok"]


def test_a_confirmed_text_from_outside_is_not_replaced_either(sandbox: Sandbox) -> None:
    memory = sandbox.remember(RULE, origin="external")
    sandbox.ask("confirm", ids=[memory.id])
    edit(share(sandbox) / f"{memory.id}.md", "release", "main")
    sandbox.ask("sync")
    assert sandbox.texts() == [RULE]
    (stored,) = sandbox.ask("confirm", project=True).memories
    assert (stored.memory.content, stored.memory.confirmed) == ("Deploy only from the main branch", True)


def test_an_edited_field_of_a_confirmed_file_is_proposed_too(sandbox: Sandbox) -> None:
    path = share(sandbox) / "ports.md"
    path.write_text("---\nkind: ARCHITECTURAL\nimpact: HIGH\n---\nThe admin port is 7070.\n")
    sandbox.ask("sync")
    sandbox.ask("confirm", project=True)
    assert sandbox.ask("sync").proposed == []
    replace_in(path, "impact: HIGH", "impact: LOW")
    assert sandbox.ask("sync").proposed == ["ports"]
    (stored,) = sandbox.ask("confirm", project=True).memories
    assert stored.memory.impact is Impact.LOW


def test_confirming_the_memory_again_keeps_it_until_the_file_changes_again(sandbox: Sandbox, path: Path) -> None:
    edit(path, "release", "main")
    plant = path.parent / f"{sandbox.json('list', keyword='plant')['memories'][0]['id']}.md"
    plant.unlink()
    assert len(sandbox.ask("sync").proposed) == 2
    sandbox.ask("confirm", ids=[path.stem, plant.stem])
    assert sandbox.ask("sync").proposed == []
    assert {RULE, OTHERS[1]} <= set(sandbox.texts())
    assert "main branch" in path.read_text()
    edit(path, "main", "trunk")
    assert sandbox.ask("sync").proposed == [path.stem]


def test_putting_the_file_back_withdraws_the_proposal(sandbox: Sandbox, path: Path) -> None:
    text = path.read_text()
    edit(path, "release", "main")
    sandbox.ask("sync")
    path.write_text(text)
    assert sandbox.ask("sync").proposed == []
    path.unlink()
    sandbox.ask("sync")
    path.write_text(text)
    assert sandbox.ask("sync").proposed == []


def test_what_a_person_agreed_to_forget_does_not_come_back_with_its_file(sandbox: Sandbox, path: Path) -> None:
    text = path.read_text()
    path.unlink()
    sandbox.ask("sync")
    assert sandbox.ask("confirm", project=True).forgotten == (path.stem,)
    path.write_text(text)
    answer = sandbox.ask("sync")
    assert not answer.restored and "limpet restore" in answer.refused[path.name]
    assert RULE not in sandbox.texts()


def test_only_what_was_proposed_is_agreed_to(sandbox: Sandbox, path: Path) -> None:
    """A file that changes while the person reads the list is not part of the answer."""
    from limpet.sharing.folder import require_shared_folder, sync_folder

    edit(path, "release", "main")
    sandbox.ask("sync")
    edit(path, "main", "trunk")
    with sandbox.open() as runtime:
        answer = sync_folder(runtime, require_shared_folder(runtime), is_writing=False, agreed=True)
    assert answer.proposed == [path.stem] and not answer.edited
    assert RULE in sandbox.texts()


def test_a_model_cannot_agree(sandbox: Sandbox, path: Path) -> None:
    from limpet.errors import Refused

    edit(path, "release", "main")
    sandbox.ask("sync", as_=MODEL)
    with pytest.raises(Refused, match="person"):
        sandbox.ask("confirm", project=True, as_=MODEL)
    assert RULE in sandbox.texts()


@pytest.fixture
def repository(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ann@example.org")

    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=sandbox.project, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    return git


def test_a_pulled_deletion_is_said_at_the_first_start(sandbox: Sandbox, repository: Callable[..., None]) -> None:
    rule = sandbox.remember(RULE, impact="HIGH")
    for text in OTHERS:
        sandbox.remember(text)
    path = share(sandbox) / f"{rule.id}.md"
    repository("add", "-A")
    repository("commit", "-q", "-m", "Share")
    sandbox.ask("sync")
    repository("rm", "-q", str(path))
    repository("commit", "-q", "-m", "Someone else's commit")
    told = ask(sandbox, "SessionStart", source="startup")
    assert RULE in told and "limpet confirm --project" in told
    # An older commit takes the proposal back, and a newer one makes it again.
    repository("checkout", "-q", "HEAD~1")
    assert sandbox.ask("sync").proposed == []
    repository("checkout", "-q", "main")
    assert sandbox.ask("sync").proposed == [rule.id]
    assert RULE in sandbox.texts()


def test_a_number_of_lines_that_git_brings_hides_nothing(
    sandbox: Sandbox, repository: Callable[..., None], path: Path
) -> None:
    state = path.parents[1] / "state.json"
    found = json.loads(state.read_text())
    found["config"] |= {"memories_to_load": 1}
    state.write_text(json.dumps(found))
    few = ask(sandbox, "SessionStart", source="startup", session_id="s1")
    assert sum(text in few for text in (RULE, *OTHERS)) == 1
    repository("add", "-f", str(state))
    told = ask(sandbox, "SessionStart", source="startup", session_id="s2")
    assert sum(text in told for text in (RULE, *OTHERS)) == 4
