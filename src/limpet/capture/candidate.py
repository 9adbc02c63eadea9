"""What an observation might leave behind, before it is weighed."""

from __future__ import annotations

from limpet.capture.statements import Statement
from limpet.model.memory import Concept, Origin, Type
from limpet.record import record
from limpet.text import excerpt
from limpet.text.pattern import lazy

_TITLE, _SUBTITLE = 90, 140
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


def of_statements(
    said: list[Statement],
    *,
    type: Type,
    origin: Origin,
    title: str = "",
    subtitle: str = "",
    why: str = "",
) -> Candidate:
    """A candidate made of sentences as they were said."""
    says = frozenset[str]().union(*(each.says for each in said))
    text = " ".join(_ended(each.text, last=each is said[-1]) for each in said)
    return Candidate(
        text=text,
        type=type,
        origin=origin,
        title=title or headline(said[0].text),
        subtitle=subtitle or (shortened(said[1].text, _SUBTITLE) if len(said) > 1 else ""),
        concepts=concepts(says, type),
        says=says,
        content=sum(each.content for each in said),
        concrete=sum(each.concrete for each in said),
        amounts=sum(each.amounts for each in said),
        why=why,
    )


def _ended(text: str, *, last: bool) -> str:
    """Items of a list have no end of their own; one after the other they need one."""
    return text if last or text.endswith((".", "!", "?", ":", ";", "。", "！", "？")) else f"{text};"


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
    return shortened(plain if is_name else plain[:1].upper() + plain[1:], _TITLE)


def shortened(text: str, limit: int) -> str:
    """On one line."""
    return excerpt.shortened(" ".join(text.split()), limit)
