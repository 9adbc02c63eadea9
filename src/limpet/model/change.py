"""One journal record, and how changes make state.

State is a pure fold: the changes of one line of corrections, sorted by id, give every memory of that line. Rebuild,
time travel, undo and sync are this one function over different selections of changes, so any order of arrival
gives the same state. What one change does to another line is decided when it is made and written as changes of
its own; only hiding goes further by itself: what descends from a forgotten or purged memory stays hidden, even
if it arrives later.

The journal may hold records that other machines wrote, or that somebody tampered with. A change that cannot be
understood changes nothing, so that one of them never keeps the others from being read.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from limpet.clock import DAY_MS, from_ms
from limpet.guard.signs import EDITION
from limpet.lean.record import field, record, replace
from limpet.model.codec import decode_fact, decode_memory, moment
from limpet.model.fact import Fact
from limpet.model.ids import ms_of
from limpet.model.memory import Concept, Memory, Phase, Scale
from limpet.model.reach import Feedback
from limpet.model.scope import Agent, Project
from limpet.model.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _T = TypeVar("_T")


class ChangeKind(StrEnum):
    ADMIT = "admit"
    CORRECT = "correct"
    IMPORT = "import"
    CONDENSE = "condense"
    SUPERSEDE = "supersede"
    FORGET = "forget"
    RESTORE = "restore"
    PURGE = "purge"
    CONFIRM = "confirm"
    PIN = "pin"
    REFRESH = "refresh"
    DOUBT = "doubt"
    LINK = "link"
    SIGN = "sign"
    FACT = "fact"
    CLOSE = "close"
    PROJECT = "project"
    AGENT = "agent"
    SESSION = "session"
    FEEDBACK = "feedback"
    RECEIPT = "receipt"


CAPTURE = "capture"
"""How the actor of a change begins when nobody asked for it: it came from what hooks or recorded sessions told."""

_BIRTHS = frozenset({ChangeKind.ADMIT, ChangeKind.CORRECT, ChangeKind.IMPORT})
_UNREADABLE = (AttributeError, KeyError, OverflowError, TypeError, ValueError)


class Status(StrEnum):
    LIVE = "live"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"
    PURGED = "purged"


@record
class Change:
    """`id` and `device` are empty until the store has stamped and kept it."""

    kind: str
    subject: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    root: str = ""
    lineage: tuple[str, ...] = ()
    actor: str = ""
    id: str = ""
    device: str = ""

    @property
    def at(self) -> datetime:
        return from_ms(ms_of(self.id))


@record
class Folded:
    """A memory as its changes have left it."""

    memory: Memory
    status: Status
    links: tuple[tuple[str, str], ...] = ()
    feedback: Feedback | None = None
    signs: tuple[str, ...] | None = None
    """Signs of an instruction that were found when it came in; None if by other rules than today's."""


def in_order(changes: Iterable[Change]) -> list[Change]:
    return sorted(changes, key=lambda change: change.id)


def fold_memories(changes: Iterable[Change]) -> tuple[Folded, ...]:
    """Every memory of one line of corrections; purged ones have lost their text and are left out."""
    ordered = in_order(changes)
    memories: dict[str, Memory] = {}
    links: dict[str, dict[tuple[str, str], None]] = {}
    signs: dict[str, tuple[str, ...] | None] = {}
    for change in ordered:
        memory = born(change)
        if memory is not None and memory.id not in memories:
            memories[memory.id] = memory
            links[memory.id] = dict.fromkeys(_links(change.payload))
            signs[memory.id] = _signs(change.payload)
    purged = {change.subject for change in ordered if change.kind == ChangeKind.PURGE}
    lineages = {change.subject: change.lineage for change in ordered if change.kind in _BIRTHS}
    forgotten: set[str] = set()
    superseded: dict[str, str] = {}
    opinions: dict[str, Feedback | None] = {}
    for change in ordered:
        subject, payload = change.subject, change.payload
        match change.kind:
            case ChangeKind.FORGET:
                forgotten.add(subject)
            case ChangeKind.RESTORE:
                forgotten -= _line_of(subject, lineages)
                superseded.pop(subject, None)
            case ChangeKind.SUPERSEDE if isinstance(payload.get("by"), str):
                superseded[subject] = payload["by"]
            case ChangeKind.FEEDBACK:
                with contextlib.suppress(*_UNREADABLE):
                    opinions[subject] = Feedback(payload["says"])
            case ChangeKind.LINK:
                links.setdefault(subject, {}).update(dict.fromkeys(_links({"links": [payload]})))
            case _ if subject in memories:
                if change.kind == ChangeKind.REFRESH and "signs" in payload:
                    signs[subject] = _signs(payload)
                if change.kind == ChangeKind.CONFIRM:
                    # Whoever vouches for a memory takes back what was said against it.
                    opinions.pop(subject, None)
                with contextlib.suppress(*_UNREADABLE):
                    memories[subject] = _altered(memories[subject], change)
    rivals: dict[str, list[str]] = {}
    for memory in memories.values():
        if memory.corrects and purged.isdisjoint((memory.id, *memory.lineage)):
            superseded.setdefault(memory.corrects, memory.id)
            rivals.setdefault(memory.corrects, []).append(memory.id)
    for several in rivals.values():
        # Two devices corrected the same memory without knowing of each other: both stay, and each names the other.
        for one in several:
            links[one].update({("concurrent", other): None for other in several if other != one})
    folded = []
    for memory in memories.values():
        ancestry = (memory.id, *memory.lineage)
        if not purged.isdisjoint(ancestry):
            continue
        by = superseded.get(memory.id)
        status = Status.SUPERSEDED if by else Status.LIVE
        if not forgotten.isdisjoint(ancestry):
            status = Status.FORGOTTEN
        folded.append(
            Folded(
                memory=replace(memory, superseded_by=by) if by else memory,
                status=status,
                links=tuple(links.get(memory.id, ())),
                feedback=opinions.get(memory.id),
                signs=signs.get(memory.id),
            )
        )
    return tuple(folded)


def born(change: Change) -> Memory | None:
    """The memory that a change brings; none if it brings none, is purged, or is not what its header says."""
    if change.kind not in _BIRTHS or "memory" not in change.payload:
        return None
    try:
        memory = decode_memory(change.payload["memory"])
    except _UNREADABLE:
        return None
    return memory if memory.id == change.subject and memory.root == (change.root or memory.root) else None


def _links(payload: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Links as pairs or as objects; whatever is neither is passed over."""
    found = []
    given = payload.get("links", ())
    for link in given if isinstance(given, list | tuple) else ():
        pair = (link.get("relation"), link.get("to")) if isinstance(link, Mapping) else link
        if isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(each, str) for each in pair):
            found.append((pair[0], pair[1]))
    return found


def _signs(payload: Mapping[str, Any]) -> tuple[str, ...] | None:
    told = payload.get("signs")
    if not isinstance(told, Mapping) or told.get("edition") != EDITION:
        return None
    return tuple(_texts(told, "found"))


def _line_of(subject: str, lineages: Mapping[str, tuple[str, ...]]) -> set[str]:
    """What a restore lifts: the memory, what it corrects, and what corrects it; by headers, which outlive a purge."""
    return {subject, *lineages.get(subject, ()), *(name for name, line in lineages.items() if subject in line)}


def _altered(memory: Memory, change: Change) -> Memory:
    payload = change.payload
    signature = _said(payload, "signature", memory.signature)
    match change.kind:
        case ChangeKind.CONDENSE:
            return replace(
                memory,
                content=str(payload["content"]),
                phase=Phase(payload["phase"]),
                token_count=int(payload["token_count"]),
                signature=signature,
            )
        case ChangeKind.CONFIRM:
            return replace(memory, confirmed=True, confidence=1.0, signature=signature)
        case ChangeKind.PIN:
            return replace(memory, pinned=bool(payload["pinned"]), signature=signature)
        case ChangeKind.SIGN:
            return replace(memory, signature=signature)
        case ChangeKind.DOUBT:
            return replace(memory, confidence=max(0.0, min(memory.confidence, float(payload["confidence"]))))
        case ChangeKind.REFRESH:
            return replace(
                memory,
                tags=_union(memory.tags, _texts(payload, "tags")),
                concepts=_union(memory.concepts, map(Concept, _texts(payload, "concepts"))),
                files_read=_union(memory.files_read, _texts(payload, "files_read")),
                files_modified=_union(memory.files_modified, _texts(payload, "files_modified")),
                # It only ever rises, so that the order of two promotions makes no difference.
                scale=max(memory.scale, Scale(payload.get("scale", memory.scale)), key=lambda scale: scale.rank),
            )
        case _:
            return memory


def _said(payload: Mapping[str, Any], name: str, otherwise: str | None) -> str | None:
    value = payload.get(name, otherwise)
    return value if value is None or isinstance(value, str) else otherwise


def _texts(payload: Mapping[str, Any], name: str) -> list[str]:
    value = payload.get(name, ())
    return [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple) else []


def _count(payload: Mapping[str, Any], name: str) -> int:
    value = payload.get(name, 0)
    return value if isinstance(value, int) and 0 <= value < 1 << 53 else 0


def _union(first: Iterable[_T], second: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def fold_fact(changes: Iterable[Change]) -> Fact | None:
    ordered = in_order(changes)
    if any(change.kind in (ChangeKind.PURGE, ChangeKind.FORGET) for change in ordered):
        return None
    fact: Fact | None = None
    for change in ordered:
        with contextlib.suppress(*_UNREADABLE):
            if change.kind == ChangeKind.FACT and fact is None:
                found = decode_fact(change.payload["fact"])
                fact = found if found.id == change.subject else None
    for change in ordered:
        if change.kind == ChangeKind.CLOSE and fact is not None:
            with contextlib.suppress(*_UNREADABLE):
                fact = _closed(fact, change.payload)
    return fact


def _closed(fact: Fact, payload: Mapping[str, Any]) -> Fact:
    confidence = float(payload.get("confidence", fact.confidence))
    return replace(
        fact,
        valid_to=moment(payload["valid_to"]),
        confidence=max(0.0, min(1.0, confidence)),
        closed_by=_said(payload, "by", None),
    )


def fold_project(changes: Iterable[Change]) -> Project | None:
    project: Project | None = None
    for change in in_order(changes):
        if change.kind != ChangeKind.PROJECT:
            continue
        payload = change.payload
        if project is None:
            project = Project(id=change.subject, name="")
        project = replace(
            project,
            name=_said(payload, "name", project.name) or "",
            keys=_union(project.keys, _texts(payload, "keys")),
            agent=_said(payload, "agent", project.agent),
        )
    return project


def fold_agent(changes: Iterable[Change]) -> Agent | None:
    agent: Agent | None = None
    for change in in_order(changes):
        if change.kind != ChangeKind.AGENT:
            continue
        payload = change.payload
        if agent is None:
            agent = Agent(id=change.subject.removeprefix("agent:"), name="", first_seen=change.id)
        agent = replace(
            agent,
            name=_said(payload, "name", agent.name) or "",
            definition=_said(payload, "definition", agent.definition),
            key_id=_said(payload, "key_id", agent.key_id),
        )
    return agent


def fold_session(changes: Iterable[Change]) -> Session | None:
    session: Session | None = None
    for change in in_order(changes):
        if change.kind != ChangeKind.SESSION:
            continue
        payload = change.payload
        began, seen = _span(change)
        if session is None:
            session = Session(
                id=change.subject.removeprefix("session:"),
                agent=_said(payload, "agent", "") or "",
                started_at=began,
                last_seen=seen,
            )
        session = replace(
            session,
            project=_said(payload, "project", session.project),
            started_at=min(session.started_at, began),
            last_seen=max(session.last_seen, seen),
            days=tuple(sorted({*session.days, *_days(change)})),
            taken=_farthest(session.taken, payload.get("taken")),
            seen=session.seen + _count(payload, "seen"),
            kept=session.kept + _count(payload, "kept"),
            dropped=_summed(session.dropped, payload.get("dropped")),
            ended=session.ended or bool(payload.get("ended", False)),
            successes=session.successes + _count(payload, "successes"),
            failures=session.failures + _count(payload, "failures"),
            tokens=session.tokens + _count(payload, "tokens"),
            compacted=session.compacted or bool(payload.get("compacted", False)),
            branch=_said(payload, "branch", session.branch),
            commit=_said(payload, "commit", session.commit),
            transcript=_said(payload, "transcript", session.transcript),
        )
    return session


def _span(change: Change) -> tuple[datetime, datetime]:
    """When what a change tells of happened; it may be written long after."""
    told = [from_ms(ms) for ms in (_count(change.payload, "from"), _count(change.payload, "to")) if ms]
    return (told[0], told[-1]) if told else (change.at, change.at)


def _days(change: Change) -> set[int]:
    told = change.payload.get("days")
    days = {day for day in told if isinstance(day, int) and 0 <= day < 1 << 24} if isinstance(told, list) else set()
    return days or {ms_of(change.id) // DAY_MS}


def _summed(known: Mapping[str, int], told: object) -> dict[str, int]:
    found = dict(known)
    for name, count in told.items() if isinstance(told, Mapping) else ():
        if isinstance(name, str) and isinstance(count, int) and 0 <= count < 1 << 31:
            found[name] = found.get(name, 0) + count
    return found


def _farthest(known: Mapping[str, int], told: object) -> dict[str, int]:
    found = dict(known)
    for name, place in told.items() if isinstance(told, Mapping) else ():
        if isinstance(name, str) and isinstance(place, int):
            found[name] = max(place, found.get(name, 0))
    return found
