"""Sign memories with the user's key, make that key, and check every signature."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.errors import Refused
from limpet.lean.record import record
from limpet.model.change import Change, ChangeKind
from limpet.model.query import Stored, query_everything
from limpet.model.scope import Scope
from limpet.model.signature import Verdict
from limpet.runtime import Runtime
from limpet.runtime.permissions import require_person
from limpet.store.protocol import Problem

_SIGNABLE = (Verdict.MISSING, Verdict.KEYLESS, Verdict.NOT_SIGNING)


@record
class SignAnswer:
    """The key, and how many memories were signed with it."""

    key_id: str
    new_key: bool
    signed: int
    left: tuple[str, ...]
    """The ids of memories with a wrong signature. They are not signed again, because that would hide tampering."""


def sign(runtime: Runtime, *, new_key: bool = False, yes: bool = False, code: str | None = None) -> SignAnswer:
    require_person(runtime, "sign", code=code, doing="sign memories")
    new_key = new_key or wants_first_key(runtime)
    if not new_key and not runtime.keys.ring().newest:
        raise Refused(
            f"the signing key is not on this machine; copy it into {runtime.settings.home}/keys, "
            "or make a new one with --new-key"
        )
    return sign_everything(runtime, new_key=new_key)


def wants_first_key(runtime: Runtime) -> bool:
    """Tell whether this home never had a key, or a process was stopped before it had finished making one."""
    return not runtime.signer.is_signing() or (runtime.keys.is_unfinished() and not runtime.keys.ring().newest)


def sign_everything(runtime: Runtime, *, new_key: bool) -> SignAnswer:
    """Sign all memories that have no signature, with a new key if `new_key`.

    If it is the first key of this home, the older changes of the journal are recorded as authentic too. The new key
    becomes valid after all this is written.
    """
    had_key = bool(runtime.keys.ring().newest)
    # Read before the new key exists: judged by that key, no memory would be authentic yet.
    memories = find_all_memories(runtime)
    changes = [] if had_key else _vouch_for_journal(runtime)
    if new_key:
        runtime.keys.begin(in_keyring=runtime.settings.sign.keyring)
    name = runtime.keys.ring().newest
    changes += _record_key(runtime, name)
    left, signed = [], 0
    for stored in memories:
        if stored.verdict in _SIGNABLE and not stored.suspicions:
            signature = runtime.signer.sign(stored.memory)
            changes.append(runtime.change(ChangeKind.SIGN, stored.memory, {"signature": signature}))
            signed += 1
        elif stored.verdict.is_warning:
            left.append(stored.memory.id)
    runtime.write(changes)
    runtime.keys.finish()
    if not had_key:
        # Other processes may have written changes without the key until now.
        runtime.write(_vouch_for_journal(runtime))
    runtime.reset_identity()
    return SignAnswer(key_id=name, new_key=new_key, signed=signed, left=tuple(left))


def _vouch_for_journal(runtime: Runtime) -> list[Change]:
    """Return a change for each device that marks all its changes in the journal so far as authentic."""
    devices: dict[str, dict[str, list[object]]] = {}
    for segment, (records, digest) in runtime.store.heads().items():
        if records:
            devices.setdefault(segment.partition("/")[0], {})[segment] = [records, digest]
    return [
        Change(kind=ChangeKind.DEVICE, subject=f"device:{device}", payload={"heads": heads})
        for device, heads in devices.items()
    ]


def _record_key(runtime: Runtime, name: str) -> list[Change]:
    """Return the changes that record, for each agent of this home, the id of the key that signs its memories."""
    reading = runtime.reading()
    named = {agent.id: agent.name for agent in reading.agents() if agent.key_id != name}
    if reading.agent(runtime.agent_id) is None:
        named[runtime.agent_id] = runtime.agent[1]
    return [
        Change(kind=ChangeKind.AGENT, subject=f"agent:{id}", payload={"name": label, "key_id": name})
        for id, label in named.items()
    ]


def find_all_memories(runtime: Runtime) -> tuple[Stored, ...]:
    """Return all memories of all agents, even private, forgotten and expired ones, with their signatures checked."""
    reading = runtime.reading()
    agents = dict.fromkeys((runtime.agent_id, *(agent.id for agent in reading.agents())))
    found: list[Stored] = []
    for agent in agents:
        scope = Scope(agent=agent, every_project=True)
        found += reading.browse(query_everything(scope, now=runtime.now())).items
    return tuple(runtime.signer.judge(stored) for stored in found)


@record
class VerifyAnswer:
    """How many changes, memories and signatures were checked, and the problems that were found."""

    records: int
    memories: int
    signed: int
    problems: tuple[Problem, ...]


def verify(runtime: Runtime) -> VerifyAnswer:
    # The inspection repairs nothing, because a problem may be evidence of tampering; `doctor --fix` repairs it.
    with runtime.store.inspection():
        report = runtime.store.verify(runtime.progress)
        memories = find_all_memories(runtime)
    problems = [*report.problems, *check_signatures(memories)]
    signed = sum(bool(stored.memory.signature) for stored in memories)
    return VerifyAnswer(records=report.records, memories=report.memories, signed=signed, problems=tuple(problems))


def check_signatures(memories: Iterable[Stored]) -> list[Problem]:
    """Return a problem for each memory whose signature is wrong, or missing although memories are signed here."""
    return [
        Problem(what=stored.verdict.value, subject=stored.memory.id) for stored in memories if stored.verdict.is_warning
    ]
