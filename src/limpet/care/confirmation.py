"""Confirm memories, a device, or a folder.

A person who confirms a memory vouches for it. To confirm a device is to accept the changes that another machine wrote.
To confirm a folder is to accept its project, the agent in its AGENT.md, and the memories in its shared files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.curating.decisions import confirm_change
from limpet.curating.forgetting import find_from_source
from limpet.curating.versions import find_newest_version
from limpet.errors import Refused, UsageError
from limpet.lean.record import record, replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Impact, Kind, Memory, Origin, Region, Tier
from limpet.model.query import NO_LIMIT, Query, Stored
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_memory, require_person
from limpet.sharing.choice import find_proposed, find_unconfirmed, name_file, read_claims
from limpet.sharing.folder import find_shared_folder, keep_confirmed, sync_folder
from limpet.text.excerpt import quote
from limpet.workspace import read_agent_definition


@record
class ConfirmAnswer:
    """The confirmed memories, the accepted project and agent of this folder, or the accepted device."""

    memories: tuple[Stored, ...] = ()
    forgotten: tuple[str, ...] = ()
    """The ids of the memories whose deleted files the user has agreed to."""
    project: str | None = None
    agent: str | None = None
    device: str | None = None


def confirm(
    runtime: Runtime,
    *,
    ids: Sequence[str] = (),
    source: str | None = None,
    project: bool = False,
    device: str | None = None,
    yes: bool = False,
    code: str | None = None,
    all_projects: bool = False,
) -> ConfirmAnswer:
    if sum((bool(ids), source is not None, project, device is not None)) != 1:
        raise UsageError(
            "say what to confirm; give one or more ids, --source for all from there, --project for this folder, "
            "or --device and its name"
        )
    if device is not None:
        held = runtime.store.held_devices()
        if device not in {*held, *(segment.partition("/")[0] for segment in runtime.store.heads())}:
            hint = f"these wait for you: {', '.join(held)}" if held else "none waits for you"
            raise Refused(f"the journal has no device {device[:60]!r}; {hint}")
    if source is not None:
        waiting = find_waiting(runtime, source, every_project=all_projects)
        if not waiting:
            raise Refused(f"no memory from {quote(source)} waits to be confirmed")
    else:
        waiting = [find_memory(runtime, id, every_project=all_projects) for id in ids]
        for stored in waiting:
            # Only the newest text can be confirmed.
            if (newest := find_newest_version(runtime, stored)[0]).memory.id != stored.memory.id:
                raise Refused(f"{stored.memory.id} was corrected; confirm the newest version: {newest.memory.id}")
    found = {stored.memory.id: stored for stored in waiting}
    # Checking a one-time code uses it up, so the ids are looked up first.
    proof = require_person(runtime, "confirm", code=code, doing="confirm a memory")
    if device is not None:
        payload = {"accepted": True, **proof}
        runtime.write([Change(kind=ChangeKind.DEVICE, subject=f"device:{device}", payload=payload)])
        runtime.reset_identity()
        return ConfirmAnswer(device=device)
    if project:
        return _confirm_folder(runtime, proof)
    _write_confirmed(runtime, found.values(), proof)
    if runtime.project is not None:
        keep_confirmed(runtime, found)
    return ConfirmAnswer(memories=tuple(runtime.reload(stored) for stored in found.values()))


def find_waiting(runtime: Runtime, source: str, *, every_project: bool) -> list[Stored]:
    """Return the live memories from a session, file or origin that nobody has confirmed and that are not the user's."""
    found = find_from_source(runtime, source, every_project=every_project)
    waiting = (each for each in found if each.status is Status.LIVE)
    return [runtime.signer.judge(each) for each in waiting if each.memory.effective_origin is not Origin.USER]


def _write_confirmed(runtime: Runtime, found: Iterable[Stored], proof: dict[str, object]) -> None:
    """Write that a person has confirmed these memories, which get what their files or exports claim of them."""
    changes = []
    for stored in found:
        changes.append(confirm_change(runtime, stored, proof))
        confirmed = replace(stored.memory, confirmed=True, confidence=1.0)
        claimed = read_claimed(runtime, confirmed)
        if claimed != confirmed:
            changes.append(_claim_change(runtime, stored, claimed))
    runtime.write(changes)


def read_claimed(runtime: Runtime, memory: Memory) -> Memory:
    """Return a memory with what it was asked to be when it was stored, or with what its shared file states now."""
    if name_file(memory):
        return read_claims(find_shared_folder(runtime), memory)
    births = (change for change in runtime.reading().history(memory.id) if change.subject == memory.id)
    claims = next((each for change in births if isinstance(each := change.payload.get("claims"), dict)), {})
    try:
        region = Region(claims.get("region", memory.region))
        return replace(
            memory,
            region=region,
            project=memory.project if region is Region.PROJECT else None,
            kind=Kind(claims.get("kind", memory.kind)),
            impact=Impact(claims.get("impact", memory.impact)),
            importance=max(0.0, min(1.0, float(claims.get("importance", memory.importance)))),
        )
    except (ValueError, TypeError):
        return memory


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
    folder = find_shared_folder(runtime)
    if folder is None or not folder.exists():
        return (), ()
    sync_folder(runtime, folder, is_writing=False)
    done = sync_folder(runtime, folder, is_writing=False, agreed=True)
    waiting = [runtime.signer.judge(stored) for stored in find_unconfirmed(runtime)]
    _write_confirmed(runtime, waiting, proof)
    return tuple(runtime.reload(stored) for stored in waiting), tuple(done.forgotten)


def _claim_change(runtime: Runtime, stored: Stored, claimed: Memory) -> Change:
    """Return the change that gives a confirmed memory the region, kind and impact that it claims (`claimed`)."""
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


def describe_waiting(runtime: Runtime) -> list[str]:
    """Return sentences about what else a person can confirm: imported memories, shared files, and other machines."""
    query = Query(scope=runtime.scope(), origin=Origin.IMPORT, tier=Tier.KEPT, now=runtime.now(), limit=NO_LIMIT)
    imported = [each for each in runtime.reading().browse(query).items if not each.memory.confirmed]
    lines = []
    if imported:
        named = "1 imported memory is" if len(imported) == 1 else f"{len(imported):,} imported memories are"
        lines.append(f"{named} told only when asked for until you confirm: limpet confirm --source origin:import")
    lines += _describe_unconfirmed_files(runtime)
    for device in runtime.store.held_devices():
        lines.append(f"another machine has written to the journal; to use that: limpet confirm --device {device}")
    return lines


def _describe_unconfirmed_files(runtime: Runtime) -> list[str]:
    """Return sentences about the memories in shared files and the changes of them that wait for a person."""
    lines = []
    if waiting := len(find_unconfirmed(runtime)):
        named = "1 memory from a shared file is" if waiting == 1 else f"{waiting:,} memories from shared files are"
        lines.append(f"{named} told only when asked for until you approve: limpet confirm --project")
    folder = find_shared_folder(runtime)
    if folder is not None and (count := len(find_proposed(runtime, folder))):
        named = "1 memory" if count == 1 else f"{count:,} memories"
        lines.append(
            f"the shared files change or delete {named} that you have confirmed; "
            "nothing of that counts until you agree: limpet confirm --project"
        )
    return lines
