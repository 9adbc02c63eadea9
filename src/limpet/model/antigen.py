"""Antigens: records of an agent's recurring failures.

An antigen consists of a pattern of tool calls that shows the failure, the user's objections to such calls, and the
user's decision about a rule that prevents them. It is computed from its changes in the journal. Its status is not
stored. It follows from the objections, the decision and the current time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from limpet.clock import from_ms, to_ms
from limpet.lean.digest import sha256
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import pick, record, replace
from limpet.model.call_pattern import CallPattern, PatternKind, decode_pattern
from limpet.model.change import INCIDENTS_PREFIX, Change, ChangeKind
from limpet.model.ids import ALPHABET, BODY

PREFIX = "ag"
HOT = 5
"""The number of conversations with an objection after which a rule can be adopted."""
_EXPIRES_AFTER = timedelta(weeks=8)
_MOST_INCIDENTS = 50
_UNREADABLE = (AttributeError, KeyError, OverflowError, TypeError, ValueError)
_LONGEST = 400


class AntigenDecision(StrEnum):
    """The user's decision about an antigen: to adopt its rule or to reject it."""

    ADOPTED = "adopted"
    REJECTED = "rejected"


class AntigenStatus(StrEnum):
    """The status of an antigen, which is a recurring failure that the user objects to."""

    OBSERVING = "observing"
    """The failure has been seen in too few conversations to adopt a rule against it."""
    HOT = "hot"
    """The failure has been seen in enough conversations to adopt a rule against it."""
    ADOPTED = "adopted"
    """The rule is told at every start, and at a matching call."""
    REJECTED = "rejected"
    EXPIRED = "expired"
    """The failure has been seen in too few conversations, and not for a long time."""


@record
class Incident:
    """A user's objection to a tool call, with its conversation and its position in the transcript."""

    conversation: str
    at: datetime
    call: str
    """The command with its options, the path or the tool that the user objected to."""
    transcript: str = ""
    line: int = 0
    quote: str = ""
    """The user's words, read from the transcript. They are not stored in the journal."""


@record
class Antigen:
    """A recurring failure of an agent, and the rule that prevents it."""

    id: str
    agent: str
    pattern: CallPattern
    project: str | None = None
    incidents: tuple[Incident, ...] = ()
    """The first incident of each conversation, oldest first."""
    decision: AntigenDecision | None = None
    decided_at: datetime | None = None
    memory: str | None = None
    """The id of the memory that states the rule; None until the rule is adopted."""

    @property
    def conversations(self) -> int:
        """Return the number of conversations in which the user objected."""
        return len(self.incidents)

    @property
    def last_seen(self) -> datetime | None:
        return self.incidents[-1].at if self.incidents else None

    @property
    def recurred(self) -> int:
        """Return the number of conversations with new objections after the rule was adopted."""
        since = self.decided_at
        if self.decision is not AntigenDecision.ADOPTED or since is None:
            return 0
        return sum(each.at > since for each in self.incidents)

    def status(self, now: datetime) -> AntigenStatus:
        if self.decision is not None:
            return AntigenStatus(self.decision.value)
        if self.conversations >= HOT:
            return AntigenStatus.HOT
        last = self.last_seen
        is_old = last is None or now - last > _EXPIRES_AFTER
        return AntigenStatus.EXPIRED if is_old else AntigenStatus.OBSERVING

    def describe_rule(self) -> str:
        """Return a default wording of the rule, for a user who adopts it without a wording of their own."""
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
    """Return the id of the antigen for a pattern of tool calls.

    The id is a hash, so that every machine computes the same id and their records can be merged.
    """
    parts = (agent, project or "", pattern.kind.value, *pattern.words)
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    number = int.from_bytes(sha256(joined.encode("utf-8", "surrogatepass")).digest(), "big")
    return f"{PREFIX}_" + "".join(ALPHABET[number >> 5 * at & 31] for at in range(BODY))


def incident_source(session: str) -> str:
    """Return the journal subject that groups all changes about a session's objections.

    Purging this subject erases all of these changes.
    """
    return INCIDENTS_PREFIX + session


def session_change(antigen: str, session: str, payload: Mapping[str, Any], *, actor: str = "") -> Change:
    """Return a journal record that adds data from one session to an antigen.

    The subject of the record is not the antigen itself, so that the antigen remains if the session is purged.
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
    """Return the antigen computed from its changes.

    Return None if it was forgotten or purged, or if no change can be read.
    """
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
    incidents = (*antigen.incidents, *map(decode_incident, payload.get("incidents", ())))
    # Of each conversation the first incident is kept, oldest first.
    first: dict[str, Incident] = {}
    for each in sorted(incidents, key=lambda each: each.at):
        first.setdefault(each.conversation, each)
    antigen = replace(antigen, incidents=tuple(first.values())[-_MOST_INCIDENTS:])
    if "decision" in payload:
        memory = payload.get("memory")
        antigen = replace(
            antigen,
            decision=AntigenDecision(payload["decision"]),
            decided_at=change.at,
            memory=str(memory) if memory else antigen.memory,
        )
    return antigen


def describe_antigen(antigen: Antigen) -> dict[str, Any]:
    """Return the fields that a change needs to create the antigen: its agent, project and pattern."""
    return {**pick(antigen, "agent", "project"), "pattern": antigen.pattern.encode()}


def encode_incident(incident: Incident) -> dict[str, Any]:
    return {**pick(incident, "conversation", "at", "call", "transcript", "line"), "at": to_ms(incident.at)}


def decode_incident(given: Mapping[str, Any]) -> Incident:
    return Incident(
        conversation=str(given["conversation"])[:_LONGEST],
        at=from_ms(int(given["at"])),
        call=str(given["call"])[:_LONGEST],
        transcript=str(given.get("transcript", ""))[:_LONGEST],
        line=int(given.get("line", 0)),
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
    }


def decode_antigen(given: Mapping[str, Any]) -> Antigen:
    """Return the antigen that a JSON object made by `encode_antigen` describes."""
    return Antigen(
        id=given["id"],
        agent=given["agent"],
        project=given["project"],
        pattern=decode_pattern(given["pattern"]),
        incidents=tuple(map(decode_incident, given["incidents"])),
        decision=AntigenDecision(given["decision"]) if given["decision"] else None,
        decided_at=from_ms(given["decided_at"]) if given["decided_at"] else None,
        memory=given["memory"],
    )
