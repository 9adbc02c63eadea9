"""Make the rows of an answer for a model: one for each memory or fact.

A row has only what the governor allows a model to see. The texts of an answer share a budget of tokens.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from limpet.clock import format_age
from limpet.doors.governor import Passed, Way, Withheld, govern
from limpet.lean.record import replace
from limpet.model.change import Status
from limpet.model.codec import format_time
from limpet.model.memory import Memory
from limpet.model.query import OPEN, Stored
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from limpet.curating.facts import JudgedFact
    from limpet.runtime import Runtime

BUDGET = 1800
"""The maximum number of tokens in a search answer with up to ten rows. With more rows, it is proportionally higher."""
_SHORTEST = 12


def make_memory_rows(runtime: Runtime, memories: Iterable[Stored]) -> list[dict[str, Any]]:
    """Return a row for each memory: its id, title, text, kind, type, age and trust, or why it is withheld."""
    reading, now = runtime.reading(), runtime.now()
    return [_make_row(stored, reading.get(stored.memory.id), now) for stored in memories]


def _make_row(stored: Stored, current: Stored | None, now: datetime) -> dict[str, Any]:
    memory = stored.memory
    passed = _govern_now(stored, current)
    if not isinstance(passed, Passed):
        return {"id": memory.id, "withheld": passed.reason}
    row = {"id": memory.id, "title": passed.title, "text": passed.text}
    if passed.text.startswith(passed.title.rstrip("…")):
        del row["title"]
    row |= {
        "kind": memory.kind,
        "type": memory.type,
        "age": format_age(now, memory.updated_at),
        "trust": _describe_trust(memory, passed),
    }
    return row | drop_empty({"quoted": passed.quoted})


def _govern_now(stored: Stored, current: Stored | None) -> Passed | Withheld:
    """Decide whether a model may see a memory, which may have been read as of a past date.

    `current` is its state now: a memory that was hidden or purged since that date is withheld.
    """
    if current is None:
        return Withheld(reason=Status.PURGED.value)
    if current.status in (Status.FORGOTTEN, Status.PURGED) or current.memory.sensitivity not in OPEN:
        return govern(current, way=Way.ASKED)
    return govern(stored, way=Way.ASKED)


def _describe_trust(memory: Memory, passed: Passed) -> str:
    """Return the governor's label if there is one, such as "from a file"; otherwise the origin of the memory."""
    return passed.label or memory.effective_origin


def make_title_rows(runtime: Runtime, memories: Iterable[Stored]) -> list[dict[str, Any]]:
    """Return rows with titles and without texts. If there is no title, the beginning of the text is used."""
    rows = make_memory_rows(runtime, memories)
    for row in rows:
        if "text" in row:
            row["title"] = cut_to_tokens(row.get("title") or row["text"], _SHORTEST * 2)
            del row["text"]
    return rows


def make_text_rows(runtime: Runtime, memories: Sequence[Stored], *, minor: Sequence[bool] = ()) -> list[dict[str, Any]]:
    """Return rows with texts that are cut so that they fit into the budget together.

    Tokens that short texts do not need are left for longer ones. If the value of a memory in `minor` is true, its row
    contains only the beginning of its text.
    """
    rows = make_memory_rows(runtime, memories)
    for row in rows:
        if "title" in row:
            row["title"] = cut_to_tokens(row["title"], _SHORTEST * 2)
    for row, is_minor in zip(rows, minor, strict=False):
        if is_minor and "text" in row:
            row["text"] = cut_to_tokens(row["text"], _SHORTEST * 3)
    texts = {number: row["text"] for number, row in enumerate(rows) if "text" in row}
    budget = BUDGET * max(1.0, len(rows) / 10)
    left = budget - count_tokens(compact_json([{**row, "text": ""} for row in rows]))
    needs = {number: count_tokens(json.dumps(text, ensure_ascii=False)) for number, text in texts.items()}
    for done, number in enumerate(sorted(needs, key=lambda number: needs[number])):
        share = max(_SHORTEST, int(left / (len(needs) - done)))
        rows[number]["text"] = cut_to_tokens(texts[number], share)
        left -= min(needs[number], share)
    return rows


def cut_to_tokens(text: str, tokens: int) -> str:
    """Cut a text so that it takes up at most `tokens` tokens when it is written as a JSON string."""
    if len(text) <= tokens or count_tokens(json.dumps(text, ensure_ascii=False)) <= tokens:
        return text
    low, high = 0, min(len(text), tokens * 12)
    while low < high:
        middle = (low + high + 1) // 2
        fits = count_tokens(json.dumps(text[:middle], ensure_ascii=False)) < tokens
        low, high = (middle, high) if fits else (low, middle - 1)
    return f"{text[:low].rstrip()}…"


def govern_words(stored: Stored, words: tuple[str, ...]) -> str | None:
    """Return `words` from a memory, such as its tags, joined to one text, or None if there are none.

    If the governor withholds them, return the reason instead.
    """
    if not words:
        return None
    other = replace(stored.memory, title="", content=", ".join(words))
    passed = govern(replace(stored, memory=other), way=Way.ASKED)
    return passed.text if isinstance(passed, Passed) else f"withheld: {passed.reason}"


def make_fact_row(judged: JudgedFact) -> dict[str, Any]:
    """Return a row for a fact: its parts, confidence, period and trust, or why it is withheld."""
    fact = judged.fact
    passed = govern(judged.stored, way=Way.ASKED)
    if not isinstance(passed, Passed):
        return {"id": fact.id, "withheld": passed.reason}
    parts = {"subject": fact.subject, "predicate": fact.predicate, "object": fact.object}
    shown = parts if passed.text == judged.stored.memory.content else {"fact": passed.text}
    until = format_time(fact.valid_to) if fact.valid_to else None
    window = {"confidence": fact.confidence, "since": format_time(fact.valid_from), "until": until}
    trust = _describe_trust(judged.stored.memory, passed)
    return drop_empty({"id": fact.id, **shown, **window, "trust": trust, "quoted": passed.quoted})


def drop_empty(values: dict[str, Any]) -> dict[str, Any]:
    """Return a copy without the entries whose value is None, False, an empty text or an empty list."""
    return {name: value for name, value in values.items() if value not in (None, "", [], (), False)}


def compact_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
