"""Format memories for a model: as short lines at a session start, and as XML-like elements with a prompt.

A memory cannot end the block that contains it: its text has been neutralised, line breaks are removed from lines, and
attributes are escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from limpet.clock import format_age
from limpet.doors.governor import neutralise
from limpet.guard.neutral import quote
from limpet.inject.select import SelectedMemory
from limpet.text.excerpt import shorten, shorten_sentences

_LONGEST_NAME = 40
_MARKS = str.maketrans("", "", "`*_")
BlockFrame = tuple[str, str]
OPENING, CLOSING = "<memory-context>", "</memory-context>"


def render_line(item: SelectedMemory, limit: int) -> str:
    """Format a memory as one line of about `limit` characters: its label, and as many of its sentences as fit."""
    passed = item.passed
    return _render_text(item, _prepend_title(passed.title, neutralise(passed.text, one_line=True), limit), limit)


def render_paragraph(item: SelectedMemory, limit: int) -> str:
    """Format the first paragraph of a memory as one line of about `limit` characters, with its label."""
    return _render_text(item, neutralise(item.passed.text.split("\n\n", 1)[0], one_line=True), limit)


def _render_text(item: SelectedMemory, text: str, limit: int) -> str:
    memory, passed = item.stored.memory, item.passed
    warning = "⚠" if passed.warned else ""
    note = f" ({item.note})" if item.note else ""
    text = shorten_sentences(text, max(40, limit - len(note) - (2 if passed.quoted else 0)))
    return f"{warning}~{memory.label}| {quote(text) if passed.quoted else text}{note}"


def block_frame(agent: str, project: str | None) -> BlockFrame:
    """Return the first and the last line of the block that is shown to a model at a session start."""
    where = f"@{_clean_name(project)}" if project else ""
    return f"[LTM:{_clean_name(agent)}{where}]", "[/LTM]"


def render_block(frame: BlockFrame, lines: Sequence[str], *, left_out: int) -> str:
    """Return the text of a block: its lines between its first and last line, and a remark if memories were left out."""
    first, last = frame
    more = f"\n{left_out} more are kept; the recall tool finds them." if left_out else ""
    return "\n".join((first, *lines, last)) + more


def render_element(item: SelectedMemory, now: datetime, limit: int) -> str:
    """Format a memory as an XML-like element, with its text shortened to about `limit` characters."""
    memory, passed = item.stored.memory, item.passed
    text = shorten(passed.text, limit)
    attributes = {
        "id": memory.id,
        "type": memory.type.value,
        "importance": f"{memory.importance:.2f}",
        "age": format_age(now, memory.created_at),
    }
    if item.note:
        attributes["note"] = item.note
    if passed.warned:
        attributes["warning"] = "⚠"
    written = " ".join(f'{name}="{_escape(value)}"' for name, value in attributes.items())
    title = neutralise(passed.title, one_line=True)
    if passed.quoted:
        title, text = quote(title), quote(text)
    return f"<memory {written}>\nTitle: {title}\nContent: {text}\n</memory>"


def render_context(elements: Sequence[str]) -> str:
    """Return the elements of several memories between an opening and a closing tag."""
    return "\n".join((OPENING, *elements, CLOSING))


def _clean_name(text: str) -> str:
    """Return a project or agent name as one short word, because a name from outside may be a whole sentence."""
    plain = neutralise(text, one_line=True)
    bare = "".join(letter for letter in plain if letter not in "[]@|~<>")
    return "-".join(bare.split())[:_LONGEST_NAME] or "?"


def _prepend_title(title: str, text: str, limit: int) -> str:
    """Put the title before a text that is too long to be shown completely, unless the text begins with the title."""
    if len(text) <= limit:
        return text
    plain = neutralise(title, one_line=True)
    whole = plain.rstrip("….").casefold()
    subject = whole.partition(": ")[2] or whole
    # A title that was made from the text has no marks of code and emphasis.
    beginning = text[: len(plain) + 40].translate(_MARKS).casefold()
    return text if subject.translate(_MARKS) in beginning else f"{plain}: {text}"


def _escape(text: str) -> str:
    plain = neutralise(text, one_line=True)
    return plain.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
