"""List antigens, and let a person decide which of them become rules.

An antigen is a kind of tool call to which the user has repeatedly objected: a recurring failure of the agent. Its
pattern says which calls are meant.
"""

from __future__ import annotations

import os

from limpet.errors import InvalidId, NotWirable, Refused, Untouchable, UsageError
from limpet.hosts import HOSTS
from limpet.hosts.claude_code import permissions
from limpet.insight.antigens.observe import ObservedAntigen, incident_changes, observe_antigens
from limpet.insight.friction.calls import Call
from limpet.insight.friction.measures import ConversationMeasures
from limpet.insight.quotes import quote_person
from limpet.lean.record import pick, record, replace
from limpet.learning.marks import write_marks
from limpet.model.antigen import (
    HOT,
    Antigen,
    AntigenDecision,
    AntigenStatus,
    describe_antigen,
    encode_incident,
)
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Type
from limpet.model.outcome import Rejected
from limpet.operations import remember
from limpet.operations.catalogue import Param, Verb
from limpet.operations.friction import examine_recordings
from limpet.operations.parameters import CODE, YES
from limpet.operations.recordings import find_session_folders
from limpet.runtime import Runtime
from limpet.runtime.permissions import complete_id, require_person
from limpet.runtime.project_folder import find_root
from limpet.wiring import files

ACTIONS = ("list", "show", "adopt", "reject", "write", "unwrite")


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


def run(
    runtime: Runtime,
    *,
    action: str = "list",
    id: str | None = None,
    rule: str | None = None,
    dry_run: bool = False,
    yes: bool = False,
    code: str | None = None,
) -> AntigensAnswer:
    if (action == "list") != (id is None):
        raise UsageError(f"antigens {action} takes {'no id' if action == 'list' else 'the id of an antigen'}")
    if rule is not None and action != "adopt":
        raise UsageError("only `limpet antigens adopt` takes a rule")
    if dry_run and action not in ("write", "unwrite"):
        raise UsageError("only `limpet antigens write` and `unwrite` take --dry-run")
    if action not in ("list", "show") and runtime.caller.is_agent and code is None:
        require_person(runtime, "antigens", code=None, doing=f"{action} an antigen")
    observed, conversations = observe_project(runtime)
    if id is None:
        rows = tuple(_make_row(runtime, each, conversations) for each in observed)
        return AntigensAnswer(rows=rows, conversations=len(conversations))
    chosen = _find_antigen(observed, id)
    if action in ("write", "unwrite"):
        answer = AntigensAnswer(
            rows=(_make_row(runtime, chosen, conversations),),
            conversations=len(conversations),
            chosen=chosen.antigen.id,
        )
        return _change_permission(runtime, answer, code, removes=action == "unwrite", dry_run=dry_run)
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
    outcome = remember.run(runtime, text=text, tags=("antigen",), type=Type.DECISION)
    if isinstance(outcome, Rejected):
        raise Refused(f"the rule was not stored: {outcome.reason}")
    _write_decision(
        runtime, antigen, AntigenDecision.ADOPTED, {**proof, "memory": outcome.memory.id}, lineage=(outcome.memory.id,)
    )
    return outcome.memory.id


def _change_permission(
    runtime: Runtime, answer: AntigensAnswer, code: str | None, *, removes: bool, dry_run: bool
) -> AntigensAnswer:
    """Add the permission rule of an adopted antigen to the project's personal settings, or remove it if `removes`."""
    antigen = answer.rows[0].antigen
    root = find_root(runtime)
    if root is None:
        raise Refused("this folder is no repository; a permission rule is written to the settings of one")
    if antigen.decision is not AntigenDecision.ADOPTED and not removes:
        raise Refused(f"adopt it first: limpet antigens adopt {antigen.id}")
    path, rule = permissions.settings_path(root), permissions.make_rule(antigen.pattern)
    try:
        if any(map(os.path.islink, (os.path.dirname(path), path))):
            raise Untouchable("is a symlink")
        text = files.read(path) or ""
        made = permissions.remove_rule(text, rule) if removes else permissions.add_rule(text, rule)
        if not dry_run and made != text:
            require_person(runtime, "antigens", code=code, doing="change permissions")
            files.write(path, made)
    except (NotWirable, Untouchable) as error:
        raise Refused(f"{path} {error}; it was left as it is") from None
    if made == text:
        outcome = f"nothing changed, the rule {'is not there' if removes else 'is there already'}"
    else:
        outcome = f"{'would be ' if dry_run else ''}{'removed' if removes else 'added'}"
    return replace(answer, path=path, rule=rule, is_written=made != text and not dry_run, outcome=outcome)


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


def shape(answer: AntigensAnswer) -> dict[str, object]:
    return {
        "antigens": [_shape_row(row) for row in answer.rows],
        **pick(answer, "conversations", "decided", "memory", "left_memory", "path", "rule"),
        "written": answer.is_written,
    }


def _shape_row(row: AntigenRow) -> dict[str, object]:
    antigen = row.antigen
    return {
        "id": antigen.id,
        "about": antigen.pattern.describe(),
        "pattern": antigen.pattern.encode(),
        "status": row.status,
        **pick(antigen, "conversations", "last_seen"),
        "replay": {
            "calls": row.calls,
            "incidents_matched": row.hit,
            "accepted_matched": len(row.accepted),
            "proven": row.is_proven,
        },
        "before": {"objected": row.before[0], "conversations": row.before[1]},
        "since": {"objected": row.since[0], "conversations": row.since[1]},
        **pick(antigen, "memory", "decided_at"),
        "incidents": [{**encode_incident(each), **pick(each, "at", "quote")} for each in antigen.incidents],
        "accepted": row.accepted[:10],
    }


VERB = Verb(
    run=run,
    shape=shape,
    params=(
        Param(
            name="action",
            help="What to do: list (which may be left out), show, adopt, reject, write or unwrite.",
            kind="choice",
            choices=ACTIONS,
            positional=True,
            default="list",
        ),
        Param(name="id", help="Id of the antigen, or its first characters.", positional=True),
        Param(name="rule", help="The rule in your own words; made from the calls if not given."),
        Param(name="dry_run", help="With write or unwrite: only show the permission rule.", kind="flag"),
        YES,
        CODE,
    ),
    details=(
        "An antigen is a kind of call that you have objected to in the recorded sessions of this project. Each "
        "conversation counts once. An antigen that was seen in five conversations can be adopted, if it matches every "
        "call that you objected to and none that you accepted. Its rule then becomes a memory, which every session is "
        "told at its start. The agent is also told the rule at a matching call, which is never blocked. "
        "`write` adds a permission rule that denies such calls to .claude/settings.local.json, and `unwrite` removes "
        "it. Only a person can decide."
    ),
    examples=(
        "limpet antigens",
        "limpet antigens show ag_4f",
        "limpet antigens adopt ag_4f",
        "limpet antigens reject ag_4f",
        "limpet antigens write ag_4f --dry-run",
    ),
)
