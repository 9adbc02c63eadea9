"""Erase memories permanently, from every file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from limpet.doors.replaced import find_replaced_alone, restore_replaced
from limpet.errors import UsageError
from limpet.insight.distil.asking import forget_reply
from limpet.lean.record import record
from limpet.learning.worker import erase_from_queue, keep_workers_out
from limpet.model.change import Change, ChangeKind
from limpet.model.fact import Fact
from limpet.model.query import Stored
from limpet.operations.catalogue import Param, Verb
from limpet.operations.forget import find_from_source
from limpet.operations.parameters import ALL_PROJECTS, CODE, IDS, SOURCE, YES
from limpet.operations.permissions import require_person
from limpet.runtime import Runtime
from limpet.store.protocol import FactQuery, Reading
from limpet.upkeep.merges import release_members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class PurgeAnswer:
    """The memories and facts that were erased, or would be in a dry run."""

    ids: tuple[str, ...]
    titles: tuple[str, ...]
    facts: tuple[str, ...]
    done: bool


def run(
    runtime: Runtime,
    *,
    ids: Sequence[str] = (),
    source: str | None = None,
    yes: bool = False,
    code: str | None = None,
    dry_run: bool = False,
    all_projects: bool = False,
) -> PurgeAnswer:
    """Erase all versions of the memories, everything derived from them, and facts that have no other source."""
    if bool(ids) == bool(source):
        raise UsageError("say what to purge: one or more ids, or --source session:ID, file:PATH or origin:NAME")
    if runtime.caller.is_agent and (code is None or dry_run):
        require_person(runtime, "purge", code=None, doing="purge memories")
    if source:
        named = find_from_source(runtime, source, every_project=all_projects)
    else:
        named = tuple(runtime.find(id, every_project=all_projects) for id in ids)
    reading = runtime.reading()
    chosen: dict[str, Stored] = {}
    queue = list(named)
    while queue:
        for version in reading.versions(queue.pop().memory.id):
            if version.memory.id not in chosen:
                chosen[version.memory.id] = version
                heirs = (reading.get(heir) for heir in reading.descendants(version.memory.id))
                queue += [heir for heir in heirs if heir is not None]
    sessions = {stored.memory.session for stored in chosen.values()} | {_session_of(source)}
    facts = (*reading.facts_from(tuple(chosen)), *_find_turn_facts(runtime, reading, sessions))
    if not dry_run and (chosen or facts):
        proof = require_person(runtime, "purge", code=code, doing="purge memories")
        changes = [runtime.change(ChangeKind.PURGE, stored.memory, proof) for stored in chosen.values()]
        changes += [
            Change(kind=ChangeKind.PURGE, subject=fact.id, actor=runtime.actor, payload=proof) for fact in facts
        ]
        with keep_workers_out(runtime.settings.home):
            back = restore_replaced(find_replaced_alone(reading, chosen.values()), actor=runtime.actor)
            runtime.write([*release_members(reading, chosen, purging=True), *back])
            runtime.store.purge(changes)
            forget_reply(runtime.settings.home)
            erase_from_queue(runtime.settings.home, runtime.reading(), [stored.memory for stored in chosen.values()])
    return PurgeAnswer(
        ids=tuple(chosen),
        titles=tuple(stored.memory.title for stored in chosen.values()),
        facts=tuple(fact.id for fact in facts),
        done=not dry_run,
    )


def _session_of(source: str | None) -> str | None:
    kind, _, value = (source or "").partition(":")
    return value if kind == "session" else None


def _find_turn_facts(runtime: Runtime, reading: Reading, sessions: Collection[str | None]) -> tuple[Fact, ...]:
    """Return the facts about boundaries in these sessions, which quote words of the session."""
    found: list[Fact] = []
    for session in filter(None, sessions):
        query = FactQuery(scope=runtime.scope(), subject=f"session:{session}", closed=True, limit=1000)
        found += reading.facts(query).items
    return tuple(found)


def to_json(answer: PurgeAnswer, now: datetime) -> dict[str, Any]:
    return {"purged": answer.done, "ids": list(answer.ids), "facts": list(answer.facts), "total": len(answer.ids)}


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(
        IDS,
        SOURCE,
        Param(name="dry_run", help="Only show what would be erased.", kind="flag"),
        YES,
        CODE,
        ALL_PROJECTS,
    ),
    examples=("limpet purge mem_01jz4", "limpet purge --source session:7f3a --yes"),
)
