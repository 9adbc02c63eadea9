"""Where we are: found by reading files, right for every shape of repository, safe in a hostile one."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet import workspace
from limpet.workspace import Place, cite, hash_span, locate, normalise_url, read_agent_definition, slug, still_there

GIT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
}


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments]
    return subprocess.run(command, cwd=folder, env=GIT, check=True, capture_output=True, text=True).stdout.strip()


def repository(folder: Path, origin: str | None = None, text: str = "") -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    # What is in the first commit tells two repositories made in the same second apart.
    (folder / "README").write_text(text or str(folder))
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    if origin is not None:
        git(folder, "remote", "add", "origin", origin)
    return folder


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, by its canonical name, outside the home folder."""
    folder = Path(os.path.realpath(tmp_path)) / "ground"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder / "nobody"))
    return folder


def kinds(place: Place) -> list[str]:
    return [key.partition(":")[0] for key in place.keys]


# Repositories and their keys


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
    assert not still_there(before.keys[0])


def test_a_copy_shares_the_birth_but_the_original_is_still_there(ground: Path) -> None:
    before = locate(str(repository(ground / "old")))
    shutil.copytree(ground / "old", ground / "new")
    assert locate(str(ground / "new")).keys[-1] == before.keys[-1]
    assert still_there(before.keys[0])
    assert not still_there(before.keys[-1])


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
    assert still_there(place.keys[0])


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


# Branch and commit


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


# The origin in the configuration

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


# Broken and hostile surroundings


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


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give files away")
def test_a_git_folder_that_a_stranger_put_above_us_is_not_believed(ground: Path) -> None:
    shared = repository(ground / "shared", "https://example.org/victim")
    (shared / "mine").mkdir()
    os.chown(shared / ".git", 54321, -1)
    assert kinds(locate(str(shared / "mine"))) == ["path"]
    os.chown(shared / "mine", 54321, -1)
    assert locate(str(shared / "mine")).keys[0] == "git:example.org/victim"


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


# URLs

SAME = {
    "github.com/ann/rock": [
        "git@github.com:Ann/Rock.git",
        "github.com:ann/rock",
        "org-123456@github.com:ann/rock.git",
        "git@GitHub.com:/ann/rock.git/",
        "ssh://git@github.com/ann/rock.git",
        "ssh://git@github.com:22/ann/rock",
        "ssh://git@ssh.github.com:443/ann/rock.git",
        "git+ssh://git@github.com/ann/rock.git",
        "https://github.com/ann/rock",
        "https://github.com:443/ann/rock.git/",
        "https://github.com//ann/./rock.git",
        "https://ann:ghp_token@github.com/Ann/Rock.git",
        "https://ghp_token@github.com/Ann/Rock.git",
        "https://x:p%40ss@github.com/ann/rock?access_token=1#frag",
        "https://x:p@ss@github.com/ann/rock",
        "http://www.github.com/ann/rock",
        "git://github.com/ann/rock.git",
        " https://github.com/ann/rock\n",
    ],
    "example.org/Ann/Rock": [
        "https://example.org/Ann/Rock",
        "git@EXAMPLE.org:Ann/Rock.git",
        "https://example.org./Ann/Rock",
    ],
    "example.org:8443/ann/rock": ["https://ann:pw@example.org:8443/ann/rock.git", "https://example.org:08443/ann/rock"],
    "example.org:2222/ann/rock": ["ssh://git@example.org:2222/ann/rock", "[git@example.org:2222]:ann/rock.git"],
    "nas/~ann/notes": ["ann@nas:notes", "ann@nas:notes.git", "ssh://ann@nas/~/notes", "ssh://nas/~ann/notes"],
    "nas/~bob/notes": ["bob@nas:notes"],
    "nas/srv/notes": ["ann@nas:/srv/notes", "bob@nas:/srv/notes/.git", "ssh://nas/srv/notes"],
    "[::1]/rock": ["git@[::1]:rock", "ssh://git@[::1]/rock.git"],
    "[::1]:2222/rock": ["ssh://git@[::1]:2222/rock.git"],
    "git.sr.ht/~ann/rock": ["git@git.sr.ht:~ann/rock", "https://git.sr.ht/~ann/rock"],
    "s3://bucket/rock": ["s3://key:secret@Bucket/rock.git"],
    "file:/srv/rock": [
        "/srv/rock",
        "/srv/x/../rock/",
        "/srv/rock/.git",
        "file:///srv/rock",
        "file://localhost/srv/rock",
    ],
    "file:c:/repos/rock": [
        "C:\\Repos\\rock",
        "c:/repos/rock/",
        "file:///C:/repos/rock",
        "C:\\repos\\x\\..\\rock\\.git",
    ],
    "file://server/share/rock": ["\\\\server\\share\\rock", "file://server/share/rock"],
}


@pytest.mark.skipif(os.name == "nt", reason="paths of the other kind")
@pytest.mark.parametrize(("name", "urls"), SAME.items())
def test_one_repository_has_one_name_however_it_is_written(name: str, urls: list[str]) -> None:
    assert {url: normalise_url(url) for url in urls} == dict.fromkeys(urls, name)


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "rock",
        "../rock",
        "https://",
        "https://github.com",
        "https://github.com/",
        "https://github.com/.git",
        "https:///rock",
        "https://example.org:99999/rock",
        "https://example.org:port/rock",
        "https://ann:se/cret@example.org/rock",
        "https://ann/x:secret@example.org/rock",
        "ann:secret@example.org:rock",
        "git@:rock",
        "git@host:",
        "ssh://host/../etc",
        "ext::sh -c touch% /tmp/x",
        "https://exa mple.org/rock",
        "https://example.org/a\x1b[2Jb",
        "https://example.org/\ud800",
        "a" * 33 + "@nas:notes",
        "x" * 3000,
    ],
)
def test_what_names_no_repository_has_no_name(url: str) -> None:
    assert normalise_url(url) is None


def test_a_local_origin_is_found_through_symlinks(ground: Path) -> None:
    (ground / "real").mkdir()
    (ground / "link").symlink_to("real")
    assert normalise_url(f"{ground}/link") == normalise_url("link", base=str(ground)) == f"file:{ground}/real"


addresses = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "https://", "ssh://", "git+ssh://", "file://", "ext::", "C:\\", "\\\\", "//", "[", "x://"]),
    st.sampled_from(["", "git@", "user:tok@", "a@b@", "["]),
    st.text(max_size=12) | st.sampled_from(["github.com", "[::1]", "host"]),
    st.sampled_from(["", ":", ":22", ":/", "/", "]:", "\\"]),
    st.text(max_size=20),
)


@given(st.text() | addresses)
def test_no_text_breaks_normalisation(url: str) -> None:
    name = normalise_url(url)
    assert name is None or (name.isprintable() and not name.endswith("/.git"))


words = st.text("abcdefghijklmnopqrstuvwxyz0123456789-_", min_size=1, max_size=12)
secrets = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:@#?%~!", min_size=6, max_size=30).map(
    lambda text: f"SE{text}CRET"
)


@given(words, words, words, secrets, st.sampled_from(["https", "ssh", "http", "git+ssh", "s3"]))
def test_a_credential_never_becomes_part_of_a_name(host: str, path: str, user: str, secret: str, scheme: str) -> None:
    for url in (f"{scheme}://{user}:{secret}@{host}/{path}", f"{user}:{secret}@{host}:{path}"):
        name = normalise_url(url)
        assert name is None or secret[:4] not in name


# The agent's definition


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


DEFINITIONS = {
    "---\nid: rock-1\nname: The Rock\n---\n# Other\n": ("rock-1", "The Rock"),
    "---\nid: Rock One\n---\n# The Rock ##\n": ("rock-one", "The Rock"),
    '---\r\nname: "The: Rock" \r\nmodel: x\r\n---\r\n': ("the-rock", "The: Rock"),
    "---\nname: Rock # a comment\n  id: nested\n---\n": ("rock", "Rock"),
    "---\nid: ../../etc\n---\n": ("etc", "../../etc"),
    "\ufeff# Rock\x1b[2J \u202eevil\n": ("rock-2j-evil", "Rock[2J evil"),
    "text\n# First\n# Second\n": ("first", "First"),
    "---\nname: never closed\n# Heading\n": ("heading", "Heading"),
    "---\nname:\n---\n": None,
    "nothing here": None,
    "": None,
}


@pytest.mark.parametrize(("text", "expected"), DEFINITIONS.items(), ids=range(len(DEFINITIONS)))
def test_an_agent_definition_gives_id_and_name(tmp_path: Path, text: str, expected: tuple[str, str] | None) -> None:
    (tmp_path / "AGENT.md").write_bytes(text.encode())
    found = read_agent_definition(str(tmp_path / "AGENT.md"))
    assert (None if found is None else (found.id, found.name)) == expected


def test_a_definition_that_is_no_small_text_file_is_none(tmp_path: Path) -> None:
    path = tmp_path / "AGENT.md"
    assert read_agent_definition(str(path)) is None
    path.write_text("# Rock\n" + "x" * 65_536)
    assert read_agent_definition(str(path)) is None
    path.write_bytes(b"# Rock\n\xff\x00")
    found = read_agent_definition(str(path))
    assert found is not None
    assert found.name == "Rock"
    path.write_text("# " + "long " * 100)
    found = read_agent_definition(str(path))
    assert found is not None
    assert len(found.name) <= 80


@given(st.text())
def test_a_slug_is_always_a_valid_id_and_its_own_slug(text: str) -> None:
    made = slug(text)
    assert 0 < len(made) <= 64
    assert made[0].isalnum()
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")
    assert slug(made) == made


def test_a_slug_keeps_what_it_can_and_tells_the_rest_apart() -> None:
    assert slug("Anima") == "anima"
    assert slug("  Élan Vital! ") == "elan-vital"
    assert slug("snake_case-ok") == "snake_case-ok"
    different = ["小明", "小红", "🤖", "👻", "Bot", "Bot 🤖", "x" * 65, "x" * 66, "Søren", "Sren"]
    assert len({slug(name) for name in different}) == len(different)


# Citations


@pytest.fixture
def tree(ground: Path) -> Path:
    root = ground / "root"
    (root / "src" / "a").mkdir(parents=True)
    (root / "src" / "a" / "b.py").write_text("".join(f"line {n}\n" for n in range(1, 31)))
    (root / "Makefile").write_text("all:\n")
    (root / "my notes.md").write_text("notes\n")
    (root / "empty.txt").write_text("")
    return root


def spans(text: str, root: Path, files: tuple[str, ...] = ()) -> list[tuple[str, int, int]]:
    return [(each.path, each.start, each.end) for each in cite(text, files, str(root))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cause is in src/a/b.py.", [("src/a/b.py", 1, 30)]),
        ("see `src/a/b.py:12`, please", [("src/a/b.py", 12, 12)]),
        ("see (src/a/b.py:12-20)", [("src/a/b.py", 12, 20)]),
        ("error at ./src/a/b.py:12:7: boom", [("src/a/b.py", 12, 12)]),
        ("https://example.org/src/a/b.py and src/a/b.py#L3-L5", [("src/a/b.py", 3, 5)]),
        ("src/a/b.py:20-12", [("src/a/b.py", 12, 20)]),
        ("src/a/b.py:25-99", [("src/a/b.py", 25, 30)]),
        ("src/a/b.py:99", [("src/a/b.py", 1, 30)]),
        ("src/a/b.py:0", [("src/a/b.py", 1, 30)]),
        ("src\\a\\b.py on Windows", [("src/a/b.py", 1, 30)]),
        ("src/a/b.pyを直した。Makefileも", [("src/a/b.py", 1, 30)]),
        ("run `make` with the `Makefile`", [("Makefile", 1, 1)]),
        ("Makefile without ticks is a word", []),
        ("`cat src/a/b.py | less`", [("src/a/b.py", 1, 30)]),
        ("in `my notes.md`", [("my notes.md", 1, 1)]),
        ("an empty.txt", [("empty.txt", 1, 1)]),
        ("b.py is ambiguous without a folder", []),
        ("src/a is a folder, src/a/c.py is not there, e.g. 3.11 or v1.2", []),
        ("src/a/b.py and src/a/b.py:3 and src/a/b.py:3 and src/a/b.py", [("src/a/b.py", 1, 30), ("src/a/b.py", 3, 3)]),
    ],
)
def test_files_named_in_a_text_are_cited(tree: Path, text: str, expected: list[tuple[str, int, int]]) -> None:
    assert spans(text, tree) == expected


def test_an_absolute_name_below_the_root_is_cited(tree: Path) -> None:
    assert spans(f"open {tree}/src/a/b.py:3", tree) == [("src/a/b.py", 3, 3)]


def test_files_of_a_tool_call_are_cited_and_give_short_names_a_meaning(tree: Path, ground: Path) -> None:
    (tree / "src" / "c").mkdir()
    (tree / "src" / "c" / "b.py").write_text("x\n")
    (ground / "link").symlink_to(tree)
    one, two = str(ground / "link" / "src" / "a" / "b.py"), "src/c/b.py"
    assert spans("", tree, (one, two)) == [("src/a/b.py", 1, 30), ("src/c/b.py", 1, 1)]
    assert spans("fixed b.py:7", tree, (one,)) == [("src/a/b.py", 7, 7)]
    assert spans("fixed a/b.py:7", tree, (one, two)) == [("src/a/b.py", 7, 7), ("src/c/b.py", 1, 1)]
    assert spans("fixed b.py:7", tree, (one, two)) == [("src/a/b.py", 1, 30), ("src/c/b.py", 1, 1)]


def test_the_hash_is_that_of_the_span_whatever_the_line_endings(tree: Path) -> None:
    path = tree / "src" / "a" / "b.py"
    (cited,) = cite("src/a/b.py:2-3", (), str(tree), commit="abc")
    assert cited.span_hash == hashlib.sha256(b"line 2\nline 3").hexdigest()[:32]
    assert cited.commit == "abc"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert hash_span(str(tree), "src/a/b.py", 2, 3) == cited.span_hash
    path.write_text("line 1\nline 2\nchanged\n")
    assert hash_span(str(tree), "src/a/b.py", 2, 3) not in (None, cited.span_hash)
    path.write_text("line 1\nline 2\n")
    assert hash_span(str(tree), "src/a/b.py", 2, 3) is None
    path.unlink()
    assert hash_span(str(tree), "src/a/b.py", 2, 3) is None


def test_there_are_at_most_eight_citations(tree: Path) -> None:
    for number in range(12):
        (tree / f"f{number}.py").write_text("x\n")
    names = [f"f{number}.py" for number in range(12)]
    assert len(cite(" ".join(names), names, str(tree))) == 8
    assert len(cite("", names, str(tree))) == 8


def test_a_file_that_is_too_large_is_not_cited(tree: Path) -> None:
    (tree / "big.bin").write_bytes(b"x" * 2_000_001)
    (tree / "fits.bin").write_bytes(b"x" * 2_000_000)
    assert spans("big.bin fits.bin", tree) == [("fits.bin", 1, 1)]


opened: list[str] | None = None


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if opened is not None and event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str | bytes):
        opened.append(os.fsdecode(arguments[0]))


@contextmanager
def watched() -> Iterator[list[str]]:
    global opened
    if _watch not in _watching:
        _watching.append(_watch)
        sys.addaudithook(_watch)
    opened = []
    try:
        yield opened
    finally:
        opened = None


_watching: list[object] = []


def test_nothing_outside_the_root_or_in_git_is_ever_opened(tree: Path, ground: Path) -> None:
    (ground / "victim.txt").write_text("secret\n")
    (ground / "root-2").mkdir()
    (ground / "root-2" / "x.txt").write_text("secret\n")
    (tree / "out.txt").symlink_to(ground / "victim.txt")
    (tree / "up").symlink_to("..")
    (tree / ".git").mkdir()
    (tree / ".git" / "config").write_text("secret\n")
    (tree / "inner.txt").symlink_to(".git/config")
    (tree / "loop.txt").symlink_to("loop.txt")
    os.mkfifo(tree / "pipe.txt")
    names = [
        "../victim.txt",
        "src/../../victim.txt",
        f"{ground}/victim.txt",
        f"{tree}/../victim.txt",
        f"{tree}-2/x.txt",
        "../root-2/x.txt",
        "out.txt",
        "up/victim.txt",
        "up/root/../victim.txt",
        ".git/config",
        ".GIT/config",
        "src/../.git/config",
        "inner.txt",
        "loop.txt",
        "pipe.txt",
        "/etc/passwd",
        "~/.ssh/id_rsa",
        "//server/share/x.txt",
        "\\\\server\\share\\x.txt",
        "C:\\Windows\\win.ini",
        "file:///etc/passwd",
        "..\\victim.txt",
    ]
    text = " ".join(names) + " " + " ".join(f"`{name}`" for name in names) + " src/a/b.py:1"
    with watched() as seen:
        assert spans(text, tree) == [("src/a/b.py", 1, 1)]
        assert spans("", tree, tuple(names)) == []
        assert all(hash_span(str(tree), name, 1, 1) is None for name in names)
    assert all(path.startswith(f"{tree}/") and not path.startswith(f"{tree}/.git") for path in seen)
    assert str(tree / "src" / "a" / "b.py") in seen


def test_locating_reads_no_place_that_the_repository_only_points_at(ground: Path) -> None:
    top = repository(ground / "rock")
    (ground / "victim").write_text('[remote "origin"]\nurl = https://example.org/victim\n')
    (top / ".git" / "config").write_text(f"[include]\npath = {ground}/victim\n[core]\nfsmonitor = touch {ground}/ran\n")
    (top / ".git" / "HEAD").write_text("ref: refs/heads/../../../victim\n")
    with watched() as seen:
        locate(str(top))
    assert all(path.startswith(str(top)) for path in seen)
    assert not (ground / "ran").exists()


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_can_be_cited_from(text: str, files: list[str]) -> None:
    assert cite(text, files, "/nonexistent/root") == []


def test_a_long_text_of_names_is_tried_only_so_far(tree: Path) -> None:
    text = " ".join(f"x{n}.py" for n in range(5000)) + " src/a/b.py"
    assert spans(text, tree) == []
    assert spans("`" * 100_000 + ":1" * 50_000, tree) == []


# The package


def test_everything_promised_can_be_imported() -> None:
    assert all(getattr(workspace, name) is not None for name in workspace.__all__)
    with pytest.raises(AttributeError):
        workspace.nothing  # noqa: B018


def test_locating_loads_little_and_starts_nothing() -> None:
    code = (
        "import sys; before = set(sys.modules); from limpet import workspace; workspace.locate('.');"
        "heavy = {'pathlib', 'subprocess', 'typing', 'limpet.workspace.citations', 'limpet.model', 'unicodedata'};"
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(workspace.__file__))))
    env = {**os.environ, "PYTHONPATH": source}
    result = subprocess.run([sys.executable, "-S", "-c", code], env=env, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
