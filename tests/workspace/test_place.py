"""A project is recognised in every shape of repository, and in a folder without one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.workspace import Place, locate, still_exists
from tests.workspace.repositories import git, kinds, repository


def test_a_repository_with_an_origin_is_known_by_it_on_every_machine(ground: Path) -> None:
    place = locate(str(repository(ground / "here", "git@github.com:Ann/Rock.git")))
    assert place.keys[0] == "git:github.com/ann/rock"
    assert kinds(place) == ["git", "dir", "birth"]
    assert place.name == "Rock"
    assert (place.cwd, place.root) == (str(ground / "here"), str(ground / "here"))


def test_a_repository_without_an_origin_is_known_by_its_git_directory(ground: Path) -> None:
    place = locate(str(repository(ground / "rock")))
    assert kinds(place) == ["dir", "birth"]
    assert place.keys[0] == f"dir:{ground}/rock/.git"
    assert place.name == "rock"


def test_sub_folders_of_a_monorepo_belong_to_the_repository(ground: Path) -> None:
    top = repository(ground / "mono")
    (top / "packages" / "a").mkdir(parents=True)
    inner = locate(str(top / "packages" / "a"))
    assert inner.keys == locate(str(top)).keys
    assert (inner.root, inner.cwd) == (str(top), str(top / "packages" / "a"))


def test_a_worktree_is_the_same_project_on_its_own_branch(ground: Path) -> None:
    top = repository(ground / "rock")
    git(top, "worktree", "add", "-q", "-b", "tide", str(ground / "elsewhere" / "wt"))
    tree = locate(str(ground / "elsewhere" / "wt"))
    assert tree.keys == locate(str(top)).keys
    assert (tree.branch, locate(str(top)).branch) == ("tide", "main")
    assert tree.root == str(ground / "elsewhere" / "wt")
    assert tree.commit == git(top, "rev-parse", "HEAD")


def test_a_worktree_of_a_bare_clone_has_the_origin(ground: Path) -> None:
    source = repository(ground / "source")
    git(ground, "clone", "-q", "--bare", str(source), "rock.git")
    git(ground / "rock.git", "worktree", "add", "-q", str(ground / "wt"), "main")
    assert locate(str(ground / "wt")).keys[0] == f"git:file:{source}"


def test_a_submodule_is_a_project_of_its_own(ground: Path) -> None:
    inner = repository(ground / "inner", text="inner")
    outer = repository(ground / "outer", "https://example.org/outer")
    git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    place = locate(str(outer / "sub"))
    assert place.keys[0] == f"git:file:{inner}"
    assert place.root == str(outer / "sub")
    assert place.branch == "main"
    assert not set(place.keys) & set(locate(str(outer)).keys)


def test_a_second_clone_is_the_same_project_however_its_origin_is_written(ground: Path) -> None:
    first = locate(str(repository(ground / "one", "git@github.com:ann/rock.git")))
    second = locate(str(repository(ground / "two", "https://ann:ghp_secret@github.com/Ann/rock/")))
    assert first.keys[0] == second.keys[0]
    assert "secret" not in repr(second)


def test_two_folders_of_the_same_name_are_two_projects(ground: Path) -> None:
    places = [
        locate(str(repository(ground / "a" / "app"))),
        locate(str(repository(ground / "b" / "app"))),
        locate(str(repository(ground / "c" / "app", "https://example.org/a/app"))),
        locate(str(repository(ground / "d" / "app", "https://example.org/b/app"))),
    ]
    (ground / "e" / "app").mkdir(parents=True)
    (ground / "f" / "app").mkdir(parents=True)
    places += [locate(str(ground / letter / "app")) for letter in "ef"]
    every = [key for place in places for key in place.keys]
    assert len(every) == len(set(every))
    assert {place.name for place in places} == {"app"}


def test_a_moved_repository_keeps_its_birth_and_the_old_place_is_gone(ground: Path) -> None:
    before = locate(str(repository(ground / "old")))
    shutil.move(ground / "old", ground / "new")
    after = locate(str(ground / "new"))
    assert after.keys[0] != before.keys[0]
    assert after.keys[-1] == before.keys[-1]
    assert after.keys[-1].startswith("birth:")
    assert not still_exists(before.keys[0])


def test_a_copy_shares_the_birth_but_the_original_is_still_there(ground: Path) -> None:
    before = locate(str(repository(ground / "old")))
    shutil.copytree(ground / "old", ground / "new")
    assert locate(str(ground / "new")).keys[-1] == before.keys[-1]
    assert still_exists(before.keys[0])
    assert not still_exists(before.keys[-1])


def test_an_origin_added_later_is_put_in_front_of_the_known_keys(ground: Path) -> None:
    top = repository(ground / "rock")
    before = locate(str(top)).keys
    git(top, "remote", "add", "origin", "https://example.org/rock")
    assert locate(str(top)).keys == ("git:example.org/rock", *before)


def test_a_symlinked_path_and_a_trailing_slash_are_the_same_place(ground: Path) -> None:
    top = repository(ground / "rock")
    (ground / "link").symlink_to(top)
    (top / "src").mkdir()
    expected = locate(str(top / "src"))
    assert locate(str(ground / "link" / "src")) == expected
    assert locate(str(top / "src") + "/") == expected
    assert locate(str(top / "src" / ".." / "src")) == expected


def test_a_relative_path_is_resolved(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = repository(ground / "rock")
    monkeypatch.chdir(top)
    assert locate(".") == locate(str(top))


def test_a_relative_origin_starts_at_the_main_work_tree(ground: Path) -> None:
    repository(ground / "source")
    top = repository(ground / "rock", "../source")
    git(top, "worktree", "add", "-q", str(ground / "deep" / "er" / "wt"))
    assert locate(str(top)).keys[0] == f"git:file:{ground}/source"
    assert locate(str(ground / "deep" / "er" / "wt")).keys == locate(str(top)).keys


def test_a_folder_without_git_is_its_own_project(ground: Path) -> None:
    (ground / "plain").mkdir()
    place = locate(str(ground / "plain"))
    assert place == Place(
        cwd=str(ground / "plain"), root=str(ground / "plain"), name="plain", keys=(f"path:{ground}/plain",)
    )
    assert still_exists(place.keys[0])


def test_a_git_directory_elsewhere_is_followed(ground: Path) -> None:
    (ground / "rock").mkdir()
    git(ground, "init", "-q", "--separate-git-dir", str(ground / "store"), str(ground / "rock"))
    assert locate(str(ground / "rock")).keys == (f"dir:{ground}/store",)


def test_a_bare_repository_is_known_by_its_folder(ground: Path) -> None:
    git(ground, "init", "-q", "--bare", "rock.git")
    place = locate(str(ground / "rock.git" / "hooks"))
    assert (place.root, place.keys, place.branch) == (f"{ground}/rock.git", (f"dir:{ground}/rock.git",), "main")


def test_inside_the_git_directory_it_is_still_the_repository(ground: Path) -> None:
    top = repository(ground / "rock")
    assert locate(str(top / ".git" / "hooks")).keys == locate(str(top)).keys


def test_dotfiles_kept_in_the_home_folder_do_not_swallow_what_is_below(
    ground: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = repository(ground / "ann", "https://example.org/dotfiles")
    (home / "work" / "app").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    assert locate(str(home)).keys[0] == "git:example.org/dotfiles"
    assert locate(str(home / "work" / "app")).keys == (f"path:{home}/work/app",)
    repository(home / "work" / "repo")
    assert kinds(locate(str(home / "work" / "repo"))) == ["dir", "birth"]


def test_the_environment_of_git_has_no_say(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = repository(ground / "other", "https://example.org/other")
    top = repository(ground / "rock")
    expected = locate(str(top))
    for name, value in {"GIT_DIR": other / ".git", "GIT_WORK_TREE": other, "GIT_COMMON_DIR": other / ".git"}.items():
        monkeypatch.setenv(name, str(value))
    assert locate(str(top)) == expected


def test_a_folder_that_is_gone_still_belongs_to_its_repository(ground: Path) -> None:
    top = repository(ground / "rock")
    assert locate(str(top / "gone" / "deep")).keys == locate(str(top)).keys
    assert kinds(locate(str(ground / "gone"))) == ["path"]


def test_what_is_no_place_has_no_key(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert locate("").keys == ()
    assert locate("a\0b").keys == ()
    (ground / "gone").mkdir()
    monkeypatch.chdir(ground / "gone")
    (ground / "gone").rmdir()
    assert locate(".").keys == ()


def test_loops_pipes_and_closed_doors_are_no_obstacle(ground: Path) -> None:
    (ground / "loop").symlink_to("loop")
    assert kinds(locate(str(ground / "loop" / "x"))) == ["path"]
    top = repository(ground / "rock")
    for name in ("HEAD", "config", "packed-refs", "logs/HEAD"):
        (top / ".git" / name).unlink(missing_ok=True)
        os.mkfifo(top / ".git" / name)
    place = locate(str(top))
    assert (place.keys, place.branch, place.commit) == ((f"dir:{top}/.git",), None, None)
    (top / ".git").chmod(0)
    assert locate(str(top)).root in (str(top), str(ground))


def test_a_file_stands_for_its_folder(ground: Path) -> None:
    top = repository(ground / "rock")
    assert locate(str(top / "README")).cwd == str(top)


def test_a_name_that_is_no_text_makes_a_key_that_is(ground: Path) -> None:
    folder = os.fsencode(ground) + b"/caf\xe9\n\x1b[2J"
    os.mkdir(folder)
    place = locate(os.fsdecode(folder))
    place.keys[0].encode()
    assert place.name.isprintable()


@given(st.text())
def test_any_text_is_a_place_or_none(text: str) -> None:
    place = locate(text)
    assert all(key.encode("utf-8") for key in place.keys)
    assert place.name


def test_the_agent_file_is_that_of_the_root_and_stays_inside(ground: Path) -> None:
    top = repository(ground / "rock")
    (top / "src").mkdir()
    assert locate(str(top / "src")).agent_file is None
    (top / "AGENT.md").write_text("# Limpet\n")
    assert locate(str(top / "src")).agent_file == str(top / "AGENT.md")
    (top / "AGENT.md").unlink()
    (ground / "outside.md").write_text("# Evil\n")
    (top / "AGENT.md").symlink_to(ground / "outside.md")
    assert locate(str(top)).agent_file is None
    (top / "AGENT.md").unlink()
    (top / "docs.md").write_text("# Limpet\n")
    (top / "AGENT.md").symlink_to("docs.md")
    assert locate(str(top)).agent_file == str(top / "docs.md")
    (top / "AGENT.md").unlink()
    (top / "AGENT.md").mkdir()
    assert locate(str(top)).agent_file is None
