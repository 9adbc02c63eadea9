"""Branch, commit and origin are read from the files of a repository, however hostile they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from limpet.workspace import locate
from limpet.workspace.git import measure_log
from tests.workspace.repositories import git, kinds, repository, watched


def test_branch_and_commit_are_those_of_git(ground: Path) -> None:
    top = repository(ground / "rock")
    git(top, "checkout", "-q", "-b", "feature/tide-über")
    place = locate(str(top))
    assert (place.branch, place.commit) == ("feature/tide-über", git(top, "rev-parse", "HEAD"))
    git(top, "pack-refs", "--all", "--prune")
    assert not (top / ".git" / "refs" / "heads" / "feature").exists()
    assert locate(str(top)) == place
    git(top, "checkout", "-q", "--detach")
    assert (locate(str(top)).branch, locate(str(top)).commit) == (None, place.commit)


def test_a_repository_without_a_commit_has_a_branch_only(ground: Path) -> None:
    git(ground, "init", "-q", "rock")
    place = locate(str(ground / "rock"))
    assert (place.branch, place.commit, kinds(place)) == ("main", None, ["dir"])


def test_sha256_hashes_are_commits_too(ground: Path) -> None:
    git(ground, "init", "-q", "--object-format=sha256", "rock")
    git(ground / "rock", "commit", "-q", "--allow-empty", "-m", "first")
    assert locate(str(ground / "rock")).commit == git(ground / "rock", "rev-parse", "HEAD")


def test_a_reftable_repository_has_neither(ground: Path) -> None:
    top = repository(ground / "rock")
    (top / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")
    assert (locate(str(top)).branch, locate(str(top)).commit) == (None, None)


@pytest.mark.parametrize(
    "head",
    [
        "ref: refs/heads/../../../victim",
        "ref: /etc/passwd",
        "ref: refs/heads/",
        "ref: refs//heads/x",
        "ref: HEAD",
        "ref: refs/heads/a\x1b[2J",
        "ref: refs/heads/" + "x" * 9000,
        "",
        "garbage",
        "\x00\xff" * 100,
    ],
)
def test_a_hostile_head_leads_nowhere(ground: Path, head: str) -> None:
    top = repository(ground / "rock")
    (ground / "victim").write_text("a" * 40)
    (top / ".git" / "HEAD").write_bytes(head.encode("latin-1"))
    place = locate(str(top))
    assert place.commit is None
    assert place.branch is None or (place.branch.isprintable() and len(place.branch) <= 200)
    assert "\x1b" not in (place.branch or "")


def test_symbolic_branches_in_a_circle_end(ground: Path) -> None:
    top = repository(ground / "rock")
    heads = top / ".git" / "refs" / "heads"
    (heads / "a").write_text("ref: refs/heads/b\n")
    (heads / "b").write_text("ref: refs/heads/a\n")
    (top / ".git" / "HEAD").write_text("ref: refs/heads/a\n")
    assert locate(str(top)).commit is None
    (heads / "b").write_text("ref: refs/heads/main\n")
    assert locate(str(top)).commit == git(top, "rev-parse", "main")


CONFIGS = {
    '[remote "origin"]\n\turl = https://example.org/a\n\turl = https://example.org/b\n': "example.org/a",
    '[remote "origin"]\r\n\turl = https://example.org/a\r\n': "example.org/a",
    '[remote "origin"] url = https://example.org/a': "example.org/a",
    '[REMOTE "origin"]\nURL="https://example.org/a" ; why\n': "example.org/a",
    "[remote.origin]\nurl = https://example.org/a # why\n": "example.org/a",
    '[remote "ori\\gin"]\nurl = https://example.org/\\\na\n': "example.org/a",
    '# not this \\\n[remote "origin"]\n# url = https://example.org/b\nurl = https://example.org/a': "example.org/a",
    '[remote "origin"]\nurl =\nfetch = x\nurl = https://example.org/a\n': "example.org/a",
    '[remote "origin"]\npushurl = https://example.org/b\nurl = "https://example.org/\\"a\\"#b"\n': 'example.org/"a"',
    '[url "git://evil/"]\ninsteadOf = https://\n[remote "origin"]\nurl = https://example.org/a\n': "example.org/a",
    '[include]\npath = other\n[remote "upstream"]\nurl = https://example.org/b\n': None,
    '[remote "Origin"]\nurl = https://example.org/b\n': None,
    '[remote "origin"\nurl = https://example.org/b\n': None,
    '[remote "origin"]\nurl = ext::sh -c "touch /tmp/pwned"\n': None,
    '\ufeff[remote "origin"]\nurl = https://example.org/a\n': "example.org/a",
}


@pytest.mark.parametrize(("config", "origin"), CONFIGS.items(), ids=range(len(CONFIGS)))
def test_the_origin_is_read_as_git_reads_it(ground: Path, config: str, origin: str | None) -> None:
    top = repository(ground / "rock")
    (top / ".git" / "other").write_text('[remote "origin"]\nurl = https://example.org/included\n')
    (top / ".git" / "config").write_bytes(config.encode())
    keys = locate(str(top)).keys
    assert [key for key in keys if key.startswith("git:")] == ([] if origin is None else [f"git:{origin}"])


@pytest.mark.parametrize(
    "junk",
    [
        b"\x00\xff\xfe" * 1000,
        b"a" * 10_000_000,
        b"\\\n" * 500_000,
        b"[" * 100_000,
        b'[remote "' + b'\\"' * 100_000,
        b"=",
    ],
    ids=range(6),
)
def test_a_configuration_of_junk_is_no_obstacle(ground: Path, junk: bytes) -> None:
    top = repository(ground / "rock")
    (top / ".git" / "config").write_bytes(junk)
    assert kinds(locate(str(top))) == ["dir", "birth"]


@pytest.mark.parametrize(
    "content", [b"", b"garbage", b"gitdir:", b"gitdir: /nowhere", b"gitdir: .", b"gitdir: \x00\xff", b"gitdir: .git"]
)
def test_a_git_file_of_garbage_is_passed_by(ground: Path, content: bytes) -> None:
    top = repository(ground / "rock")
    (top / "sub").mkdir()
    (top / "sub" / ".git").write_bytes(content)
    assert locate(str(top / "sub")).keys == locate(str(top)).keys


def test_an_empty_git_folder_is_no_repository(ground: Path) -> None:
    (ground / "plain" / ".git").mkdir(parents=True)
    assert kinds(locate(str(ground / "plain"))) == ["path"]


def test_a_bare_repository_committed_into_another_does_not_become_the_project(ground: Path) -> None:
    top = repository(ground / "clone", "https://example.org/clone")
    git(top, "init", "-q", "--bare", "docs")
    git(top / "docs", "remote", "add", "origin", "https://example.org/victim")
    assert locate(str(top / "docs")).keys == locate(str(top)).keys


def test_a_bare_repository_in_a_download_does_not_claim_an_origin(ground: Path) -> None:
    git(ground, "init", "-q", "--bare", "download/docs")
    git(ground / "download" / "docs", "remote", "add", "origin", "https://example.org/victim")
    assert kinds(locate(str(ground / "download" / "docs"))) == ["dir"]


@pytest.mark.root
def test_a_git_folder_that_a_stranger_put_above_us_is_not_believed(ground: Path) -> None:
    shared = repository(ground / "shared", "https://example.org/victim")
    (shared / "mine").mkdir()
    os.chown(shared / ".git", 54321, -1)
    assert kinds(locate(str(shared / "mine"))) == ["path"]
    os.chown(shared / "mine", 54321, -1)
    assert locate(str(shared / "mine")).keys[0] == "git:example.org/victim"


def test_locating_reads_no_place_that_the_repository_only_points_at(ground: Path) -> None:
    top = repository(ground / "rock")
    (ground / "victim").write_text('[remote "origin"]\nurl = https://example.org/victim\n')
    (top / ".git" / "config").write_text(f"[include]\npath = {ground}/victim\n[core]\nfsmonitor = touch {ground}/ran\n")
    (top / ".git" / "HEAD").write_text("ref: refs/heads/../../../victim\n")
    with watched() as seen:
        locate(str(top))
    assert all(path.startswith(str(top)) for path in seen)
    assert not (ground / "ran").exists()


def test_a_git_directory_belongs_to_the_folder_that_it_lies_in_or_names(ground: Path) -> None:
    top = repository(ground / "rock")
    assert locate(str(top)).is_linked
    git(top, "worktree", "add", "-q", str(ground / "tree"))
    assert locate(str(ground / "tree")).is_linked
    git(ground, "clone", "-q", "--bare", str(top), "bare.git")
    assert locate(str(ground / "bare.git")).is_linked
    git(ground / "bare.git", "worktree", "add", "-q", str(ground / "second"), "main")
    assert locate(str(ground / "second")).is_linked
    outer = repository(ground / "outer")
    git(outer, "submodule", "--quiet", "add", str(top), "sub")
    assert locate(str(outer / "sub")).is_linked


def test_a_folder_that_names_a_git_directory_only_points_at_it(ground: Path) -> None:
    top = repository(ground / "rock")
    git(top, "worktree", "add", "-q", str(ground / "tree"))
    for number, target in enumerate((top / ".git", top / ".git" / "worktrees" / "tree")):
        (ground / f"file-{number}").mkdir()
        (ground / f"file-{number}" / ".git").write_text(f"gitdir: {target}\n")
        (ground / f"link-{number}").mkdir()
        (ground / f"link-{number}" / ".git").symlink_to(target)
    git(ground, "init", "-q", "--separate-git-dir", str(ground / "store"), str(ground / "apart"))
    for name in ("file-0", "file-1", "link-0", "link-1", "apart"):
        place = locate(str(ground / name))
        assert not place.is_linked
        assert kinds(place)[0] == "dir"


def test_the_marks_of_a_folder_notice_what_is_put_in_its_place(ground: Path) -> None:
    top = repository(ground / "rock")
    git(top, "worktree", "add", "-q", str(ground / "tree"))
    marks = locate(str(top)).marks
    assert len(marks) == 2
    assert locate(str(ground / "tree")).marks == marks
    top.rename(ground / "moved")
    repository(top, text="another")
    assert set(marks).isdisjoint(locate(str(top)).marks)
    assert set(marks).isdisjoint(locate(str(ground / "moved")).marks)


def test_a_log_that_lies_elsewhere_is_no_mark(ground: Path) -> None:
    top = repository(ground / "rock")
    log = top / ".git" / "logs" / "HEAD"
    log.rename(ground / "log")
    log.symlink_to(ground / "log")
    place = locate(str(top))
    assert kinds(place) == ["dir"]
    assert [mark.rpartition("\n")[2].partition(" ")[0] for mark in place.marks] == ["inode"]


def test_the_log_grows_with_each_move_in_its_own_work_tree(ground: Path) -> None:
    top, second = repository(ground / "rock"), ground / "second"
    git(top, "worktree", "add", "-q", str(second))
    before = (measure_log(str(top)), measure_log(str(second)))
    git(second, "checkout", "-q", "--detach")
    assert measure_log(str(top)) == before[0] > 0
    assert measure_log(str(second)) > before[1] > 0
    assert measure_log(str(ground)) == 0
