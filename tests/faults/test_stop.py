"""A stopped process blocks nobody: others write, and see everything, whatever it holds."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from functools import partial

import pytest

from tests.faults import scale
from tests.faults.processes import Ledger, Nursery, assert_sound, limpet_afresh, list_by_command, remember
from tests.faults.writer import sentence

PLACES = (
    "holding a segment, before its sync",
    "holding the lock to apply",
    "inside a transaction of the index",
    "rebuilding the index",
    "writing the marks",
    "making a backup",
    "erasing a purged text",
    "having the index to itself",
)


run_with_timeout = partial(limpet_afresh, timeout=scale.NOT_HANGING_S)


def time_others(ledger: Ledger, chance: random.Random) -> tuple[float, float]:
    """Write and list in other processes; return the seconds each took. A hanging one fails by its timeout."""
    text = sentence(chance)
    began = time.perf_counter()
    name = remember(text, run_with_timeout)
    written = time.perf_counter() - began
    ledger.kept[name] = text
    began = time.perf_counter()
    found, _ = list_by_command(run_with_timeout)
    assert ledger.kept.items() <= found.items()
    return written, time.perf_counter() - began


@pytest.mark.parametrize("place", PLACES)
def test_a_process_stopped_in_the_worst_place_blocks_nobody(
    home: str, place: str, nursery: Nursery, monkeypatch: pytest.MonkeyPatch, measured: Callable[[str], None]
) -> None:
    monkeypatch.setenv("LIMPET_STORE__BACKUP_HOURS", "0.000001")
    chance = random.Random(f"others, {place}")
    ledger = Ledger()
    first = nursery.start(home, "many", f"before, {place}", 4)
    assert first.end() == 0
    ledger.read(first.has_said())
    writer = nursery.start(home, f"stopped {place}", place)
    writer.wait_until_stopped()
    try:
        ledger.read(writer.has_said())
        written, listed = time_others(ledger, chance)
        again, _ = time_others(ledger, chance)
    finally:
        code = writer.wake_until_ended()
    assert code == 0
    ledger.read(writer.has_said())
    found, _ = list_by_command()
    assert ledger.kept.items() <= found.items()
    assert not ledger.purged.keys() & found.keys()
    assert_sound()
    measured(f"stop, {place}: remember {max(written, again):.2f} s, list {listed:.2f} s")


def test_a_writer_stopped_at_any_moment_blocks_nobody(
    home: str, nursery: Nursery, measured: Callable[[str], None]
) -> None:
    chance = random.Random("others")
    ledger = Ledger()
    writer = nursery.start(home, "mixed", 5)
    times = []
    for _ in range(scale.STOPS):
        writer.wait_until_said(writer.has_said().count(b"\n") + chance.randint(0, 4))
        time.sleep(0.03 * chance.random())
        writer.signal(signal.SIGSTOP)
        writer.wait_until_stopped()
        said = Ledger()
        said.read(writer.has_said())
        ledger.kept |= said.kept
        times.append(time_others(ledger, chance))
        writer.signal(signal.SIGCONT)
    ledger.read(writer.kill_after(0.05))
    assert ledger.kept.items() <= list_by_command()[0].items()
    assert_sound()
    written, listed = (max(each) for each in zip(*times, strict=True))
    measured(f"stop, swept: {scale.STOPS} stops, remember {written:.2f} s and list {listed:.2f} s at most")
