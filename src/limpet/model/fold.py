"""Compute the current state from changes: memories, facts, projects, agents and sessions.

A memory and its corrections form a line. The changes of a line, sorted by id, determine the state of every memory in
it. Rebuild, time travel, undo and sync apply this pure function to different selections of changes, so the order in
which changes arrive makes no difference. If a change affects another line, this is decided when the change is made, and
is written as further changes. The only exception is hiding: a memory that descends from a forgotten or purged memory
stays hidden even if it arrives later.

The journal may contain records that other machines wrote or that somebody has tampered with. A change that cannot be
understood has no effect, so that all other changes can still be read.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping

from limpet.clock import DAY_MS, from_ms
from limpet.lean.record import record, replace
from limpet.model.change import Change, ChangeKind, Status, is_capture
from limpet.model.codec import decode_fact, decode_memory, parse_time
from limpet.model.fact import Fact
from limpet.model.ids import ms_of
from limpet.model.memory import Concept, Impact, Kind, Memory, Phase, Region, Scale, Sensitivity, Tier
from limpet.model.payload_values import (
    decode_links,
    decode_signs,
    get_counts,
    get_share,
    get_text,
    get_texts,
    replace_texts,
)
from limpet.model.reach import Feedback
from limpet.model.scope import Agent, Project
from limpet.model.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _T = TypeVar("_T")

_BIRTHS = frozenset({ChangeKind.ADMIT, ChangeKind.CORRECT, ChangeKind.IMPORT})
_LONGEST_REASON = 200
_SUMMED = ("seen", "kept", "successes", "failures", "tokens")
"""The counts in a session. Each change of the session adds to them."""
_LATEST = ("project", "branch", "commit", "transcript")
"""The texts in a session. Each change of the session may replace them."""
_UNREADABLE = (AttributeError, KeyError, OverflowError, TypeError, ValueError)


@record
class MemoryState:
    """A memory after all its changes, with its status, links and feedback."""

    memory: Memory
    status: Status
    links: tuple[tuple[str, str], ...] = ()
    feedback: Feedback | None = None
    signs: tuple[str, ...] | None = None
    """Signs of prompt injection in the text; None if they were searched for with an older or newer set of rules."""
    birth: str | None = None
    """The id of the change that introduced the memory; None if later changes have altered the memory."""
    is_dropped: bool = False
    """Whether the memory is hidden only because a person chose not to keep it. Its summary may still be shown."""


def sort_changes(changes: Iterable[Change]) -> list[Change]:
    """Return the changes sorted by id."""
    return sorted(changes, key=lambda change: change.id)


def _select(changes: Iterable[Change], kind: ChangeKind) -> list[Change]:
    return [change for change in sort_changes(changes) if change.kind == kind]


def fold_memories(changes: Iterable[Change]) -> tuple[MemoryState, ...]:
    """Return the state of a memory and of each of its corrections, except purged ones.

    `changes` must contain all changes of these memories.
    """
    ordered = sort_changes(changes)
    if len(ordered) == 1:
        alone = fold_birth(ordered[0])
        if alone is not None:
            return (alone,)
    births: dict[str, str] = {}
    originals: dict[str, Memory] = {}
    links: dict[str, dict[tuple[str, str], None]] = {}
    signs: dict[str, tuple[str, ...] | None] = {}
    for change in ordered:
        memory = decode_birth(change)
        if memory is not None and memory.id not in births:
            births[memory.id], originals[memory.id] = change.id, memory
            links[memory.id] = dict.fromkeys(decode_links(change.payload))
            signs[memory.id] = decode_signs(change.payload)
    memories = dict(originals)
    purged = {change.subject for change in ordered if change.kind == ChangeKind.PURGE}
    lineages = {change.subject: change.lineage for change in ordered if change.kind in _BIRTHS}
    forgotten: set[str] = set()
    dropped: set[str] = set()
    superseded: dict[str, str] = {}
    opinions: dict[str, Feedback | None] = {}
    for change in ordered:
        subject, payload = change.subject, change.payload
        match change.kind:
            case ChangeKind.FORGET:
                forgotten.add(subject)
            case ChangeKind.DROP:
                dropped.add(subject)
            case ChangeKind.RESTORE:
                # The ancestors and descendants too. Their ids come from headers, which a purge leaves in place.
                restored = {
                    subject,
                    *lineages.get(subject, ()),
                    *(name for name, line in lineages.items() if subject in line),
                }
                forgotten -= restored
                dropped -= restored
                superseded.pop(subject, None)
            case ChangeKind.SUPERSEDE if isinstance(payload.get("by"), str):
                superseded[subject] = payload["by"]
            case ChangeKind.FEEDBACK:
                with contextlib.suppress(*_UNREADABLE):
                    opinions[subject] = Feedback(payload["says"])
            case ChangeKind.LINK:
                links.setdefault(subject, {}).update(dict.fromkeys(decode_links({"links": [payload]})))
            case _ if subject in memories:
                if change.kind == ChangeKind.REFRESH and "signs" in payload:
                    signs[subject] = decode_signs(payload)
                if change.kind == ChangeKind.CONFIRM:
                    # Confirming a memory withdraws earlier feedback.
                    opinions.pop(subject, None)
                with contextlib.suppress(*_UNREADABLE):
                    memories[subject] = _apply_change(memories[subject], change)
    present = [memory for memory in memories.values() if purged.isdisjoint((memory.id, *memory.lineage))]
    corrections_of: dict[str, list[str]] = {}
    for memory in present:
        if memory.corrects:
            corrections_of.setdefault(memory.corrects, []).append(memory.id)
    for old, corrections in corrections_of.items():
        superseded.setdefault(old, corrections[0])
        # Two devices corrected the same memory independently: both corrections stay, and each links to the other.
        for one in corrections:
            links[one].update({("concurrent", other): None for other in corrections if other != one})
    folded = []
    for memory in present:
        ancestry = (memory.id, *memory.lineage)
        by = superseded.get(memory.id)
        is_forgotten = not forgotten.isdisjoint(ancestry)
        is_dropped = not is_forgotten and not dropped.isdisjoint(ancestry)
        memory = replace(memory, superseded_by=by) if by else memory
        folded.append(
            MemoryState(
                memory=memory,
                status=Status.FORGOTTEN if is_forgotten or is_dropped else Status.SUPERSEDED if by else Status.LIVE,
                links=tuple(links.get(memory.id, ())),
                feedback=opinions.get(memory.id),
                signs=signs.get(memory.id),
                birth=births[memory.id] if memory == originals[memory.id] else None,
                is_dropped=is_dropped,
            )
        )
    return tuple(folded)


def fold_birth(change: Change) -> MemoryState | None:
    """Return the state of a memory whose only change is the one that introduced it, which is the most common case.

    Return None if the change introduces no memory, or introduces a correction of another memory.
    """
    memory = decode_birth(change)
    if memory is None or memory.corrects:
        return None
    return MemoryState(
        memory=memory,
        status=Status.LIVE,
        links=tuple(dict.fromkeys(decode_links(change.payload))),
        signs=decode_signs(change.payload),
        birth=change.id,
    )


def find_capture(history: Iterable[Change]) -> Change | None:
    """Return the change by which a memory was captured, or None if the memory was stored on purpose."""
    birth = next((change for change in history if decode_birth(change) is not None), None)
    return birth if birth is not None and is_capture(birth.actor) else None


def decode_birth(change: Change) -> Memory | None:
    """Return the memory that a change introduces.

    Return None if the change introduces no memory, was purged, or has a header that contradicts its memory.
    """
    if change.kind not in _BIRTHS or "memory" not in change.payload:
        return None
    try:
        memory = decode_memory(change.payload["memory"])
    except _UNREADABLE:
        return None
    return memory if memory.id == change.subject and memory.root == (change.root or memory.root) else None


def _apply_change(memory: Memory, change: Change) -> Memory:
    payload = change.payload
    signature = get_text(payload, "signature", memory.signature)
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
            return replace(
                memory, confirmed=True, confidence=1.0, tier=Tier.KEPT, earned="confirmed", signature=signature
            )
        case ChangeKind.KEEP:
            return replace(memory, tier=Tier.KEPT, earned=str(payload["earned"])[:_LONGEST_REASON])
        case ChangeKind.NOTE:
            return replace(memory, tier=Tier.NOTED, earned="", signature=signature, **_unconfirm(payload))
        case ChangeKind.PIN:
            pinned = bool(payload["pinned"])
            earned = {"tier": Tier.KEPT, "earned": "pinned"} if pinned and memory.tier is Tier.NOTED else {}
            return replace(memory, pinned=pinned, signature=signature, **earned)
        case ChangeKind.MOVE:
            return _move(memory, payload, signature)
        case ChangeKind.SIGN:
            return replace(memory, signature=signature)
        case ChangeKind.DOUBT:
            return replace(memory, confidence=max(0.0, min(memory.confidence, float(payload["confidence"]))))
        case ChangeKind.REFRESH:
            return replace(
                memory,
                tags=_union(memory.tags, get_texts(payload, "tags")),
                concepts=_union(memory.concepts, map(Concept, get_texts(payload, "concepts"))),
                files_read=_union(memory.files_read, get_texts(payload, "files_read")),
                files_modified=_union(memory.files_modified, get_texts(payload, "files_modified")),
                # A scale never falls, so that the order of two promotions makes no difference.
                scale=memory.scale.longer(Scale(payload.get("scale", memory.scale))),
                # Neither does the sensitivity.
                sensitivity=Sensitivity.strictest(
                    (memory.sensitivity, Sensitivity(payload.get("sensitivity", "public")))
                ),
                cues=get_text(payload, "cues", memory.cues) or "",
                impact=Impact(payload.get("impact", memory.impact)),
                importance=get_share(payload, "importance", memory.importance),
                confidence=get_share(payload, "confidence", memory.confidence),
                signature=signature,
            )
        case _:
            return memory


def _unconfirm(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the field values that withdraw a confirmation, or an empty dict if the payload withdraws none."""
    if payload.get("confirmed") is not False:
        return {}
    return {"confirmed": False, "confidence": max(0.0, min(1.0, float(payload["confidence"])))}


def _move(memory: Memory, payload: Mapping[str, Any], signature: str | None) -> Memory:
    """Return the memory, moved to the region in the payload, with its new project, kind, impact and importance."""
    region = Region(payload["region"])
    return replace(
        memory,
        region=region,
        project=str(payload["project"]) if region is Region.PROJECT else None,
        kind=Kind(payload.get("kind", memory.kind)),
        impact=Impact(payload.get("impact", memory.impact)),
        importance=get_share(payload, "importance", memory.importance),
        signature=signature,
    )


def _union(first: Iterable[_T], second: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def fold_fact(changes: Iterable[Change]) -> Fact | None:
    """Return the fact computed from its changes, or None if it was forgotten or purged, or no change states it."""
    ordered = sort_changes(changes)
    if any(change.kind in (ChangeKind.PURGE, ChangeKind.FORGET) for change in ordered):
        return None
    fact: Fact | None = None
    for change in ordered:
        with contextlib.suppress(*_UNREADABLE):
            if change.kind == ChangeKind.FACT and fact is None:
                found = decode_fact(change.payload["fact"])
                fact = found if found.id == change.subject else None
    for change in ordered:
        payload = change.payload
        with contextlib.suppress(*_UNREADABLE):
            if fact is not None and change.kind == ChangeKind.CLOSE:
                fact = replace(fact, valid_to=parse_time(payload["valid_to"]), closed_by=get_text(payload, "by", None))
            if fact is not None and change.kind in (ChangeKind.CLOSE, ChangeKind.REFRESH):
                fact = replace(fact, confidence=get_share(payload, "confidence", fact.confidence))
    return fact


def fold_project(changes: Iterable[Change]) -> Project | None:
    """Return the project computed from its changes, or None if no change is about a project."""
    project: Project | None = None
    for change in _select(changes, ChangeKind.PROJECT):
        payload = change.payload
        if project is None:
            project = Project(id=change.subject, name="")
        project = replace(
            project,
            name=get_text(payload, "name", project.name) or "",
            keys=_union(project.keys, get_texts(payload, "keys")),
            agent=get_text(payload, "agent", project.agent),
        )
    return project


def fold_agent(changes: Iterable[Change]) -> Agent | None:
    """Return the agent computed from its changes, or None if no change is about an agent."""
    agent: Agent | None = None
    for change in _select(changes, ChangeKind.AGENT):
        payload = change.payload
        if agent is None:
            agent = Agent(id=change.subject.removeprefix("agent:"), name="", first_seen=change.id)
        agent = replace(
            agent,
            name=get_text(payload, "name", agent.name) or "",
            definition=get_text(payload, "definition", agent.definition),
            key_id=get_text(payload, "key_id", agent.key_id),
        )
    return agent


def fold_session(changes: Iterable[Change]) -> Session | None:
    """Return the session computed from its changes, with its counts added up, or None if no change is about it."""
    session: Session | None = None
    for change in _select(changes, ChangeKind.SESSION):
        payload = change.payload
        counts = get_counts(payload, ("from", "to", "curated", "compacted", *_SUMMED))
        # The events of a change may be much older than the change.
        times = [from_ms(ms) for ms in (counts["from"], counts["to"]) if ms] or [change.at]
        if session is None:
            session = Session(
                id=change.subject.removeprefix("session:"),
                agent=get_text(payload, "agent", "") or "",
                started_at=times[0],
                last_seen=times[-1],
            )
        session = replace(
            session,
            **replace_texts({name: getattr(session, name) for name in _LATEST}, payload),
            **{name: getattr(session, name) + counts[name] for name in _SUMMED},
            started_at=min(session.started_at, times[0]),
            last_seen=max(session.last_seen, times[-1]),
            days=tuple(sorted({*session.days, *_decode_days(change)})),
            taken=_farthest_positions(session.taken, payload.get("taken")),
            dropped=_add_counts(session.dropped, payload.get("dropped")),
            ended=session.ended or bool(payload.get("ended", False)),
            curated=max(session.curated, counts["curated"]),
            compactions=session.compactions + counts["compacted"],
        )
    return session


def _decode_days(change: Change) -> set[int]:
    given = change.payload.get("days")
    days = {day for day in given if isinstance(day, int) and 0 <= day < 1 << 24} if isinstance(given, list) else set()
    return days or {ms_of(change.id) // DAY_MS}


def _add_counts(known: Mapping[str, int], given: object) -> dict[str, int]:
    found = dict(known)
    for name, count in given.items() if isinstance(given, Mapping) else ():
        if isinstance(name, str) and isinstance(count, int) and 0 <= count < 1 << 31:
            found[name] = found.get(name, 0) + count
    return found


def _farthest_positions(known: Mapping[str, int], given: object) -> dict[str, int]:
    found = dict(known)
    for name, place in given.items() if isinstance(given, Mapping) else ():
        if isinstance(name, str) and isinstance(place, int):
            found[name] = max(place, found.get(name, 0))
    return found
