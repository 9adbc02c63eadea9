"""Two people share memories by git: whatever they do with branches, everyone ends with the same memories."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from limpet.model.memory import Memory
from limpet.operations import sync
from limpet.runtime import Runtime
from limpet.sharing.state import FilesAnswer
from tests.operations.sandbox import Sandbox, isolate_environment
from tests.operations.sharing import edit, memories, names


class Person:
    """Somebody with a home and a clone."""

    def __init__(self, sandbox: Sandbox, name: str, clone: Path) -> None:
        self._sandbox = sandbox
        self.name = name
        self.home = sandbox.folder / f"home-{name}"
        self.clone = clone

    def git(self, *words: str, fails: bool = False) -> str:
        done = subprocess.run(["git", *words], cwd=self.clone, capture_output=True, text=True, check=False)
        assert fails == bool(done.returncode), done.stdout + done.stderr
        return done.stdout

    def open(self) -> AbstractContextManager[Runtime]:
        return self._sandbox.open(home=self.home, cwd=self.clone)

    def ask(self, verb: str, **values: Any) -> Any:
        return self._sandbox.ask(verb, home=self.home, cwd=self.clone, **values)

    def remember(self, text: str) -> Memory:
        found: Memory = self.ask("remember", text=text).memory
        return found

    def sync(self) -> FilesAnswer:
        answer: FilesAnswer = self.ask("sync")
        return answer

    def commit(self, message: str) -> None:
        """Bring files and memories together, and commit what came of it."""
        self.sync()
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def commit_own(self, message: str) -> None:
        """Commit changes of the files that this person has made, and agree to them as a person."""
        self.sync()
        self.ask("confirm", project=True)
        self.commit(message)

    def pull(self, *options: str) -> None:
        self.git("pull", "-q", "--no-edit", *(options or ("--no-rebase",)))
        self.sync()

    def live(self) -> set[str]:
        return set(self._sandbox.texts("list", home=self.home, cwd=self.clone, limit=100))

    def status(self) -> str:
        return self.git("status", "--porcelain")

    def file_with(self, text: str) -> Path:
        found = [path for path in memories(self.clone).glob("*.md") if text in path.read_text()]
        assert len(found) == 1, found
        return found[0]


@pytest.fixture
def story(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Person, Person, Path]]:
    isolate_environment(monkeypatch, tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ann@example.org")
    central = tmp_path / "central.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(central)], check=True)
    people = []
    for name in ("ann", "bob"):
        clone = tmp_path / name / "shop"
        clone.parent.mkdir()
        subprocess.run(["git", "clone", "-q", str(central), str(clone)], check=True, capture_output=True)
        people.append(Person(sandbox, name, clone))
        if name == "ann":
            (clone / "README.md").write_text("shop\n")
            people[0].git("checkout", "-q", "-B", "main")
            people[0].git("add", "-A")
            people[0].git("commit", "-q", "-m", "Begin")
            people[0].git("push", "-q", "-u", "origin", "main")
    yield people[0], people[1], central


def test_two_clones_end_with_the_same_memories(story: tuple[Person, Person, Path], sandbox: Sandbox) -> None:
    ann, bob, central = story
    port = ann.remember("The default port is 8080")
    ann.remember("Migrations run with alembic")
    ann.remember("The office plant needs water every Friday")
    ann.ask("share")
    ann.commit("Share what we know")
    ann.git("push", "-q")
    assert ann.status() == ""

    # Bob takes over what Ann shared, with one approval, and shares too.
    bob.pull()
    assert len(bob.ask("confirm", project=True).memories) == 3
    bob.ask("share")
    assert bob.live() == ann.live() and len(bob.live()) == 3
    assert bob.status() == ""

    # Both add a memory on a branch of their own; the two are merged without a conflict, the index too.
    ann.git("checkout", "-q", "-b", "ann-work")
    ann.remember("The queue is drained by one worker")
    ann.commit("Ann's work")
    bob.git("checkout", "-q", "-b", "bob-work")
    bob.remember("Static files are served by the proxy")
    bob.commit("Bob's work")
    bob.git("push", "-q", "origin", "bob-work")
    ann.git("fetch", "-q")
    ann.git("merge", "-q", "--no-edit", "origin/bob-work")
    ann.sync()
    ann.ask("confirm", project=True)
    assert ann.status() == ""
    ann.git("checkout", "-q", "main")
    ann.sync()
    assert ann.status() == "", "a branch without the files gets none"
    assert len(ann.live()) == 5, "another branch forgets nothing"
    ann.git("merge", "-q", "--no-edit", "ann-work")
    ann.commit("Merge")
    ann.git("push", "-q")
    bob.git("checkout", "-q", "main")
    bob.pull()
    bob.ask("confirm", project=True)
    assert bob.live() == ann.live() and len(bob.live()) == 5
    assert ann.status() == bob.status() == ""

    # Bob deletes a file; Ann edits another one meanwhile, and rebases.
    bob.file_with("office plant").unlink()
    bob.commit_own("The plant is gone")
    bob.git("push", "-q")
    edit(memories(ann.clone) / f"{port.id}.md", "8080", "9090")
    ann.commit_own("Another port")
    ann.pull("--rebase")
    ann.git("push", "-q")
    assert "The office plant needs water every Friday" in ann.live(), "it is Ann's, so she is asked"
    bob.pull()
    assert "The default port is 8080" in bob.live(), "Bob has confirmed it, so he is asked"
    for each in (ann, bob):
        assert len(each.sync().proposed) == 1
        each.ask("confirm", project=True)
    assert "The office plant needs water every Friday" not in ann.live()
    assert ann.live() == bob.live()
    assert "The default port is 9090" in ann.live()

    # Both edit the same memory: git has a conflict, which is said and not swallowed.
    edit(ann.file_with("alembic"), "alembic", "atlas")
    ann.commit_own("atlas")
    ann.git("push", "-q")
    edit(bob.file_with("alembic"), "alembic", "flyway")
    bob.commit_own("flyway")
    bob.git("pull", "-q", "--no-rebase", "--no-edit", fails=True)
    answer = bob.sync()
    assert [reason for reason in answer.refused.values() if "conflict" in reason]
    assert "Migrations run with flyway" in bob.live()
    path = bob.file_with("<<<<<<<")
    bob.git("checkout", "-q", "--theirs", str(path))
    bob.commit_own("atlas it is")
    bob.git("push", "-q")
    ann.pull()
    assert ann.live() == bob.live()
    assert "Migrations run with atlas" in ann.live()

    # A branch is squashed.
    ann.git("checkout", "-q", "-b", "topic")
    ann.remember("Releases are tagged by the bot")
    ann.commit("one")
    ann.remember("The bot needs a token with the scope repo")
    ann.commit("two")
    ann.git("checkout", "-q", "main")
    ann.git("merge", "-q", "--squash", "topic")
    ann.commit("Squashed")
    ann.git("push", "-q")
    bob.pull()
    bob.ask("confirm", project=True)
    assert ann.live() == bob.live() and len(ann.live()) == 6
    assert ann.status() == bob.status() == ""

    # A new machine with an empty home needs one approval.
    clone = central.parent / "carol" / "shop"
    clone.parent.mkdir()
    subprocess.run(["git", "clone", "-q", str(central), str(clone)], check=True, capture_output=True)
    carol = Person(sandbox, "carol", clone)
    carol.ask("confirm", project=True)
    assert carol.live() == ann.live()
    assert carol.status() == ""
    for each in (ann, bob, carol):
        diagnosis = each.ask("doctor")
        assert not diagnosis.problems, diagnosis.problems
    assert names(ann.clone) == names(bob.clone) == names(carol.clone)


def test_an_older_commit_changes_nothing_and_a_revert_does(story: tuple[Person, Person, Path]) -> None:
    ann, _, _ = story
    port = ann.remember("The default port is 8080")
    ann.ask("share")
    ann.commit("Share")
    ann.ask("correct", id=port.id, text="The default port is 9090")
    ann.commit("Another port")
    ann.git("checkout", "-q", "HEAD~1")
    ann.sync()
    assert ann.live() == {"The default port is 9090"}
    assert ann.status() == "", "the older text of an older commit is left alone"
    ann.git("checkout", "-q", "main")
    ann.sync()
    assert (ann.live(), ann.status()) == ({"The default port is 9090"}, "")
    ann.git("revert", "--no-edit", "HEAD")
    assert ann.sync().proposed == [port.id]
    assert ann.live() == {"The default port is 9090"}
    ann.ask("confirm", project=True)
    assert ann.live() == {"The default port is 8080"}


def test_a_process_that_began_before_a_checkout_forgets_nothing(story: tuple[Person, Person, Path]) -> None:
    ann, _, _ = story
    ann.remember("The default port is 8080")
    ann.remember("Migrations run with alembic")
    ann.ask("share")
    ann.commit("Share")
    ann.git("branch", "side")
    ann.remember("The queue is drained at night")
    ann.commit("Share one more")
    with ann.open() as runtime:
        assert runtime.place.branch == "main"
        ann.git("checkout", "-q", "side")
        answer = sync.run(runtime)
    assert isinstance(answer, FilesAnswer) and not answer.forgotten and len(ann.live()) == 3


def test_files_that_git_has_taken_away_and_not_yet_replaced_are_not_deleted(story: tuple[Person, Person, Path]) -> None:
    ann, _, _ = story
    for text in ("The default port is 8080", "Migrations run with alembic", "The queue is drained at night"):
        ann.remember(text)
    ann.ask("share")
    ann.commit("Share")
    ann.sync()
    gone = ann.file_with("alembic").relative_to(ann.clone)
    lock = ann.clone / ".git" / "index.lock"
    lock.touch()
    (ann.clone / gone).unlink()
    answer = ann.sync()
    assert not answer.forgotten and "git is changing the files" in answer.notes[0]
    lock.unlink()
    # The index has been replaced, and the current commit not yet.
    ann.git("rm", "-q", "--cached", str(gone))
    assert not ann.sync().forgotten
    ann.git("commit", "-q", "-m", "One less")
    assert len(ann.sync().proposed) == 1
    ann.ask("confirm", project=True)
    assert "Migrations run with alembic" not in ann.live()


def test_a_second_work_tree_gets_new_files_by_git_alone(story: tuple[Person, Person, Path]) -> None:
    ann, _, _ = story
    ann.remember("The default port is 8080")
    ann.ask("share")
    ann.commit("Share")
    second = Person(ann._sandbox, "ann", ann.clone.parent / "second")
    ann.git("worktree", "add", "-q", "-b", "side", str(second.clone))
    ann.remember("Migrations run with alembic")
    ann.commit("One more")
    second.sync()
    assert second.live() == ann.live() and len(ann.live()) == 2
    assert second.status() == "", "the file comes by git"
    second.git("merge", "-q", "main")
    assert second.sync().written == []
    assert second.status() == ""
    assert names(second.clone) == names(ann.clone)
    second.file_with("alembic").unlink()
    second.commit_own("Gone on the side")
    assert second.live() == {"The default port is 8080"}
    ann.sync()
    assert len(names(ann.clone)) == 1, "a forgotten memory has no file in any work tree"
