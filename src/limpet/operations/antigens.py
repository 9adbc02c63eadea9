"""List antigens, and let a person decide which of them become rules.

An antigen is a kind of tool call to which the user has repeatedly objected: a recurring failure of the agent. Its
pattern says which calls are meant.
"""

from __future__ import annotations

from limpet.curating.antigens import AntigenRow, AntigensAnswer, decide
from limpet.errors import UsageError
from limpet.lean.record import pick
from limpet.model.antigen import (
    encode_incident,
)
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import CODE, YES
from limpet.runtime import Runtime
from limpet.runtime.permissions import require_person
from limpet.wiring.permissions import change_permission

ACTIONS = ("list", "show", "adopt", "reject", "write", "unwrite")


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
    answer = decide(runtime, action, id, rule=rule, code=code)
    if action in ("write", "unwrite"):
        return change_permission(runtime, answer, code, removes=action == "unwrite", dry_run=dry_run)
    return answer


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
