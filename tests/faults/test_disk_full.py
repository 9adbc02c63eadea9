"""A full disk refuses with a sentence, loses nothing, can still be read, and takes writes again when there is room."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults import scale
from tests.faults.processes import assert_sound, limpet, list_by_command, nursery, remember
from tests.faults.writer import sentence

LIMITED = """
import resource, sys
from limpet.cli import main
sys.dont_write_bytecode = True  # byte code that was cut off would break every later start
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
sys.exit(main())
"""


def limpet_with_files_up_to(size: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that may make no file larger than this: a full disk without being root."""
    command = [sys.executable, "-c", LIMITED, str(size), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    assert "went wrong inside" not in done.stderr, done.stderr
    return done


@pytest.fixture
def small_disk(tmp_path: Path, home: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a home on a disk of 3 MB, which only root can mount."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here, not even by root; the limit on file sizes is tried instead")
    monkeypatch.setenv("LIMPET_HOME", str(disk / "home"))
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def fill(disk: Path, *, leave: int = 0) -> Path:
    """Fill the disk except for some bytes."""
    free = os.statvfs(disk)
    filler = disk / f"filler{os.urandom(3).hex()}"
    with filler.open("wb", buffering=0) as file:
        left = free.f_bavail * free.f_bsize - leave
        try:
            while left > 0:
                left -= file.write(b"x" * min(left, 1 << 16))
        except OSError:
            pass
    return filler


def refuses_with_a_sentence(done: subprocess.CompletedProcess[str]) -> bool:
    if done.returncode == 0:
        return False
    assert done.returncode == 1, done
    assert "no space left" in done.stderr, done.stderr
    assert done.stdout == ""
    return True


@pytest.mark.root
def test_a_disk_that_fills_up_while_writing_loses_nothing(small_disk: Path, measured: Callable[[str], None]) -> None:
    chance = random.Random("full")
    kept: dict[str, str] = {}
    refused = acknowledged = 0
    for number in range(scale.TIMES_FULL):
        if number % 4 == 3:
            # The disk is small: start over before the store alone fills it.
            acknowledged += len(kept)
            kept.clear()
            shutil.rmtree(small_disk / "home")
        text = sentence(chance)
        kept[remember(text)] = text
        filler = fill(small_disk, leave=chance.choice((0, 4096, 20_000, 60_000)))
        for _ in range(40):
            text = sentence(chance, 300)
            done = limpet("remember", text)
            if refuses_with_a_sentence(done):
                refused += 1
                break
            kept[done.stdout.split()[1]] = text
        else:
            raise AssertionError("the disk never filled up")
        found, _ = list_by_command()
        assert kept.items() <= found.items()
        assert text not in found.values()
        assert limpet("recall", "harbour").returncode == 0
        filler.unlink()
        text = sentence(chance)
        kept[remember(text)] = text
        assert kept.items() <= list_by_command()[0].items()
        assert_sound()
    acknowledged += len(kept)
    measured(f"enospc: disk full {scale.TIMES_FULL} times, {refused} refused, {acknowledged} acknowledged, 0 lost")


@pytest.mark.root
def test_a_journal_that_can_be_written_suffices_when_the_index_cannot_grow(small_disk: Path) -> None:
    kept = {remember(text): text for text in ("the first of them", "another one beside it")}
    # The last page of the journal has room left; the log of the index cannot get a new page.
    filler = fill(small_disk)
    text = "written to the journal alone"
    done = limpet("remember", text)
    assert done.returncode == 0, done.stderr
    kept[done.stdout.split()[1]] = text
    assert list_by_command()[0] == kept
    assert text in limpet("recall", "journal alone").stdout
    filler.unlink()
    assert list_by_command()[0] == kept
    assert_sound()


@pytest.mark.root
def test_an_index_that_was_lost_while_the_disk_is_full_does_not_stop_reading(small_disk: Path) -> None:
    kept = {remember(text): text for text in ("the first of them", "another one beside it")}
    home = small_disk / "home"
    for path in home.glob("index.db*"):
        path.unlink()
    filler = fill(small_disk)
    assert list_by_command()[0] == kept
    filler.unlink()
    assert list_by_command()[0] == kept
    assert_sound()


@pytest.mark.root
def test_a_first_write_on_a_full_disk_says_why(small_disk: Path) -> None:
    filler = fill(small_disk)
    assert refuses_with_a_sentence(limpet("remember", "there is no room for this"))
    filler.unlink()
    remember("now there is")
    assert_sound()


@pytest.mark.root
@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "{disk}/out.jsonl"),
        ("stash", "monday", "--text", "We moved the port."),
        ("config", "recall.limit", "7"),
        ("setup", "claude-code"),
        ("serve", "--port", "0"),
        ("import", "{disk}/memory.jsonl", "--from", "server-memory"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_on_a_full_disk_says_why_and_works_when_there_is_room(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    project = small_disk / "project"
    project.mkdir()
    entity = {"type": "entity", "name": "port", "entityType": "x", "observations": ["The proxy needs port 80. " * 200]}
    (small_disk / "memory.jsonl").write_text(json.dumps(entity))
    command = [each.format(disk=small_disk) for each in arguments]
    # The process that starts all commands must not have its folder on a disk that is unmounted.
    nursery()
    with monkeypatch.context() as patch:
        patch.chdir(project)
        patch.setenv("HOME", str(small_disk))
        remember("the first of them")
        filler = fill(small_disk)
        done = limpet(*command)
        assert done.returncode == 1, done
        assert "o space left" in done.stderr and "owner and mode" not in done.stderr
        filler.unlink()
        if arguments[0] != "serve":
            assert limpet(*command).returncode == 0
        assert "the first of them" in list_by_command()[0].values()
        assert_sound()


def test_a_limit_on_the_size_of_files_loses_nothing(home: str) -> None:
    chance = random.Random("limit")
    texts = [sentence(chance, 60) for _ in range(6)]
    kept = {remember(text): text for text in texts}
    segment = next(Path(home, "journal").rglob("*.jsonl"))
    # First the index's log alone is too large, then the journal too.
    for room in (4000, 0):
        text = sentence(chance, 60)
        done = limpet_with_files_up_to(segment.stat().st_size + room, "remember", text)
        if room:
            assert done.returncode == 0, done.stderr
            kept[done.stdout.split()[1]] = text
        else:
            assert refuses_with_a_sentence(done)
        listed = limpet_with_files_up_to(segment.stat().st_size, "list", "--json", "--all")
        assert listed.returncode == 0, listed.stderr
        assert all(name in listed.stdout for name in kept)
        assert list_by_command()[0] == kept
    text = sentence(chance)
    kept[remember(text)] = text
    assert list_by_command()[0] == kept
    assert_sound()
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
