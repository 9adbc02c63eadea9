"""Group the objections in recorded conversations by the calls that they are about, and create antigens from them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from limpet.insight.antigens.replay import ReplayResult, fit_pattern, replay_pattern
from limpet.insight.friction.calls import Call
from limpet.insight.friction.measures import ConversationMeasures, Evidence
from limpet.insight.quotes import quote_person
from limpet.lean.record import field, mutable, record
from limpet.model.antigen import Antigen, Incident, antigen_id, describe_antigen, encode_incident, session_change
from limpet.model.call_pattern import CallPattern
from limpet.model.change import Change, ChangeKind
from limpet.model.scope import Scope

_QUOTE = 200


@mutable
class _IncidentGroup:
    """A group of incidents whose calls match the pattern `base`."""

    base: CallPattern
    incidents: list[Incident] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    """Words from the objections that also occur in the calls."""


@record
class ObservedAntigen:
    """An antigen with the incidents from the recordings and from the journal."""

    antigen: Antigen
    replay: ReplayResult
    """The result of testing the antigen's pattern on the recorded calls."""
    fresh: tuple[Incident, ...]
    """The incidents that are not in the journal yet."""
    has_new_pattern: bool = False
    """Whether the pattern differs from the one in the journal."""


def observe_antigens(
    conversations: Sequence[ConversationMeasures], known: Mapping[str, Antigen], scope: Scope
) -> list[ObservedAntigen]:
    """Return a project's antigens, those with most conversations first.

    Antigens are found in the recorded `conversations`; `known` are those that are already in the journal, by their ids.
    Conversations in which a program gave the prompts are skipped, because no user reacted in them.
    """
    groups: dict[str, _IncidentGroup] = {}
    for conversation in conversations:
        if not conversation.is_scripted:
            _collect_incidents(conversation, groups, scope)
    calls = [call for each in conversations if not each.is_scripted for call in each.calls]
    found = [_make_antigen(id, group, known.get(id), calls, scope) for id, group in groups.items()]
    # The incidents of these are no longer in the recordings.
    found += [
        ObservedAntigen(antigen=each, replay=replay_pattern(each.pattern, each.incidents, calls), fresh=())
        for id, each in known.items()
        if id not in groups
    ]
    return sorted(found, key=lambda each: (-each.antigen.conversations, each.antigen.id))


def _collect_incidents(conversation: ConversationMeasures, groups: dict[str, _IncidentGroup], scope: Scope) -> None:
    """Add the objections in a conversation to the groups, at most one per group."""
    seen: set[str] = set()
    for evidence in conversation.evidence:
        about = evidence.about
        if about is None:
            continue
        id = antigen_id(scope.agent, scope.project, about.pattern)
        group = groups.setdefault(id, _IncidentGroup(base=about.pattern))
        group.named.update(about.named)
        if id not in seen:
            seen.add(id)
            group.incidents.append(_make_incident(conversation.session, evidence, about.call))


def _make_incident(session: str, evidence: Evidence, call: str) -> Incident:
    return Incident(
        conversation=session,
        at=evidence.event.at,
        quote=quote_person(evidence.words[-1], _QUOTE) if evidence.words else "",
        call=call,
        transcript=os.path.basename(evidence.path),
        line=evidence.line,
    )


def _make_antigen(
    id: str, group: _IncidentGroup, known: Antigen | None, calls: Sequence[Call], scope: Scope
) -> ObservedAntigen:
    """Combine an antigen's recorded incidents with `known`, its state in the journal, or None if it is new."""
    recorded = {each.conversation: each for each in group.incidents}
    old = [recorded.get(each.conversation, each) for each in known.incidents] if known is not None else []
    conversations = {each.conversation for each in old}
    fresh = tuple(each for each in group.incidents if each.conversation not in conversations)
    incidents = tuple(sorted((*old, *fresh), key=lambda each: each.at))
    if known is not None and known.decision is not None:
        proof = replay_pattern(known.pattern, incidents, calls)
    else:
        proof = fit_pattern(group.base, incidents, calls, group.named)
    antigen = Antigen(
        id=id,
        agent=scope.agent,
        project=scope.project,
        pattern=known.pattern if known is not None and known.decision is not None else proof.pattern,
        incidents=incidents,
        decision=known.decision if known is not None else None,
        decided_at=known.decided_at if known is not None else None,
        memory=known.memory if known is not None else None,
    )
    has_new_pattern = known is not None and known.decision is None and known.pattern != proof.pattern
    return ObservedAntigen(antigen=antigen, replay=proof, fresh=fresh, has_new_pattern=has_new_pattern)


def incident_changes(found: Iterable[ObservedAntigen]) -> list[Change]:
    """Return the journal changes for new incidents, one for each conversation, and for new patterns."""
    changes = []
    for each in found:
        antigen = each.antigen
        about = describe_antigen(antigen)
        for incident in each.fresh:
            payload = about | {"incidents": [encode_incident(incident)]}
            changes.append(session_change(antigen.id, incident.conversation, payload))
        if each.has_new_pattern and not each.fresh:
            changes.append(Change(kind=ChangeKind.ANTIGEN, subject=antigen.id, payload=about))
    return changes
