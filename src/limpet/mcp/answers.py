"""What a tool answers: rows a model can afford to read, every text of them through the one door out.

Lists show titles; a search adds texts, cut so that the whole answer keeps within its budget; only `get_memory` gives a
memory in full.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from limpet.clock import format_age
from limpet.doors.governor import Passed, Way, govern, neutralise
from limpet.errors import UsageError
from limpet.lean.record import replace
from limpet.model.change import Status
from limpet.model.codec import iso
from limpet.model.fact import Fact
from limpet.model.memory import Kind, Memory, Origin, Region, Sensitivity, Type
from limpet.model.outcome import Admitted, Duplicate, Outcome
from limpet.model.query import Hit, Page, Stored
from limpet.operations.doctor import Diagnosis
from limpet.operations.facts import Facts
from limpet.operations.feedback import Judged
from limpet.operations.forget import Forgotten
from limpet.operations.pin import Pinned
from limpet.operations.recall import note_access
from limpet.operations.show import Shown
from limpet.operations.stats import Stats
from limpet.operations.timeline import Timeline
from limpet.operations.verify import encode_problem
from limpet.runtime import Runtime
from limpet.text.tokens import count_tokens
from limpet.upkeep.round import Round

BUDGET = 1800
"""Tokens of a search answer of up to ten rows; a longer one has as much more as it has rows."""
WHOLE = 8000
"""Tokens of the text of one memory in full."""
_LEAST = 12
_PROBLEMS = 20


def outcome(runtime: Runtime, answer: Outcome) -> dict[str, Any]:
    match answer:
        case Admitted(memory=memory) | Duplicate(memory=memory):
            said = "stored" if isinstance(answer, Admitted) else "duplicate"
            shown = {"outcome": said, "id": memory.id, "kind": memory.kind, "type": memory.type}
            return _dense({**shown, "redacted": sorted(set(answer.redacted)), "notes": list(answer.notes)})
        case rejected:
            raise UsageError(rejected.reason)


def hits(runtime: Runtime, page: Page[Hit]) -> dict[str, Any]:
    return _paged("memories", _with_texts([hit.stored for hit in page.items], runtime.now()), page)


def found(runtime: Runtime, page: Page[Stored]) -> dict[str, Any]:
    """What a search by something else than words has found: handed to the agent, so it is an access too."""
    note_access(runtime, [stored.memory.id for stored in page.items], way="recall")
    return _paged("memories", _with_texts(page.items, runtime.now()), page)


def index(runtime: Runtime, page: Page[Stored]) -> dict[str, Any]:
    return _paged("memories", _titles(page.items, runtime.now()), page)


def tended(runtime: Runtime, answer: Round) -> dict[str, Any]:
    """What upkeep did when a model asked for it; every step of it can be undone."""
    return {"changed": sum(answer.done.values()), "notices": answer.notices, "note": "nothing is erased"}


def judged(runtime: Runtime, answer: Judged) -> dict[str, Any]:
    return {"id": answer.stored.memory.id, "feedback": answer.says.value}


def timeline(runtime: Runtime, answer: Timeline) -> dict[str, Any]:
    now = runtime.now()
    episodes = [
        _dense(
            {
                "session": episode.session,
                "started_at": iso(episode.started_at),
                "memories": _titles(episode.memories, now),
            }
        )
        for episode in answer.episodes
    ]
    return {"episodes": episodes, "total": answer.total, "has_more": answer.has_more}


def whole(runtime: Runtime, shown: Shown) -> dict[str, Any]:
    now, memory = runtime.now(), shown.stored.memory
    row = _row(shown.stored, now)
    if "withheld" in row:
        return {"memory": row}
    row |= {
        "status": shown.stored.status,
        "origin": memory.origin,
        "impact": memory.impact,
        "region": memory.region,
        "created_at": iso(memory.created_at),
        "updated_at": iso(memory.updated_at),
        "version": memory.version,
        "phase": int(memory.phase),
        "confidence": memory.confidence,
        "difficulty": memory.difficulty,
        "pinned": memory.pinned,
        "session": memory.session,
        "branch": memory.branch,
        "commit": memory.commit,
        "concepts": list(memory.concepts),
        "warnings": list(shown.stored.warnings),
    }
    files = dict.fromkeys((*memory.files_modified, *memory.files_read, *(each.path for each in memory.citations)))
    row |= {name: _said(shown.stored, words) for name, words in (("tags", memory.tags), ("files", tuple(files)))}
    row["text"] = _cut(row["text"], WHOLE)
    if memory.original_content != memory.content:
        row["original"] = _cut(_said(shown.stored, (memory.original_content,)) or "", WHOLE)
    versions = [
        {"id": each.memory.id, "version": each.memory.version, "status": each.status} for each in shown.versions
    ]
    links = [{"relation": relation, "id": to} for relation, to in shown.links[:50]]
    return {"memory": _dense(row), **_dense({"versions": versions if len(versions) > 1 else [], "links": links})}


def forgotten(runtime: Runtime, answer: Forgotten) -> dict[str, Any]:
    return {
        "forgotten": answer.done,
        "memories": _titles(answer.memories, runtime.now()),
        "note": "nothing is erased; the user brings it back with: limpet restore ID",
    }


def pinned(runtime: Runtime, answer: Pinned) -> dict[str, Any]:
    return {"id": answer.stored.memory.id, "pinned": answer.stored.memory.pinned}


def facts(runtime: Runtime, answer: Facts) -> dict[str, Any]:
    shown = {
        "facts": [_fact(fact) for fact in answer.facts],
        "total": answer.total,
        "has_more": answer.has_more,
    }
    closed = [fact.id for fact in answer.closed]
    return shown | _dense({"added": answer.added, "closed": closed, "redacted": sorted(set(answer.redacted))})


def status(runtime: Runtime, stats: Stats) -> dict[str, Any]:
    counts = stats.counts
    return {
        "total": counts["status"].get(Status.LIVE, 0),
        "by_phase": counts["phase"],
        "by_kind": counts["kind"],
        "by_status": counts["status"],
        "expired": counts["expired"],
        "facts": counts["facts"],
        "sessions": counts["sessions"],
        "agent": stats.agent,
        "project": stats.project,
        "path": stats.home,
        "bytes": sum(stats.bytes.values()),
    }


def diagnosis(runtime: Runtime, answer: Diagnosis) -> dict[str, Any]:
    problems = [_dense(encode_problem(problem)) for problem in answer.problems[:_PROBLEMS]]
    more = {"notes": answer.notes[:_PROBLEMS], "mended": answer.mended[:_PROBLEMS]}
    return {
        "ok": not answer.problems,
        "problems": problems,
        "problem_count": len(answer.problems),
        **_dense(more),
        **answer.facts,
    }


def harmless(value: Any) -> Any:
    """An answer or a sentence as it may be shown. Not only memories hold words of others: so do branches and names."""
    match value:
        case str():
            return neutralise(value)
        case dict():
            return {name: harmless(each) for name, each in value.items()}
        case list():
            return [harmless(each) for each in value]
        case _:
            return value


# Rows


def _paged(name: str, rows: list[dict[str, Any]], page: Page[Any]) -> dict[str, Any]:
    return {name: rows, "total": page.total, "has_more": page.has_more}


def _row(stored: Stored, now: datetime) -> dict[str, Any]:
    """Id, title, text, kind, type, age and trust of a memory, or why it is withheld."""
    memory = stored.memory
    passed = govern(stored, way=Way.ASKED)
    if not isinstance(passed, Passed):
        return {"id": memory.id, "withheld": passed.reason}
    row = {"id": memory.id, "title": passed.title, "text": passed.text}
    if passed.text.startswith(passed.title.rstrip("…")):
        del row["title"]
    row |= {
        "kind": memory.kind,
        "type": memory.type,
        "age": format_age(now, memory.updated_at),
        "trust": _trust(memory, passed),
    }
    return row | _dense({"quoted": passed.quoted})


def _trust(memory: Memory, passed: Passed) -> str:
    """Who said it, unless there is something to beware of."""
    return passed.label or (Origin.USER if memory.confirmed else memory.origin)


def _titles(memories: Iterable[Stored], now: datetime) -> list[dict[str, Any]]:
    """Rows without texts; what has no title of its own is named by the beginning of its text."""
    rows = [_row(stored, now) for stored in memories]
    for row in rows:
        if "text" in row:
            row["title"] = _cut(row.get("title") or row["text"], _LEAST * 2)
            del row["text"]
    return rows


def _with_texts(memories: Sequence[Stored], now: datetime) -> list[dict[str, Any]]:
    """Rows whose texts share the budget: short ones leave what they do not need to long ones."""
    rows = [_row(stored, now) for stored in memories]
    for row in rows:
        if "title" in row:
            row["title"] = _cut(row["title"], _LEAST * 2)
    texts = {number: row["text"] for number, row in enumerate(rows) if "text" in row}
    budget = BUDGET * max(1.0, len(rows) / 10)
    left = budget - count_tokens(_written([{**row, "text": ""} for row in rows]))
    needs = {number: count_tokens(json.dumps(text, ensure_ascii=False)) for number, text in texts.items()}
    for done, number in enumerate(sorted(needs, key=lambda number: needs[number])):
        share = max(_LEAST, int(left / (len(needs) - done)))
        rows[number]["text"] = _cut(texts[number], share)
        left -= min(needs[number], share)
    return rows


def _cut(text: str, tokens: int) -> str:
    """The beginning of a text, as long as so many tokens allow, counted as it is written in JSON."""
    if len(text) <= tokens or count_tokens(json.dumps(text, ensure_ascii=False)) <= tokens:
        return text
    low, high = 0, min(len(text), tokens * 12)
    while low < high:
        middle = (low + high + 1) // 2
        fits = count_tokens(json.dumps(text[:middle], ensure_ascii=False)) < tokens
        low, high = (middle, high) if fits else (low, middle - 1)
    return f"{text[:low].rstrip()}…"


def _said(stored: Stored, words: tuple[str, ...]) -> str | None:
    """Other words of a memory, which leave by the same door as its text."""
    if not words:
        return None
    other = replace(stored.memory, title="", content=", ".join(words))
    passed = govern(replace(stored, memory=other), way=Way.ASKED)
    return passed.text if isinstance(passed, Passed) else f"withheld: {passed.reason}"


def _fact(fact: Fact) -> dict[str, Any]:
    said = f"{fact.subject} | {fact.predicate} | {fact.object}"
    passed = govern(Stored(memory=_as_memory(fact, said)), way=Way.ASKED)
    if not isinstance(passed, Passed):
        return {"id": fact.id, "withheld": passed.reason}
    parts = {"subject": fact.subject, "predicate": fact.predicate, "object": fact.object}
    shown = parts if passed.text == said else {"fact": passed.text}
    until = iso(fact.valid_to) if fact.valid_to else None
    window = {"confidence": fact.confidence, "since": iso(fact.valid_from), "until": until}
    return _dense({"id": fact.id, **shown, **window, "trust": passed.label, "quoted": passed.quoted})


def _as_memory(fact: Fact, said: str) -> Memory:
    """A fact has no origin of its own; what stored it was an agent or stood above one."""
    return Memory(
        id=fact.id,
        agent=fact.agent,
        region=Region.PROJECT if fact.project else Region.AGENT,
        project=fact.project,
        kind=Kind.LEARNINGS,
        type=Type.DISCOVERY,
        content=said,
        original_content=said,
        origin=Origin.AGENT,
        sensitivity=Sensitivity.PUBLIC,
        created_at=fact.valid_from,
        updated_at=fact.valid_from,
    )


def _dense(values: dict[str, Any]) -> dict[str, Any]:
    """Without what says nothing."""
    return {name: value for name, value in values.items() if value not in (None, "", [], False)}


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
