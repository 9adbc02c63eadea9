"""A commit is found among the objects of a folder by its content, and nowhere else."""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from limpet.workspace.objects import has_any_commit
from tests.workspace.repositories import git, repository, watched

UNKNOWN = "0123456789" * 4


def has(top: Path, *commits: str) -> bool:
    return has_any_commit(str(top / ".git"), commits)


def head(top: Path, name: str = "HEAD") -> str:
    return git(top, "rev-parse", name)


def grow(top: Path, commits: int = 30) -> Path:
    """Add commits with one long message, so that git stores some of them as deltas."""
    message = "\n".join(f"line {number} of a message that is the same in every commit" for number in range(60))
    for number in range(commits):
        git(top, "commit", "-q", "--allow-empty", "-m", f"{message}\n{number}")
    return top


def test_a_loose_commit_is_found(ground: Path) -> None:
    top = repository(ground / "rock")
    assert has(top, head(top))
    assert has(top, UNKNOWN, head(top))
    assert not has(top, UNKNOWN)
    assert not has(top)


def test_a_file_or_folder_of_files_is_no_commit(ground: Path) -> None:
    top = repository(ground / "rock")
    others = [head(top, "HEAD^{tree}"), head(top, "HEAD:README")]
    assert not has(top, *others)
    git(top, "gc", "-q")
    assert not has(top, *others)


@pytest.mark.parametrize("version", ["1", "2"])
def test_packed_commits_are_found_whole_or_as_deltas(ground: Path, version: str) -> None:
    top = grow(repository(ground / "rock"))
    git(top, "-c", f"pack.indexVersion={version}", "repack", "-q", "-a", "-d", "-f", "--depth=20", "--window=50")
    packed = git(top, "verify-pack", "-v", str(next((top / ".git/objects/pack").glob("*.idx"))))
    commits = [line.split() for line in packed.splitlines() if " commit " in line]
    assert any(len(words) == 7 for words in commits), "git has stored no commit as a delta"
    assert not list((top / ".git/objects").glob("[0-9a-f][0-9a-f]"))
    assert all(has(top, words[0]) for words in commits)
    assert not has(top, UNKNOWN)


def test_a_delta_may_name_its_base(ground: Path) -> None:
    top = grow(repository(ground / "rock"), 10)
    git(top, "-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-a", "-d", "-f", "--depth=20", "--window=50")
    assert all(has(top, commit) for commit in git(top, "rev-list", "HEAD").split())


def test_commits_named_by_sha256_are_found(ground: Path) -> None:
    git(ground, "init", "-q", "--object-format=sha256", "rock")
    top = grow(ground / "rock", 5)
    first, last = head(top, "HEAD~4"), head(top)
    assert len(last) == 64
    assert has(top, last)
    git(top, "gc", "-q")
    assert has(top, first)
    assert not has(top, "0123456789abcdef" * 4)


def test_a_large_offset_is_read_from_the_second_table(ground: Path) -> None:
    top = grow(repository(ground / "rock"), 3)
    git(top, "gc", "-q")
    pack = next((top / ".git/objects/pack").glob("*.pack"))
    index = pack.with_suffix(".idx")
    index.unlink()
    git(top, "index-pack", "--index-version=2,0x40", "-o", str(index), str(pack))
    assert all(has(top, commit) for commit in git(top, "rev-list", "HEAD").split())


def test_a_commit_beside_a_multi_pack_index_is_found(ground: Path) -> None:
    top = repository(ground / "rock")
    git(top, "repack", "-q", "-d")
    grow(top, 2)
    git(top, "repack", "-q", "-d")
    git(top, "multi-pack-index", "write")
    assert all(has(top, commit) for commit in git(top, "rev-list", "HEAD").split())


def test_a_shallow_clone_has_only_the_newest(ground: Path) -> None:
    source = grow(repository(ground / "rock"), 3)
    git(ground, "clone", "-q", "--depth=1", f"file://{source}", "shallow")
    assert has(ground / "shallow", head(source))
    assert not has(ground / "shallow", head(source, "HEAD~1"))


def forge_config(evil: Path, real: Path) -> None:
    shutil.copy(real / ".git" / "config", evil / ".git" / "config")


def forge_loose(evil: Path, real: Path) -> None:
    commit = head(real)
    path = evil / ".git" / "objects" / commit[:2] / commit[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(b"commit 3\0abc"))


def forge_index(evil: Path, real: Path) -> None:
    """Let the index of the real repository stand beside a pack that has other objects."""
    git(real, "gc", "-q")
    git(evil, "gc", "-q")
    folder = evil / ".git" / "objects" / "pack"
    os.chmod(folder, 0o755)
    for index in folder.glob("*.idx"):
        index.unlink()
    shutil.copy(next((real / ".git/objects/pack").glob("*.idx")), next(folder.glob("*.pack")).with_suffix(".idx"))


def link_objects(evil: Path, real: Path) -> None:
    shutil.rmtree(evil / ".git" / "objects")
    (evil / ".git" / "objects").symlink_to(real / ".git" / "objects")


def link_one_folder(evil: Path, real: Path) -> None:
    name = head(real)[:2]
    shutil.rmtree(evil / ".git" / "objects" / name, ignore_errors=True)
    (evil / ".git" / "objects" / name).symlink_to(real / ".git" / "objects" / name)


def link_one_file(evil: Path, real: Path) -> None:
    name = Path(head(real)[:2]) / head(real)[2:]
    (evil / ".git" / "objects" / name).parent.mkdir(exist_ok=True)
    (evil / ".git" / "objects" / name).symlink_to(real / ".git" / "objects" / name)


def link_packs(evil: Path, real: Path) -> None:
    git(real, "gc", "-q")
    shutil.rmtree(evil / ".git" / "objects" / "pack")
    (evil / ".git" / "objects" / "pack").symlink_to(real / ".git" / "objects" / "pack")


def link_pack_files(evil: Path, real: Path) -> None:
    git(real, "gc", "-q")
    for path in (real / ".git" / "objects" / "pack").iterdir():
        (evil / ".git" / "objects" / "pack" / path.name).symlink_to(path)


def name_alternates(evil: Path, real: Path) -> None:
    (evil / ".git" / "objects" / "info" / "alternates").write_text(f"{real}/.git/objects\n")


@pytest.mark.parametrize(
    "forge",
    [
        *(forge_config, forge_loose, forge_index, link_objects, link_one_folder, link_one_file, link_packs),
        *(link_pack_files, name_alternates),
    ],
)
def test_objects_of_another_folder_do_not_count(ground: Path, forge: Callable[[Path, Path], None]) -> None:
    real, evil = repository(ground / "real"), repository(ground / "evil")
    commit = head(real)
    forge(evil, real)
    with watched() as seen:
        assert not has(evil, commit)
    assert not any(path.startswith(str(real)) for path in seen)
    assert has(real, commit)


@pytest.mark.parametrize("junk", [b"", b"\xfftOc\x00\x00\x00\x02", b"\xff" * 5000, b"\x00" * 5000], ids=range(4))
def test_damaged_packs_are_no_obstacle(ground: Path, junk: bytes) -> None:
    top = repository(ground / "rock")
    folder = top / ".git" / "objects" / "pack"
    for name in ("a", "b"):
        (folder / f"pack-{name}.idx").write_bytes(junk)
        (folder / f"pack-{name}.pack").write_bytes(junk)
    os.mkfifo(folder / "pack-c.idx")
    assert not has(top, UNKNOWN)
    assert has(top, UNKNOWN, head(top))


@pytest.mark.parametrize("fill", [b"\x00", b"\xff", b"\x80", b"\x1f", b"\x6f\x01", b"\x7f"])
def test_a_damaged_commit_does_not_count(ground: Path, fill: bytes) -> None:
    top = grow(repository(ground / "rock"), 4)
    commits = git(top, "rev-list", "HEAD").split()
    git(top, "repack", "-q", "-a", "-d", "-f", "--depth=20", "--window=50")
    path = next((top / ".git/objects/pack").glob("*.pack"))
    os.chmod(path, 0o644)
    whole = path.read_bytes()
    for length in (1, 3, 40, len(whole)):
        # Every eleventh place is overwritten, so that each commit is damaged somewhere.
        data = bytearray(whole)
        for start in range(12, len(whole), max(11, length)):
            data[start : start + length] = (fill * length)[:length]
        path.write_bytes(data)
        assert not any(has(top, commit) for commit in commits)
    path.write_bytes(whole)
    assert has(top, commits[-1])


def test_a_commit_that_unpacks_to_gigabytes_does_not_count(ground: Path) -> None:
    top = repository(ground / "rock")
    path = top / ".git" / "objects" / UNKNOWN[:2] / UNKNOWN[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(b"commit 50000000\0" + bytes(50_000_000)))
    assert not has(top, UNKNOWN)


@pytest.mark.parametrize("text", ["", "..", "../../config", "x" * 40, "é" * 40, "A" * 40, "\0" * 40, "a" * 39])
def test_what_is_no_id_of_a_commit_leads_nowhere(ground: Path, text: str) -> None:
    top = repository(ground / "rock")
    with watched() as seen:
        assert not has(top, text)
    assert all(path == str(top / ".git" / "objects" / "pack") for path in seen)
