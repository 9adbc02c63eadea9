"""The one door out: decide whether a memory may reach a model, and whether as a statement or as quoted data.

Trust decides first and the words second, because no detector finds every attack. The origin decides whether a memory
may be shown unasked at all; only then are orders to a model in its text considered. A memory with a certain sign is
withheld unless it is the user's own; a text that merely resembles an order is shown, quoted and labelled. Every text
that passes is neutralised, so that it cannot forge a line, a tag or the end of its block. Nothing is removed from the
store here: a memory that is withheld at the start of a session can still be asked for, and is then quoted and labelled.
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
from limpet.model.memory import CURATED, Kind, Memory, Origin, Region, Sensitivity, Type
from limpet.model.query import OPEN, Stored
from limpet.model.reach import Reach, reach_of

__all__ = ["Passed", "Way", "Withheld", "fact_as_memory", "govern", "neutralise", "neutralise_lines"]


class Way(StrEnum):
    """How a text reaches a model: at the start of a session, with a prompt, at a failure, or on request."""

    START = "start"
    LAST = "last session"
    """The summary of the last session, at the start of the next one."""
    PROMPT = "prompt"
    FIX = "fix"
    ASKED = "asked"


@record
class Passed:
    """A memory that may be shown.

    If `quoted`, it is shown as data rather than as a statement by Limpet; `label` tells the reader why.
    """

    title: str
    text: str
    quoted: bool
    label: str
    reasons: tuple[str, ...]
    warned: bool
    """Whether a check has cast doubt on the memory."""


@record
class Withheld:
    """A memory that may not be shown, with the reason."""

    reason: str


_OUTSIDE = {
    Origin.FILE: "from a file",
    Origin.IMPORT: "imported",
    Origin.EXTERNAL: "from outside",
}
_CAPTURED, _CURATED = "captured from tools", "curated by a model"
UNASKED_CHARACTERS = 10_000
"""At most this many characters of a text are prepared for an injection, because no budget has room for more."""
INSTRUCTION = "instruction-like, quoted as data"


def govern(
    stored: Stored, *, way: Way, allow: tuple[Sensitivity, ...] = OPEN, now: datetime | None = None
) -> Passed | Withheld:
    """Return the memory as `Passed` or `Withheld`. Without `now`, its expiry is not checked."""
    memory = stored.memory
    origin = memory.effective_origin
    warned = stored.warned
    refusal = _reason_to_withhold(stored, origin, way, allow, now, warned=warned)
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
        labels.append(_CURATED if memory.earned.startswith(CURATED) else _CAPTURED)
    signs = _counting_signs(stored, origin)
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


def _reason_to_withhold(
    stored: Stored, origin: Origin, way: Way, allow: tuple[Sensitivity, ...], now: datetime | None, *, warned: bool
) -> str | None:
    """Return the reason to withhold a memory whatever its text says, or None."""
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


def _counting_signs(stored: Stored, origin: Origin) -> tuple[str, ...]:
    """Return the signs that count: the user's own rules may give orders, but not hide or forge them.

    Signs are found at admission; a text is judged again only if an older edition of the rules judged it.
    """
    memory = stored.memory
    signs = find_memory_signs(memory) if stored.signs is None else stored.signs
    return tuple(sign for sign in signs if sign in CERTAIN) if origin is Origin.USER else signs


def fact_as_memory(fact: Fact, sources: Sequence[Stored | None]) -> Stored:
    """Return a fact as a memory, so that it can be governed like one.

    It has the strictest sensitivity and the lowest trust of its sources. If every source is forgotten, so is the fact;
    if no source is known, as after a partial import, its sensitivity is unknown.
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
        sensitivity=max(levels, key=lambda each: each.level),
        created_at=fact.valid_from,
        updated_at=fact.valid_from,
    )
    is_forgotten = bool(known) and all(source.status is Status.FORGOTTEN for source in known)
    return Stored(memory=memory, status=Status.FORGOTTEN if is_forgotten else Status.LIVE)


def encode_signs(memory: Memory) -> dict[str, object]:
    """Return the signs of a memory and the edition of the rules that found them, as the payload of a change."""
    return {"edition": EDITION, "found": list(find_memory_signs(memory))}


def find_memory_signs(memory: Memory) -> tuple[str, ...]:
    """Return every sign of an order in the shown text of a memory."""
    from limpet.guard.engine import find_signs

    text = memory.content
    # A title that was cut from the text says nothing more, and its mark would make every step slower.
    if memory.title.removesuffix("…") not in text:
        text = f"{memory.title}\n{text}"
    return find_signs(text)
