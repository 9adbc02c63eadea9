"""Three machines, a process each, work and sync at the same time, are killed, and lose a disk: all end the same."""

from __future__ import annotations

import functools
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.scale import FULL

OPERATIONS = 10_000 if FULL else 240
MOST_AT_ONCE = 60 if FULL else 12


@functools.cache
def apart() -> tuple[str, ...]:
    """Return the command that gives a process a network of its own, with nothing in it; only root may use it."""
    command = ("unshare", "--net")
    if shutil.which("unshare") is None:
        return ()
    return command if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0 else ()


class Machine:
    """A machine that runs in a process, and can be killed and started again."""

    def __init__(self, root: Path, number: int) -> None:
        self.home, self.shared, self.number = root / f"m{number}", root / "shared", number
        self.starts = 0
        self.start()

    def start(self) -> None:
        self.starts += 1
        seed = self.number + 3 * self.starts
        # The clocks are hours apart, and a clock that was set back is one of the faults.
        skew = self.number * 30_000_000 + (self.starts % 2) * 5_000_000
        arguments = (str(self.home), str(self.shared), str(seed), str(skew))
        self.process = subprocess.Popen(
            [*apart(), sys.executable, "-m", "tests.sync.machine", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONWARNINGS": "error"},
        )

    def say(self, word: str, number: int = 0) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word} {number}\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def ask(self, word: str, number: int = 0) -> dict[str, Any]:
        self.say(word, number)
        return self.hear()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[list[Machine]]:
    (tmp_path / "shared").mkdir()
    found = [Machine(tmp_path, number) for number in range(3)]
    yield found
    for machine in found:
        machine.kill()


def cut_a_file(shared: Path, chance: random.Random) -> None:
    """Shorten a file, as if it was being copied."""
    for path in chance.sample(found := sorted(shared.glob("*/0*.jsonl")), min(1, len(found))):
        os.truncate(path, chance.randrange(path.stat().st_size + 1))


def test_three_processes_end_in_the_same_state_whatever_happens(machines: list[Machine], tmp_path: Path) -> None:
    # The sizes of files differ from run to run; with a generator apart, they do not change which faults there are.
    chance, cuts = random.Random(7), random.Random(12)
    shared, acted, killed, lost = tmp_path / "shared", 0, 0, 0
    while acted < OPERATIONS:
        # All of them at once; some only work, and see the folder again much later.
        words = [chance.choice(["act", "act", "sync"]) for _ in machines]
        for machine, word in zip(machines, words, strict=True):
            machine.say(word, chance.randrange(1, MOST_AT_ONCE))
        fault = chance.random()
        if fault < 0.05:
            victim = chance.choice(machines)
            victim.kill()
            killed += 1
            if chance.random() < 0.2 and lost < 3:
                shutil.rmtree(victim.home)
                lost += 1
            victim.start()
            words[victim.number] = ""
        elif fault < 0.25:
            cut_a_file(shared, cuts)
        for machine, word in zip(machines, words, strict=True):
            acted += machine.hear().get("acted", 0) if word else 0
    for _ in range(3):
        for machine in machines:
            machine.ask("sync")
    for machine in machines:
        assert machine.ask("sync") == {"taken": 0, "sent": 0}
    first, *others = (machine.ask("tell") for machine in machines)
    for each in (first, *others):
        assert each["problems"] == [] and each["tables"] == first["tables"]
    assert killed and lost, "choose a seed with which a machine is killed and a disk is lost"
    sealed = [each["sealed"] for each in (first, *others)]
    assert any(sealed), "choose smaller segments, so that some are sealed"
    print(f"{acted} operations, {killed} kills, {lost} lost disks, sealed {sealed}, apart: {bool(apart())}")
