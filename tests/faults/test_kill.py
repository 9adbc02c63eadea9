"""Killed at any moment, a writer loses nothing that it acknowledged and leaves nothing half done."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable

import pytest

from limpet.store.journal.mend import check_segment
from limpet.store.journal.segments import list_segments
from tests.faults import scale
from tests.faults.processes import (
    COMMAND,
    Ledger,
    Nursery,
    assert_sound,
    cost_of_a_write,
    files_holding,
    limpet,
    load_checked,
    remember,
)
from tests.faults.writer import sentence
from tests.operations.sandbox import give_code

LINES = {
    "remember": range(8),
    "large": range(6),
    "many": (0, 1, 2, 40, 80),
    "mixed": range(12),
    "purge": range(9),
    "reopen": range(6),
    "rebuild": range(3),
}
"""How many lines a writer has written when it is killed, by way of writing; the first line says that it begins."""

NEXT_WRITE_S = 2


def assert_survived(home: str, ledger: Ledger, kills: int) -> None:
    """Assert that everything acknowledged is there, the store is sound, and each kill tore at most one line."""
    assert ledger.differences(load_checked(home)) == []
    torn = sum(check_segment(home, name).torn for name, _, _ in list_segments(home))
    assert torn <= kills
    for text in ledger.purged.values():
        # The unusual last word is enough: it is in no other text.
        assert files_holding(home, text.rpartition(" ")[2]) == []


@pytest.mark.parametrize("way", LINES)
def test_a_writer_killed_at_any_moment_loses_nothing_it_acknowledged(
    home: str, way: str, nursery: Nursery, monkeypatch: pytest.MonkeyPatch, measured: Callable[[str], None]
) -> None:
    # Small segments and a backup at each closing, so that kills fall into all of that too.
    monkeypatch.setenv("LIMPET_STORE__SEGMENT_BYTES", "262144")
    monkeypatch.setenv("LIMPET_STORE__BACKUP_HOURS", "0.000001")
    chance = random.Random(way)
    acknowledged = 0
    slowest = 0.0
    cycles = -(-scale.KILLS_OF_WRITERS // len(LINES))
    place, ledger, kills = home, Ledger(), 0
    for cycle in range(cycles):
        if cycle % scale.KILLS_PER_HOME == 0:
            place, ledger, kills = f"{home}{cycle}", Ledger(), 0
            monkeypatch.setenv("LIMPET_HOME", place)
            if way == "rebuild":
                # A rebuild needs enough work for a kill to hit it.
                first = nursery.start(place, "many", f"{way}{cycle}", 10)
                assert first.end() == 0
                ledger.read(first.has_said())
        writer = nursery.start(place, way, f"{way} {cycle}")
        acknowledged += ledger.read(writer.kill_after(0.06 * chance.random(), lines=chance.choice(LINES[way])))
        kills += 1
        assert_survived(place, ledger, kills)
        if cycle % scale.KILLS_PER_HOME == scale.KILLS_PER_HOME - 1 or cycle == cycles - 1:
            text = sentence(chance)
            name, spent = cost_of_a_write(text)
            ledger.kept[name] = text
            slowest = max(slowest, spent)
            assert_sound()
    assert slowest <= NEXT_WRITE_S
    measured(
        f"kill, {way}: {cycles} kills, {acknowledged} acknowledged, 0 lost, next write {slowest:.2f} s CPU at most"
    )


def wait_for_writing(home: str, process: subprocess.Popen[bytes], *, patience: float) -> None:
    """Wait until a command has written to the journal or ended, or time is up: most of its time goes into starting."""
    before = list_segments(home)
    deadline = time.monotonic() + patience
    while list_segments(home) == before and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.0005)


def test_a_command_killed_at_any_moment_loses_nothing_it_acknowledged(
    home: str, monkeypatch: pytest.MonkeyPatch, measured: Callable[[str], None]
) -> None:
    monkeypatch.setenv("LIMPET_STORE__BACKUP_HOURS", "0.000001")
    chance = random.Random(7)
    ledger = Ledger()
    name, _ = cost_of_a_write("the first one, which is never touched")
    ledger.kept[name] = "the first one, which is never touched"
    for cycle in range(scale.KILLS_OF_COMMANDS):
        text = sentence(chance)
        arguments = ["remember", "--json", text]
        if cycle % 8 == 5:
            arguments = ["doctor", "--fix"]
        elif cycle % 8 == 6 and len(ledger.kept) > 1:
            doomed = list(ledger.kept)[-1]
            ledger.doomed[doomed] = ledger.kept.pop(doomed)
            arguments = ["purge", doomed, "--code", give_code(home, "purge")]
        process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for_writing(home, process, patience=chance.choice((0.2, 5, 5)))
        time.sleep(chance.choice((0.02, 0.1, 0.4)) * chance.random())
        process.kill()
        out, err = process.communicate()
        assert b"Traceback" not in err, err
        if arguments[0] == "remember" and out.endswith(b"\n"):
            ledger.kept[json.loads(out)["memory"]["id"]] = text
        assert_survived(home, ledger, cycle + 1)
    assert cost_of_a_write("the next write after many kills")[1] <= NEXT_WRITE_S
    assert_sound()
    measured(f"kill, commands: {scale.KILLS_OF_COMMANDS} kills, {len(ledger.kept)} acknowledged, 0 lost")


def test_four_writers_killed_together_lose_nothing(
    home: str, nursery: Nursery, monkeypatch: pytest.MonkeyPatch, measured: Callable[[str], None]
) -> None:
    chance = random.Random(4)
    ledger = Ledger()
    place = home
    acknowledged = 0
    for cycle in range(scale.KILLS_OF_GROUPS):
        if cycle % scale.GROUPS_PER_HOME == 0:
            place, ledger = f"{home}{cycle}", Ledger()
            monkeypatch.setenv("LIMPET_HOME", place)
        first = nursery.start(place, "mixed", f"{cycle} 0")
        group = [first]
        for number in range(1, scale.WRITERS_IN_A_GROUP):
            group.append(nursery.start(place, "remember", f"{cycle} {number}", group=first.pid))
        chance.choice(group).wait_until_said(chance.randint(0, 8))
        time.sleep(0.03 * chance.random())
        os.killpg(first.pid, signal.SIGKILL)
        for writer in group:
            writer.end()
            acknowledged += ledger.read(writer.has_said())
        assert ledger.differences(load_checked(place)) == []
    assert_sound()
    measured(f"group: {scale.KILLS_OF_GROUPS} kills of 4 writers, {acknowledged} acknowledged, 0 lost")


def test_what_killed_processes_leave_behind_is_tidied_up(home: str) -> None:
    """A temporary file that was never put into its place is litter, and nobody else would remove it."""
    remember("something to begin with")
    left = [f"{home}/marks.json.99999.0badf00d.tmp", f"{home}/device/abc.99999.tmp"]
    for path in left:
        with open(path, "w") as file:
            file.write("{")
        os.utime(path, (1, 1))
    limpet("doctor", "--fix")
    assert [path for path in left if os.path.exists(path)] == []
