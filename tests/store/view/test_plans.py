"""No query that somebody waits for, and no query of upkeep, reads every memory of a large store."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from limpet.model.change import ChangeKind
from limpet.model.memory import Impact, Kind, Phase, Tier
from limpet.model.query import Query
from limpet.model.scope import Scope
from limpet.store.protocol import DueQuery, Store
from limpet.store.view.reading import Reading
from limpet.text.embedding import DIMENSIONS
from limpet.text.lexicon import parse_terms
from limpet.text.similarity import simhash
from tests.model.making import PROJECT, START, admit, memory

HERE = Scope(agent="anima", project=PROJECT)
TOKEN = (HERE.tokens() or ("",))[0]
NOW = START + timedelta(days=400)
QUERY = Query(scope=HERE, text="number of the port", now=NOW, limit=5)

Ask = Callable[[Reading], object]
ASKED: dict[str, Ask] = {
    "start": lambda reading: reading.for_start(HERE, now=NOW, limit=40),
    "notes": lambda reading: reading.count_notes(HERE, now=NOW),
    "list": lambda reading: reading.browse(QUERY),
    "prompt": lambda reading: reading.by_words(QUERY, parse_terms(QUERY.text), limit=100),
    "meaning": lambda reading: reading.by_meaning(QUERY, bytes(DIMENSIONS - 1) + b"\1", limit=100, newest=3),
    "frequencies": lambda reading: reading.frequencies(QUERY, parse_terms(QUERY.text)),
    "keys": lambda reading: reading.by_keys(QUERY, (1, 2, 3)),
    "neighbours": lambda reading: reading.neighbours((1, 2, 3)),
    "newest": lambda reading: reading.newest(TOKEN, Kind.LEARNINGS),
    "same text": lambda reading: reading.same_text(TOKEN, "0" * 64),
    "near": lambda reading: reading.near_duplicates(TOKEN, simhash("the number of port 3"), fits=bool),
    "recent": lambda reading: reading.recent_with_words(TOKEN, ("port", "number"), each=5, now=NOW, fits=bool),
    "moved": lambda reading: reading.changed_ids((ChangeKind.MOVE,)),
    "forgotten": lambda reading: reading.last_forgotten(),
    "purged": lambda reading: reading.last_purged(),
    "rooms": lambda reading: reading.rooms(),
    "twins": lambda reading: reading.twins(),
    "orphans": lambda reading: reading.orphans(),
    "superseded": lambda reading: reading.superseded_by("mem_x"),
    "cap": lambda reading: reading.count_in_phase(TOKEN, "anima", Phase.FULL),
    "cap not reached": lambda reading: reading.over_cap(TOKEN, "anima", 100),
    "cap of the agent not reached": lambda reading: reading.over_cap(None, "anima", 100),
    "decay": lambda reading: reading.due(
        DueQuery(token=TOKEN, impact=Impact.LOW, below=Phase.HINT, unused_since=START, longer_than=240, spare=True)
    ),
    "expired": lambda reading: reading.due(DueQuery(expired_at=NOW)),
    "unused": lambda reading: reading.due(DueQuery(unused_since=START, learnt_before=START, spare=True, endless=True)),
    "noted": lambda reading: reading.due(DueQuery(tier=Tier.NOTED, spare=True, made_before=START, learnt_before=START)),
    "used": lambda reading: reading.due(DueQuery(tier=Tier.KEPT, used=True)),
    "promotable": lambda reading: reading.due(DueQuery(promotable=True)),
    "unread": lambda reading: reading.due(DueQuery(token=TOKEN, unread=True)),
    "mergeable": lambda reading: reading.due(DueQuery(token=TOKEN, made_before=START, spare=True, endless=True)),
}


def plans_of(reading: Reading, ask: Ask) -> list[str]:
    """Return the steps of SQLite's plans for every statement that a query runs."""
    steps: list[str] = []
    run = reading.run

    def explain(statement: str, values: Any = ()) -> Any:
        if statement.startswith("SELECT"):
            steps.extend(str(row[3]) for row in run(f"EXPLAIN QUERY PLAN {statement}", values))
        return run(statement, values)

    reading.run = explain  # type: ignore[assignment]
    ask(reading)
    return steps


@pytest.mark.parametrize("name", ASKED)
def test_no_query_reads_every_memory(store: Store, name: str) -> None:
    store.append([admit(memory(f"the number of port {number}")) for number in range(20)])
    reading = store.reading()
    steps = plans_of(reading, ASKED[name])
    assert steps
    # A scan of an index that has all columns costs a hundredth, and counting cannot do without. Some indexes hold few.
    cheap = (" USING COVERING INDEX ", "memory_twin", "memory_retired")
    scans = [step for step in steps if step.startswith("SCAN") and not any(each in step for each in cheap)]
    large = [
        step for step in scans if step.split()[1] in ("m", "memory", "k", "b", "change", "sketch", "vector", "band")
    ]
    assert large == []
    # By a partial index, or by a range of an index, and not by the agent or the scope alone.
    wide = (
        "(agent=?)",
        "memory_by_scope (scope=?)",
    )
    assert [step for step in steps if step.endswith(wide)] == []


def test_the_same_text_is_found_by_its_hash(store: Store) -> None:
    """Every text that is stored asks for this, so it must not read the scope."""
    store.append([admit(memory(f"the number of port {number}")) for number in range(20)])
    reading = store.reading()
    found = [step for step in plans_of(reading, ASKED["same text"]) if step.startswith("SEARCH m ")]
    assert found == ["SEARCH m USING INDEX memory_by_hash (content_hash=?)"]


def test_the_newest_of_a_kind_is_found_without_sorting(store: Store) -> None:
    """Memories of one import have the same time, and every text that is stored asks for the newest."""
    store.append([admit(memory(f"the number of port {number}")) for number in range(20)])
    reading = store.reading()
    assert [step for step in plans_of(reading, ASKED["newest"]) if "TEMP B-TREE" in step] == []


def test_a_list_does_not_count_the_memories_of_a_scope(store: Store) -> None:
    store.append([admit(memory(f"the number of port {number}")) for number in range(20)])
    reading = store.reading()
    asked: list[str] = []
    run = reading.run

    def note(statement: str, values: Any = ()) -> Any:
        asked.append(statement)
        return run(statement, values)

    reading.run = note  # type: ignore[assignment]
    assert reading.browse(QUERY).total == 20
    assert [each for each in asked if "count(*)" in each and "memory_expiring" not in each] == []
    assert any("FROM census" in each for each in asked)
