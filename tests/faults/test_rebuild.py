"""The index is a view: deleted and rebuilt it gives the same answers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import apsw
import pytest

from limpet.api import Limpet
from limpet.clock import from_ms
from limpet.forms.json import encode
from limpet.lean.record import replace
from limpet.operations.parameters import build_query
from limpet.recall.search import search
from tests.faults import scale
from tests.faults.processes import Ledger, Nursery, limpet, list_memories
from tests.faults.writer import word


def view(home: str) -> dict[str, Any]:
    """Return all answers of the store as one value; the probes bypass the verb, which would count them as accesses."""
    chance = random.Random("probes")
    now = from_ms(2_000_000_000_000)
    with Limpet(home=home) as memory:
        found = {name: encode(stored, now) for name, stored in list_memories(memory).items()}
        facts = memory.facts(closed=True, limit=1000).facts
        runtime = memory._runtime
        store = runtime.store
        while store.has_missing_vectors():
            # What a rebuild left for later is part of the view.
            store.rest()
        probes = {}
        for _ in range(scale.PROBES):
            probe = " ".join(word(chance) for _ in range(chance.randint(2, 6)))
            query = replace(build_query(runtime, text=probe, limit=20), now=now)
            judge = runtime.signer.judge
            page = search(query, reading=runtime.reading(), settings=runtime.settings.recall, judge=judge)
            probes[probe] = {hit.memory.id: hit.score for hit in page.items}
    return {"memories": found, "facts": sorted(fact.id for fact in facts), "probes": probes}


def assert_same_answers(one: dict[str, float], other: dict[str, float]) -> None:
    """Compare what two indexes found for a probe, by score.

    FTS5 remembers the lengths of texts that were removed, so a rebuilt index rates words a millionth higher or lower,
    and memories that are equally good may change places, also beyond the last of a page.
    """
    last = min([*one.values(), *other.values()], default=0.0)
    for name in one.keys() | other.keys():
        assert one.get(name, last) == pytest.approx(other.get(name, last), abs=1e-3), name


# What a key stands for: keys are given in the order of arrival.
KEYS: dict[str | tuple[str, str], str] = {
    "birth": "(SELECT id FROM change WHERE key = birth)",
    "source": "(SELECT name FROM source WHERE key = source)",
    ("memory", "scope"): "(SELECT token FROM scope s WHERE s.key = memory.scope)",
    ("band", "value"): "(SELECT token FROM scope WHERE key = value >> 14), value & 16383",
}


def tables(home: str) -> dict[str, list[Any]]:
    """Return the rows of every table, except those with positions in files."""
    names = ("change", "memory", "facet", "band", "link", "descent", "access", "receipt", "fact", "project", "purged")
    with Limpet(home=home) as memory:
        memory.stats()
        connection = apsw.Connection(str(Path(home, "index.db")), flags=apsw.SQLITE_OPEN_READWRITE)
        answer = {}
        for name in names:
            columns = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({name})")]
            named = [column for column in columns if column not in ("key", "memory")]
            wanted = ", ".join(KEYS.get(column) or KEYS.get((name, column), column) for column in named)
            if name in ("facet", "band"):
                wanted = f"{wanted}, (SELECT id FROM memory WHERE key = {name}.memory)"
            answer[name] = sorted(map(repr, connection.execute(f"SELECT {wanted} FROM {name}")))
        connection.close()
    return answer


def test_after_random_changes_and_kills_a_rebuilt_index_equals_the_live_one(home: str, nursery: Nursery) -> None:
    chance = random.Random("rebuild")
    ledger = Ledger()
    share = scale.RANDOM_CHANGES // scale.KILLS_WHILE_CHANGING
    for cycle in range(scale.KILLS_WHILE_CHANGING):
        # Two at once, so that segments are applied in turns; one is killed on the way, the other ends.
        killed = nursery.start(home, chance.choice(("mixed", "purge", "many")), f"killed {cycle}")
        other = nursery.start(home, "mixed", f"other {cycle}", share)
        ledger.read(killed.kill_after(0.03 * chance.random(), lines=chance.randint(1, 20)))
        assert other.end() == 0
        ledger.read(other.has_said())
    live, rows = view(home), tables(home)
    assert ledger.kept.keys() <= live["memories"].keys()
    assert any(live["probes"].values())
    for path in Path(home).glob("index.db*"):
        path.unlink()
    rebuilt = view(home)
    probes, again = live.pop("probes"), rebuilt.pop("probes")
    assert rebuilt == live
    for probe, found in probes.items():
        assert_same_answers(found, again[probe])
    assert tables(home) == rows
    done = limpet("verify")
    assert done.returncode == 0, done.stdout
