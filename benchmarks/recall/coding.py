"""Measure recall on our own set: the memories of real projects, and the questions of agents and people."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import apsw

from benchmarks.recall.sets import coding
from limpet import clock
from limpet.model.memory import Origin
from limpet.operations.catalogue import verb
from limpet.runtime import Caller, Runtime, open_runtime
from limpet.text.words import STOP

DEPTH = 10


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
        chosen = verb("correct" if memory.get("supersedes") else "remember")
        fields = {
            name: memory[name] for name in ("kind", "type", "impact", "title", "tags", "files") if memory.get(name)
        }
        fields["sensitivity"] = "public"
        if memory.get("supersedes"):
            fields["id"] = self.ids[memory["supersedes"]]
        else:
            fields["region"] = "PROJECT" if memory.get("project") else "AGENT"
        outcome = chosen.run(runtime, text=memory["text"], **chosen.accept(fields))
        self.ids[memory["key"]] = outcome.memory.id

    def ask(self, project: str, question: str) -> list[tuple[str, float]]:
        self._day = 0
        page = verb("recall").run(self._runtime(project), query=question, limit=DEPTH)
        keys = {id: key for key, id in self.ids.items()}
        return [(keys[hit.memory.id], hit.score) for hit in page.items]

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

    def ask(self, project: str, question: str) -> list[tuple[str, float]]:
        words = [word for word in dict.fromkeys(re.findall(r"\w+", question.lower())) if word not in STOP]
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        rows = self._connection.execute(
            "SELECT key, -rank FROM words WHERE words MATCH ? AND project IN (?, '') ORDER BY rank LIMIT ?",
            (match, project, DEPTH),
        )
        return [(str(row[0]), float(row[1] or 0)) for row in rows]


def run(folder: Path) -> dict[str, dict[str, list[float]]]:
    os.environ.pop("CLAUDECODE", None)
    memories, questions = coding(folder)
    started = time.process_time()
    workshop = Workshop(memories)
    print(f"\nour coding set: {len(memories)} memories, {len(questions)} questions")
    print(f"  stored in {1000 * (time.process_time() - started) / len(memories):.1f} ms CPU each, one by one")
    everything: dict[str, dict[str, list[float]]] = {}
    for name, answerer in (("limpet", workshop), ("FTS5", Floor(memories))):
        sums: dict[str, list[float]] = defaultdict(lambda: [0.0] * 5)
        spent = 0.0
        for question in questions:
            started = time.process_time()
            answer = answerer.ask(question["project"], question["question"])
            spent += time.process_time() - started
            for style in (question["style"], "nothing" if question["style"] == "nothing" else "all but nothing"):
                _count(sums[style], [key for key, _ in answer], set(question["answers"]))
                if style == question["style"] == "nothing":
                    break
        print(f"\n{name:<20}{'questions':>10}{'hit@1':>8}{'hit@5':>8}{'hit@10':>8}{'mrr':>8}{'empty':>8}")
        for style in sorted(sums, key=lambda style: (style == "all but nothing", style)):
            count, *rest = sums[style]
            print(f"  {style:<18}{count:>10.0f}" + "".join(f"{100 * value / count:>8.1f}" for value in rest))
        print(f"  {1000 * spent / len(questions):.2f} ms CPU a question")
        everything[name] = dict(sums)
    workshop.close()
    return everything


def _count(row: list[float], found: list[str], right: set[str]) -> None:
    """Return the number of questions, hit@1, hit@5, hit@10, reciprocal rank, empty answers."""
    if len(row) == 5:
        row.append(0.0)
    row[0] += 1
    place = next((number for number, key in enumerate(found) if key in right), None)
    if place is not None:
        row[1] += place < 1
        row[2] += place < 5
        row[3] += place < 10
        row[4] += 1 / (place + 1)
    row[5] += not found
