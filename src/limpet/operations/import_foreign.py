"""Admit the memories of other tools, and report on each object.

A store of another tool may say anything, so its memories have the origin `import`, and statements of files the origin
`file`: no model is told them unasked until their owner confirms them. An object of another project or agent is left out
unless its owner gives it to this one.

The id of an imported memory is a code over its identity or its text. So a second import recognises what it brought
before, whether it was corrected, shortened, merged or forgotten since. The id of what was purged stays in the journal,
so the same object does not come back.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice

from limpet.clock import to_ms
from limpet.doors.fields import clean_words
from limpet.errors import Refused, Unfit, Unreadable, UsageError
from limpet.hosts.wiring import home_folder
from limpet.imports import FORMATS, Format, get_format
from limpet.imports.files import MOST_OBJECTS
from limpet.imports.item import ForeignItem, Surroundings
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.codec import encode_fact
from limpet.model.fact import Fact
from limpet.model.ids import code_id, new_id
from limpet.model.memory import Memory, Origin, Sensitivity
from limpet.model.outcome import Admitted, Duplicate, Rejected
from limpet.model.query import Stored
from limpet.model.taint import Taint
from limpet.operations.import_answer import ImportAnswer, ObjectReport, Result
from limpet.operations.import_batch import BatchWriter
from limpet.runtime import Runtime
from limpet.secrets.personal import is_personal
from limpet.store.protocol import FactQuery, Reading
from limpet.text.similarity import content_hash
from limpet.workspace import make_slug

_ERASED = (ChangeKind.PURGE, ChangeKind.FORGET)


def find_stores(runtime: Runtime, chosen: Format | None = None) -> list[tuple[Format, str]]:
    """Return the stores of other tools on this machine, or those of one format."""
    around = Surroundings(home=home_folder(), root=runtime.where().root)
    # `rules` stands for all instruction files; a list of all stores names each family.
    formats = [each for each in FORMATS if each.name != "rules"] if chosen is None else [chosen]
    return [(each, path) for each in formats for path in each.load().find(around, each.name)]


def recognise_format(path: str) -> Format | None:
    """Return the format that a file or folder has; None if no importer recognises it."""
    return next((each for each in FORMATS if each.recognises(path)), None)


def import_foreign(
    runtime: Runtime,
    stores: list[tuple[Format, str]],
    answer: ImportAnswer,
    *,
    remap_agent: str | None,
    here: bool,
) -> None:
    """Import the objects of stores and report on them in `answer`; nothing is written if it says `dry_run`."""
    if runtime.caller.is_agent:
        raise Refused("only a person can import from another tool; ask the user to run this in a terminal")
    runtime.scope()  # refuses a folder whose claim is not accepted
    run = _Import(runtime, answer, remap_agent=remap_agent, here=here)
    for format, path in stores:
        run.take_store(format, os.path.abspath(path))
    run.writer.write()


class _Import:
    """One run over some stores, which admits their objects and collects the changes."""

    def __init__(self, runtime: Runtime, answer: ImportAnswer, *, remap_agent: str | None, here: bool) -> None:
        self._runtime = runtime
        self._answer = answer
        self._agents = {runtime.agent_id, *((make_slug(remap_agent),) if remap_agent else ())}
        self._is_remapped = remap_agent is not None
        self._here = here
        if remap_agent and make_slug(remap_agent) != runtime.agent_id:
            raise UsageError(f"this is the agent {runtime.agent_id!r}; use --agent {remap_agent} to import for another")
        self._where = replace(runtime.where(), branch=None, commit=None, session=None)
        door = runtime.admission(reading=runtime.reading(), where=self._where, taint=Taint)
        self.writer = BatchWriter(runtime, answer, door)
        self._made: dict[str, str] = {}
        self._ids: set[str] = set()
        self._facts: set[tuple[str, str, str]] = set()
        self._replaced: list[tuple[Memory, str]] = []

    @property
    def _reading(self) -> Reading:
        return self.writer.reading

    def take_store(self, format: Format, path: str) -> None:
        """Admit the objects of one store, each separately."""
        for item in _limit_items(_read_items(format, path), os.path.basename(path)):
            result, why, id = self._take(item)
            self._answer.objects.append(ObjectReport(store=path, name=item.name, result=result, why=why, memory=id))
            self.writer.write_if_full()
        for memory, identity in self._replaced:
            newer = self._made.get(identity)
            if newer is not None and newer != memory.id:
                self.writer.more.append(self._runtime.change(ChangeKind.SUPERSEDE, memory, {"by": newer}))
        self._replaced.clear()

    def _take(self, item: ForeignItem) -> tuple[Result, str, str | None]:
        if item.retired:
            self._retire(item.retired)
        if item.refused or item.left_out:
            return (Result.REFUSED, item.refused, None) if item.refused else (Result.LEFT_OUT, item.left_out, None)
        if unfit := self._find_owner_elsewhere(item):
            return Result.LEFT_OUT, unfit, None
        if item.fact is not None:
            return self._take_fact(item.fact)
        return self._take_draft(item)

    def _find_owner_elsewhere(self, item: ForeignItem) -> str:
        """Return why an object belongs to another agent or project; empty if it belongs here."""
        if item.agent and make_slug(item.agent) not in self._agents and not self._is_remapped:
            return (
                f"it belongs to the agent {item.agent[:60]!r}; "
                f"--remap-agent {self._runtime.agent_id} gives it to {self._runtime.agent_id!r}"
            )
        if item.project and not self._here and not self._is_this_project(item.project):
            return f"it belongs to {item.project[:120]!r}; import it there, or add --here to give it to this project"
        return ""

    def _is_this_project(self, name: str) -> bool:
        root, project = self._where.root, self._runtime.project
        if os.path.isabs(name):
            return root is not None and os.path.realpath(name) == os.path.realpath(root)
        names = {os.path.basename(root or ""), project.name if project else ""} - {""}
        return name in names or make_slug(name) in {make_slug(each) for each in names}

    # Memories

    def _take_draft(self, item: ForeignItem) -> tuple[Result, str, str | None]:
        assert item.draft is not None
        ids = self._find_ids(item)
        if ids[0] in self._ids:
            return Result.KNOWN, "the same is among the objects already taken", ids[0]
        known = self._find_known(ids)
        if known is not None:
            return known
        outcome = self.writer.door.admit(replace(item.draft, id=ids[0]))
        self.writer.outcomes.append(outcome)
        match outcome:
            case Rejected(reason=reason):
                return Result.REFUSED, reason, None
            case Duplicate(memory=memory):
                self._made[item.identity] = memory.id
                self._answer.duplicates += 1
                return Result.KNOWN, "a memory says the same", memory.id
            case Admitted(memory=memory, redacted=redacted, notes=notes):
                self._answer.added += 1
                self._ids.add(memory.id)
                if item.identity:
                    self._made[item.identity] = memory.id
                if item.replaced_by:
                    self._replaced.append((memory, item.replaced_by))
                why = [*item.changed, *(f"removed {kind}" for kind in dict.fromkeys(redacted)), *notes]
                return (Result.CHANGED if why else Result.TAKEN), "; ".join(why), memory.id

    def _find_ids(self, item: ForeignItem) -> list[str]:
        """Return the ids that an item may have in this home: one for each of its keys, and one made without a key.

        An id is a hash with a key, so that the id of a purged memory does not tell whether a guessed text is its text.
        A home that has no key yet makes ids without one.
        """
        assert item.draft is not None
        return self._compute_ids(item.identity or content_hash(item.draft.text), app=item.draft.app or "")

    def _compute_ids(self, identity: str, *, app: str = "") -> list[str]:
        data = "\0".join((self._where.agent, self._where.project or "", app, identity))
        return [code_id("mem", code) for code in self._runtime.signer.codes("import", data)]

    def _find_known(self, ids: Iterable[str]) -> tuple[Result, str, str | None] | None:
        for id in ids:
            history = self._reading.history(id)
            if any(change.kind == ChangeKind.PURGE for change in history):
                return Result.REFUSED, "it was purged here and does not come back", None
            stored = self._reading.get(id)
            if stored is not None:
                return self._describe_known(stored)
            if any(change.kind in _ERASED for change in history):
                return Result.REFUSED, "another file says that it was erased", None
        return None

    def _describe_known(self, stored: Stored) -> tuple[Result, str, str | None]:
        id = stored.memory.id
        if stored.status is Status.FORGOTTEN:
            return Result.REFUSED, f"it was forgotten here; to bring it back: limpet restore {id}", id
        self._answer.present += 1
        why = "it was replaced here since" if stored.status is Status.SUPERSEDED else "it was imported before"
        return Result.KNOWN, why, id

    def _retire(self, identity: str) -> None:
        """Record that a source has erased an object, so that the object is not taken from an older file.

        An object that is here already stays, because only its owner erases it; the answer says how.
        """
        ids = self._compute_ids(identity)
        if ids[0] not in self._ids and any(self._reading.history(id) for id in ids):
            held = next((id for id in ids if (stored := self._reading.get(id)) and stored.status is Status.LIVE), None)
            if held is not None:
                self._answer.proposed.append(f"{identity[:80]} was erased there; if you agree: limpet purge {held}")
            return
        self.writer.more.append(Change(kind=ChangeKind.FORGET, subject=ids[0], payload={}))

    # Facts

    def _take_fact(self, parts: tuple[str, str, str]) -> tuple[Result, str, str | None]:
        try:
            cleaned = [
                clean_words(name, text) for name, text in zip(("subject", "predicate", "object"), parts, strict=True)
            ]
        except Unfit as unfit:
            return Result.REFUSED, str(unfit), None
        subject, predicate, object = (text for text, _ in cleaned)
        if not (subject and predicate and object):
            return Result.REFUSED, "a fact needs a subject, a predicate and an object", None
        key = subject.casefold(), predicate.casefold(), object.casefold()
        scope = self._runtime.scope()
        query = FactQuery(scope=scope, subject=subject, predicate=predicate, object=object, closed=True, limit=1)
        held = self._reading.facts(query).items
        if held or key in self._facts:
            self._answer.present += 1
            return Result.KNOWN, "a fact says the same", held[0].id if held else None
        self._facts.add(key)
        redacted = [kind for _, kinds in cleaned for kind in kinds]
        is_private = bool(redacted) or is_personal(" ".join((subject, predicate, object)))
        now = self._runtime.now()
        fact = Fact(
            id=new_id("fact", to_ms(now)),
            agent=scope.agent,
            project=scope.project,
            origin=Origin.IMPORT,
            sensitivity=Sensitivity.PRIVATE if is_private else Sensitivity.PUBLIC,
            subject=subject,
            predicate=predicate,
            object=object,
            valid_from=now,
        )
        self.writer.more.append(Change(kind=ChangeKind.FACT, subject=fact.id, payload={"fact": encode_fact(fact)}))
        self._answer.facts += 1
        why = "; ".join(f"removed {kind}" for kind in dict.fromkeys(redacted))
        return (Result.CHANGED if why else Result.TAKEN), why, fact.id


def _read_items(format: Format, path: str) -> Iterator[ForeignItem]:
    """Yield the items of a store; if the store itself cannot be read, yield the reason."""
    name = os.path.basename(path)
    try:
        if os.path.islink(path):
            raise Unreadable("it is a symlink, which is not followed")
        if not os.path.exists(path):
            raise Unreadable("it does not exist")
        yield from format.load().read(path)
    except Unreadable as error:
        yield ForeignItem(name=name, refused=str(error))


def _limit_items(items: Iterator[ForeignItem], name: str) -> Iterator[ForeignItem]:
    """Yield at most as many items as one import may bring; if there are more, end with an item that says so."""
    yield from islice(items, MOST_OBJECTS)
    if next(items, None) is not None:
        reason = f"only its first {MOST_OBJECTS:,} objects were taken; split it and import the rest by itself"
        yield ForeignItem(name=name, refused=reason)


def choose_stores(runtime: Runtime, name: str | None, path: str | None) -> list[tuple[Format, str]]:
    """Return the stores that a user means by the name of a tool, a path, or both; raise UsageError if there is none."""
    chosen = get_format(name) if name else None
    if path is None:
        found = find_stores(runtime, chosen)
        if not found:
            raise UsageError(f"found nothing of {name} for this project; give its file or folder after --from {name}")
        return found
    chosen = chosen or recognise_format(path)
    if chosen is None:
        raise UsageError(
            f"{path} is not an export of Limpet, and no other tool is recognised in it; name the tool with --from"
        )
    return [(chosen, path)]
