"""Killed at any moment, upkeep loses no memory, and the next round reaches the state of an undisturbed one."""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limpet import clock
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Draft, Impact, Memory, Origin, Type
from limpet.model.outcome import Admitted
from limpet.runtime import open_runtime
from limpet.store.journal.segments import list_segments, path_of
from tests.faults import scale
from tests.faults.processes import Nursery, limpet, load_checked, load_memories
from tests.faults.writer import sentence

DAYS = 40
CAP = 30


def write_days(home: str) -> dict[str, str]:
    """Write forty days of work without any upkeep; return the texts by their ids."""
    chance = random.Random("lived in")
    start = clock.now_ms() - (DAYS + 1) * clock.DAY_MS
    said: dict[str, str] = {}
    for day in range(DAYS):
        moment = start + day * clock.DAY_MS
        runtime = open_runtime(home=home, now_ms=lambda moment=moment: moment)  # type: ignore[misc]
        project = runtime.where().project
        payload = {"agent": runtime.agent_id, "project": project}
        door = runtime.admission(actor="capture:anima")
        outcomes = [door.admit(draft) for draft in _drafts(chance, day)]
        runtime.write([Change(kind=ChangeKind.SESSION, subject=f"session:d{day}", payload=payload), *door.changes])
        said |= {each.memory.id: each.memory.original_content for each in outcomes if isinstance(each, Admitted)}
        runtime.close()
    return said


def _drafts(chance: random.Random, day: int) -> list[Draft]:
    paragraph = ". ".join(sentence(chance).capitalize() for _ in range(4)) + "."
    drafts = [
        Draft(text=paragraph, origin=Origin.TOOL, impact=chance.choice((Impact.LOW, Impact.MEDIUM, Impact.CRITICAL))),
        Draft(text=sentence(chance), origin=Origin.AGENT, impact=Impact.MEDIUM, difficulty=chance.random()),
    ]
    if day % 8 < 3:
        drafts.append(
            Draft(
                text=f"The gull of basin {day // 8} rests on the harbour wall every evening and eats kelp on day {day}",
                origin=Origin.AGENT,
                impact=Impact.MEDIUM,
            )
        )
    if day % 10 == 0:
        drafts.append(Draft(text=sentence(chance), origin=Origin.USER, impact=Impact.LOW, ttl_days=5))
    return drafts


def read_state(home: str) -> list[Any]:
    """Return the state after a round; a summary is named by its sources, since its id is random."""
    found = load_memories(home)

    def name_of(memory: Memory) -> str:
        return " ".join(memory.made_of) if memory.type is Type.COMPRESSED_SUMMARY else memory.id

    names = {name: name_of(stored.memory) for name, stored in found.items()}
    return sorted(
        (
            names[name],
            stored.status.value,
            int(stored.memory.phase),
            stored.memory.content,
            names.get(stored.memory.superseded_by or "", ""),
            stored.memory.updated_at.isoformat() if stored.memory.type is not Type.COMPRESSED_SUMMARY else "",
        )
        for name, stored in found.items()
    )


def journal_size(home: str) -> int:
    return sum(Path(path_of(home, name)).stat().st_size for name, _, _ in list_segments(home))


def wait_until_written(home: str, size: int, is_over: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while journal_size(home) < size and not is_over():
        assert time.monotonic() < deadline
        time.sleep(0.0002)


def test_upkeep_killed_at_any_moment_loses_nothing_and_comes_to_the_same_end(
    home: str, nursery: Nursery, monkeypatch: pytest.MonkeyPatch, measured: Callable[[str], None]
) -> None:
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", str(CAP))
    monkeypatch.setenv("LIMPET_STORE__BACKUP_HOURS", "0.000001")
    said = write_days(home)
    before = f"{home}-before"
    shutil.copytree(home, before)
    done = json.loads(limpet("upkeep", "--json").stdout)
    assert {"decay", "compression", "expiry", "eviction"} <= set(done["done"]) and not done["notices"], done
    expected, whole = read_state(home), journal_size(home)
    assert json.loads(limpet("upkeep", "--json").stdout)["done"] == {}
    chance = random.Random("kills of upkeep")
    first, fell_into = journal_size(before), 0
    for cycle in range(scale.KILLS_OF_UPKEEP):
        place = f"{home}-{cycle}"
        shutil.copytree(before, place)
        monkeypatch.setenv("LIMPET_HOME", place)
        for _ in range(chance.choice((1, 1, 2))):
            child = nursery.command("upkeep")
            goal = first + int((whole - first) * chance.random())
            wait_until_written(place, goal, lambda child=child: bool(child.has_said()))  # type: ignore[misc]
            time.sleep(chance.choice((0, 0, 0.002, 0.02)) * chance.random())
            child.kill_after(0)
            fell_into += first < journal_size(place) < whole
        found = load_checked(place)
        assert [name for name, text in said.items() if found[name].memory.original_content != text] == []
        assert json.loads(limpet("upkeep", "--json").stdout)["finished"]
        assert read_state(place) == expected
        shutil.rmtree(place)
    assert fell_into
    measured(
        f"upkeep: {scale.KILLS_OF_UPKEEP} homes, {fell_into} kills fell between its writes, {len(said)} memories each, "
        "0 lost, all came to the same end"
    )
