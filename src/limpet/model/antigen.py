"""Antigens: a recurring failure, the calls by which it is recognised, and what the person decided about it.

An antigen is a fold of its changes, as every subject of the journal is. What can be computed from the incidents, the
decision and the clock is not stored: the status, and whether the antigen may speak at a call.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from limpet.clock import from_ms, to_ms
from limpet.lean.digest import sha256
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import Protocol, record, replace
from limpet.model.call_pattern import CallPattern, PatternKind, decode_pattern
from limpet.model.change import INCIDENTS_PREFIX, Change, ChangeKind
from limpet.model.ids import ALPHABET, BODY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PREFIX = "ag"
MOST_INCIDENTS = 50
_UNREADABLE = (AttributeError, KeyError, OverflowError, TypeError, ValueError)
_LONGEST = 400


class AntigenDecision(StrEnum):
    """The decision of a person about an antigen."""

    ADOPTED = "adopted"
    REJECTED = "rejected"


class AntigenStatus(StrEnum):
    """The status of an antigen, from its first incident to a decision or its end."""

    OBSERVING = "observing"
    """Seen in too few conversations."""
    HOT = "hot"
    """Seen in enough conversations to be adopted; an adopted one stays hot as long as it helps."""
    REJECTED = "rejected"
    ESCALATED = "escalated"
    """Adopted, but the agent went on doing it: telling does not help."""
    EXPIRED = "expired"
    """Seen in too few conversations, and not again for a long time."""


class Voice(StrEnum):
    """The reaction of an antigen to a call that it matches."""

    SILENT = "silent"
    """Nothing: it is not adopted, or telling did not help."""
    SHADOW = "shadow"
    """It is matched and counted, and says nothing yet."""
    WARN = "warn"
    """It tells the agent the rule; the call is never blocked or delayed."""
    WITHDRAWN = "withdrawn"
    """Nothing any more: the user accepted calls that it warns of."""


class Limits(Protocol):
    """The numbers that decide about status and voice; they are settings."""

    @property
    def hot(self) -> int: ...
    @property
    def expire_days(self) -> int: ...
    @property
    def escalate(self) -> int: ...
    @property
    def shadow_days(self) -> int: ...
    @property
    def overruled(self) -> int: ...


@record
class Incident:
    """One objection of the user in one conversation, and where it is recorded."""

    conversation: str
    at: datetime
    call: str
    """The command with its options, the path or the tool that the user objected to."""
    transcript: str = ""
    line: int = 0
    quote: str = ""
    """What the user said, as long as the transcript exists; the journal does not keep it."""


@record
class AntigenHit:
    """A call that matched an adopted antigen, and whether the user objected to it."""

    session: str
    at: datetime
    is_objected: bool


@record
class Antigen:
    """A recurring failure and the rule that prevents it."""

    id: str
    agent: str
    pattern: CallPattern
    project: str | None = None
    incidents: tuple[Incident, ...] = ()
    """The first incident of each conversation, the oldest first."""
    decision: AntigenDecision | None = None
    decided_at: datetime | None = None
    memory: str | None = None
    """The memory with the rule, once it is adopted."""
    hits: tuple[AntigenHit, ...] = ()
    """Matching calls since it was adopted."""

    @property
    def conversations(self) -> int:
        """Return in how many conversations the user objected."""
        return len(self.incidents)

    @property
    def last_seen(self) -> datetime | None:
        return self.incidents[-1].at if self.incidents else None

    @property
    def recurred(self) -> int:
        """Return in how many conversations the user objected again after the rule had been adopted."""
        since = self.decided_at
        if self.decision is not AntigenDecision.ADOPTED or since is None:
            return 0
        later = {each.conversation for each in self.incidents if each.at > since}
        return len(later | {each.session for each in self.hits if each.is_objected})

    @property
    def overruled(self) -> int:
        """Return in how many sessions the user accepted a call that the adopted antigen matches."""
        return len({each.session for each in self.hits if not each.is_objected})

    def status(self, now: datetime, limits: Limits) -> AntigenStatus:
        if self.decision is AntigenDecision.REJECTED:
            return AntigenStatus.REJECTED
        if self.recurred >= limits.escalate:
            return AntigenStatus.ESCALATED
        if self.decision is AntigenDecision.ADOPTED or self.conversations >= limits.hot:
            return AntigenStatus.HOT
        last = self.last_seen
        is_old = last is None or now - last > timedelta(days=limits.expire_days)
        return AntigenStatus.EXPIRED if is_old else AntigenStatus.OBSERVING

    def voice(self, now: datetime, limits: Limits) -> Voice:
        """Return what the antigen does at a matching call: after its adoption it first only counts matches."""
        if self.decision is not AntigenDecision.ADOPTED or self.decided_at is None:
            return Voice.SILENT
        if self.overruled >= limits.overruled:
            return Voice.WITHDRAWN
        if self.status(now, limits) is AntigenStatus.ESCALATED:
            return Voice.SILENT
        has_proven = any(each.is_objected for each in self.hits)
        is_over = now - self.decided_at >= timedelta(days=limits.shadow_days)
        return Voice.WARN if has_proven or (is_over and not self.overruled) else Voice.SHADOW

    def describe_rule(self) -> str:
        """Return the rule in one sentence, for a person who adopts it without giving other words."""
        last = self.incidents[-1].quote if self.incidents else ""
        said = f" The user objected to it in {self.conversations} conversations, last with “{last}”." if last else ""
        match self.pattern.kind:
            case PatternKind.COMMAND:
                what = f"Do not run {self.pattern.describe()}."
            case PatternKind.FILE:
                what = f"Do not edit `{self.pattern.words[0]}`."
            case _:
                what = f"Do not use {self.pattern.describe()}."
        return what + said


def antigen_id(agent: str, project: str | None, pattern: CallPattern) -> str:
    """Return the id of the antigen about some calls: the same on every machine, so that their records add up."""
    parts = (agent, project or "", pattern.kind.value, *pattern.words)
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    number = int.from_bytes(sha256(joined.encode("utf-8", "surrogatepass")).digest(), "big")
    return f"{PREFIX}_" + "".join(ALPHABET[number >> 5 * at & 31] for at in range(BODY))


def incident_source(session: str) -> str:
    """Return the subject from which all changes about the objections of a session descend; purging it erases them."""
    return INCIDENTS_PREFIX + session


def session_change(antigen: str, session: str, payload: Mapping[str, Any], *, actor: str = "") -> Change:
    """Return a change of an antigen that says something about one session.

    Its subject is not the antigen, so that the antigen stays when the session is purged.
    """
    return Change(
        kind=ChangeKind.ANTIGEN,
        subject=f"{antigen}/{session}",
        root=antigen,
        lineage=(incident_source(session),),
        actor=actor,
        payload=payload,
    )


def fold_antigen(changes: Iterable[Change]) -> Antigen | None:
    """Return the antigen after all its changes; None if it is hidden, or none of its changes can be read."""
    ordered = sorted(changes, key=lambda change: change.id)
    hiding = (each for each in ordered if each.kind in (ChangeKind.PURGE, ChangeKind.FORGET))
    if any(each.subject == (each.root or each.subject) for each in hiding):
        return None
    antigen: Antigen | None = None
    for change in ordered:
        if change.kind == ChangeKind.ANTIGEN:
            with contextlib.suppress(*_UNREADABLE):
                antigen = _apply(antigen, change)
    return antigen


def _apply(antigen: Antigen | None, change: Change) -> Antigen | None:
    payload = change.payload
    if "pattern" in payload:
        pattern = decode_pattern(payload["pattern"])
        project = payload.get("project")
        if antigen is None:
            antigen = Antigen(
                id=change.root or change.subject,
                agent=str(payload["agent"]),
                project=str(project) if project is not None else None,
                pattern=pattern,
            )
        elif antigen.decision is not AntigenDecision.ADOPTED:
            # What a person has adopted is not replaced by what another machine has observed.
            antigen = replace(antigen, pattern=pattern)
    if antigen is None:
        return None
    incidents = _join_incidents(antigen.incidents, map(decode_incident, payload.get("incidents", ())))
    hits = tuple(sorted({*antigen.hits, *map(_decode_hit, payload.get("hits", ()))}, key=lambda each: each.at))
    antigen = replace(antigen, incidents=incidents, hits=hits[-MOST_INCIDENTS:])
    if "decision" in payload:
        memory = payload.get("memory")
        antigen = replace(
            antigen,
            decision=AntigenDecision(payload["decision"]),
            decided_at=change.at,
            memory=str(memory) if memory else antigen.memory,
            hits=(),
        )
    return antigen


def _join_incidents(known: Iterable[Incident], more: Iterable[Incident]) -> tuple[Incident, ...]:
    """Return the first incident of each conversation, the oldest first."""
    first: dict[str, Incident] = {}
    for each in sorted((*known, *more), key=lambda each: each.at):
        first.setdefault(each.conversation, each)
    return tuple(first.values())[-MOST_INCIDENTS:]


def describe_antigen(antigen: Antigen) -> dict[str, Any]:
    """Return the fields that a change needs so that the antigen can be folded from this change alone."""
    return {"agent": antigen.agent, "project": antigen.project, "pattern": antigen.pattern.encode()}


def encode_incident(incident: Incident) -> dict[str, Any]:
    return {
        "conversation": incident.conversation,
        "at": to_ms(incident.at),
        "call": incident.call,
        "transcript": incident.transcript,
        "line": incident.line,
    }


def decode_incident(given: Mapping[str, Any]) -> Incident:
    return Incident(
        conversation=str(given["conversation"])[:_LONGEST],
        at=from_ms(int(given["at"])),
        call=str(given["call"])[:_LONGEST],
        transcript=str(given.get("transcript", ""))[:_LONGEST],
        line=int(given.get("line", 0)),
    )


def encode_hit(hit: AntigenHit) -> dict[str, Any]:
    return {"session": hit.session, "at": to_ms(hit.at), "objected": hit.is_objected}


def _decode_hit(given: Mapping[str, Any]) -> AntigenHit:
    return AntigenHit(
        session=str(given["session"])[:_LONGEST], at=from_ms(int(given["at"])), is_objected=given["objected"] is True
    )


def encode_antigen(antigen: Antigen) -> dict[str, Any]:
    """Return an antigen as a JSON object."""
    return {
        "id": antigen.id,
        "agent": antigen.agent,
        "project": antigen.project,
        "pattern": antigen.pattern.encode(),
        "incidents": [encode_incident(each) for each in antigen.incidents],
        "decision": antigen.decision.value if antigen.decision else None,
        "decided_at": to_ms(antigen.decided_at) if antigen.decided_at else None,
        "memory": antigen.memory,
        "hits": [encode_hit(each) for each in antigen.hits],
    }


def decode_antigen(given: Mapping[str, Any]) -> Antigen:
    """Return the antigen in a JSON object of the view."""
    return Antigen(
        id=given["id"],
        agent=given["agent"],
        project=given["project"],
        pattern=decode_pattern(given["pattern"]),
        incidents=tuple(map(decode_incident, given["incidents"])),
        decision=AntigenDecision(given["decision"]) if given["decision"] else None,
        decided_at=from_ms(given["decided_at"]) if given["decided_at"] else None,
        memory=given["memory"],
        hits=tuple(map(_decode_hit, given["hits"])),
    )
