"""Whatever happens to one file of the store, everything is still there, and losses are reported."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from limpet import system
from limpet.api import Limpet
from limpet.model.outcome import Admitted
from limpet.store.journal.sealed import is_sealed
from limpet.store.journal.segments import list_segments
from tests.faults import scale
from tests.faults.processes import Ledger, Nursery, assert_sound, limpet, list_by_command, load_checked, load_memories
from tests.faults.writer import sentence


def empty(path: Path) -> None:
    os.truncate(path, 0)


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def cut_a_page(path: Path) -> None:
    size = path.stat().st_size
    os.truncate(path, max(0, size - (4096 if size > 8192 else 40)))


def scribble(path: Path) -> None:
    """Overwrite a page in the middle, or half of a small file, with noise."""
    size = path.stat().st_size
    length = 4096 if size > 12_288 else size // 2 or 8
    with path.open("r+b") as file:
        file.seek(max(0, size - length) // 2)
        file.write(random.Random(size).randbytes(length))


def delete(path: Path) -> None:
    path.unlink()


def replace_by_text(path: Path) -> None:
    path.write_text("../../somewhere else\n")


DAMAGES = (empty, halve, cut_a_page, scribble, delete)

FILES = (
    "index.db",
    "index.db-wal",
    "index.db-shm",
    "journal/*/000001.jsonl",
    "journal/*/000002.jsonl",
    "journal/*/000003.jsonl",
    "journal/*/r000001.jsonl",
    "marks.json",
    "device/*",
    "locks/apply",
    "locks/*.000001",
    "backups/journal/*/000001.jsonl",
    "backups/journal/*/000002.jsonl",
    "backups/journal/*/000003.jsonl",
)


@dataclass(frozen=True)
class Original:
    home: Path
    copy: Path
    texts: dict[str, str]

    def restore(self) -> None:
        """Put the files back into the same folder with the same times: a new folder would be another device."""
        for entry in self.home.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        shutil.copytree(self.copy, self.home, dirs_exist_ok=True)


def build(home: str, *, memories: int, chance: random.Random) -> dict[str, str]:
    """Build a used store: three segments, corrections, forgotten memories, facts, accesses, a log half checkpointed."""
    texts: dict[str, str] = {}
    readers: list[apsw.Connection] = []
    for part in range(3):
        with Limpet() as memory:
            for _ in range(memories // 3):
                text = sentence(chance)
                outcome = memory.remember(text)
                assert isinstance(outcome, Admitted)
                texts[outcome.memory.id] = text
            name = list(texts)[-1]
            text = sentence(chance)
            outcome = memory.correct(name, text)
            assert isinstance(outcome, Admitted)
            texts[outcome.memory.id] = text
            memory.forget(list(texts)[-3])
            memory.facts("add", "harbour", "lies-near", "cliff")
            memory.show(outcome.memory.id)
        if part == 1:
            # While somebody reads, the rest of the log stays out of the main file, so that both hold something.
            readers.append(apsw.Connection(os.path.join(home, "index.db")))
            readers[0].config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            readers[0].execute("BEGIN; SELECT count(*) FROM memory").fetchall()
    readers[0].close()
    return texts


@pytest.fixture
def original(home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Original:
    monkeypatch.setenv("LIMPET_STORE__BACKUP_HOURS", "0.000001")
    monkeypatch.setenv("LIMPET_STORE__SEGMENT_BYTES", str(scale.DAMAGED_MEMORIES * 420))
    texts = build(home, memories=scale.DAMAGED_MEMORIES, chance=random.Random("damage"))
    monkeypatch.setenv("LIMPET_STORE__BACKUP_HOURS", "1000")
    assert (Path(home) / "index.db-wal").stat().st_size > 0
    assert len(list(Path(home).glob("journal/*/0*.jsonl"))) == 3
    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    return Original(home=Path(home), copy=copy, texts=texts)


def find_file(home: Path, pattern: str) -> Path:
    found = sorted(path for path in home.glob(pattern) if path.is_file())
    assert found, pattern
    return found[0]


def needs_another_copy(pattern: str, damage: Callable[[Path], None]) -> bool:
    """Tell whether the damage needs another copy to repair; half of an index may be in its log as well."""
    if pattern == "index.db":
        return damage in (empty, delete)
    return pattern.startswith("journal/") and "/r" not in pattern


@pytest.mark.parametrize("pattern", FILES)
def test_any_one_file_may_be_damaged_and_everything_is_back(original: Original, pattern: str) -> None:
    for damage in DAMAGES:
        original.restore()
        damage(find_file(original.home, pattern))
        found, said = list_by_command()
        assert found == original.texts, (pattern, damage.__name__)
        told = damage.__name__, said
        if needs_another_copy(pattern, damage):
            assert "limpet: the " in said, told
        # Writing goes on, and what was mended has no problems.
        with Limpet() as memory:
            text = sentence(random.Random(pattern))
            outcome = memory.remember(text)
            assert isinstance(outcome, Admitted), told
        assert load_checked(str(original.home)).keys() == original.texts.keys() | {outcome.memory.id}, told


@pytest.mark.parametrize("pattern", ["index.db", "journal/*/000001.jsonl", "marks.json", "device/*", "locks/apply"])
def test_a_file_replaced_by_something_else_is_not_believed(original: Original, pattern: str) -> None:
    replace_by_text(find_file(original.home, pattern))
    found, _ = list_by_command()
    assert found == original.texts
    done = limpet("remember", "written after that")
    assert done.returncode == 0, done.stderr
    assert_sound()
    folders = {entry.name for entry in original.home.iterdir()} | {
        entry.name for entry in original.home.parent.iterdir()
    }
    assert "somewhere else" not in folders


@pytest.mark.parametrize("folder", ["journal", "locks", "device", "backups"])
def test_a_whole_folder_may_be_deleted_and_everything_is_back(original: Original, folder: str) -> None:
    shutil.rmtree(original.home / folder)
    found, said = list_by_command()
    assert found == original.texts
    assert ("limpet: the journal" in said) == (folder == "journal")
    assert limpet("remember", "written after that").returncode == 0
    assert_sound()


@pytest.mark.parametrize("damage", DAMAGES)
def test_when_both_copies_are_damaged_the_backup_brings_everything_back(
    original: Original, damage: Callable[[Path], None]
) -> None:
    damage(find_file(original.home, "journal/*/000001.jsonl"))
    for path in original.home.glob("index.db*"):
        path.unlink()
    found, said = list_by_command()
    assert found == original.texts
    assert "came back from the backup" in said
    assert limpet("remember", "written after that").returncode == 0
    assert_sound()


def test_what_no_copy_holds_is_reported_as_lost(original: Original) -> None:
    """Written after the last backup, and then both copies are gone."""
    lost = limpet("remember", "--json", "written after the last backup")
    assert lost.returncode == 0
    segments = [original.home / "journal" / name for name, _, _ in list_segments(str(original.home))]
    segment = next(path for path in segments if b"after the last backup" in path.read_bytes())
    segment.unlink()
    for path in original.home.glob("index.db*"):
        path.unlink()
    found, said = list_by_command()
    assert found == original.texts
    assert "1 could not be found again" in said


def test_when_all_but_the_backup_is_gone_it_is_not_taken_for_a_fresh_start(original: Original) -> None:
    for path in original.home.iterdir():
        if path.name != "backups":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    found, said = list_by_command()
    assert found == original.texts
    assert "backup" in said


@pytest.mark.parametrize("index", ["with", "without"])
def test_a_damaged_segment_that_a_writer_holds_is_left_to_it_and_mended_later(original: Original, index: str) -> None:
    """If the file were set aside, what the writer appends to it would be lost."""
    segment = find_file(original.home, "journal/*/000001.jsonl")
    empty(segment)
    if index == "without":
        for path in original.home.glob("index.db*"):
            path.unlink()
    lock = system.try_lock(str(original.home / "locks" / f"{segment.parent.name}.000001"))
    assert lock is not None
    inode = segment.stat().st_ino
    for _ in range(2):
        _, said = list_by_command()
        assert "in use" in said
        assert segment.stat().st_ino == inode
    system.unlock(lock)
    found, said = list_by_command()
    assert found == original.texts
    assert "limpet: the journal segment" in said
    assert_sound()


def test_a_rebuild_killed_before_the_backup_was_asked_is_made_again(original: Original, nursery: Nursery) -> None:
    empty(find_file(original.home, "journal/*/000001.jsonl"))
    for path in original.home.glob("index.db*"):
        path.unlink()
    writer = nursery.start(str(original.home), "stopped before asking the backup", 0)
    writer.wait_until_stopped()
    writer.kill_after(0)
    found, said = list_by_command()
    assert found == original.texts
    assert "came back from the backup" in said
    assert_sound()


def test_an_index_lost_while_many_are_at_work_is_rebuilt_once_and_loses_nothing(home: str, nursery: Nursery) -> None:
    writers = [nursery.start(home, "remember", f"lost {number}", 30) for number in range(3)]
    for _ in range(3):
        for path in Path(home).glob("index.db*"):
            path.unlink(missing_ok=True)
        time.sleep(0.1)
    ledger = Ledger()
    for writer in writers:
        assert (writer.end(), writer.complaint()) == (0, "")
        ledger.read(writer.has_said())
    assert ledger.differences(load_checked(home)) == []


@pytest.mark.parametrize("index", ["with", "without"])
def test_a_segment_torn_at_any_byte_is_mended_and_written_on(original: Original, index: str) -> None:
    """Torn within its last records: with the index they come back, without it the backup helps; the chain is whole."""
    segment = find_file(original.home, "journal/*/000003.jsonl")
    data = segment.read_bytes()
    last = data.rstrip(b"\n").rfind(b"\n") + 1
    header_end = data.index(b"\t", last)
    telling = {last - 1, last, last + 1, header_end, header_end + 1, len(data) - 1, len(data) - 2}
    chance = random.Random(index)
    tears = [*telling, *(chance.randrange(last - 2000, len(data)) for _ in range(scale.TEARS))]
    assert_torn_segment_is_mended(original, segment, tears, index=index)


@pytest.mark.parametrize("index", ["with", "without"])
def test_a_sealed_segment_torn_at_any_byte_is_mended(original: Original, index: str) -> None:
    segment = find_file(original.home, "journal/*/000002.jsonl")
    assert is_sealed(str(segment))
    chance = random.Random(index)
    size = segment.stat().st_size
    tears = [1, size - 1, *(chance.randrange(size) for _ in range(scale.TEARS))]
    assert_torn_segment_is_mended(original, segment, tears, index=index)


def assert_torn_segment_is_mended(original: Original, segment: Path, tears: list[int], *, index: str) -> None:
    """Cut the segment at each of these bytes, with or without the index, and look for every memory and a new one."""
    chance = random.Random(f"{index} after")
    for cut in tears:
        original.restore()
        os.truncate(segment, cut)
        if index == "without":
            for path in original.home.glob("index.db*"):
                path.unlink()
        assert load_memories(str(original.home)).keys() == original.texts.keys(), cut
        with Limpet() as memory:
            outcome = memory.remember(sentence(chance))
            assert isinstance(outcome, Admitted)
        assert load_checked(str(original.home)).keys() == original.texts.keys() | {outcome.memory.id}, cut


def test_a_record_torn_by_a_kill_is_closed_and_never_swallows_the_next(home: str) -> None:
    """It was never acknowledged, so no other copy has it: wherever it is torn, the chain must stay whole."""
    with Limpet() as memory:
        memory.remember("the one before")
    segment = find_file(Path(home), "journal/*/000001.jsonl")
    known = segment.read_bytes()
    copy = Path(f"{home}-copy")
    shutil.copytree(home, copy)
    with Limpet() as memory:
        memory.remember("the one that is torn")
    whole = segment.read_bytes()
    header_end = whole.index(b"\t", len(known))
    chance = random.Random("torn")
    cuts = {len(known) + 1, header_end, header_end + 1, len(whole) - 2, len(whole) - 1}
    for cut in sorted(cuts) + [chance.randrange(len(known) + 1, len(whole)) for _ in range(scale.TEARS)]:
        for entry in Path(home).iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        shutil.copytree(copy, home, dirs_exist_ok=True)
        segment.write_bytes(whole[:cut])
        with Limpet() as memory:
            memory.remember("the one after")
            # Torn again, so that two closed tails lie side by side; a whole record would be one too many.
            with segment.open("ab") as file:
                file.write(whole[len(known) : min(cut, len(whole) - 2)])
            memory.remember("and one more")
        texts = {stored.memory.content for stored in load_checked(home).values()}
        assert {"the one before", "the one after", "and one more"} <= texts, cut
        assert texts <= {"the one before", "the one that is torn", "the one after", "and one more"}, cut


def test_damage_that_comes_back_from_the_backup_keeps_what_was_written_since(original: Original) -> None:
    done = limpet("remember", "written after the last backup")
    assert done.returncode == 0
    scribble(find_file(original.home, "journal/*/000001.jsonl"))
    segment = find_file(original.home, "journal/*/000003.jsonl")
    with segment.open("r+b") as file:
        file.seek(100)
        file.write(b"#" * 500)
    for path in original.home.glob("index.db*"):
        path.unlink()
    found, said = list_by_command()
    assert original.texts.items() <= found.items()
    assert "written after the last backup" in found.values()
    assert "came back from the backup" in said
    assert_sound()
    assert list_segments(str(original.home))
