"""Sign memories; makes a key if there is none."""

from __future__ import annotations

from datetime import datetime

from limpet.errors import Refused
from limpet.lean.record import record
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Sensitivity
from limpet.model.query import Query, Stored
from limpet.model.scope import Scope
from limpet.model.signature import Verdict
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import YES
from limpet.operations.permissions import require_owner
from limpet.runtime import Runtime, keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SIGNABLE = (Verdict.MISSING, Verdict.NOT_SIGNING)


@record
class SignAnswer:
    """How many memories were signed, and with which key."""

    key_id: str
    new_key: bool
    signed: int
    left: tuple[str, ...]
    """Memories whose signature is wrong; they are not signed again, since that would hide tampering."""


def run(runtime: Runtime, *, new_key: bool = False, yes: bool = False) -> SignAnswer:
    require_owner(runtime, yes=yes, doing="sign memories")
    agent = runtime.agent_id
    fresh = new_key or not runtime.signs(agent)
    if fresh:
        name = keys.create(runtime.settings.home, agent, in_keyring=runtime.settings.sign.keyring)
        payload = {"name": runtime.agent[1], "key_id": name}
        runtime.write([Change(kind=ChangeKind.AGENT, subject=f"agent:{agent}", payload=payload)])
        runtime.reset_identity()
    known = runtime.reading().agent(agent)
    name = known.key_id if known and known.key_id else ""
    if not any(key == name for key, (owner, _) in keys.load(runtime.settings.home).items() if owner == agent):
        raise Refused(
            f"the signing key {name!r} of {agent!r} is not on this machine; copy it into {runtime.settings.home}/keys, "
            "or make a new one with --new-key"
        )
    changes = []
    left = []
    for stored in find_all_memories(runtime):
        if stored.verdict in _SIGNABLE:
            signature = runtime.signature_for(stored.memory)
            changes.append(runtime.change(ChangeKind.SIGN, stored.memory, {"signature": signature}))
        elif stored.verdict.is_warning:
            left.append(stored.memory.id)
    runtime.write(changes)
    return SignAnswer(key_id=name, new_key=fresh, signed=len(changes), left=tuple(left))


def find_all_memories(runtime: Runtime) -> tuple[Stored, ...]:
    """Return all memories of the agent, whatever their project, status, sensitivity or age."""
    query = Query(
        scope=Scope(agent=runtime.agent_id, every_project=True),
        sensitivity=tuple(Sensitivity),
        statuses=(Status.LIVE, Status.SUPERSEDED, Status.FORGOTTEN),
        expired=True,
        archived=True,
        now=runtime.now(),
        limit=10_000_000,
    )
    return tuple(runtime.with_verdict(stored) for stored in runtime.reading().browse(query).items)


def to_json(answer: SignAnswer, now: datetime) -> dict[str, Any]:
    return {
        "key_id": answer.key_id,
        "new_key": answer.new_key,
        "signed": answer.signed,
        "left": list(answer.left),
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    is_failure=lambda answer: bool(answer.left),
    params=(
        Param(name="new_key", help="Make a new key; old signatures stay valid.", kind="flag"),
        YES,
    ),
    examples=("limpet sign", "limpet sign --new-key"),
)
