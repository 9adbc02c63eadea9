"""The store and its surroundings: who may read its files, what it refuses to follow, what if it cannot write."""

from __future__ import annotations

import os
import stat
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from limpet import system
from limpet.errors import StoreError, StoreReadOnly
from limpet.model.change import Change, ChangeKind, Status
from tests.model.making import admit, memory, on
from tests.runtime.test_keys import make_key
from tests.store.acting import all_memories
from tests.store.homes import files, only_segment, open_store, remove_index, rewrite, segments

POSIX = pytest.mark.skipif(system.WINDOWS, reason="modes and symlinks are POSIX")


def make_every_file(home: Path) -> None:
    """Make every kind of file a store can have."""
    store = open_store(home)
    one = memory()
    store.append([admit(one), admit(memory("other"))])
    store.append([Change(kind=ChangeKind.RECEIPT, subject="r", payload={"ids": [one.id]})], durable=False)
    store.reading()
    store.backup()
    path = only_segment(home)
    rewrite(path, path.read_bytes()[:-10])
    store.reading()
    store.purge([on(one, ChangeKind.PURGE)])
    make_key(home)
    store.close()


# Modes


@POSIX
def test_only_the_owner_may_read_anything_whatever_the_umask(home: Path) -> None:
    before = os.umask(0)
    try:
        make_every_file(home)
        remove_index(home)
        open_store(home).reading()
    finally:
        os.umask(before)
    found = {str(path.relative_to(home)): stat.S_IMODE(path.stat().st_mode) for path in files(home)}
    assert set(found.values()) == {0o600}
    assert {name.split("/")[0] for name in found} >= {"journal", "backups", "damaged", "locks", "device", "keys"}
    folders = [Path(folder) for folder, _, _ in os.walk(home)]
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}


@POSIX
def test_modes_that_are_too_wide_are_tightened(home: Path) -> None:
    make_every_file(home)
    for folder, _, names in os.walk(home):
        os.chmod(folder, 0o777)
        for name in names:
            os.chmod(Path(folder) / name, 0o666)
    store = open_store(home)
    store.append([admit(memory("more"))])
    store.reading()
    path = only_segment(home)
    for tight in (home, home / "journal", path.parent, home / "locks"):
        assert stat.S_IMODE(tight.stat().st_mode) == 0o700, tight
    for tight in (path, home / "index.db", home / "marks.json", home / "locks" / "apply"):
        assert stat.S_IMODE(tight.stat().st_mode) == 0o600, tight


# Symlinks


@POSIX
@pytest.mark.parametrize("place", ["journal", "locks", "device", "journal/device", "backups", "damaged", "keys"])
def test_a_folder_that_is_a_symlink_is_refused(home: Path, place: str) -> None:
    make_every_file(home)
    victim = home.parent / "victim"
    path = only_segment(home).parent if place == "journal/device" else home / place
    path.rename(victim)
    path.symlink_to(victim)
    before = {each: (each.read_bytes(), each.stat().st_mode) for each in files(victim)}
    folder_mode = victim.stat().st_mode

    def everything() -> None:
        store = open_store(home)
        if place == "damaged":
            (home / "index.db").write_bytes(b"not a database")
        try:
            store.append([admit(memory("more"))])
            store.backup()
            make_key(home)
            store.mend(from_backup=True)
        finally:
            store.close()

    if place == "damaged":
        # What is damaged cannot be set aside; the answer is then made from the journal alone.
        ignore_errors(everything)
    else:
        with pytest.raises(StoreError, match="symlink"):
            everything()
    assert {each: (each.read_bytes(), each.stat().st_mode) for each in files(victim)} == before
    assert victim.stat().st_mode == folder_mode


def ignore_errors(act: Callable[[], None]) -> None:
    try:
        act()
    except StoreError:
        pass


@POSIX
@pytest.mark.parametrize(
    "place",
    ["segment", "receipts", "index.db", "index.db-wal", "marks.json", "lock", "locks/apply", "device", "backup"],
)
def test_a_file_that_is_a_symlink_is_never_written_through(home: Path, place: str) -> None:
    make_every_file(home)
    victim = home.parent / "victim"
    path = {
        "segment": only_segment(home),
        "receipts": segments(home, "r")[0],
        "lock": home / "locks" / f"{only_segment(home).parent.name}.000001",
        "device": next((home / "device").iterdir()),
        "backup": next((home / "backups").rglob("0*.jsonl")),
    }.get(place, home / place)
    path.unlink(missing_ok=True)
    victim.write_bytes(b"d0123456789ab")
    victim.chmod(0o644)
    path.symlink_to(victim)

    def everything() -> None:
        store = open_store(home)
        one = memory("more")
        store.append([admit(one)])
        store.append([Change(kind=ChangeKind.RECEIPT, subject="r", payload={"ids": [one.id]})], durable=False)
        store.backup()
        store.purge([on(one, ChangeKind.PURGE)])
        store.close()

    ignore_errors(everything)
    assert victim.read_bytes() == b"d0123456789ab"
    assert stat.S_IMODE(victim.stat().st_mode) == 0o644


@POSIX
@pytest.mark.parametrize("place", ["index.db", "lock", "device"])
def test_a_symlink_in_the_way_of_a_write_is_said_to_be_one(home: Path, place: str) -> None:
    make_every_file(home)
    path = {
        "lock": home / "locks" / f"{only_segment(home).parent.name}.000001",
        "device": next((home / "device").iterdir()),
    }.get(place, home / place)
    path.unlink(missing_ok=True)
    path.symlink_to(home.parent / "victim")
    with pytest.raises(StoreError, match="symlink"):
        open_store(home).append([admit(memory("more"))])
    assert not (home.parent / "victim").exists()


@POSIX
def test_a_segment_replaced_by_a_symlink_is_put_back_and_that_is_said(home: Path) -> None:
    make_every_file(home)
    path, victim = only_segment(home), home.parent / "victim"
    whole = path.read_bytes()
    path.rename(victim)
    path.symlink_to(victim)
    store = open_store(home)
    assert len(all_memories(store.reading())) == 1
    assert any("was damaged" in notice for notice in store.notices)
    assert path.read_bytes() == whole and not path.is_symlink()
    store.append([admit(memory("more"))])
    assert victim.read_bytes() == whole


@POSIX
def test_a_new_segment_is_not_written_through_a_symlink(home: Path) -> None:
    store = open_store(home)
    (kept,) = store.append([admit(memory("one"))])
    store.close()
    victim = home.parent / "victim"
    victim.write_bytes(b"precious")
    (home / "journal" / kept.device / "000002.jsonl").symlink_to(victim)
    with pytest.raises(StoreError, match="symlink"):
        open_store(home, segment_bytes=10).append([admit(memory("two"))])
    assert victim.read_bytes() == b"precious"


@POSIX
def test_a_journal_full_of_symlinks_reads_nothing_from_elsewhere(home: Path) -> None:
    elsewhere = home.parent / "elsewhere"
    other = open_store(elsewhere)
    other.append([admit(memory("not ours"))])
    store = open_store(home)
    store.append([admit(memory("ours"))])
    (home / "journal" / "d00000000000a").symlink_to(only_segment(elsewhere).parent)
    folder = home / "journal" / "d00000000000b"
    folder.mkdir()
    (folder / "000001.jsonl").symlink_to(only_segment(elsewhere))
    assert [stored.memory.content for stored in all_memories(store.reading()).values()] == ["ours"]
    assert store.verify().problems == []


def test_a_home_that_is_itself_a_symlink_is_followed(home: Path) -> None:
    (home.parent / "real").mkdir()
    home.symlink_to(home.parent / "real")
    store = open_store(home)
    store.append([admit(memory())])
    assert store.home == str(home.parent / "real")


def test_a_file_where_the_home_should_be_is_refused(home: Path) -> None:
    home.write_bytes(b"precious")
    with pytest.raises(StoreError):
        open_store(home)
    assert home.read_bytes() == b"precious"


# Homes that cannot be written


@pytest.fixture
def home() -> Iterator[Path]:
    """Yield a path for a home that other users can reach; the folders of pytest are closed to them."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")) as folder:
        yield Path(folder) / "home"


def as_nobody(act: Callable[[], None]) -> str:
    """Run something in a child process that may not write what it does not own; returns what went wrong there."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        message = b""
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            act()
        except BaseException:
            message = traceback.format_exc().encode()
        finally:
            os.write(writer, message[-4000:])
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        told = pipe.read().decode()
    os.waitpid(child, 0)
    return told


def give_away(home: Path, *, folders: int, plain: int) -> None:
    """Let nobody own the home, with these modes; the way to it must be open."""
    home.parent.chmod(0o755)
    for folder, _, names in os.walk(home, topdown=False):
        for name in names:
            os.chown(Path(folder) / name, 65534, 65534)
            os.chmod(Path(folder) / name, plain)
        os.chown(folder, 65534, 65534)
        os.chmod(folder, folders)


@pytest.mark.root
@pytest.mark.parametrize("index", ["with an index", "without an index"])
def test_a_home_that_cannot_be_written_can_be_read(home: Path, index: str) -> None:
    make_every_file(home)
    if index == "without an index":
        remove_index(home)
    give_away(home, folders=0o500, plain=0o400)

    def act() -> None:
        store = open_store(home)
        assert [stored.memory.content for stored in all_memories(store.reading()).values()] == ["other"]
        assert all_memories(store.reading()) == all_memories(store.reading())
        for write in (store.append, store.purge):
            with pytest.raises(StoreReadOnly, match="cannot be written"):
                write([admit(memory("more"))])
        with pytest.raises(StoreReadOnly):
            store.mend()
        assert store.backup() == 0
        store.verify()
        store.close()

    assert as_nobody(act) == ""
    assert len(all_memories(open_store(home).reading())) == 1


@pytest.mark.root
def test_a_home_of_somebody_else_can_be_read_if_its_owner_lets_us(home: Path) -> None:
    make_every_file(home)
    home.parent.chmod(0o755)
    for folder, _, names in os.walk(home):
        os.chmod(folder, 0o755)
        for name in names:
            os.chmod(Path(folder) / name, 0o644)

    def act() -> None:
        store = open_store(home)
        assert len(all_memories(store.reading())) == 1
        with pytest.raises(StoreReadOnly):
            store.append([admit(memory("more"))])

    assert as_nobody(act) == ""


@pytest.mark.root
def test_a_journal_that_cannot_be_written_refuses_and_says_why(home: Path) -> None:
    make_every_file(home)
    give_away(home, folders=0o700, plain=0o600)
    only_segment(home).parent.chmod(0o500)
    only_segment(home).chmod(0o400)

    def act() -> None:
        store = open_store(home)
        assert len(all_memories(store.reading())) == 1
        with pytest.raises(StoreReadOnly, match="cannot be written"):
            store.append([admit(memory("more"))])
        assert len(all_memories(store.reading())) == 1

    assert as_nobody(act) == ""


@pytest.mark.root
def test_a_home_that_may_not_even_be_read_is_refused_in_words(home: Path) -> None:
    make_every_file(home)
    home.parent.chmod(0o755)

    def act() -> None:
        with pytest.raises(StoreError):
            open_store(home).reading()

    assert as_nobody(act) == ""


# Busy stores


def test_nobody_waits_for_a_stopped_process(home: Path) -> None:
    """Whoever holds the apply lock keeps no one from reading what was acknowledged, nor from writing."""
    store = open_store(home)
    store.append([admit(memory("one"))])
    lock = system.try_lock(str(home / "locks" / "apply"))
    assert lock is not None
    try:
        writer, reader = open_store(home, apply_wait_ms=1), open_store(home, apply_wait_ms=1)
        for number in range(3):
            writer.append([admit(memory(f"number {number}"))])
            assert len(all_memories(writer.reading())) == len(all_memories(reader.reading())) == number + 2
        (home / "index.db").unlink()
        assert len(all_memories(open_store(home, apply_wait_ms=1).reading())) == 4
    finally:
        system.unlock(lock)
    assert len(all_memories(open_store(home).reading())) == 4


def test_two_stores_that_find_the_index_missing_build_it_once(home: Path) -> None:
    first, second = open_store(home), open_store(home)
    first.append([admit(memory("one"))])
    second.reading()
    remove_index(home)
    first.reading()
    second.reading()
    assert len(first.notices) == 1
    assert second.notices == []
    assert not (home / "damaged").exists() or not list((home / "damaged").iterdir())


def test_a_rehearsal_shows_what_changes_would_give_and_writes_nothing(home: Path) -> None:
    store = open_store(home)
    first, second = memory("The port is 8080"), memory("The port is 9090")
    store.append([admit(first)])
    before = {path: path.read_bytes() for path in home.rglob("*.jsonl")}
    rehearsed = store.rehearse([admit(second), on(first, ChangeKind.SUPERSEDE, by=second.id)])
    old, new = rehearsed.get(first.id), rehearsed.get(second.id)
    assert old is not None and old.status is Status.SUPERSEDED
    assert new is not None and new.status is Status.LIVE and rehearsed.code_of(second.id) is not None
    current = store.reading()
    found = current.get(first.id)
    assert current.get(second.id) is None and found is not None and found.status is Status.LIVE
    assert {path: path.read_bytes() for path in home.rglob("*.jsonl")} == before
    store.close()
