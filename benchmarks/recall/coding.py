"""Measure recall on our own set: the memories of real projects, and the questions of agents and people."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any

import apsw

from benchmarks.recall.sets import coding
from benchmarks.recall.ways import ENCODED, FLOOR, PLAIN, without_encoder
from limpet import clock
from limpet.care.tending import encode_waiting
from limpet.model.memory import Origin
from limpet.operations.catalogue import load_verb
from limpet.operations.parameters import build_query
from limpet.recall.search import search
from limpet.runtime import Caller, Runtime, open_runtime
from limpet.sentence_encoder import find_encoder
from limpet.text.words import STOP

DEPTH = 10
TOLD = 8
"""How many memories a prompt looks for."""


class Workshop:
    """The set stored through the product's own operations, each memory on its day, each project in its folder."""

    def __init__(self, memories: list[dict[str, Any]]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="limpet-coding-"))
        self.now_ms = clock.now_ms()
        self.ids: dict[str, str] = {}
        self._runtimes: dict[str | None, Runtime] = {}
        for memory in sorted(memories, key=lambda each: (-each.get("day", 0), each["key"])):
            self._store(memory)
        for runtime in self._runtimes.values():
            runtime.close()
        self._runtimes.clear()
        self._day = 0

    def _runtime(self, project: str | None) -> Runtime:
        if project not in self._runtimes:
            path = self.folder / (project or "anywhere")
            path.mkdir(exist_ok=True)
            self._runtimes[project] = open_runtime(
                home=str(self.folder / "home"),
                cwd=str(path),
                caller=Caller(origin=Origin.USER),
                now_ms=lambda: self.now_ms - self._day * clock.DAY_MS,
            )
        return self._runtimes[project]

    def _store(self, memory: dict[str, Any]) -> None:
        self._day = memory.get("day", 0)
        runtime = self._runtime(memory.get("project"))
        runtime.__dict__["session"] = memory.get("session")
        runtime.place = _on_branch(runtime.place, memory.get("branch"))
        chosen = load_verb("correct" if memory.get("supersedes") else "remember")
        fields = {
            name: memory[name] for name in ("kind", "type", "impact", "title", "tags", "files") if memory.get(name)
        }
        fields |= {"text": memory["text"], "sensitivity": "public"}
        if memory.get("supersedes"):
            fields["id"] = self.ids[memory["supersedes"]]
        else:
            fields["region"] = "PROJECT" if memory.get("project") else "AGENT"
        outcome = chosen.run(runtime, **chosen.accept(fields))
        self.ids[memory["key"]] = outcome.memory.id

    def ask(self, project: str, question: str) -> list[str]:
        self._day = 0
        page = load_verb("recall").run(self._runtime(project), query=question, limit=DEPTH)
        return [self._keys[hit.memory.id] for hit in page.items]

    def tell(self, project: str, question: str) -> list[str]:
        """Return what a search finds for a prompt, when nobody has asked for a memory."""
        self._day = 0
        runtime = self._runtime(project)
        reading, unasked = runtime.reading(), build_query(runtime, text=question, limit=TOLD)
        last = reading.last_session(unasked.scope.project, besides=None)
        settings = runtime.settings.recall
        page = search(unasked, reading=reading, settings=settings, judge=runtime.signer.judge, last_session=last)
        return [self._keys[hit.memory.id] for hit in page.items]

    def encode(self) -> None:
        """Let the sentence encoder of the extra encode every memory."""
        encode_waiting(self._runtime("shop"), budget_ms=600_000)

    @cached_property
    def _keys(self) -> dict[str, str]:
        return {id: key for key, id in self.ids.items()}

    def close(self) -> None:
        for runtime in self._runtimes.values():
            runtime.close()
        shutil.rmtree(self.folder)


def _on_branch(place: Any, branch: str | None) -> Any:
    from limpet.lean.record import replace

    return replace(place, branch=branch)


class Floor:
    """Plain FTS5 over the live memories that the project may see."""

    def __init__(self, memories: list[dict[str, Any]]) -> None:
        gone = {memory.get("supersedes") for memory in memories}
        self._connection = apsw.Connection(":memory:")
        self._connection.execute(
            "CREATE VIRTUAL TABLE words USING fts5 (key UNINDEXED, project UNINDEXED, text, "
            "tokenize='porter unicode61 remove_diacritics 2')"
        )
        for memory in memories:
            if memory["key"] not in gone:
                text = f"{memory.get('title', '')} {memory['text']} {' '.join(memory.get('tags', []))}"
                self._connection.execute(
                    "INSERT INTO words VALUES (?, ?, ?)", (memory["key"], memory.get("project") or "", text)
                )

    def ask(self, project: str, question: str) -> list[str]:
        words = [word for word in dict.fromkeys(re.findall(r"\w+", question.lower())) if word not in STOP]
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        rows = self._connection.execute(
            "SELECT key FROM words WHERE words MATCH ? AND project IN (?, '') ORDER BY rank LIMIT ?",
            (match, project, DEPTH),
        )
        return [str(row[0]) for row in rows]

    def tell(self, project: str, question: str) -> list[str]:
        """Return the same as `ask`: plain full text has no bar for what is told unasked."""
        return self.ask(project, question)[:TOLD]


def run(folder: Path, *, splits: Sequence[str] = ("dev", "kept")) -> dict[tuple[str, str], dict[str, Row]]:
    """Print the figures of each half, and return them by answerer and half."""
    os.environ.pop("CLAUDECODE", None)
    memories, questions = coding(folder)
    started = time.process_time()
    workshop = Workshop(memories)
    print(f"\nour coding set: {len(memories)} memories, {len(questions)} questions")
    print(f"  stored in {1000 * (time.process_time() - started) / len(memories):.1f} ms CPU each, one by one")
    figures: dict[tuple[str, str], dict[str, Row]] = {}
    answerers: list[tuple[str, Workshop | Floor]] = [(FLOOR, Floor(memories)), (PLAIN, workshop)]
    if find_encoder():
        answerers.append((ENCODED, workshop))
    for name, answerer in answerers:
        with nullcontext() if name == ENCODED else without_encoder():
            if name == ENCODED:
                workshop.encode()
            for split in splits:
                half = [question for question in questions if question["split"] == split]
                figures[name, split] = rows = _measure(answerer, half)
                _show(f"{name}, {'kept back' if split == 'kept' else 'for tuning'}", rows)
    workshop.close()
    return figures


class Row:
    """The counts of one style of question."""

    def __init__(self) -> None:
        self.questions = self.first = self.five = self.ten = self.silent = self.told_right = 0
        self.reciprocal = self.seconds = 0.0

    def add(self, found: list[str], told: list[str], right: set[str], seconds: float) -> None:
        place = next((number for number, key in enumerate(found) if key in right), DEPTH)
        self.questions += 1
        self.first += place < 1
        self.five += place < 5
        self.ten += place < 10
        self.reciprocal += 1 / (place + 1) if place < DEPTH else 0.0
        self.silent += not told
        self.told_right += bool(right & set(told[:5]))
        self.seconds += seconds

    def cells(self) -> list[str]:
        counts = (self.first, self.five, self.ten, self.reciprocal, self.silent, self.told_right)
        return [f"{100 * count / max(1, self.questions):.1f}" for count in counts]


COLUMNS = ("questions", "hit@1", "hit@5", "hit@10", "mrr", "silent", "told")
"""The last two are about what is told unasked: how often nothing, and how often a right memory among five."""


def _measure(answerer: Workshop | Floor, questions: list[dict[str, Any]]) -> dict[str, Row]:
    rows: dict[str, Row] = defaultdict(Row)
    for question in questions:
        started = time.process_time()
        found = answerer.ask(question["project"], question["question"])
        spent = time.process_time() - started
        told, right = answerer.tell(question["project"], question["question"]), set(question["answers"])
        for style in (question["style"], *(("all with an answer",) if right else ())):
            rows[style].add(found, told, right, spent)
    return dict(rows)


def _show(title: str, rows: dict[str, Row]) -> None:
    print(f"\n{title:<24}" + "".join(f"{column:>10}" for column in COLUMNS))
    for style in sorted(rows, key=lambda style: (style.startswith("all"), style)):
        print(f"  {style:<22}{rows[style].questions:>10}" + "".join(f"{cell:>10}" for cell in rows[style].cells()))
    seconds = sum(row.seconds for style, row in rows.items() if not style.startswith("all"))
    count = sum(row.questions for style, row in rows.items() if not style.startswith("all"))
    print(f"  {1000 * seconds / max(1, count):.2f} ms CPU a question")
