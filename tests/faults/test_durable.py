"""Acknowledged means on disk: the sync of the journal comes after the record and before the answer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limpet import system
from limpet.api import Limpet
from limpet.errors import StoreError
from limpet.model.outcome import Admitted
from tests.faults.processes import COMMAND, remember
from tests.operations.sandbox import give_code

_CALL = re.compile(r"^(?:\d+ +)?(\w+)\((?:AT_FDCWD\S*, )?(\d+)?(?:<([^>]*)>)?")


def calls_of(*arguments: str, trace: Path) -> list[tuple[str, int, str]]:
    """Return name, file descriptor and file of every write and sync call of a command, in order."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed, so what reaches the kernel is not looked at")
    names = "trace=write,pwrite64,pwritev,fdatasync,fsync"
    watched = ["strace", "-f", "-y", "-s", "0", "-e", names, "-o", str(trace), *COMMAND, *arguments]
    done = subprocess.run(watched, capture_output=True, text=True, check=False)
    if "PTRACE" in done.stderr or "ptrace" in done.stderr:
        pytest.skip("strace may not watch processes here, so what reaches the kernel is not looked at")
    assert done.returncode == 0, done.stderr
    found = []
    for line in trace.read_text(errors="replace").splitlines():
        match = _CALL.match(line)
        if match and match[2]:
            found.append((match[1], int(match[2]), match[3] or ""))
    return found


def positions(calls: list[tuple[str, int, str]], name: str, where: Callable[[int, str], bool]) -> list[int]:
    return [number for number, (call, fd, path) in enumerate(calls) if call == name and where(fd, path)]


def assert_synced_before_the_answer(calls: list[tuple[str, int, str]], *, fresh: bool) -> None:
    def in_journal(fd: int, path: str) -> bool:
        return "/home/journal/" in path and path.endswith(".jsonl")

    written = positions(calls, "write", in_journal)
    synced = positions(calls, "fdatasync", in_journal)
    answered = positions(calls, "write", lambda fd, path: fd == 1)
    assert written and answered
    assert any(written[-1] < sync < answered[0] for sync in synced), calls
    if fresh:
        named = positions(calls, "fsync", lambda fd, path: "/home/journal/" in path and not path.endswith(".jsonl"))
        assert named and named[0] < answered[0], "the name of a new segment has to be on disk too"


def test_the_very_first_record_and_its_name_are_synced_before_the_answer(home: str, tmp_path: Path) -> None:
    calls = calls_of("remember", "durable before it is told", trace=tmp_path / "trace")
    assert_synced_before_the_answer(calls, fresh=True)


@pytest.mark.parametrize("verb", ["remember", "correct", "forget", "pin", "purge", "facts", "import"])
def test_the_record_of_every_command_is_synced_before_the_answer(home: str, tmp_path: Path, verb: str) -> None:
    name = remember("something to work with")
    arguments = {
        "remember": ["remember", "durable before it is told"],
        "correct": ["correct", name, "something better to work with"],
        "forget": ["forget", name],
        "pin": ["pin", name],
        "purge": ["purge", name, "--code", give_code(home, "purge")],
        "facts": ["facts", "add", "tide", "turns-at", "noon"],
        "import": ["import", str(tmp_path / "export.jsonl")],
    }[verb]
    if verb == "import":
        with Limpet(home=str(tmp_path / "elsewhere")) as elsewhere:
            elsewhere.remember("something from elsewhere")
            elsewhere.export(arguments[1])
    assert_synced_before_the_answer(calls_of(*arguments, trace=tmp_path / "trace"), fresh=False)


class Recorder:
    """A recorder of every write and sync that goes through Python, with its file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[tuple[str, str]] = []
        write, sync = os.write, system.sync_data

        def record_write(fd: int, data: Any) -> int:
            self.seen.append(("write", self._name(fd)))
            return write(fd, data)

        def record_sync(fd: int) -> None:
            sync(fd)
            self.seen.append(("sync", self._name(fd)))

        monkeypatch.setattr(os, "write", record_write)
        monkeypatch.setattr(system, "sync_data", record_sync)

    @staticmethod
    def _name(fd: int) -> str:
        return os.readlink(f"/proc/self/fd/{fd}")

    def of_the_journal(self) -> list[str]:
        """Return the calls on the segments since the last time this was asked."""
        found = [what for what, name in self.seen if "/home/journal/" in name and "/r" not in name[-13:]]
        self.seen.clear()
        return found


@pytest.fixture
def memory(home: str) -> Any:
    with Limpet() as opened:
        yield opened


def remember_text(memory: Limpet, text: str) -> str:
    outcome = memory.remember(text)
    assert isinstance(outcome, Admitted)
    return outcome.memory.id


def test_every_verb_that_writes_has_synced_when_it_returns(
    memory: Limpet, home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = [remember_text(memory, f"{word} is something to work with") for word in ("sand", "salt", "foam", "kelp")]
    with Limpet(home=str(tmp_path / "elsewhere")) as elsewhere:
        elsewhere.remember("something from elsewhere")
        elsewhere.export(str(tmp_path / "export.jsonl"))
    recorder = Recorder(monkeypatch)
    verbs: dict[str, Callable[[], object]] = {
        "remember": lambda: memory.remember("a wholly new thing"),
        "correct": lambda: memory.correct(kept[0], "sand is better than that"),
        "forget": lambda: memory.forget(kept[1]),
        "restore": lambda: memory.restore(kept[1], code=give_code(home, "restore")),
        "pin": lambda: memory.pin(kept[2]),
        "facts add": lambda: memory.facts("add", "tide", "turns-at", "noon"),
        "import": lambda: memory.import_(str(tmp_path / "export.jsonl"), merge=True),
        "many": lambda: memory.remember_many([f"{word} in a batch" for word in ("rock", "weed", "wind", "star")]),
    }
    for name, call in verbs.items():
        call()
        assert recorder.of_the_journal() == ["write", "sync"], name
    memory.purge(kept[3], code=give_code(home, "purge"))
    # The decision first, and then the overwriting of the text, each synced.
    happened = recorder.of_the_journal()
    assert happened[:2] == ["write", "sync"] and happened[-1] == "sync", happened


def test_many_memories_cost_one_sync(memory: Limpet, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.remember("the first names the agent and the project")
    recorder = Recorder(monkeypatch)
    outcomes = memory.remember_many([f"number {number} of a large batch about {number * 7}" for number in range(300)])
    assert all(isinstance(outcome, Admitted) for outcome in outcomes)
    assert recorder.of_the_journal() == ["write", "sync"]


def test_a_failed_sync_is_reported_and_its_record_is_not_kept(memory: Limpet, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.remember("safely on disk")

    def failing(fd: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(system, "sync_data", failing)
        with pytest.raises(StoreError, match="Input/output error"):
            memory.remember("never on disk")
    memory.remember("on disk again")
    texts = {stored.memory.content for stored in memory.list().items}
    assert texts == {"safely on disk", "on disk again"}
    assert memory.verify().problems == ()


def test_a_segment_that_a_killed_writer_left_empty_is_made_durable_by_the_next(
    home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between creating the file and syncing its folder: the name is not on disk yet."""
    with Limpet() as memory:
        memory.remember("names the device")
    segment = next(path for path in Path(home, "journal").rglob("*.jsonl"))
    fresh = segment.with_name("000002.jsonl")
    fresh.touch(0o600)
    lock = system.try_lock(f"{home}/locks/{segment.parent.name}.000001")
    assert lock is not None
    synced: list[str] = []
    monkeypatch.setattr(system, "sync_directory", synced.append)
    with Limpet() as memory:
        memory.remember("goes to the second segment")
    system.unlock(lock)
    assert fresh.stat().st_size
    assert str(segment.parent) in synced
