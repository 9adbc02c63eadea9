"""One journal record, and how changes make state.

State is a pure fold: the changes of one line of corrections, sorted by id, give every memory of that line. Rebuild,
time travel, undo and sync are this one function over different selections of changes, so any order of arrival
gives the same state. What one change does to another line is decided when it is made and written as changes of
its own; only hiding goes further by itself: what descends from a forgotten or purged memory stays hidden, even
if it arrives later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from limpet.clock import from_ms
from limpet.model.codec import decode_fact, decode_memory, moment
from limpet.model.fact import Fact
from limpet.model.ids import ms_of
from limpet.model.memory import Concept, Memory, Phase
from limpet.model.scope import Agent, Project
from limpet.model.session import Session

_T = TypeVar("_T")


class Verb(StrEnum):
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


_BIRTHS = frozenset({Verb.ADMIT, Verb.CORRECT, Verb.IMPORT})


class Status(StrEnum):
    LIVE = "live"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"
    PURGED = "purged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """`id` and `device` are empty until the store has stamped and kept it."""

    verb: str
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A memory as its changes have left it."""

    memory: Memory
    status: Status
    links: tuple[tuple[str, str], ...] = ()


def in_order(changes: Iterable[Change]) -> list[Change]:
    return sorted(changes, key=lambda change: change.id)


def fold_memories(changes: Iterable[Change]) -> tuple[Folded, ...]:
    """Every memory of one line of corrections; purged ones have lost their text and are left out."""
    ordered = in_order(changes)
    memories: dict[str, Memory] = {}
    for change in ordered:
        if change.verb in _BIRTHS and change.subject not in memories and "memory" in change.payload:
            memories[change.subject] = decode_memory(change.payload["memory"])
    links = {
        change.subject: {(str(relation), str(to)): None for relation, to in change.payload.get("links", ())}
        for change in ordered
        if change.subject in memories and "memory" in change.payload
    }
    purged = {change.subject for change in ordered if change.verb == Verb.PURGE}
    forgotten: set[str] = set()
    superseded: dict[str, str] = {}
    for change in ordered:
        subject, payload = change.subject, change.payload
        match change.verb:
            case Verb.FORGET:
                forgotten.add(subject)
            case Verb.RESTORE:
                forgotten -= _line_of(subject, memories)
                superseded.pop(subject, None)
            case Verb.SUPERSEDE:
                superseded[subject] = str(payload["by"])
            case Verb.LINK:
                links.setdefault(subject, {})[(str(payload["relation"]), str(payload["to"]))] = None
            case _ if subject in memories:
                memories[subject] = _altered(memories[subject], change)
    for memory in memories.values():
        if memory.corrects and memory.id not in purged:
            superseded.setdefault(memory.corrects, memory.id)
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
            )
        )
    return tuple(folded)


def _line_of(subject: str, memories: Mapping[str, Memory]) -> set[str]:
    """What a restore lifts: the memory, what it corrects, and what corrects it."""
    ancestors = memories[subject].lineage if subject in memories else ()
    return {subject, *ancestors, *(each.id for each in memories.values() if subject in each.lineage)}


def _altered(memory: Memory, change: Change) -> Memory:
    payload = change.payload
    signature = payload.get("signature", memory.signature)
    match change.verb:
        case Verb.CONDENSE:
            return replace(
                memory,
                content=payload["content"],
                phase=Phase(payload["phase"]),
                token_count=payload["token_count"],
                signature=signature,
            )
        case Verb.CONFIRM:
            return replace(memory, confirmed=True, confidence=1.0, signature=signature)
        case Verb.PIN:
            return replace(memory, pinned=bool(payload["pinned"]), signature=signature)
        case Verb.SIGN:
            return replace(memory, signature=signature)
        case Verb.DOUBT:
            return replace(memory, confidence=min(memory.confidence, float(payload["confidence"])))
        case Verb.REFRESH:
            return replace(
                memory,
                tags=_union(memory.tags, payload.get("tags", ())),
                concepts=_union(memory.concepts, map(Concept, payload.get("concepts", ()))),
                files_read=_union(memory.files_read, payload.get("files_read", ())),
                files_modified=_union(memory.files_modified, payload.get("files_modified", ())),
            )
        case _:
            return memory


def _union(first: Iterable[_T], second: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def fold_fact(changes: Iterable[Change]) -> Fact | None:
    ordered = in_order(changes)
    if any(change.verb in (Verb.PURGE, Verb.FORGET) for change in ordered):
        return None
    born = next((change for change in ordered if change.verb == Verb.FACT and "fact" in change.payload), None)
    if born is None:
        return None
    fact = decode_fact(born.payload["fact"])
    for change in ordered:
        if change.verb == Verb.CLOSE:
            fact = replace(
                fact,
                valid_to=moment(change.payload["valid_to"]),
                confidence=float(change.payload.get("confidence", fact.confidence)),
                closed_by=change.payload.get("by"),
            )
    return fact


def fold_project(changes: Iterable[Change]) -> Project | None:
    project: Project | None = None
    for change in in_order(changes):
        if change.verb != Verb.PROJECT:
            continue
        payload = change.payload
        if project is None:
            project = Project(id=change.subject, name=str(payload.get("name", "")))
        project = replace(
            project,
            name=str(payload.get("name", project.name)),
            keys=_union(project.keys, payload.get("keys", ())),
            agent=payload.get("agent", project.agent),
        )
    return project


def fold_agent(changes: Iterable[Change]) -> Agent | None:
    agent: Agent | None = None
    for change in in_order(changes):
        if change.verb != Verb.AGENT:
            continue
        payload = change.payload
        if agent is None:
            agent = Agent(id=change.subject.removeprefix("agent:"), name="", first_seen=change.id)
        agent = replace(
            agent,
            name=str(payload.get("name", agent.name)),
            definition=payload.get("definition", agent.definition),
            key_id=payload.get("key_id", agent.key_id),
        )
    return agent


def fold_session(changes: Iterable[Change]) -> Session | None:
    session: Session | None = None
    for change in in_order(changes):
        if change.verb != Verb.SESSION:
            continue
        payload = change.payload
        if session is None:
            session = Session(
                id=change.subject.removeprefix("session:"),
                agent=str(payload.get("agent", "")),
                started_at=change.at,
                last_seen=change.at,
            )
        session = replace(
            session,
            project=payload.get("project", session.project),
            last_seen=change.at,
            successes=session.successes + int(payload.get("successes", 0)),
            failures=session.failures + int(payload.get("failures", 0)),
            tokens=session.tokens + int(payload.get("tokens", 0)),
            compacted=session.compacted or bool(payload.get("compacted", False)),
            branch=payload.get("branch", session.branch),
            commit=payload.get("commit", session.commit),
            transcript=payload.get("transcript", session.transcript),
        )
    return session
