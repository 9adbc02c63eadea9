"""Show who changed a memory, when, and on which device."""

from __future__ import annotations

from limpet.errors import InvalidId
from limpet.lean.record import pick, record
from limpet.model.change import Change, ChangeKind
from limpet.model.ids import is_body
from limpet.model.query import Stored
from limpet.operations.catalogue import Verb
from limpet.operations.parameters import ALL_PROJECTS, ID
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible


@record
class BlameAnswer:
    """All changes to a memory. `stored` is None if the memory was purged and only its changes are left."""

    id: str
    stored: Stored | None
    changes: tuple[Change, ...]


def run(runtime: Runtime, *, id: str, all_projects: bool = False) -> BlameAnswer:
    """Return a memory and the changes to all its versions. Only a person may see the changes to a purged memory."""
    reading = runtime.reading()
    try:
        stored = find_visible(runtime, id, every_project=all_projects, reading=reading)
    except InvalidId:
        asked = id.strip().lower()
        changes = reading.history(asked) if is_body(asked.removeprefix("mem_")) else ()
        is_purged = any(change.kind == ChangeKind.PURGE for change in changes)
        is_own = any(change.actor.partition(":")[2] == runtime.agent_id for change in changes)
        if runtime.caller.is_agent or not (is_purged and is_own):
            raise
        return BlameAnswer(id=asked, stored=None, changes=changes)
    versions = reading.versions(stored.memory.id)
    changes = tuple(change for version in versions for change in reading.history(version.memory.id))
    return BlameAnswer(id=stored.memory.id, stored=stored, changes=tuple(sorted(changes, key=lambda change: change.id)))


def shape(blame: BlameAnswer) -> dict[str, object]:
    names = ("origin", "session", "branch", "commit", "source")
    return {
        "id": blame.id,
        **(pick(blame.stored.memory, *names) if blame.stored else dict.fromkeys(names)),
        "changes": [
            {
                **pick(change, "id", "at"),
                "verb": change.kind,
                **pick(change, "subject", "actor", "device"),
                "details": describe_change(change),
            }
            for change in blame.changes
        ],
    }


def describe_change(change: Change) -> dict[str, object]:
    """Return the payload of a change without the memory's text, hashes and signature."""
    hidden = ("salt", "memory", "content", "signature", "simhash", "signs", "links")
    return {name: value for name, value in change.payload.items() if name not in hidden}


VERB = Verb(run=run, shape=shape, params=(ID, ALL_PROJECTS), examples=("limpet blame mem_01jz4",))
