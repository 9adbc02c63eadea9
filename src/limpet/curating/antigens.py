"""Decide about antigens: kinds of tool call to which the user has repeatedly objected."""

from __future__ import annotations

from limpet.curating.writing import build_draft, run_many
from limpet.errors import InvalidId, Refused
from limpet.hosts import HOSTS
from limpet.insight.antigens.observe import ObservedAntigen, incident_changes, observe_antigens
from limpet.insight.friction.calls import Call
from limpet.insight.friction.measures import ConversationMeasures
from limpet.insight.quotes import quote_person
from limpet.lean.record import record, replace
from limpet.learning.marks import write_marks
from limpet.model.antigen import (
    HOT,
    Antigen,
    AntigenDecision,
    AntigenStatus,
    describe_antigen,
)
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Type
from limpet.model.outcome import Rejected
from limpet.runtime import Runtime
from limpet.runtime.permissions import complete_id, require_person
from limpet.runtime.recordings import examine_recordings, find_session_folders


@record
class AntigenRow:
    """An antigen with its status, how well its pattern fits the recorded calls, and whether its rule has helped."""

    antigen: Antigen
    status: AntigenStatus
    calls: int
    """The number of recorded calls since the first objection."""
    hit: int
    """The number of calls that the user objected to and that the pattern matches."""
    accepted: tuple[str, ...]
    """The calls that the pattern matches although the user accepted them."""
    is_proven: bool
    """Whether the pattern matches every call that the user objected to and no call that the user accepted."""
    before: tuple[int, int]
    """How many conversations with an objection, and how many in all, were recorded before the rule was adopted."""
    since: tuple[int, int]
    """How many conversations with an objection, and how many in all, were recorded since the rule was adopted."""


@record
class AntigensAnswer:
    """The antigens of this project, or only the one that the user chose."""

    rows: tuple[AntigenRow, ...]
    conversations: int
    """The number of recorded conversations that were read."""
    decided: AntigenDecision | None = None
    """The decision that was made by this call, or None."""
    memory: str | None = None
    """The id of the memory that contains the adopted rule."""
    chosen: str | None = None
    """The id of the antigen that the user chose, or None if all are listed."""
    path: str | None = None
    """The path of the settings file to which a permission rule is added, or from which it is removed."""
    rule: str | None = None
    """The permission rule, in the host's syntax."""
    is_written: bool = False
    """Whether the settings file was changed."""
    outcome: str = ""
    """What happened to the permission rule, for the user: "added", for example, or "would be removed"."""
    left_memory: str | None = None
    """The id of the memory that still tells the rule of a rejected antigen."""


def decide(runtime: Runtime, action: str, id: str | None, *, rule: str | None, code: str | None) -> AntigensAnswer:
    """List the antigens of this project or, with an id, show one of them, adopt its rule, or reject it."""
    observed, conversations = observe_project(runtime)
    if id is None:
        rows = tuple(_make_row(runtime, each, conversations) for each in observed)
        return AntigensAnswer(rows=rows, conversations=len(conversations))
    chosen = _find_antigen(observed, id)
    memory = left_memory = None
    if action == "adopt":
        memory = _adopt(runtime, chosen, rule, code)
    elif action == "reject":
        proof = require_person(runtime, "antigens", code=code, doing="reject an antigen")
        _write_decision(runtime, chosen.antigen, AntigenDecision.REJECTED, proof)
        rule_memory = runtime.reading().get(chosen.antigen.memory) if chosen.antigen.memory else None
        # Sessions are still told the rule of an antigen that was adopted before.
        if rule_memory is not None and rule_memory.status is Status.LIVE:
            left_memory = rule_memory.memory.id
    decided = {"adopt": AntigenDecision.ADOPTED, "reject": AntigenDecision.REJECTED}.get(action)
    if decided is not None:
        held = next(each for each in runtime.reading().antigens(runtime.scope()) if each.id == chosen.antigen.id)
        # The objections were read from the recordings.
        chosen = replace(chosen, antigen=replace(held, incidents=chosen.antigen.incidents))
    return AntigensAnswer(
        rows=(_make_row(runtime, chosen, conversations),),
        conversations=len(conversations),
        decided=decided,
        memory=memory,
        chosen=chosen.antigen.id,
        left_memory=left_memory,
    )


def observe_project(runtime: Runtime) -> tuple[list[ObservedAntigen], tuple[ConversationMeasures, ...]]:
    """Read the recorded sessions of this project, and return its antigens and its conversations.

    New objections are recorded in the journal.
    """
    scope = runtime.scope()
    places = find_session_folders(HOSTS)
    found = examine_recordings(runtime, places)[0].conversations if places else []
    conversations = tuple(each for each in found if not each.is_scripted)
    purged = runtime.reading().purged_sessions()
    known = {each.id: each for each in runtime.reading().antigens(scope) if each.project == scope.project}
    observed = observe_antigens([each for each in conversations if each.session not in purged], known, scope)
    runtime.write(incident_changes(observed))
    return observed, conversations


def _make_row(runtime: Runtime, each: ObservedAntigen, conversations: tuple[ConversationMeasures, ...]) -> AntigenRow:
    antigen, now = each.antigen, runtime.now()
    if runtime.caller.is_agent:
        # A model must not see what people said in sessions.
        antigen = replace(antigen, incidents=tuple(replace(one, quote="") for one in antigen.incidents))
    decided = antigen.decided_at if antigen.decision is AntigenDecision.ADOPTED else None
    earlier = [one for one in conversations if decided is None or one.begins <= decided]
    objected = {incident.conversation for incident in antigen.incidents}
    before = sum(one.session in objected for one in earlier)
    return AntigenRow(
        antigen=antigen,
        status=antigen.status(now),
        calls=each.replay.calls,
        hit=each.replay.hit,
        accepted=tuple(map(describe_call, each.replay.accepted)),
        is_proven=each.replay.is_proven,
        before=(before, len(earlier)),
        since=(antigen.recurred, len(conversations) - len(earlier)),
    )


def describe_call(call: Call) -> str:
    """Return the command, the file names or the tool name of a call on one line, without secrets."""
    return quote_person(call.command or ", ".join(call.files) or call.tool, 200)


def _find_antigen(observed: list[ObservedAntigen], id: str) -> ObservedAntigen:
    by_id = {each.antigen.id: each for each in observed}
    found = complete_id(
        id,
        lambda prefix: [each for each in by_id if each.startswith(prefix)],
        noun="antigen",
        shown_by="limpet antigens",
        prefix="ag",
    )
    if found is None:
        raise InvalidId(f"no antigen here has the id {id[:60]!r}; `limpet antigens` lists them")
    return by_id[found]


def _adopt(runtime: Runtime, each: ObservedAntigen, rule: str | None, code: str | None) -> str:
    """Adopt the rule of an antigen: store it as a memory, and return the id of that memory.

    From then on, tool calls are compared with the antigen's pattern. Raise Refused if there were too few objections, or
    if the pattern misses a call that the user objected to or matches one that the user accepted.
    """
    antigen, proven = each.antigen, each.replay
    otherwise = 'to have a rule all the same: limpet remember "…"'
    if antigen.conversations < HOT:
        raise Refused(f"it was seen in {antigen.conversations} of {HOT} conversations; {otherwise}")
    if proven.accepted:
        example = describe_call(proven.accepted[0])[:80]
        raise Refused(
            f"it also matches {len(proven.accepted)} of the calls that you accepted, such as `{example}`; {otherwise}"
        )
    if not proven.is_proven:
        raise Refused(f"it matches only {proven.hit} of {antigen.conversations} incidents; {otherwise}")
    proof = require_person(runtime, "antigens", code=code, doing="adopt an antigen")
    text = rule or antigen.describe_rule()
    draft = build_draft(runtime, text=text, tags=("antigen",), type=Type.DECISION)
    outcome = run_many(runtime, [draft])[0]
    if isinstance(outcome, Rejected):
        raise Refused(f"the rule was not stored: {outcome.reason}")
    _write_decision(
        runtime, antigen, AntigenDecision.ADOPTED, {**proof, "memory": outcome.memory.id}, lineage=(outcome.memory.id,)
    )
    return outcome.memory.id


def _write_decision(
    runtime: Runtime,
    antigen: Antigen,
    decision: AntigenDecision,
    more: dict[str, object],
    lineage: tuple[str, ...] = (),
) -> None:
    # The decision repeats the pattern, because the changes that it comes from may be purged with their sessions.
    payload = {**describe_antigen(antigen), "decision": decision.value, **more}
    runtime.write([Change(kind=ChangeKind.ANTIGEN, subject=antigen.id, payload=payload, lineage=lineage)])
    write_marks(runtime.context())
