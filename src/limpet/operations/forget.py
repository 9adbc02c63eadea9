"""Put memories out of sight; `restore` brings them back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from limpet.doors.cleaning import Unfit
from limpet.doors.fields import clean_words
from limpet.errors import UsageError
from limpet.lean.record import record, replace
from limpet.model.answers import encode_stored
from limpet.model.change import ChangeKind, Status
from limpet.model.memory import Memory, Origin, Sensitivity, Type
from limpet.model.query import Query, Stored
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, IDS, SOURCE, replace_surrogates
from limpet.operations.permissions import find_visible, is_hidden
from limpet.runtime import Runtime
from limpet.runtime.learn import erase_queued, lock_worker
from limpet.store.protocol import Reading
from limpet.upkeep.merges import release_members, summary_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class ForgetAnswer:
    memories: tuple[Stored, ...]
    done: bool = True


def run(
    runtime: Runtime,
    *,
    ids: Sequence[str] = (),
    source: str | None = None,
    reason: str | None = None,
    dry_run: bool = False,
    all_projects: bool = False,
) -> ForgetAnswer:
    if bool(ids) == bool(source):
        raise UsageError("say what to forget: one or more ids, or --source session:ID, file:PATH or origin:NAME")
    if source:
        stored = from_source(runtime, source, every_project=all_projects)
    else:
        found = (find_visible(runtime, id, every_project=all_projects) for id in ids)
        stored = tuple({each.memory.id: each for each in found}.values())
    if not dry_run:
        payload = _why(reason)
        live = [each for each in stored if each.status is not Status.FORGOTTEN]
        # What came from a source goes alone: an older version may have come from elsewhere.
        lines = [(each.memory,) if source else _with_its_line(runtime, each) for each in live]
        gone = {memory.id: memory for line in lines for memory in line}
        changes = [runtime.change(ChangeKind.FORGET, memory, payload) for memory in gone.values()]
        with lock_worker(runtime):
            runtime.write([*changes, *release_members(runtime.reading(), gone)])
            # What is queued would say it again, or remind a summary of it.
            erase_queued(runtime, list(gone.values()))
        stored = tuple(replace(each, status=Status.FORGOTTEN) for each in stored)
    return ForgetAnswer(memories=stored, done=not dry_run)


def _why(reason: str | None) -> dict[str, object]:
    try:
        said, _ = clean_words("reason", reason or "")
    except Unfit as unfit:
        raise UsageError(str(unfit)) from None
    return {"reason": said} if said else {}


def _with_its_line(runtime: Runtime, stored: Stored) -> tuple[Memory, ...]:
    """The memory and its first version, which takes all the others out of sight; not if another branch lives on."""
    memory = stored.memory
    versions = {each.memory.id: each for each in runtime.reading().versions(memory.id)}
    others = (each for each in versions.values() if memory.id not in (each.memory.id, *each.memory.lineage))
    first = versions.get(memory.root)
    if first is None or first.memory.id == memory.id or any(each.status is Status.LIVE for each in others):
        return (memory,)
    return memory, first.memory


def from_source(runtime: Runtime, source: str, *, every_project: bool) -> tuple[Stored, ...]:
    """Every memory that came from one session, one file or one origin, as far as the caller may see it."""
    kind, colon, value = source.partition(":")
    if not colon or not value or kind not in ("session", "file", "origin"):
        raise UsageError(f"--source is {source!r}; give session:ID, file:PATH or origin:NAME")
    query = Query(
        scope=runtime.scope(every_project=every_project),
        sensitivity=tuple(Sensitivity),
        statuses=(Status.LIVE, Status.SUPERSEDED),
        expired=True,
        archived=True,
        now=runtime.now(),
        limit=100_000,
    )
    if kind == "session":
        query = replace(query, session=replace_surrogates(value))
    elif kind == "file":
        query = replace(query, file=replace_surrogates(value))
    elif value not in set(Origin):
        raise UsageError(f"no origin is called {value!r}; they are {', '.join(Origin)}")
    else:
        query = replace(query, origin=Origin(value))
    reading = runtime.reading()
    found = (stored for stored in reading.browse(query).items if not is_hidden(runtime, stored))
    return tuple(stored for stored in found if _speaks(reading, stored))


def _speaks(reading: Reading, stored: Stored) -> bool:
    """Whether a source is to be looked for in it: a summary is judged by the memories that were merged into it."""
    memory = stored.memory
    if stored.status is Status.SUPERSEDED:
        return summary_of(reading, stored) is not None
    return memory.type is not Type.COMPRESSED_SUMMARY or not memory.made_of or memory.corrects is not None


def to_json(answer: ForgetAnswer, now: datetime) -> dict[str, Any]:
    memories = [encode_stored(stored, now=now) for stored in answer.memories]
    return {"forgotten": answer.done, "memories": memories, "total": len(memories)}


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(
        IDS,
        SOURCE,
        Param(name="reason", help="Why; kept in the journal."),
        Param(name="dry_run", help="Only show what would be forgotten.", kind="flag"),
        ALL_PROJECTS,
    ),
    examples=("limpet forget mem_01jz4", "limpet forget --source origin:external --dry-run"),
)
