"""What an observation might leave behind, before it is weighed."""

from __future__ import annotations

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.model.memory import Concept, Origin, Type
from limpet.text.excerpt import shorten_line

_TITLE = 90
_LEADS = lazy(
    r"(?:[\s,.!:;-]|[^\w\s`\"'(\[/@#.$<~\\-]|(?:no|nope|ok|okay|yes|well|also|and|so|but|please|btw|fyi|actually"
    r"|great|perfect|done|nein|non|нет)\b)++",
    2,
)


# Kinds of finished work as sentences name them, and the type each makes.
DONE = {"fixed": Type.BUGFIX, "feature": Type.FEATURE, "refactor": Type.REFACTOR, "change": Type.CHANGE}


@record
class Candidate:
    """A text that could be stored, with the evidence for its worth."""

    text: str
    type: Type
    origin: Origin
    title: str
    subtitle: str = ""
    concepts: tuple[Concept, ...] = ()
    tags: tuple[str, ...] = ()
    says: frozenset[str] = frozenset()
    content: int = 0
    concrete: int = 0
    amounts: int = 0
    real_error: bool = False
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    commit: str | None = None
    why: str = ""
    """In a few words, what it was taken for."""


def concepts(says: frozenset[str], type: Type) -> tuple[Concept, ...]:
    """At most three, the most telling first."""
    found = []
    if "pair" in says or (type is Type.BUGFIX and "cause" in says):
        found.append(Concept.PROBLEM_SOLUTION)
    if "gotcha" in says and type is not Type.DECISION:
        found.append(Concept.GOTCHA)
    if "contrast" in says or ("decided" in says and "cause" in says):
        found.append(Concept.TRADE_OFF)
    if "rule" in says and type is Type.DECISION:
        found.append(Concept.PATTERN)
    if "cause" in says:
        found.append(Concept.WHY_IT_EXISTS)
    if "how" in says:
        found.append(Concept.HOW_IT_WORKS)
    if type in (Type.FEATURE, Type.REFACTOR, Type.CHANGE) or says & {"feature", "refactor", "change"}:
        found.append(Concept.WHAT_CHANGED)
    return tuple(found[:3])


def headline(text: str) -> str:
    """A sentence as a title: without its opening noise, with a capital, cut between words."""
    found = _LEADS.match(text)
    plain = text[found.end() :] if found is not None and len(text) - found.end() > 8 else text
    plain = " ".join(plain.replace("`", "").split()).rstrip(".。:： ")
    is_name = any(mark in plain.split(" ", 1)[0] for mark in "/._(")
    return shorten_line(plain if is_name else plain[:1].upper() + plain[1:], _TITLE)
