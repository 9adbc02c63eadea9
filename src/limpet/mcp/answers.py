"""Encode what a tool answers: short rows, whose texts have all passed the governor.

Lists show titles; a search adds texts, cut so that the whole answer stays within its budget; only `get_memory` gives a
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
from limpet.model.codec import format_time
from limpet.model.fact import Fact
from limpet.model.memory import Kind, Memory, Origin, Region, Sensitivity, Type
from limpet.model.outcome import Admitted, Duplicate, Outcome
from limpet.model.query import Hit, Page, Stored
from limpet.operations.doctor import DoctorAnswer
from limpet.operations.facts import FactsAnswer
from limpet.operations.feedback import FeedbackAnswer
from limpet.operations.forget import ForgetAnswer
from limpet.operations.recall import record_access
from limpet.operations.show import ShowAnswer
from limpet.operations.stats import StatsAnswer
from limpet.operations.timeline import TimelineAnswer
from limpet.operations.verify import encode_problem
from limpet.runtime import Runtime
from limpet.text.tokens import count_tokens
from limpet.upkeep.round import Round

BUDGET = 1800
"""Tokens of a search answer of up to ten rows; a longer answer gets proportionally more."""
WHOLE = 8000
"""Tokens of the text of one memory in full."""
_SHORTEST = 12
_MOST_PROBLEMS = 20


def encode_outcome(runtime: Runtime, answer: Outcome) -> dict[str, Any]:
    match answer:
        case Admitted(memory=memory) | Duplicate(memory=memory):
            kind = "stored" if isinstance(answer, Admitted) else "duplicate"
            shown = {"outcome": kind, "id": memory.id, "kind": memory.kind, "type": memory.type}
            return _drop_empty({**shown, "redacted": sorted(set(answer.redacted)), "notes": list(answer.notes)})
        case rejected:
            raise UsageError(rejected.reason)


def encode_hits(runtime: Runtime, page: Page[Hit]) -> dict[str, Any]:
    return _encode_page("memories", _text_rows([hit.stored for hit in page.items], runtime.now()), page)


def encode_found(runtime: Runtime, page: Page[Stored]) -> dict[str, Any]:
    """Encode the result of a search by file or concept; it counts as an access, as the agent reads the texts."""
    record_access(runtime, [stored.memory.id for stored in page.items], way="recall")
    return _encode_page("memories", _text_rows(page.items, runtime.now()), page)


def encode_titles(runtime: Runtime, page: Page[Stored]) -> dict[str, Any]:
    return _encode_page("memories", _title_rows(page.items, runtime.now()), page)


def encode_upkeep(runtime: Runtime, answer: Round) -> dict[str, Any]:
    """Encode what upkeep did at a model's request; every step of it can be undone."""
    return {"changed": sum(answer.done.values()), "notices": answer.notices, "note": "nothing is erased"}


def encode_feedback(runtime: Runtime, answer: FeedbackAnswer) -> dict[str, Any]:
    return {"id": answer.stored.memory.id, "feedback": answer.says.value}


def encode_timeline(runtime: Runtime, answer: TimelineAnswer) -> dict[str, Any]:
    now = runtime.now()
    episodes = [
        _drop_empty(
            {
                "session": episode.session,
                "started_at": format_time(episode.started_at),
                "memories": _title_rows(episode.memories, now),
            }
        )
        for episode in answer.episodes
    ]
    return {"episodes": episodes, "total": answer.total, "has_more": answer.has_more}


def encode_whole(runtime: Runtime, shown: ShowAnswer) -> dict[str, Any]:
    now, memory = runtime.now(), shown.stored.memory
    row = _row(shown.stored, now)
    if "withheld" in row:
        return {"memory": row}
    row |= {
        "status": shown.stored.status,
        "origin": memory.origin,
        "impact": memory.impact,
        "region": memory.region,
        "created_at": format_time(memory.created_at),
        "updated_at": format_time(memory.updated_at),
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
    row["tags"] = _govern_words(shown.stored, memory.tags)
    row["files"] = _govern_words(shown.stored, tuple(files))
    row["text"] = _cut(row["text"], WHOLE)
    if memory.original_content != memory.content:
        row["original"] = _cut(_govern_words(shown.stored, (memory.original_content,)) or "", WHOLE)
    versions = [
        {"id": each.memory.id, "version": each.memory.version, "status": each.status} for each in shown.versions
    ]
    links = [{"relation": relation, "id": to} for relation, to in shown.links[:50]]
    more = {"versions": versions if len(versions) > 1 else [], "links": links}
    return {"memory": _drop_empty(row), **_drop_empty(more)}


def encode_forgotten(runtime: Runtime, answer: ForgetAnswer) -> dict[str, Any]:
    return {
        "forgotten": answer.done,
        "memories": _title_rows(answer.memories, runtime.now()),
        "note": "nothing is erased; the user can restore it with: limpet restore ID",
    }


def encode_pinned(runtime: Runtime, stored: Stored) -> dict[str, Any]:
    return {"id": stored.memory.id, "pinned": stored.memory.pinned}


def encode_facts(runtime: Runtime, answer: FactsAnswer) -> dict[str, Any]:
    shown = {
        "facts": [_fact(fact) for fact in answer.facts],
        "total": answer.total,
        "has_more": answer.has_more,
    }
    closed = [fact.id for fact in answer.closed]
    return shown | _drop_empty({"added": answer.added, "closed": closed, "redacted": sorted(set(answer.redacted))})


def encode_status(runtime: Runtime, stats: StatsAnswer) -> dict[str, Any]:
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


def encode_diagnosis(runtime: Runtime, answer: DoctorAnswer) -> dict[str, Any]:
    problems = [_drop_empty(encode_problem(problem)) for problem in answer.problems[:_MOST_PROBLEMS]]
    sentences = {"notes": answer.notes, "warnings": answer.warnings, "mended": answer.mended}
    more = {name: texts[:_MOST_PROBLEMS] for name, texts in sentences.items()}
    return {
        "ok": not answer.problems,
        "problems": problems,
        "problem_count": len(answer.problems),
        **_drop_empty(more),
        **answer.facts,
    }


def neutralise_all(value: Any) -> Any:
    """Return an answer with every text neutralised: branches and names may come from others too, not only memories."""
    match value:
        case str():
            return neutralise(value)
        case dict():
            return {name: neutralise_all(each) for name, each in value.items()}
        case list():
            return [neutralise_all(each) for each in value]
        case _:
            return value


# Rows


def _encode_page(name: str, rows: list[dict[str, Any]], page: Page[Any]) -> dict[str, Any]:
    return {name: rows, "total": page.total, "has_more": page.has_more}


def _row(stored: Stored, now: datetime) -> dict[str, Any]:
    """Return id, title, text, kind, type, age and trust of a memory, or why it is withheld."""
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
    return row | _drop_empty({"quoted": passed.quoted})


def _trust(memory: Memory, passed: Passed) -> str:
    """Return the governor's warning if there is one, otherwise who said it."""
    return passed.label or (Origin.USER if memory.confirmed else memory.origin)


def _title_rows(memories: Iterable[Stored], now: datetime) -> list[dict[str, Any]]:
    """Return rows without texts; a memory without a title shows the beginning of its text instead."""
    rows = [_row(stored, now) for stored in memories]
    for row in rows:
        if "text" in row:
            row["title"] = _cut(row.get("title") or row["text"], _SHORTEST * 2)
            del row["text"]
    return rows


def _text_rows(memories: Sequence[Stored], now: datetime) -> list[dict[str, Any]]:
    """Return rows whose texts share the budget: what short texts do not need goes to long ones."""
    rows = [_row(stored, now) for stored in memories]
    for row in rows:
        if "title" in row:
            row["title"] = _cut(row["title"], _SHORTEST * 2)
    texts = {number: row["text"] for number, row in enumerate(rows) if "text" in row}
    budget = BUDGET * max(1.0, len(rows) / 10)
    left = budget - count_tokens(compact_json([{**row, "text": ""} for row in rows]))
    needs = {number: count_tokens(json.dumps(text, ensure_ascii=False)) for number, text in texts.items()}
    for done, number in enumerate(sorted(needs, key=lambda number: needs[number])):
        share = max(_SHORTEST, int(left / (len(needs) - done)))
        rows[number]["text"] = _cut(texts[number], share)
        left -= min(needs[number], share)
    return rows


def _cut(text: str, tokens: int) -> str:
    """Return the beginning of a text that takes at most `tokens` when written as JSON."""
    if len(text) <= tokens or count_tokens(json.dumps(text, ensure_ascii=False)) <= tokens:
        return text
    low, high = 0, min(len(text), tokens * 12)
    while low < high:
        middle = (low + high + 1) // 2
        fits = count_tokens(json.dumps(text[:middle], ensure_ascii=False)) < tokens
        low, high = (middle, high) if fits else (low, middle - 1)
    return f"{text[:low].rstrip()}…"


def _govern_words(stored: Stored, words: tuple[str, ...]) -> str | None:
    """Return other words of a memory, such as its tags; they pass the governor like its text."""
    if not words:
        return None
    other = replace(stored.memory, title="", content=", ".join(words))
    passed = govern(replace(stored, memory=other), way=Way.ASKED)
    return passed.text if isinstance(passed, Passed) else f"withheld: {passed.reason}"


def _fact(fact: Fact) -> dict[str, Any]:
    said = f"{fact.subject} | {fact.predicate} | {fact.object}"
    passed = govern(Stored(memory=_fact_memory(fact, said)), way=Way.ASKED)
    if not isinstance(passed, Passed):
        return {"id": fact.id, "withheld": passed.reason}
    parts = {"subject": fact.subject, "predicate": fact.predicate, "object": fact.object}
    shown = parts if passed.text == said else {"fact": passed.text}
    until = format_time(fact.valid_to) if fact.valid_to else None
    window = {"confidence": fact.confidence, "since": format_time(fact.valid_from), "until": until}
    return _drop_empty({"id": fact.id, **shown, **window, "trust": passed.label, "quoted": passed.quoted})


def _fact_memory(fact: Fact, said: str) -> Memory:
    """Return a fact as a memory, so that the governor can judge it; a fact has no origin, so the agent's is assumed."""
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


def _drop_empty(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values without the empty ones."""
    return {name: value for name, value in values.items() if value not in (None, "", [], False)}


def compact_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
