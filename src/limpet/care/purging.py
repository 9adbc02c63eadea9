"""Purge memories: erase their texts permanently from every file that Limpet has written."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence

from limpet.curating.forgetting import find_from_source
from limpet.doors.replaced import find_replaced_alone, restore_replaced
from limpet.errors import UsageError
from limpet.insight.authorship import keep_authorship
from limpet.insight.distil.asking import forget_reply
from limpet.insight.erasure import erase_traces, plan_erasure
from limpet.lean.record import record
from limpet.learning.worker import erase_from_queue, keep_workers_out
from limpet.model.antigen import incident_source
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Memory
from limpet.model.query import Stored, query_everything
from limpet.recall.questions import forget_questions
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_memory, require_person
from limpet.runtime.project_folder import find_root
from limpet.sharing.folder import purge_files
from limpet.sharing.ledger import list_ledgers
from limpet.store.protocol import FactQuery, Reading
from limpet.text.claims import split_sentences
from limpet.text.traces import Traces
from limpet.text.words import STOP, normalise, split_words
from limpet.upkeep.summary_members import release_members
from limpet.workspace.files import canonical_path
from limpet.workspace.place import find_roots

_FEWEST_WORDS = 3
"""The minimum number of meaningful words that a sentence needs to be searched for in other memories."""


@record
class PurgeAnswer:
    """The memories and facts that were erased, or that would be in a dry run (`done` is False)."""

    ids: tuple[str, ...]
    titles: tuple[str, ...]
    facts: tuple[str, ...]
    done: bool
    files: tuple[str, ...] = ()
    """The files in projects from which the texts were erased, such as stashes, reports and MEMORY.md."""
    failed: tuple[tuple[str, str], ...] = ()
    """The files that could not be changed and still contain one of the texts, each with the reason."""
    others: tuple[str, ...] = ()
    """The ids of other memories that repeat a sentence of the texts. They are not erased."""


def purge(
    runtime: Runtime,
    *,
    ids: Sequence[str] = (),
    source: str | None = None,
    yes: bool = False,
    code: str | None = None,
    dry_run: bool = False,
    all_projects: bool = False,
) -> PurgeAnswer:
    """Erase memories with all their versions, everything derived from them, and the facts based only on them."""
    if bool(ids) == bool(source):
        raise UsageError("say what to purge; give one or more ids, or --source session:ID, file:PATH or origin:NAME")
    if runtime.caller.is_agent and (code is None or dry_run):
        require_person(runtime, "purge", code=None, doing="purge memories")
    if source:
        named = find_from_source(runtime, source, every_project=all_projects)
    else:
        named = tuple(find_memory(runtime, id, every_project=all_projects) for id in ids)
    reading = runtime.reading()
    chosen = _add_derived(reading, named)
    sessions = {stored.memory.session for stored in chosen.values()}
    if source and source.startswith("session:"):
        sessions.add(source.removeprefix("session:"))
    facts = list(reading.facts_from(tuple(chosen)))
    for session in filter(None, sessions):
        # A fact that marks a change of subject quotes words of the session.
        query = FactQuery(scope=runtime.scope(), subject=f"session:{session}", closed=True, limit=1000)
        facts += reading.facts(query).items
    texts = {text for stored in chosen.values() for text in _list_texts(stored.memory)}
    erasure = plan_erasure(_find_roots(runtime, reading, chosen.values()), runtime.settings.home, texts)
    others = _find_repeats(runtime, reading, texts, besides=chosen, every_project=all_projects)
    shared: tuple[list[str], list[tuple[str, str]]] = [], []
    ended = sorted(filter(None, sessions))
    if not dry_run and (chosen or facts or ended):
        proof = require_person(runtime, "purge", code=code, doing="purge memories")
        # Purged for every session, so that no later reading of its recording records its objections again.
        subjects = [*(fact.id for fact in facts), *map(incident_source, ended)]
        changes = [runtime.change(ChangeKind.PURGE, stored.memory, proof) for stored in chosen.values()]
        changes += [
            Change(kind=ChangeKind.PURGE, subject=each, actor=runtime.actor, payload=proof) for each in subjects
        ]
        # The store comes last, because an interrupted purge can be repeated only while the store has the texts.
        erase_traces(erasure)
        for edit in erasure.edits:
            keep_authorship(runtime.settings.home, edit.before, edit.after)
        if list_ledgers(runtime.settings.home):
            shared = purge_files(runtime, tuple(chosen))
        forget_reply(runtime.settings.home)
        traces = Traces(texts)
        forget_questions(
            runtime.settings.home,
            lambda asked: not chosen.keys().isdisjoint(asked.answers) or traces.finds_in(asked.text),
        )
        with keep_workers_out(runtime.settings.home):
            back = restore_replaced(find_replaced_alone(reading, chosen.values()), actor=runtime.actor)
            runtime.write([*release_members(reading, chosen, purging=True), *back])
            runtime.store.purge(changes)
            erase_from_queue(runtime.settings.home, runtime.reading(), [stored.memory for stored in chosen.values()])
    return PurgeAnswer(
        ids=tuple(chosen),
        titles=tuple(stored.memory.title for stored in chosen.values()),
        facts=tuple(fact.id for fact in facts),
        done=not dry_run,
        files=(*erasure.paths, *shared[0]),
        failed=(*erasure.failed, *shared[1]),
        others=others,
    )


def _add_derived(reading: Reading, named: Iterable[Stored]) -> dict[str, Stored]:
    """Return the given memories, all their versions, and all memories derived from one of them, by id."""
    found: dict[str, Stored] = {}
    queue = list(named)
    while queue:
        for version in reading.versions(queue.pop().memory.id):
            if version.memory.id not in found:
                found[version.memory.id] = version
                heirs = (reading.get(heir) for heir in reading.descendants(version.memory.id))
                queue += [heir for heir in heirs if heir is not None]
    return found


def _find_repeats(
    runtime: Runtime, reading: Reading, texts: Iterable[str], *, besides: Collection[str], every_project: bool
) -> tuple[str, ...]:
    """Return the ids of memories, besides those to be erased, that repeat a whole sentence of the texts."""
    sentences = {normalise(each).casefold().rstrip(".!") for text in texts for each in split_sentences(text)}
    wanted = [each for each in sentences if len({*split_words(each)} - STOP) >= _FEWEST_WORDS]
    query = query_everything(runtime.scope(every_project=every_project), now=runtime.now())
    found = []
    for memory in (stored.memory for stored in (reading.browse(query).items if wanted else ())):
        own = normalise("\n".join(_list_texts(memory))).casefold()
        if memory.id not in besides and any(sentence in own for sentence in wanted):
            found.append(memory.id)
    return tuple(found)


def _list_texts(memory: Memory) -> tuple[str, ...]:
    return tuple(filter(None, (memory.content, memory.original_content, memory.title, memory.subtitle)))


def _find_roots(runtime: Runtime, reading: Reading, chosen: Iterable[Stored]) -> list[str]:
    """Return the project folders in which Limpet may have written the texts of these memories.

    These are the folders of their projects. The text of a memory that is valid in every project may be in any of them.
    """
    ids = {stored.memory.project for stored in chosen}
    projects = [each for each in reading.projects() if None in ids or each.id in ids or ids & {*each.joined}]
    roots = [root for project in projects for root in find_roots(project.keys)]
    here = find_root(runtime)
    if here is not None and runtime.project is not None and (None in ids or runtime.project.id in ids):
        roots.append(here)
    own = canonical_path(os.path.expanduser("~"))
    return [root for root in dict.fromkeys(map(canonical_path, roots)) if root is not None and root != own]
