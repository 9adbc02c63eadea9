"""How memories look inside a prompt: the compact notation at a session's start, a block beside a prompt.

Whatever a memory holds, each takes exactly the place it is given: the governor has defused its text, a line is one
line, and an attribute is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from limpet.clock import format_age
from limpet.doors.governor import neutralise
from limpet.inject.candidate import Candidate
from limpet.text.excerpt import shorten

OPENING, CLOSING = "<memory-context>", "</memory-context>"


def line(candidate: Candidate, most: int) -> str:
    """One memory in the compact notation."""
    memory, passed = candidate.stored.memory, candidate.passed
    warning = "⚠" if candidate.stored.warned else ""
    note = f" ({candidate.note})" if candidate.note else ""
    whole = neutralise(passed.text, one_line=True)
    room = max(40, most - len(note) - (2 if passed.quoted else 0))
    text = whole if len(whole) <= room else shorten(_with_title(passed.title, whole), room)
    return f"{warning}~{memory.label}| {quoted(text) if passed.quoted else text}{note}"


def frame(agent: str, project: str | None) -> tuple[str, str]:
    """The first and the last line of the block at a session's start."""
    where = f"@{_name(project)}" if project else ""
    return f"[LTM:{_name(agent)}{where}]", "[/LTM]"


def block(agent: str, project: str | None, lines: Sequence[str], *, left_out: int) -> str:
    first, last = frame(agent, project)
    more = f"\n{left_out} more are kept; the recall tool finds them." if left_out else ""
    return "\n".join((first, *lines, last)) + more


def element(candidate: Candidate, now: datetime, most: int) -> str:
    """One memory beside a prompt."""
    memory, passed = candidate.stored.memory, candidate.passed
    text = shorten(passed.text, most)
    attributes = {
        "id": memory.id,
        "type": memory.type.value,
        "importance": f"{memory.importance:.2f}",
        "age": format_age(now, memory.created_at),
    }
    if candidate.note:
        attributes["note"] = candidate.note
    if candidate.stored.warned:
        attributes["warning"] = "⚠"
    said = " ".join(f'{name}="{_escaped(value)}"' for name, value in attributes.items())
    content = quoted(text) if passed.quoted else text
    return f"<memory {said}>\nTitle: {neutralise(passed.title, one_line=True)}\nContent: {content}\n</memory>"


def context(elements: Sequence[str]) -> str:
    return "\n".join((OPENING, *elements, CLOSING))


def _name(text: str) -> str:
    plain = neutralise(text, one_line=True)
    return "".join(letter for letter in plain if letter not in "[]@|~<>")[:60].strip() or "?"


def _with_title(title: str, text: str) -> str:
    """The title before the text, unless the text begins by saying the same, perhaps after a word such as Goal."""
    plain = neutralise(title, one_line=True)
    whole = plain.rstrip("….").casefold()
    said = whole.partition(": ")[2] or whole
    return text if said in text[: len(plain) + 20].casefold() else f"{plain}: {text}"


def quoted(text: str) -> str:
    """As data: what is inside cannot end the quotation."""
    return "“" + text.replace("”", '"') + "”"


def _escaped(text: str) -> str:
    plain = neutralise(text, one_line=True)
    return plain.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
