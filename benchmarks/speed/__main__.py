"""`python -m benchmarks.speed [1000 10000 100000]`: search in one project, CPU time, as ratios to raw FTS5.

The store holds five projects, one of them half of everything. The floor is what one would write first: an FTS5 table
over all texts and an OR of the question's words, ranked by bm25.
"""

from __future__ import annotations

import bisect
import itertools
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

import apsw

from limpet import clock
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind
from limpet.model.codec import encode_memory
from limpet.model.ids import new_id
from limpet.model.memory import Kind, Memory, Region, Sensitivity, Type
from limpet.model.query import Query, Stored
from limpet.model.scope import Scope
from limpet.recall.search import search
from limpet.settings import load
from limpet.store.open import Store, open_store
from limpet.text.embedding import load_embedding_table
from limpet.text.lexicon import parse_terms
from limpet.text.similarity import content_hash, simhash
from limpet.text.tokens import count_tokens

SHARES = (("half", 50), ("fifth", 20), ("small", 10), ("other", 10), ("rest", 10))
QUESTIONS = 60


class Language:
    """A generator of texts whose word frequencies fall as in real ones."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        known = load_embedding_table()
        data, base, offsets = known._map, known._words, known._offsets
        words = [data[base + offsets[n] : base + offsets[n + 1]].decode() for n in range(known.count)]
        self._words = [word for word in words if word.isalpha() and word.isascii() and len(word) > 2]
        self._random.shuffle(self._words)
        weights = (1 / (rank + 10) for rank in range(len(self._words)))
        self._reach = list(itertools.accumulate(weights))

    def word(self) -> str:
        return self._words[bisect.bisect(self._reach, self._random.random() * self._reach[-1]) % len(self._words)]

    def text(self) -> str:
        return " ".join(self.word() for _ in range(self._random.randint(25, 70)))

    def question(self) -> str:
        return " ".join(self.word() for _ in range(self._random.randint(4, 8)))


def fill(store: Store, floor: apsw.Connection, size: int, language: Language) -> None:
    floor.execute("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize='porter unicode61 remove_diacritics 2')")
    projects = [name for name, share in SHARES for _ in range(share)]
    made = 0
    while made < size:
        batch = []
        with floor:
            for _ in range(min(2000, size - made)):
                text, now = language.text(), clock.now()
                memory = Memory(
                    id=new_id("mem", clock.now_ms()),
                    agent="anima",
                    region=Region.PROJECT,
                    project=f"prj_{projects[made % len(projects)]}",
                    kind=Kind.LEARNINGS,
                    type=Type.DISCOVERY,
                    title=text[:60],
                    content=text,
                    original_content=text,
                    sensitivity=Sensitivity.PUBLIC,
                    session=f"s{made // 12}",
                    created_at=now,
                    updated_at=now,
                    content_hash=content_hash(text),
                    token_count=count_tokens(text),
                )
                payload = {"memory": encode_memory(memory, sparse=True), "simhash": simhash(text)}
                batch.append(Change(kind=ChangeKind.ADMIT, subject=memory.id, payload=payload, actor="benchmark"))
                floor.execute("INSERT INTO words VALUES (?)", (text,))
                made += 1
        store.append(batch)
        print(f"\rfilling {made:,} of {size:,}", end="", file=sys.stderr, flush=True)
    while store.has_missing_vectors():
        store.rest()
    print(file=sys.stderr)


def cpu(ask: Callable[[str], object], questions: list[str]) -> tuple[float, float]:
    """Return the median and 95th percentile in milliseconds."""
    spent = []
    for question in questions:
        started = time.process_time()
        ask(question)
        spent.append(1000 * (time.process_time() - started))
    return statistics.median(spent), sorted(spent)[int(0.95 * len(spent))]


def measure(size: int) -> dict[str, tuple[float, float]]:
    folder = tempfile.mkdtemp(prefix="limpet-speed-")
    try:
        settings = load(home=os.path.join(folder, "home"))
        store = open_store(settings.home, settings=settings.store)
        floor = apsw.Connection(os.path.join(folder, "floor.db"))
        language = Language(size)
        fill(store, floor, size, language)
        questions = [language.question() for _ in range(QUESTIONS)]
        reading = store.reading()

        def raw(question: str) -> object:
            match = " OR ".join(f'"{word}"' for word in question.split())
            return floor.execute(
                "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10", (match,)
            ).fetchall()

        def query(question: str, project: str) -> Query:
            scope = Scope(agent="anima", project=f"prj_{project}")
            return Query(scope=scope, text=question, now=clock.now(), limit=10)

        def lexical(project: str) -> Callable[[str], object]:
            return lambda question: reading.by_words(query(question, project), parse_terms(question), limit=100)

        def hybrid(project: str) -> Callable[[str], object]:
            return lambda question: search(
                replace(query(question, project), weak=True), reading=reading, settings=settings.recall, judge=_as_it_is
            )

        answers = {"raw FTS5 over all": cpu(raw, questions)}
        for project in ("half", "small"):
            answers[f"words, {project}"] = cpu(lexical(project), questions)
            answers[f"hybrid, {project}"] = cpu(hybrid(project), questions)
        store.close()
        return answers
    finally:
        shutil.rmtree(folder)


def _as_it_is(stored: Stored) -> Stored:
    return stored


def main(sizes: list[int]) -> None:
    print(f"{'search, CPU ms':<22}{'memories':>10}{'p50':>9}{'p95':>9}{'× raw':>8}   target")
    for size in sizes:
        answers = measure(size)
        floor = answers["raw FTS5 over all"][0]
        for name, (half, most) in answers.items():
            target = "≤ 0.4" if name.startswith("words") else "≤ 1" if name.startswith("hybrid") else ""
            if size < 100_000:
                target = ""
            print(f"{name:<22}{size:>10,}{half:>9.2f}{most:>9.2f}{half / floor:>8.2f}   {target}", flush=True)


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [1000, 10_000, 100_000])
