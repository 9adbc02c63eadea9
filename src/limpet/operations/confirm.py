"""Confirm memories, a device, or a folder.

A person who confirms a memory vouches for it. To confirm a device is to accept the changes that another machine wrote.
To confirm a folder is to accept its project, the agent in its AGENT.md, and the memories in its shared files.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from limpet.errors import Refused, UsageError
from limpet.lean.record import record, replace
from limpet.model.answers import encode_stored
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.operations.catalogue import Param, Verb
from limpet.operations.correct import find_newest_version
from limpet.operations.parameters import ALL_PROJECTS, CODE, IDS, YES
from limpet.operations.permissions import find_memory, require_person
from limpet.runtime import Runtime
from limpet.workspace import read_agent_definition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class ConfirmAnswer:
    """The confirmed memories, the accepted project and agent of this folder, or the accepted device."""

    memories: tuple[Stored, ...] = ()
    forgotten: tuple[str, ...] = ()
    """The ids of the memories whose deleted files the user has agreed to."""
    project: str | None = None
    agent: str | None = None
    device: str | None = None


def run(
    runtime: Runtime,
    *,
    ids: Sequence[str] = (),
    project: bool = False,
    device: str | None = None,
    yes: bool = False,
    code: str | None = None,
    all_projects: bool = False,
) -> ConfirmAnswer:
    if sum((bool(ids), project, device is not None)) != 1:
        raise UsageError("say what to confirm: one or more ids, --project for this folder, or --device and its name")
    if device is not None:
        _require_device(runtime, device)
    found = {stored.memory.id: stored for stored in (_find_current(runtime, id, all_projects) for id in ids)}
    # Checking a one-time code uses it up, so the ids are looked up first.
    proof = require_person(runtime, "confirm", code=code, doing="confirm a memory")
    if device is not None:
        return _accept_device(runtime, device, proof)
    if project:
        return _confirm_folder(runtime, proof)
    runtime.write([confirm_change(runtime, stored, proof) for stored in found.values()])
    if runtime.project is not None:
        # Loaded here, because most projects have no shared files.
        from limpet.operations.sharing.folder import keep_confirmed

        keep_confirmed(runtime, found)
    return ConfirmAnswer(memories=tuple(runtime.reload(stored) for stored in found.values()))


def _find_current(runtime: Runtime, id: str, all_projects: bool) -> Stored:
    """Return the memory with this id; raise Refused if it was corrected, as only the newest text can be confirmed."""
    stored = find_memory(runtime, id, every_project=all_projects)
    newest, _ = find_newest_version(runtime, stored)
    if newest.memory.id != stored.memory.id:
        raise Refused(f"{stored.memory.id} was corrected; confirm the newest version: {newest.memory.id}")
    return stored


def confirm_change(runtime: Runtime, stored: Stored, proof: dict[str, object]) -> Change:
    """Return the change that records that a person has confirmed a memory."""
    memory = replace(stored.memory, confirmed=True, confidence=1.0)
    payload = runtime.signer.sign_again(stored, memory)
    return runtime.change(ChangeKind.CONFIRM, memory, {**payload, **proof})


def _require_device(runtime: Runtime, device: str) -> None:
    """Raise Refused if the journal contains no changes from this device."""
    held = runtime.store.held_devices()
    if device not in {*held, *(segment.partition("/")[0] for segment in runtime.store.heads())}:
        hint = f"these wait for you: {', '.join(held)}" if held else "none waits for you"
        raise Refused(f"the journal has no device {device[:60]!r}; {hint}")


def _accept_device(runtime: Runtime, device: str, proof: dict[str, object]) -> ConfirmAnswer:
    """Accept all changes of another machine in the journal, past and future."""
    payload = {"accepted": True, **proof}
    runtime.write([Change(kind=ChangeKind.DEVICE, subject=f"device:{device}", payload=payload)])
    runtime.reset_identity()
    return ConfirmAnswer(device=device)


def _confirm_folder(runtime: Runtime, proof: dict[str, object]) -> ConfirmAnswer:
    """Accept the project that this folder claims to be, the agent of its AGENT.md, and its shared files."""
    accepted = runtime.accept_folder()
    agent = _accept_agent(runtime, proof)
    approved, forgotten = _confirm_files(runtime, proof)
    if accepted is None and agent is None and not approved and not forgotten:
        raise Refused(
            "there is nothing to confirm: this folder does not claim to be another known project, "
            "it has no AGENT.md with an id or a name, and no memory from its files waits"
        )
    return ConfirmAnswer(
        memories=approved, forgotten=forgotten, project=accepted.name if accepted else None, agent=agent
    )


def _confirm_files(runtime: Runtime, proof: dict[str, object]) -> tuple[tuple[Stored, ...], tuple[str, ...]]:
    """Agree to what the shared files of this project say.

    Return the memories that are confirmed by this, and the ids of the memories that are forgotten.
    """
    # Loaded here, because this is not needed to confirm a memory or a device.
    from limpet.operations.sharing.choice import find_unconfirmed, read_claims
    from limpet.operations.sharing.folder import find_shared_folder, sync_folder

    folder = find_shared_folder(runtime)
    if folder is None or not folder.exists():
        return (), ()
    sync_folder(runtime, folder, is_writing=False)
    done = sync_folder(runtime, folder, is_writing=False, agreed=True)
    waiting = [runtime.signer.judge(stored) for stored in find_unconfirmed(runtime)]
    changes = []
    for stored in waiting:
        confirmed = replace(stored.memory, confirmed=True, confidence=1.0)
        claimed = read_claims(folder, confirmed)
        changes.append(confirm_change(runtime, stored, proof))
        if claimed != confirmed:
            changes.append(_claim_change(runtime, stored, claimed))
    runtime.write(changes)
    return tuple(runtime.reload(stored) for stored in waiting), tuple(done.forgotten)


def _claim_change(runtime: Runtime, stored: Stored, claimed: Memory) -> Change:
    """Return the change that gives a confirmed memory the kind and impact that its shared file states (`claimed`)."""
    payload: dict[str, object] = {
        "region": claimed.region.value,
        "project": claimed.project,
        "kind": claimed.kind.value,
        "impact": claimed.impact.value,
        "importance": claimed.importance,
        **runtime.signer.sign_again(stored, claimed),
    }
    return runtime.change(ChangeKind.MOVE, claimed, payload)


def _accept_agent(runtime: Runtime, proof: dict[str, object]) -> str | None:
    """Accept the agent that AGENT.md defines, for this project only, and return its id; None if it defines none."""
    path, project = runtime.place.agent_file, runtime.project
    definition = read_agent_definition(path) if path else None
    if definition is None or project is None:
        return None
    accept = {"name": project.name, "agent": definition.id, **proof}
    describe = {"name": definition.name, "definition": path}
    runtime.write(
        [
            Change(kind=ChangeKind.PROJECT, subject=project.id, payload=accept),
            Change(kind=ChangeKind.AGENT, subject=f"agent:{definition.id}", payload=describe),
        ]
    )
    runtime.reset_identity()
    return definition.id


def to_json(answer: ConfirmAnswer, now: datetime) -> dict[str, Any]:
    return {
        "memories": [encode_stored(stored, now=now) for stored in answer.memories],
        "forgotten": list(answer.forgotten),
        "project": answer.project,
        "agent": answer.agent,
        "device": answer.device,
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(
        IDS,
        Param(
            name="project",
            help="Accept this folder as the project it claims to be, the agent of its AGENT.md, and its shared files.",
            kind="flag",
        ),
        Param(name="device", help="Accept what another machine has written to its folder of the journal."),
        YES,
        CODE,
        ALL_PROJECTS,
    ),
    details=(
        "A confirmed memory counts as your own word: trust and confidence rise, and earlier feedback against it is "
        "taken back. In a folder that claims to be a known project but has none of its recorded commits, no memory is "
        "shown until you confirm the folder; check first where it came from. Memories from the shared files of a "
        "project are listed before you confirm them, each once, as are your memories that the files change or delete; "
        "to keep one of these as it is, confirm it by its id. Changes of a device that this home does not know are not "
        "used until you accept the device. Only a person can confirm."
    ),
    examples=("limpet confirm mem_01jz4", "limpet confirm --project", "limpet confirm --device d813cd19e8558"),
)
