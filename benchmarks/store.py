"""`python -m benchmarks.store [1000 10000 100000]`: what it costs to store and to rebuild as the store grows.

Storing means what a caller waits for: admitted, on disk and in the index. The floor is the same number of bytes
appended to a plain file and synced, in the same run. Caps are off. Processor time is what counts on a shared machine;
wall-clock time is shown beside it.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from benchmarks.speed.__main__ import Language
from benchmarks.table import Target, row, show
from limpet.api import Limpet
from limpet.model.memory import Draft, Origin
from limpet.system import walk_files

SIZES = (1000, 10_000, 100_000)
BATCH = 1000
SINGLE = 200


@dataclass
class Times:
    """Seconds of processor time and of wall-clock time, one of each for every call."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def add(self, call: Callable[[], object]) -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        self.cpu.append(time.process_time() - cpu)
        self.wall.append(time.perf_counter() - wall)


@dataclass
class Measured:
    size: int
    batch: Times = field(default_factory=Times)
    single: Times = field(default_factory=Times)
    floor: Times = field(default_factory=Times)
    rebuild: Times = field(default_factory=Times)
    text: int = 0
    journal: int = 0
    index: int = 0


def main() -> None:
    sizes = sorted(int(each.replace("_", "")) for each in sys.argv[1:]) or SIZES
    with surroundings() as folder:
        home = os.path.join(folder, "home")
        filler = Filler(home)
        _show([_measure(filler, home, size) for size in sizes])


class Filler:
    """A store that is filled to a given size, with a count of the text that went in."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._language = Language(seed=5)
        self.count = 0
        self.bytes = 0
        self._drafted = 0

    def texts(self, number: int) -> list[str]:
        made = [self._language.text() for _ in range(number)]
        self.count += number
        self.bytes += sum(len(text.encode()) for text in made)
        return made

    def _draft(self, text: str) -> Draft:
        """Return a draft with tags and, every second time, a title."""
        self._drafted += 1
        title = text[:40].rpartition(" ")[0] if self._drafted % 2 else None
        return Draft(text=text, title=title, tags=tuple(dict.fromkeys(text.split()[5:8])), origin=Origin.AGENT)

    def fill(self, size: int) -> None:
        # Looking for near duplicates takes half of the time and does not affect what is measured later.
        os.environ["LIMPET_ADMIT__NEAR_DUPLICATES"] = "false"
        began, before = time.perf_counter(), self.count
        with Limpet(home=self._home) as memory:
            while self.count < size:
                memory.remember_many(map(self._draft, self.texts(min(BATCH, size - self.count))))
                rate = (self.count - before) / (time.perf_counter() - began)
                _tell(f"filling: {self.count:,} of {size:,}, {rate:,.0f} a second")
        del os.environ["LIMPET_ADMIT__NEAR_DUPLICATES"]

    def settle(self) -> None:
        """Do all deferred work now, or the next command would do some of it."""
        with Limpet(home=self._home) as memory:
            memory.stats()
            store = memory._runtime.store
            while store.has_missing_vectors():
                store.rest()


def _measure(filler: Filler, home: str, size: int) -> Measured:
    filler.fill(size - BATCH)
    now = Measured(size=size)
    with Limpet(home=home) as memory:
        batch = filler.texts(BATCH)
        now.batch.add(lambda: memory.remember_many(batch))
        before = size_of(home, "journal")
        for text in filler.texts(SINGLE):
            now.single.add(partial(memory.remember, text))
        _floor(os.path.join(home, os.pardir, "floor"), (size_of(home, "journal") - before) // SINGLE, now.floor)
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        os.unlink(os.path.join(home, name))
    _tell(f"rebuilding {size:,}")
    with Limpet(home=home) as memory:
        now.rebuild.add(memory.stats)
    filler.settle()
    now.text, now.journal, now.index = filler.bytes, size_of(home, "journal"), size_of(home, "index.db")
    _tell("")
    return now


@contextmanager
def surroundings() -> Iterator[str]:
    """Yield a folder outside any repository, with caps and backups off."""
    for name in ("PROJECT_CAP", "AGENT_CAP", "BACKUP_HOURS"):
        os.environ[f"LIMPET_STORE__{name}"] = "0"
    folder = tempfile.mkdtemp(prefix="limpet-bench-")
    os.makedirs(os.path.join(folder, "work"))
    os.chdir(os.path.join(folder, "work"))
    try:
        yield folder
    finally:
        os.chdir("/")
        shutil.rmtree(folder)


def _floor(path: str, length: int, times: Times) -> None:
    """Measure appending and syncing as many bytes as one memory takes in the journal."""
    data = os.urandom(length)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def append() -> None:
        os.write(fd, data)
        os.fdatasync(fd)

    for _ in range(SINGLE):
        times.add(append)
    os.close(fd)


def size_of(home: str, name: str) -> int:
    """Return the bytes of a file, with its log, or of a folder."""
    path = os.path.join(home, name)
    if os.path.isdir(path):
        return sum(os.path.getsize(each) for each in walk_files(path))
    return sum(os.path.getsize(path + suffix) for suffix in ("", "-wal") if os.path.exists(path + suffix))


def _tell(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[2K{text}")
        sys.stderr.flush()


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def _p95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def _show(measured: list[Measured]) -> None:
    first, last = measured[0], measured[-1]
    middle = statistics.median
    growth = middle(last.single.cpu) / middle(first.single.cpu)
    slowest = min(each.size / sum(each.rebuild.cpu) for each in measured)
    show(
        "Storing and rebuilding",
        ["", *(f"{each.size:,}" for each in measured)],
        [
            row("store, processor, p50", *(_ms(middle(each.single.cpu)) for each in measured)),
            row("store, processor, p95", *(_ms(_p95(each.single.cpu)) for each in measured)),
            row("store, wall, p50", *(_ms(middle(each.single.wall)) for each in measured)),
            row("store, wall, p95", *(_ms(_p95(each.single.wall)) for each in measured)),
            row("append + sync of as many bytes, wall, p50", *(_ms(middle(each.floor.wall)) for each in measured)),
            row(
                f"V5 store, against {first.size:,}",
                *(f"{middle(each.single.cpu) / middle(first.single.cpu):.2f} ×" for each in measured),
                target=Target(1.5),
                value=growth,
            ),
            row("in batches of 1,000, a second of the processor", *(_rate(BATCH, each.batch.cpu) for each in measured)),
            row("in batches of 1,000, a second on the wall", *(_rate(BATCH, each.batch.wall) for each in measured)),
            row(
                "V10 rebuild, a second of the processor",
                *(_rate(each.size, each.rebuild.cpu) for each in measured),
                target=Target(3000, "/s", at_least=True),
                value=slowest,
            ),
            row("rebuild, a second on the wall", *(_rate(each.size, each.rebuild.wall) for each in measured)),
            row("text", *(f"{each.text / 1e6:.1f} MB" for each in measured)),
            row("journal, against the text", *(f"{each.journal / each.text:.2f} ×" for each in measured)),
            row("index, against the text", *(f"{each.index / each.text:.2f} ×" for each in measured)),
            row(
                "S10 both, against the text",
                *(f"{(each.journal + each.index) / each.text:.2f} ×" for each in measured),
                target=Target(9),
                value=(last.journal + last.index) / last.text,
            ),
        ],
    )


def _rate(count: int, times: list[float]) -> str:
    return f"{count / sum(times):,.0f} /s"


if __name__ == "__main__":
    main()
