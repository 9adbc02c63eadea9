"""Measure recall on conversations: is the session or turn that holds the evidence among the first results?"""

from __future__ import annotations

import math
import re
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path

import apsw

from benchmarks.recall.sets import Case, Item, Question
from benchmarks.recall.ways import ENCODED, FLOOR, PLAIN, without_encoder
from limpet import Draft, Limpet, Rejected
from limpet.care.tending import encode_waiting
from limpet.model.memory import Sensitivity
from limpet.sentence_encoder import find_encoder
from limpet.text.tokens import count_tokens
from limpet.text.words import STOP

DEPTH = 50
Ranking = list[tuple[str, str]]
"""Keys and sessions, best first."""


class Score:
    """Averages over the questions of one kind."""

    def __init__(self) -> None:
        self.count = 0
        self.sums: dict[str, float] = defaultdict(float)

    def add(self, question: Question, ranking: Ranking) -> None:
        sessions = list(dict.fromkeys(session for _, session in ranking))
        turns = [key for key, _ in ranking]
        self.count += 1
        for depth in (1, 5, 10):
            self.sums[f"any@{depth}"] += bool(question.sessions & set(sessions[:depth]))
            self.sums[f"turn@{depth}"] += bool(question.answers & set(turns[:depth]))
        for depth in (5, 10):
            self.sums[f"all@{depth}"] += question.sessions <= set(sessions[:depth])
            if question.answers:
                self.sums[f"recall@{depth}"] += len(question.answers & set(turns[:depth])) / len(question.answers)
        gains = [
            1 / math.log2(place + 2) for place, session in enumerate(sessions[:10]) if session in question.sessions
        ]
        ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(question.sessions))))
        self.sums["ndcg@10"] += sum(gains) / ideal if ideal else 0

    def row(self) -> list[str]:
        return [f"{100 * self.sums[name] / max(1, self.count):.1f}" for name in COLUMNS]


COLUMNS = ("any@1", "any@5", "any@10", "all@5", "all@10", "ndcg@10", "turn@5", "turn@10", "recall@10")


def with_limpet(case: Case, times: dict[str, dict[str, float]], ways: Collection[str]) -> dict[str, dict[str, Ranking]]:
    """Answer with Limpet from one store, without and with the sentence encoder, as far as `ways` names them."""
    folder = Path(tempfile.mkdtemp(prefix="limpet-recall-"))
    answers: dict[str, dict[str, Ranking]] = {}
    try:
        with Limpet(home=str(folder / "home"), cwd=str(folder)) as memory:
            with without_encoder():
                started = time.process_time()
                drafts = [
                    Draft(text=item.text, session=item.session or None, sensitivity=Sensitivity.PUBLIC)
                    for item in case.items
                ]
                outcomes = memory.remember_many(drafts)
                spent = time.process_time() - started
            keys: dict[str, Item] = {}
            for item, outcome in zip(case.items, outcomes, strict=True):
                if not isinstance(outcome, Rejected):
                    keys.setdefault(outcome.memory.id, item)
            if PLAIN in ways:
                with without_encoder():
                    answers[PLAIN] = _ask(memory, case, keys, times[PLAIN])
                times[PLAIN]["index"] += spent
            if ENCODED in ways:
                started = time.process_time()
                encode_waiting(memory._runtime, budget_ms=3_600_000)
                times[ENCODED]["index"] += spent + time.process_time() - started
                answers[ENCODED] = _ask(memory, case, keys, times[ENCODED])
            return answers
    finally:
        shutil.rmtree(folder)


def _ask(memory: Limpet, case: Case, keys: dict[str, Item], times: dict[str, float]) -> dict[str, Ranking]:
    """Return what Limpet finds for each question of a case."""
    times["items"] += len(case.items)
    answers = {}
    for question in case.questions:
        started = time.process_time()
        page = memory.recall(question.text, limit=DEPTH)
        times["query"] += time.process_time() - started
        times["queries"] += 1
        times["tokens"] += sum(hit.memory.token_count for hit in page.items[:5])
        found = [keys[hit.memory.id] for hit in page.items]
        answers[question.id] = [(item.key, item.session or item.key) for item in found]
    return answers


def with_plain_fts5(case: Case, times: dict[str, float]) -> dict[str, Ranking]:
    """Answer with plain FTS5, as a baseline: stemming, and an OR of the words that are not stop words."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize='porter unicode61 remove_diacritics 2')")
    started = time.process_time()
    with connection:
        for number, item in enumerate(case.items):
            connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (number + 1, item.text))
    times["index"] += time.process_time() - started
    times["items"] += len(case.items)
    answers = {}
    for question in case.questions:
        started = time.process_time()
        words = [word for word in dict.fromkeys(re.findall(r"\w+", question.text.lower())) if word not in STOP]
        match = " OR ".join(f'"{word}"' for word in words)
        rows = connection.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?", (match, DEPTH))
        found = [case.items[int(row[0] or 0) - 1] for row in rows]
        times["query"] += time.process_time() - started
        times["queries"] += 1
        times["tokens"] += sum(count_tokens(item.text) for item in found[:5])
        answers[question.id] = [(item.key, item.session or item.key) for item in found]
    connection.close()
    return answers


def run(cases: Iterable[Case], *, show: bool = True) -> dict[str, dict[str, Score]]:
    """Print the figures of every way to answer, and return them by way and kind of question."""
    ways = [FLOOR, PLAIN, ENCODED] if find_encoder() else [FLOOR, PLAIN]
    scores: dict[str, dict[str, Score]] = {name: defaultdict(Score) for name in ways}
    times: dict[str, dict[str, float]] = {name: defaultdict(float) for name in ways}
    for number, case in enumerate(cases):
        answers = {FLOOR: with_plain_fts5(case, times[FLOOR]), **with_limpet(case, times, ways)}
        for name in ways:
            for question in case.questions:
                for kind in (question.kind, "all"):
                    scores[name][kind].add(question, answers[name][question.id])
        if show:
            print(f"\r{number + 1} stores", end="", flush=True)
    print()
    for name in scores:
        print(f"\n{name:<28}" + "".join(f"{column:>11}" for column in ("questions", *COLUMNS)))
        for kind in sorted(scores[name], key=lambda kind: (kind == "all", kind)):
            score = scores[name][kind]
            print(f"  {kind:<26}" + "".join(f"{cell:>11}" for cell in (str(score.count), *score.row())))
        spent = times[name]
        print(
            f"  {1000 * spent['index'] / max(1, spent['items']):.2f} ms CPU an item, "
            f"{1000 * spent['query'] / max(1, spent['queries']):.2f} ms CPU a question, "
            f"{spent['tokens'] / max(1, spent['queries']):.0f} tokens in the first five"
        )
    return scores
