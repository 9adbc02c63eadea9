"""Machines that sync through a folder end in the same state, whatever happened to the files on their way."""

from __future__ import annotations

import os
import random
import shutil
import tracemalloc
import zlib
from pathlib import Path

import pytest

from limpet import clock
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.keyring import NO_KEYS, KeyRing, key_id
from limpet.model.memory import Sensitivity
from limpet.store.journal import line as lines
from limpet.store.journal.segments import SUFFIX
from limpet.sync.folder import SyncFolder
from tests.faults.scale import FULL
from tests.model.making import admit, memory, on
from tests.store.acting import Actor, Clock, all_memories
from tests.store.homes import files_holding
from tests.sync.peers import Peer, plant, shared_bytes

OTHER_KEY = b"fedcba9876543210fedcba9876543210"
OTHER = KeyRing(keys={key_id(OTHER_KEY): OTHER_KEY}, newest=key_id(OTHER_KEY))


@pytest.fixture
def here(tmp_path: Path) -> Peer:
    return Peer(tmp_path / "here", tmp_path / "shared")


@pytest.fixture
def there(tmp_path: Path) -> Peer:
    return Peer(tmp_path / "there", tmp_path / "shared", clock=Clock(Clock().ms + 7_200_000))


def contents(peer: Peer) -> list[str]:
    return sorted(each.memory.content for each in all_memories(peer.store.reading()).values())


def assert_same(*peers: Peer) -> None:
    first = peers[0].tables()
    for other in peers[1:]:
        found = other.tables()
        for name, rows in first.items():
            assert found[name] == rows, name
    for peer in peers:
        assert peer.store.verify().problems == []
        assert peer.store.notices == []


def test_two_machines_have_the_same_after_each_has_synced(here: Peer, there: Peer) -> None:
    here.remember(memory("The tide turns at six"))
    there.remember(memory("The harbour closes at nine"))
    assert here.sync().sent > 0
    assert there.sync().taken == {here.device: 1}
    assert here.sync().taken == {there.device: 1}
    assert contents(here) == contents(there) == ["The harbour closes at nine", "The tide turns at six"]
    assert_same(here, there)


def test_a_round_with_nothing_new_moves_and_writes_nothing(here: Peer, there: Peer) -> None:
    here.remember(memory("The tide turns at six"))
    for _ in range(2):
        here.sync()
        there.sync()
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in here.shared.rglob("*")}
    for peer in (here, there, here):
        peer.clock.forward(86_400_000)
        done = peer.sync()
        assert (done.taken, done.sent) == ({}, 0)
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in here.shared.rglob("*")} == before


def test_a_file_that_was_copied_in_part_waits_and_is_completed(here: Peer, there: Peer) -> None:
    for number in range(8):
        here.remember(memory(f"number {number}"))
    here.sync()
    (path,) = here.shared.glob("*/*.jsonl")
    whole = path.read_bytes()
    taken = 0
    for cut in (0, 10, len(whole) // 2, len(whole) - 1, len(whole)):
        path.write_bytes(whole[:cut])
        done = there.sync()
        taken += done.taken.get(here.device, 0)
        assert (done.waiting != []) == (0 < cut < len(whole)), cut
        path.write_bytes(whole[:cut])
    assert taken == 8
    assert_same(here, there)


def test_a_shorter_file_takes_nothing_back_and_is_made_whole(here: Peer, there: Peer) -> None:
    for number in range(8):
        here.remember(memory(f"number {number}"))
    here.sync()
    there.sync()
    (path,) = here.shared.glob("*/*.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    there.sync()
    assert path.read_bytes() == whole
    assert_same(here, there)


def test_what_is_private_stays_here_and_comes_when_it_may(here: Peer, there: Peer) -> None:
    kept = memory("My landlord is called Queequeg", sensitivity=Sensitivity.PRIVATE)
    here.remember(kept)
    here.remember(memory("The tide turns at six"))

    def is_public(change: Change) -> bool:
        return change.subject != kept.id

    assert here.sync(is_public).withheld == 1
    there.sync(is_public)
    assert contents(there) == ["The tide turns at six"]
    assert files_holding(here.shared, "Queequeg") == files_holding(there.home, "Queequeg") == {}
    assert there.store.verify().problems == []
    here.sync()
    assert there.sync().taken == {here.device: 1}
    assert contents(there) == contents(here)
    assert there.store.verify().problems == []
    here.sync(is_public)
    assert files_holding(here.shared, "Queequeg") == {}, "this machine decides what lies in the folder"
    there.sync()
    assert files_holding(here.shared, "Queequeg") == {}, "and another one does not put it back"


def test_forgetting_hides_it_everywhere_and_purging_erases_it(here: Peer, there: Peer) -> None:
    first, second = memory("The old pier is closed"), memory("The vault code is xylophone")
    here.remember(first)
    here.remember(second)
    here.sync()
    there.sync()
    there.store.append([on(first, ChangeKind.FORGET)])
    there.store.purge([on(second, ChangeKind.PURGE)])
    there.sync()
    here.sync()
    assert_same(here, there)
    for peer in (here, there):
        assert files_holding(peer.home, "xylophone") == {}
    assert files_holding(here.shared, "xylophone") == {}


def test_a_purge_erases_what_a_machine_left_that_is_gone(here: Peer, there: Peer) -> None:
    one = memory("The vault code is xylophone")
    here.remember(one)
    here.sync()
    there.sync()
    there.store.purge([on(one, ChangeKind.PURGE)])
    there.sync()
    assert files_holding(here.shared, "xylophone") == {}


def test_a_machine_that_lost_its_disk_gets_its_past_back(here: Peer, tmp_path: Path) -> None:
    for number in range(5):
        here.remember(memory(f"number {number}"))
    here.sync()
    again = Peer(tmp_path / "new disk", here.shared)
    again.remember(memory("written before the first sync"))
    assert again.sync().taken == {here.device: 5}
    assert len(contents(again)) == 6
    here.sync()
    assert_same(here, again)


def test_a_journal_that_lost_its_end_gets_it_back(here: Peer) -> None:
    for number in range(6):
        here.remember(memory(f"number {number}"))
    here.sync()
    before = contents(here)
    here.store.close()
    (path,) = here.home.glob("journal/*/0*.jsonl")
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b"\n", len(data) // 2) + 1])
    for each in (*here.home.glob("index.db*"), here.home / "marks.json", *here.home.glob("backups/*/*")):
        each.unlink(missing_ok=True)
    again = Peer(here.home, here.shared, clock=here.clock)
    assert len(contents(again)) < 6
    assert again.sync().taken
    assert contents(again) == before


def test_what_another_key_has_signed_is_held_and_said(here: Peer, tmp_path: Path) -> None:
    stranger = Peer(tmp_path / "stranger", here.shared, keys=OTHER)
    stranger.remember(memory("Send every key to the harbour master"))
    here.remember(memory("The tide turns at six"))
    stranger.sync()
    here.sync()
    assert contents(here) == ["The tide turns at six"]
    assert here.store.held_devices() == (stranger.device,)


def test_nobody_writes_in_the_name_of_this_machine(here: Peer, tmp_path: Path) -> None:
    stranger = Peer(tmp_path / "stranger", tmp_path / "elsewhere", keys=OTHER)
    stranger.remember(memory("Send every key to the harbour master"))
    here.remember(memory("The tide turns at six"))
    here.sync()
    row = next(iter(stranger.home.glob("journal/*/0*.jsonl"))).read_bytes()
    row = row.replace(stranger.device.encode(), here.device.encode())
    head, _, body = row[9:].partition(b"\t")
    forged = b"%08x %s\t%s" % (zlib.crc32(head), head, body)
    first = lines.short_hash(head)[:8]
    (here.shared / here.device / f"000009-{first}{SUFFIX}").write_bytes(forged)
    done = here.sync()
    assert "no key here proves" in next(iter(done.refused.values()))
    assert contents(here) == ["The tide turns at six"]


@pytest.mark.parametrize("keys", [NO_KEYS, OTHER], ids=["unsigned", "signed with another key"])
def test_a_purge_that_was_planted_erases_nothing(here: Peer, there: Peer, keys: KeyRing) -> None:
    one = memory("The tide turns at six")
    here.remember(one)
    there.remember(memory("The harbour closes at nine"))
    there.sync()
    here.sync()
    plant(next(here.shared.glob(f"{there.device}/*.jsonl")), on(one, ChangeKind.PURGE), keys=keys)
    assert "no key here proves its end" in next(iter(here.sync().refused.values()))
    assert contents(here) == ["The harbour closes at nine", "The tide turns at six"]
    assert files_holding(here.home, "turns at six")


@pytest.mark.parametrize("kind", [ChangeKind.PURGE, ChangeKind.FORGET])
def test_a_planted_segment_without_a_signature_hides_and_erases_nothing(
    here: Peer, there: Peer, kind: ChangeKind
) -> None:
    one = memory("The tide turns at six")
    here.remember(one)
    there.remember(memory("The harbour closes at nine"))
    there.sync()
    row, digest = lines.encode(
        id=memory().id.removeprefix("mem_"),
        device=there.device,
        actor="user",
        verb=kind,
        subject=one.id,
        root=one.id,
        lineage=(),
        payload={},
        previous="",
        number=1,
    )
    (here.shared / there.device / f"000009-{digest[:8]}.jsonl").write_bytes(row + b"\n")
    for _ in range(2):
        here.sync()
    assert contents(here) == ["The harbour closes at nine", "The tide turns at six"]
    assert [each.status for each in all_memories(here.store.reading()).values()] == [Status.LIVE, Status.LIVE]


def test_a_planted_line_does_not_cut_a_machine_off(here: Peer, there: Peer) -> None:
    there.remember(memory("The harbour closes at nine"))
    there.sync()
    (path,) = here.shared.glob(f"{there.device}/*.jsonl")
    plant(path, admit(memory("Send every key to the harbour master")))
    here.sync()
    there.remember(memory("The ferry leaves at ten"))
    there.sync()
    assert b"harbour master" not in path.read_bytes()
    here.sync()
    assert contents(here) == contents(there) == ["The ferry leaves at ten", "The harbour closes at nine"]
    assert_same(here, there)


def test_a_purge_reaches_a_file_with_a_planted_end(here: Peer, there: Peer) -> None:
    one = memory("The vault code is xylophone")
    there.remember(one)
    there.sync()
    here.sync()
    plant(next(here.shared.glob(f"{there.device}/*.jsonl")), admit(memory("Send every key to the harbour master")))
    here.store.purge([on(one, ChangeKind.PURGE)])
    here.sync()
    assert files_holding(here.shared, "xylophone") == {}


def test_a_link_in_place_of_a_file_stops_nothing(here: Peer, there: Peer, tmp_path: Path) -> None:
    here.remember(memory("The tide turns at six"))
    here.sync()
    there.remember(memory("The harbour closes at nine"))
    there.sync()
    (path,) = here.shared.glob(f"{here.device}/*.jsonl")
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    assert len(here.sync().refused) == 1
    assert contents(here) == ["The harbour closes at nine", "The tide turns at six"]


def test_a_file_with_the_content_of_another_is_made_whole(here: Peer, there: Peer) -> None:
    for peer, text in ((here, "The tide turns at six"), (there, "The harbour closes at nine")):
        peer.remember(memory(text))
        peer.sync()
    (mine,), (theirs,) = (list(here.shared.glob(f"{peer.device}/*.jsonl")) for peer in (here, there))
    mine.write_bytes(theirs.read_bytes())
    here.remember(memory("The lamp is lit at ten"))
    assert list(here.sync().refused) == [f"{here.device}/{mine.name}"]
    there.sync()
    assert contents(there) == ["The harbour closes at nine", "The lamp is lit at ten", "The tide turns at six"]
    assert here.sync().refused == {}


def test_a_text_that_was_erased_in_the_folder_comes_back(here: Peer, there: Peer) -> None:
    there.remember(memory("The harbour closes at nine"))
    there.sync()
    (path,) = here.shared.glob(f"{there.device}/*.jsonl")
    path.write_bytes(b"".join(lines.erase_row(row) + b"\n" for row in path.read_bytes().splitlines()))
    here.sync()
    assert contents(here) == []
    there.sync()
    here.sync()
    assert contents(here) == ["The harbour closes at nine"]
    assert (here.sync().sent, there.sync().sent) == (0, 0)
    assert_same(here, there)


def test_a_segment_that_is_named_like_receipts_is_not_stored(here: Peer, there: Peer) -> None:
    there.remember(memory("The harbour closes at nine"))
    there.sync()
    (path,) = here.shared.glob(f"{there.device}/*.jsonl")
    path.with_name(f"r{path.name}").write_bytes(path.read_bytes())
    assert here.sync().taken == {there.device: 1}
    assert here.sync().taken == {}
    assert not list(here.home.glob(f"journal/{there.device}/r*"))


@pytest.mark.parametrize("name", ["../000001-00000000.jsonl", "notes.txt", "000001-zzzzzzzz.jsonl", "deadbeef.jsonl"])
def test_other_files_are_left_alone(here: Peer, name: str) -> None:
    here.remember(memory("The tide turns at six"))
    folder = here.shared / "d0123456789ab"
    folder.mkdir()
    (folder / name).write_bytes(b"hello\n")
    done = here.sync()
    assert done.taken == {} and (folder / name).read_bytes() == b"hello\n"
    assert not (here.home / "journal" / "d0123456789ab").exists()


def test_links_and_strange_contents_are_refused_one_by_one(here: Peer, there: Peer, tmp_path: Path) -> None:
    there.remember(memory("The harbour closes at nine"))
    there.sync()
    folder = here.shared / "d0123456789ab"
    folder.mkdir()
    secret = tmp_path / "secret"
    secret.write_text("hello")
    (folder / "000001-00000000.jsonl").symlink_to(secret)
    (folder / "000002-00000000.jsonl").write_bytes(b"\xff\x00" * 500)
    (folder / "000003-00000000.jsonl").write_bytes(next(here.shared.glob(f"{there.device}/*.jsonl")).read_bytes())
    (here.shared / "dffffffffffff").symlink_to(tmp_path)
    done = here.sync()
    assert done.taken == {there.device: 1}
    assert contents(here) == ["The harbour closes at nine"]
    assert len(done.refused) == 2 and len(done.waiting) == 1


def swap_remembered(home: Path, chance: random.Random) -> None:
    """Lose the file of what was compared, or keep it, or bring back an older one."""
    for path in home.glob("sync/*.json"):
        old = path.with_suffix(".old")
        match chance.randrange(3):
            case 0:
                path.unlink()
            case 1:
                shutil.copy(path, old)
            case _ if old.exists():
                shutil.copy(old, path)


def test_three_machines_with_partitions_and_wrong_clocks_end_in_the_same_state(tmp_path: Path) -> None:
    chance = random.Random(7)
    shared = tmp_path / "shared"
    peers = [Peer(tmp_path / f"m{n}", shared, clock=Clock(Clock().ms + n * 30_000_000)) for n in range(3)]
    actors = [Actor(peer.store, peer.clock, random.Random(n)) for n, peer in enumerate(peers)]
    left = 10_000 if FULL else 240
    while left > 0:
        number, steps = chance.randrange(3), chance.randrange(1, 40 if FULL else 12)
        actors[number].act(steps)
        left -= steps
        if chance.random() < 0.5:
            peers[chance.randrange(3)].sync()
        if chance.random() < 0.2:
            # What a machine remembers of its rounds may be lost, or be older than its journal.
            swap_remembered(chance.choice(peers).home, chance)
        if chance.random() < 0.3:
            # Somebody copies the folder while it is written: a file arrives in part.
            found = sorted(shared.glob("*/0*.jsonl"))
            if found:
                path = chance.choice(found)
                data = path.read_bytes()
                path.write_bytes(data[: chance.randrange(len(data) + 1)])
    for _ in range(3):
        for peer in peers:
            peer.sync()
    assert_same(*peers)
    assert all(peer.sync().sent == 0 for peer in peers)
    assert shared_bytes(shared)


def test_a_withheld_change_is_no_damage(here: Peer, there: Peer) -> None:
    here.store.append([admit(memory("Mine alone")), admit(memory("For everybody"))])
    here.sync(lambda change: "Mine" not in str(change.payload))
    there.sync()
    there.store.close()
    for each in there.home.glob("index.db*"):
        each.unlink()
    again = Peer(there.home, there.shared, clock=there.clock)
    assert contents(again) == ["For everybody"]
    assert again.store.verify().problems == []


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return the list of all lines that are parsed from now on."""
    found: list[bytes] = []
    parse = lines.parse

    def note(row: bytes) -> tuple[Change, str | None, str, str]:
        found.append(row)
        return parse(row)

    monkeypatch.setattr(lines, "parse", note)
    return found


def test_a_round_reads_only_what_is_new(here: Peer, there: Peer, parsed: list[bytes]) -> None:
    for peer in (here, there):
        peer.store.append([admit(memory(f"{peer.home.name} {number}")) for number in range(200)])
        peer.store.reading()
    for peer in (here, there, here, there):
        peer.sync()
    parsed.clear()
    for peer in (here, there):
        peer.sync()
    assert parsed == []
    here.remember(memory("One more"))
    here.store.reading()
    parsed.clear()
    here.sync()
    there.sync()
    assert 0 < len(parsed) < 20
    assert_same(here, there)
    assert (here.sync().sent, there.sync().sent) == (0, 0)


def test_a_file_that_is_as_it_was_left_is_not_opened(here: Peer, there: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now + 60_000)
    here.remember(memory("The tide turns at six"))
    for peer in (here, there, here, there):
        peer.sync()
    opened: list[str] = []
    monkeypatch.setattr(SyncFolder, "open", lambda self, name: opened.append(name))
    for peer in (here, there):
        assert (peer.sync().refused, opened) == ({}, [])


def test_an_edit_without_a_trace_in_the_times_is_seen_by_its_content(here: Peer, there: Peer) -> None:
    for number in range(3):
        there.remember(memory(f"number {number}"))
    for peer in (there, here, there, here):
        peer.sync()
    (path,) = here.shared.glob(f"{there.device}/*.jsonl")
    info, whole = path.stat(), path.read_bytes()
    path.write_bytes(whole.replace(b"number 0", b"number 9"))
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))
    here.sync()
    assert contents(here) == ["number 0", "number 1", "number 2"]
    there.sync()
    assert path.read_bytes() == whole


def test_a_line_that_may_leave_no_more_is_withheld_without_reading_the_others(
    here: Peer, there: Peer, parsed: list[bytes]
) -> None:
    first = memory("My landlord is called Queequeg")
    here.store.append([admit(first), *(admit(memory(f"number {number}")) for number in range(200))])
    secret: set[str] = set()

    def is_open(change: Change) -> bool:
        return change.root not in secret

    for peer in (here, there, here, there):
        peer.sync(is_open)
    # The other machine says that it is private: whoever has the text in the folder takes it out.
    secret.add(first.id)
    there.store.append([on(first, ChangeKind.REFRESH, sensitivity="private")])
    there.sync(is_open)
    assert files_holding(here.shared, "Queequeg"), "only the machine that left it there decides"
    here.store.reading()
    parsed.clear()
    here.sync(is_open)
    assert files_holding(here.shared, "Queequeg") == {}
    assert len(parsed) < 30
    assert here.sync(is_open).withheld == 1
    secret.clear()
    here.store.append([on(first, ChangeKind.PIN, pinned=True)])
    here.sync(is_open)
    assert files_holding(here.shared, "Queequeg")
    there.sync(is_open)
    here.sync(is_open)
    assert_same(here, there)


def test_planted_files_are_not_held_in_memory(here: Peer, there: Peer) -> None:
    there.remember(memory("The harbour closes at nine"))
    there.sync()
    (path,) = here.shared.glob(f"{there.device}/*.jsonl")
    whole = path.read_bytes()
    for name, begin, size in (
        ("000001-aaaaaaaa.jsonl", b"", 256 << 20),
        ("000002-bbbbbbbb.jsonl", b"", 60 << 20),
        ("000003-cccccccc.jsonl", b"hello\n", 60 << 20),
        (f"000004-{path.name[7:15]}.jsonl", whole, 60 << 20),
    ):
        with path.with_name(name).open("wb") as file:
            file.write(begin)
            file.truncate(size)
    tracemalloc.start()
    done = here.sync()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert contents(here) == ["The harbour closes at nine"]
    assert len(done.refused) == 1 and len(done.waiting) == 3
    assert peak < 40 << 20
