"""Lines of another machine are appended whole, whatever happened to the file before."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet import clock, system
from limpet.errors import StoreError
from limpet.store.journal.receive import append_received
from limpet.store.journal.segments import path_of

NAME = "d0123456789ab/000001-0a1b2c3d.jsonl"


def read(home: Path) -> bytes:
    return Path(path_of(str(home), NAME)).read_bytes()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "journal").mkdir()
    (tmp_path / "locks").mkdir()
    return tmp_path


def test_lines_are_appended_to_a_file_that_only_the_owner_can_read(home: Path) -> None:
    append_received(str(home), NAME, [b"one", b"two"])
    append_received(str(home), NAME, [b"three"])
    assert read(home) == b"one\ntwo\nthree\n"
    assert Path(path_of(str(home), NAME)).stat().st_mode & 0o077 == 0


def test_half_a_line_that_a_killed_process_left_is_removed(home: Path) -> None:
    append_received(str(home), NAME, [b"one"])
    with open(path_of(str(home), NAME), "ab") as file:
        file.write(b"tw")
    append_received(str(home), NAME, [b"two"])
    assert read(home) == b"one\ntwo\n"


def take_lock(home: Path) -> int:
    lock = system.try_lock(str(home / "locks" / NAME.removesuffix(".jsonl").replace("/", ".")))
    assert lock is not None
    return lock


def test_a_second_sync_of_a_home_waits_for_the_first(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append_received(str(home), NAME, [b"one"])
    locks = [take_lock(home)]

    def pause(_: int) -> None:
        if locks:
            with open(path_of(str(home), NAME), "ab") as file:
                file.write(b"two\n")
            system.unlock(locks.pop())

    monkeypatch.setattr(clock, "pause", pause)
    append_received(str(home), NAME, [b"two", b"three"])
    assert read(home) == b"one\ntwo\nthree\n"


def test_two_processes_do_not_write_at_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, now = take_lock(home), [0]

    def pause(ms: int) -> None:
        now[0] += ms

    monkeypatch.setattr(clock, "pause", pause)
    monkeypatch.setattr(clock, "monotonic_ms", lambda: now[0])
    with pytest.raises(StoreError, match="another process"):
        append_received(str(home), NAME, [b"one"])
    assert now[0] >= 10_000
    system.unlock(lock)


def test_a_link_is_not_followed(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("mine\n")
    Path(path_of(str(home), NAME)).parent.mkdir()
    Path(path_of(str(home), NAME)).symlink_to(target)
    with pytest.raises(OSError):
        append_received(str(home), NAME, [b"one"])
    assert target.read_text() == "mine\n"
