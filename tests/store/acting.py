"""An actor that uses a store at random, and what the store must then say.

The expectation is worked out here from the changes alone, by the rules of the specification and without a line of the
store's own code: fold each line, then let purges and forgets reach whatever was made of what they name.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from limpet.clock import from_ms
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.fold import MemoryState, fold_memories
from limpet.model.memory import Impact, Kind, Memory, Region, Sensitivity
from limpet.model.query import Query, Stored
from limpet.model.scope import Scope
from limpet.store.protocol import FactQuery, Reading, Store
from limpet.text.lexicon import parse_terms
from tests.model import making
from tests.model.making import START, admit, close, condensed, correction, fact, memory, on, state

FAR = START + timedelta(days=20_000)
WORDS = (
    *("amber", "basalt", "cobalt", "drift", "ember", "fjord", "granite", "harbour", "indigo", "jasper", "kelp"),
    *("lagoon", "marble", "nacre", "opal"),
)
ALL_STATUSES = (Status.LIVE, Status.SUPERSEDED, Status.FORGOTTEN)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, ms: int = making.START_MS) -> None:
        self.ms = ms

    def __call__(self) -> int:
        return self.ms

    def forward(self, ms: int = 1000) -> None:
        self.ms += ms


def everything(agent: str = "anima") -> Query:
    """Return a query for all memories of an agent, whatever their project, status, sensitivity or age."""
    return Query(
        scope=Scope(agent=agent, every_project=True),
        sensitivity=tuple(Sensitivity),
        statuses=ALL_STATUSES,
        expired=True,
        archived=True,
        now=START,
        limit=1_000_000,
    )


def all_memories(reading: Reading) -> dict[str, Stored]:
    return {stored.memory.id: stored for stored in reading.browse(everything()).items}


def find_ids(reading: Reading, query: Query, text: str, limit: int = 50) -> list[str]:
    """Return the ids that the words of a text find, the best first."""
    ranked = reading.by_words(query, parse_terms(text), limit=limit)
    found = reading.by_keys(query, [key for key, _ in ranked])
    return [found[key].memory.id for key, _ in ranked if key in found]


class Actor:
    """A user who takes random steps on a store and remembers every change."""

    def __init__(
        self, store: Store, clock: Clock, chance: random.Random, *, purging: bool = True, glances: int = 4
    ) -> None:
        self.store = store
        self.kept: list[Change] = []
        self._known: list[Memory] = []
        self._steps = 0
        self._clock = clock
        self._chance = chance
        self._purging = purging
        self._glances = glances
        """After how many steps it looks again at what there is; later in a large store, where that takes long."""

    def act(self, steps: int) -> None:
        for _ in range(steps):
            self._clock.forward(self._chance.randrange(0, 5000))
            self._keep(self._next())

    def _keep(self, changes: Sequence[Change]) -> None:
        if changes and changes[0].kind == ChangeKind.PURGE:
            self.store.purge(changes)
            self.kept += [self.store.reading().history(change.subject)[-1] for change in changes]
            return
        durable = not changes or changes[0].kind != ChangeKind.RECEIPT
        self.kept += self.store.append(changes, durable=durable)

    def _next(self) -> list[Change]:
        chance = self._chance
        if len(self._known) < 5 or self._steps % max(self._glances, len(self._known) // 10) == 0:
            # Not at each step: acting on what was there a moment ago is as good a test.
            self._known = [stored.memory for stored in all_memories(self.store.reading()).values()]
        self._steps += 1
        known = self._known
        if len(known) < 3 or chance.random() < 0.3:
            return [self._admission(known)]
        one = chance.choice(known)
        match chance.choice([step for step in _STEPS if self._purging or step != "purge"]):
            case "correct":
                return [admit(correction(one, self._text(), created_at=self._now))]
            case "summarise":
                members = chance.sample(known, 2)
                lineage = tuple(member.id for member in members)
                return [admit(replace(self._new(self._text()), lineage=lineage))]
            case "condense":
                return [condensed(one, one.original_content[:5], chance.randrange(4))]
            case "pin":
                return [on(one, ChangeKind.PIN, pinned=chance.random() < 0.5)]
            case "doubt":
                return [on(one, ChangeKind.DOUBT, confidence=round(chance.random(), 2))]
            case "refresh":
                return [on(one, ChangeKind.REFRESH, tags=[chance.choice(WORDS)], files_read=["src/a.py"])]
            case "link":
                return [on(one, ChangeKind.LINK, relation="near", to=chance.choice(known).id)]
            case "supersede":
                return [on(one, ChangeKind.SUPERSEDE, by=chance.choice(known).id)]
            case "receipt":
                ids = [each.id for each in chance.sample(known, 2)]
                payload = {"ids": ids, "session": chance.choice([None, "s1", "s2"]), "counts": chance.random() < 0.7}
                return [Change(kind=ChangeKind.RECEIPT, subject="receipt:x", payload=payload)]
            case "fact":
                sources = tuple(each.id for each in chance.sample(known, chance.randrange(3)))
                return [state(fact(chance.choice(WORDS), "is", chance.choice(WORDS), sources=sources))]
            case "close":
                query = FactQuery(scope=Scope(agent="anima", every_project=True), closed=True, limit=1000)
                facts = self.store.reading().facts(query).items
                return [close(chance.choice(facts), self._now, confidence=0.5)] if facts else []
            case "project":
                keys = [f"git:{chance.choice(WORDS[:4])}" for _ in range(2)]
                name = chance.choice("abc")
                return [
                    Change(kind=ChangeKind.PROJECT, subject=f"prj_{name * 24}", payload={"name": name, "keys": keys})
                ]
            case "agent":
                payload = {"name": chance.choice(WORDS)}
                return [Change(kind=ChangeKind.AGENT, subject=f"agent:{chance.choice('xy')}", payload=payload)]
            case "session":
                seen: dict[str, Any] = {"agent": "anima", "project": making.PROJECT, "successes": chance.randrange(3)}
                return [Change(kind=ChangeKind.SESSION, subject=f"session:s{chance.randrange(4)}", payload=seen)]
            case verb:
                return [on(one, verb)]

    def _admission(self, known: Sequence[Memory]) -> Change:
        chance = self._chance
        # Now and then the very text of another memory, as when two processes store it at once.
        text = chance.choice(known).original_content if known and chance.random() < 0.2 else self._text()
        links = [("near", chance.choice(known).id)] if known and chance.random() < 0.3 else []
        return admit(self._new(text), links=links)

    def _new(self, text: str) -> Memory:
        chance = self._chance
        return memory(
            text,
            created_at=self._now,
            region=chance.choice(list(Region)),
            kind=chance.choice(list(Kind)),
            impact=chance.choice(list(Impact)),
            tags=tuple(chance.sample(WORDS, 2)),
            title=chance.choice(WORDS),
            session=chance.choice([None, "s1", "s2"]),
        )

    def _text(self) -> str:
        return " ".join(self._chance.choices(WORDS, k=6)) + f" {self._chance.randrange(10_000)}"

    @property
    def _now(self) -> Any:
        return from_ms(self._clock.ms)


_STEPS = (
    *("correct", "correct", "summarise", "forget", "forget", "restore", "restore", "purge", "condense", "pin"),
    *("confirm", "doubt", "refresh", "link", "supersede", "receipt", "fact", "fact", "close", "project", "agent"),
    *("session", "session"),
)


def expected_states(changes: Iterable[Change]) -> dict[str, MemoryState]:
    """Return what must be there after these changes, worked out from the changes alone."""
    ordered = sorted(changes, key=lambda change: change.id)
    lines: dict[str, list[Change]] = {}
    for change in ordered:
        if change.root.startswith("mem_"):
            lines.setdefault(change.root, []).append(change)
    found = {each.memory.id: each for line in lines.values() for each in fold_memories(line)}
    gone = {change.subject for change in ordered if change.kind == ChangeKind.PURGE}
    lineages = {change.subject: change.lineage for change in ordered if change.subject.startswith("mem_")}
    while True:
        reached = {name for name, lineage in lineages.items() if not gone.isdisjoint(lineage)}
        if reached <= gone:
            break
        gone |= reached
    found = {name: each for name, each in found.items() if name not in gone}
    while True:
        hidden = [
            name
            for name, each in found.items()
            if each.status is Status.LIVE
            and any(other in found and found[other].status is Status.FORGOTTEN for other in each.memory.made_of)
        ]
        if not hidden:
            return found
        for name in hidden:
            found[name] = replace(found[name], status=Status.FORGOTTEN)


def session(name: str, **payload: Any) -> Change:
    return Change(kind=ChangeKind.SESSION, subject=f"session:{name}", payload={"agent": "anima", **payload})


def receipt(*ids: str, **payload: Any) -> Change:
    return Change(kind=ChangeKind.RECEIPT, subject="receipt:r", payload={"ids": list(ids), **payload})


def get_stored(store: Store, memory_id: str) -> Stored:
    found = store.reading().get(memory_id)
    assert found is not None
    return found
