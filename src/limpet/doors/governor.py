"""Decide whether a memory may be shown to a model, and whether it must be quoted as data.

First, the origin decides whether a memory may be shown without being asked for, because no detector finds every attack.
Then the text is checked for signs that it gives orders to a model. Unless it is the user's, a memory with a certain
sign is withheld, and a memory that only resembles an order is quoted and labelled. Text that is shown is neutralised,
so that it cannot contain a tag or end the block around it. A memory that is withheld at the start of a session can
still be requested, and is then quoted and labelled.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from limpet.guard.neutral import neutralise, neutralise_lines
from limpet.guard.signs import CERTAIN, EDITION
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record
from limpet.model.change import Status
from limpet.model.fact import Fact
from limpet.model.memory import CURATED, ON_PURPOSE, Kind, Memory, Origin, Region, Sensitivity, Type
from limpet.model.query import OPEN, Stored
from limpet.model.reach import Reach, reach_of

__all__ = ["Passed", "Way", "Withheld", "fact_as_memory", "govern", "neutralise", "neutralise_lines"]


class Way(StrEnum):
    """The occasion on which a memory is shown to a model: the start of a session, a prompt, a failure, or a request."""

    START = "start"
    LAST = "last session"
    """The summary of the last session, at the start of the next one."""
    PROMPT = "prompt"
    FIX = "fix"
    ASKED = "asked"


@record
class Passed:
    """A memory that may be shown to a model, with its neutralised title and text."""

    title: str
    text: str
    quoted: bool
    """Whether the text must be quoted as data, because the model should perhaps not trust it."""
    label: str
    """A remark for the model that tells why the text is quoted or doubtful; an empty string if there is none."""
    reasons: tuple[str, ...]
    """Signs that the text gives orders to a model, and `doubtful` if a check has cast doubt on the memory."""
    warned: bool
    """Whether a check has cast doubt on the memory."""


@record
class Withheld:
    """The result for a memory that must not be shown to a model, with the reason."""

    reason: str


_OUTSIDE = {
    Origin.FILE: "from a file",
    Origin.IMPORT: "imported",
    Origin.EXTERNAL: "from outside",
}
_CAPTURED, _CURATED, _STORED = "captured from tools", "curated by a model", "stored on purpose, not confirmed"
UNASKED_CHARACTERS = 10_000
"""The maximum length of a memory that is shown without being asked for, in characters. No budget allows more."""
INSTRUCTION = "instruction-like, quoted as data"


def govern(
    stored: Stored, *, way: Way, allow: tuple[Sensitivity, ...] = OPEN, now: datetime | None = None
) -> Passed | Withheld:
    """Decide whether a memory may be shown to a model on an occasion, and whether it must be quoted.

    Only memories with a sensitivity in `allow` may be shown. If `now` is None, the expiry of the memory is not checked.
    """
    memory = stored.memory
    origin = memory.effective_origin
    warned = stored.warned
    refusal = _find_refusal(stored, origin, way, allow, now, warned=warned)
    if refusal is not None:
        return Withheld(reason=refusal)
    labels = []
    reasons: list[str] = []
    quoted = False
    if origin in _OUTSIDE:
        quoted = True
        labels.append(f"untrusted: {_OUTSIDE[origin]}, not confirmed")
    elif origin is Origin.TOOL:
        quoted = True
        chosen = _STORED if memory.earned == ON_PURPOSE else _CAPTURED
        labels.append(_CURATED if memory.earned.startswith(CURATED) else chosen)
    # A text that was searched by the current rules when it was admitted is not searched again.
    signs = find_memory_signs(memory) if stored.signs is None else stored.signs
    if origin is Origin.USER:
        # The user may give orders.
        signs = tuple(sign for sign in signs if sign in CERTAIN)
    if signs:
        if way is not Way.ASKED and origin is not Origin.USER and not CERTAIN.isdisjoint(signs):
            return Withheld(reason=f"an instruction to a model: {', '.join(signs)}")
        quoted = True
        labels.append(INSTRUCTION)
        reasons += signs
    if stored.status is not Status.LIVE:
        labels.append(stored.status.value)
    if warned:
        warning = neutralise(stored.warnings[0], one_line=True)[:80]
        labels.append(f"doubtful: {warning}")
        reasons.append("doubtful")
    return Passed(
        title=neutralise(memory.title, one_line=True),
        text=neutralise(memory.content if way is Way.ASKED else memory.content[:UNASKED_CHARACTERS]),
        quoted=quoted,
        label="; ".join(labels),
        reasons=tuple(reasons),
        warned=warned,
    )


def _find_refusal(
    stored: Stored, origin: Origin, way: Way, allow: tuple[Sensitivity, ...], now: datetime | None, *, warned: bool
) -> str | None:
    """Return the reason to withhold a memory whatever its text, or None if there is no such reason."""
    memory = stored.memory
    if memory.sensitivity not in allow:
        return f"{memory.sensitivity.value} is not allowed here"
    if stored.status is Status.PURGED:
        return "purged"
    if stored.status is Status.FORGOTTEN:
        return "forgotten; only the user can read it or bring it back: limpet restore ID"
    if way is Way.ASKED:
        return None
    if stored.status is not Status.LIVE:
        return stored.status.value
    if warned and stored.failed:
        return f"it has failed a check: {stored.warnings[0]}"
    if now is not None and memory.is_expired(now):
        return "expired"
    if origin in _OUTSIDE:
        return f"{_OUTSIDE[origin]} and not confirmed: only when asked for"
    reach = reach_of(memory, stored.standing.feedback)
    if reach is Reach.ASKED:
        return "archived, or not wanted any more: only when asked for"
    if way is Way.START and reach is not Reach.START:
        return "not at a session's start: only noted, captured from a tool, or called stale"
    return None


def fact_as_memory(fact: Fact, sources: Sequence[Stored | None]) -> Stored:
    """Return a fact as a memory, so that `govern` can be applied to it.

    It has the strictest sensitivity and the least trusted origin of its sources, the memories that it was made from. If
    all of them are forgotten, it is forgotten. If none is known, as after a partial import, its sensitivity is unknown.
    """
    known = [source for source in sources if source is not None and source.status is not Status.PURGED]
    origins = [source.memory.effective_origin for source in known]
    origins.append(fact.origin or (Origin.TOOL if fact.subject.startswith("session:") else Origin.AGENT))
    levels = [fact.sensitivity, *(source.memory.sensitivity for source in known)]
    if sources and not known:
        levels.append(Sensitivity.UNKNOWN)
    said = f"{fact.subject} | {fact.predicate} | {fact.object}"
    memory = Memory(
        id=fact.id,
        agent=fact.agent,
        region=Region.PROJECT if fact.project else Region.AGENT,
        project=fact.project,
        kind=Kind.LEARNINGS,
        type=Type.DISCOVERY,
        content=said,
        original_content=said,
        origin=Origin.lowest(tuple(origins)),
        sensitivity=Sensitivity.strictest(levels),
        created_at=fact.valid_from,
        updated_at=fact.valid_from,
    )
    is_forgotten = bool(known) and all(source.status is Status.FORGOTTEN for source in known)
    return Stored(memory=memory, status=Status.FORGOTTEN if is_forgotten else Status.LIVE)


def encode_signs(memory: Memory) -> dict[str, object]:
    """Return the payload entry for the signs that a memory gives orders to a model.

    It includes the version of the rules that found them.
    """
    return {"edition": EDITION, "found": list(find_memory_signs(memory))}


def find_memory_signs(memory: Memory) -> tuple[str, ...]:
    """Return the names of all signs that a memory's title or shown text gives orders to a model."""
    from limpet.guard.engine import find_signs

    text = memory.content
    # A title that is the beginning of the text has no further signs, and checking it would take time.
    if memory.title.removesuffix("…") not in text:
        text = f"{memory.title}\n{text}"
    return find_signs(text)
