"""Vouch for a memory, or for this repository's own agent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from limpet.errors import Refused, UsageError
from limpet.lean.record import record, replace
from limpet.model.answers import encode_stored
from limpet.model.change import Change, ChangeKind
from limpet.model.query import Stored
from limpet.operations.catalogue import Param, Verb
from limpet.operations.correct import find_newest_version
from limpet.operations.parameters import ALL_PROJECTS, IDS, YES
from limpet.operations.permissions import require_owner
from limpet.runtime import Runtime
from limpet.workspace import read_agent_definition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class ConfirmAnswer:
    """The confirmed memories, or the agent that was accepted."""

    memories: tuple[Stored, ...] = ()
    agent: str | None = None


def run(
    runtime: Runtime, *, ids: Sequence[str] = (), project: bool = False, yes: bool = False, all_projects: bool = False
) -> ConfirmAnswer:
    require_owner(runtime, yes=yes, doing="confirm a memory")
    if bool(ids) == project:
        raise UsageError("say what to confirm: one or more ids, or --project for this repository's AGENT.md")
    if project:
        return ConfirmAnswer(agent=_accept_agent(runtime))
    found = {stored.memory.id: stored for stored in (_find_current(runtime, id, all_projects) for id in ids)}
    runtime.write([_confirm_change(runtime, stored) for stored in found.values()])
    return ConfirmAnswer(memories=tuple(runtime.reload(stored) for stored in found.values()))


def _find_current(runtime: Runtime, id: str, all_projects: bool) -> Stored:
    """Return the memory if it is the newest version; refuse an older one rather than confirm another text."""
    stored = runtime.find(id, every_project=all_projects)
    newest, _ = find_newest_version(runtime, stored)
    if newest.memory.id != stored.memory.id:
        raise Refused(f"{stored.memory.id} was corrected; confirm the newest version: {newest.memory.id}")
    return stored


def _confirm_change(runtime: Runtime, stored: Stored) -> Change:
    memory = replace(stored.memory, confirmed=True, confidence=1.0)
    payload = runtime.new_signature(stored, memory)
    return runtime.change(ChangeKind.CONFIRM, memory, payload)


def _accept_agent(runtime: Runtime) -> str:
    """Accept the agent of the repository's AGENT.md, from now on and in this project only."""
    path, project = runtime.place.agent_file, runtime.project
    definition = read_agent_definition(path) if path else None
    if definition is None or project is None:
        raise Refused("this repository has no AGENT.md with an id or a name; there is nothing to confirm")
    accept = {"name": project.name, "keys": list(runtime.place.keys), "agent": definition.id}
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
    return {"memories": [encode_stored(stored, now=now) for stored in answer.memories], "agent": answer.agent}


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(
        IDS,
        Param(name="project", help="Accept the agent that this repository's AGENT.md describes.", kind="flag"),
        YES,
        ALL_PROJECTS,
    ),
    details=(
        "A confirmed memory counts as your own word: trust and confidence rise, and earlier feedback against it is "
        "taken back. Only a person can confirm."
    ),
    examples=("limpet confirm mem_01jz4", "limpet confirm --project"),
)
