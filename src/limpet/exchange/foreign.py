"""Find what to admit in the stores of other tools.

Anybody may have written to the store of another tool. So its memories get the origin `import`, or `file` if they were
read from instruction files, and until the user confirms them, a model sees them only if it asks for them. An object
that belongs to another project or agent is left out, unless the user assigns it to this one.

The id of an imported memory is an authentication code, computed from the object's identity or text. So a second import
recognises an object, even if its memory was corrected, shortened, merged or forgotten here. The id of a purged memory
stays in the journal, so the object is not imported again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial

from limpet.clock import to_ms
from limpet.curating.facts import classify_parts, clean_parts
from limpet.errors import Refused, Unfit, Unreadable, UsageError
from limpet.exchange.account import ImportAnswer, Result
from limpet.exchange.admission import Arrival, Intake
from limpet.hosts.wiring import home_folder
from limpet.imports import FORMATS, Format, get_format
from limpet.imports.files import MOST_OBJECTS
from limpet.imports.item import ForeignItem, Surroundings
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.fact import Fact
from limpet.model.ids import code_id, new_id
from limpet.model.memory import Memory, Origin
from limpet.model.outcome import Admitted, Duplicate
from limpet.model.taint import Taint
from limpet.runtime import Runtime
from limpet.store.protocol import FactQuery
from limpet.text.similarity import content_hash
from limpet.workspace import make_slug


def find_stores(runtime: Runtime, chosen: Format | None = None) -> list[tuple[Format, str]]:
    """Return the stores of other tools on this machine, as pairs of format and path.

    If `chosen` is given, return only the stores in this format.
    """
    around = Surroundings(home=home_folder(), root=runtime.where().root)
    # `rules` means all instruction files; the list has an entry for each kind of them instead.
    formats = [each for each in FORMATS if each.name != "rules"] if chosen is None else [chosen]
    return [(each, path) for each in formats for path in each.find(around)]


def import_foreign(
    runtime: Runtime,
    stores: list[tuple[Format, str]],
    answer: ImportAnswer,
    *,
    remap_agent: str | None,
    here: bool,
) -> None:
    """Import the objects in these stores, and add a report on each to `answer`. Nothing is written in a dry run.

    If `here` is set, objects of other projects are imported into this project. `remap_agent` is this agent's id, if
    objects of other agents are to be imported too.
    """
    if runtime.caller.is_agent:
        raise Refused("only a person can import from another tool; ask the user to run this in a terminal")
    # Raises an error if this folder claims to be a known project without proof.
    runtime.scope()
    run = _ForeignImport(runtime, answer, remap_agent=remap_agent, here=here)
    try:
        for format, path in stores:
            run.import_store(format, os.path.abspath(path))
    except KeyboardInterrupt:
        if run.intake.is_writing:
            # Nobody knows how much of the batch was written.
            raise
        answer.stopped = True
    run.intake.write()


class _ForeignImport:
    """An import from stores of other tools, which finds out what to admit of them."""

    def __init__(self, runtime: Runtime, answer: ImportAnswer, *, remap_agent: str | None, here: bool) -> None:
        self._runtime = runtime
        self._answer = answer
        self._is_remapped = remap_agent is not None
        self._here = here
        if remap_agent and make_slug(remap_agent) != runtime.agent_id:
            raise UsageError(f"this is the agent {runtime.agent_id!r}; use --agent {remap_agent} to import for another")
        self._where = replace(runtime.where(), branch=None, commit=None, session=None)
        door = runtime.admission(reading=runtime.reading(), where=self._where, taint=Taint)
        self.intake = Intake(runtime, answer, door)
        self._made: dict[str, str] = {}
        self._ids: set[str] = set()
        self._facts: set[tuple[str, ...]] = set()
        self._replaced: list[tuple[Memory, str]] = []

    def import_store(self, format: Format, path: str) -> None:
        """Import the objects of one store, and report on each."""
        try:
            self.intake.run(self._find_arrivals(format, path))
        finally:
            for memory, identity in self._replaced:
                # What replaced it may not be in the store, or not be imported. The older text must not look current.
                newer = self._made.get(identity) or self._compute_ids(identity)[0]
                # If both were imported before, the user may have restored the older one since.
                if newer != memory.id and not self._ids.isdisjoint((newer, memory.id)):
                    self.intake.more.append(self._runtime.change(ChangeKind.SUPERSEDE, memory, {"by": newer}))
            self._replaced.clear()

    def _find_arrivals(self, format: Format, path: str) -> Iterator[Arrival]:
        """Yield what each object of a store brings in, and for a store that cannot be read, or is too large, why."""
        name = os.path.basename(path)
        try:
            if os.path.islink(path):
                raise Unreadable("it is a symlink, which is not followed")
            if not os.path.exists(path):
                raise Unreadable("it does not exist")
            for number, item in enumerate(format.load().read(path), 1):
                if number > MOST_OBJECTS:
                    most = f"only its first {MOST_OBJECTS:,} objects were taken"
                    raise Unreadable(f"{most}; split it and import the rest by itself")
                self._runtime.progress(f"importing {name}", number, 0)
                yield self._judge(item, partial(Arrival, name=item.name, store=path))
        except Unreadable as error:
            yield Arrival(name=name, store=path, result=Result.REFUSED, why=str(error))

    def _judge(self, item: ForeignItem, arrive: Callable[..., Arrival]) -> Arrival:
        """Return what is to be admitted of an object, or its result."""
        if item.forgotten:
            self._record_forgotten(item.forgotten)
        if item.refused:
            return arrive(result=Result.REFUSED, why=item.refused)
        if why := item.left_out or self._explain_other_owner(item):
            return arrive(result=Result.LEFT_OUT, why=why)
        if item.fact is not None:
            return self._judge_fact(item.fact, arrive)
        assert item.draft is not None
        # The first id is that of a new memory.
        ids = self._compute_ids(item.identity or content_hash(item.draft.text), app=item.draft.app or "")
        if ids[0] in self._ids:
            return arrive(result=Result.KNOWN, why="the same is among the objects already taken", known=ids[0])
        for id in ids:
            kinds = {change.kind for change in self.intake.reading.history(id)}
            if ChangeKind.PURGE in kinds:
                return arrive(result=Result.REFUSED, why="it was purged here and does not come back")
            stored = self.intake.reading.get(id)
            if stored is not None and stored.status is Status.FORGOTTEN:
                why = f"it was forgotten here; to bring it back: limpet restore {id}"
                return arrive(result=Result.REFUSED, why=why, known=id)
            if stored is not None:
                self._answer.present += 1
                is_replaced = stored.status is Status.SUPERSEDED
                if stored.status is Status.LIVE:
                    self._note_links(item, stored.memory)
                why = "it was replaced here since" if is_replaced else "it was imported before"
                return arrive(result=Result.KNOWN, why=why, known=id)
            if ChangeKind.FORGET in kinds:
                return arrive(result=Result.REFUSED, why="another file says that it was forgotten")
        draft = replace(item.draft, id=ids[0])
        return arrive(draft=draft, changed=item.changed, settle=partial(self._settle, item))

    def _settle(self, item: ForeignItem, outcome: Admitted | Duplicate) -> tuple[Change, ...]:
        if isinstance(outcome, Admitted):
            self._ids.add(outcome.memory.id)
            self._note_links(item, outcome.memory)
        else:
            self._made[item.identity] = outcome.memory.id
        return ()

    def _note_links(self, item: ForeignItem, memory: Memory) -> None:
        if item.identity:
            self._made[item.identity] = memory.id
        if item.replaced_by:
            self._replaced.append((memory, item.replaced_by))

    def _explain_other_owner(self, item: ForeignItem) -> str:
        """Return a sentence if an object belongs to another agent or project, else an empty string."""
        own = self._runtime.agent_id
        if item.agent and make_slug(item.agent) != own and not self._is_remapped:
            return f"it belongs to the agent {item.agent[:60]!r}; --remap-agent {own} gives it to {own!r}"
        if item.project and not self._here and not self._is_this_project(item.project):
            return f"it belongs to {item.project[:120]!r}; import it there, or add --here to give it to this project"
        return ""

    def _is_this_project(self, name: str) -> bool:
        root, project = self._where.root, self._runtime.project
        if os.path.isabs(name):
            return root is not None and os.path.realpath(name) == os.path.realpath(root)
        names = {os.path.basename(root or ""), project.name if project else ""} - {""}
        return name in names or make_slug(name) in {make_slug(each) for each in names}

    def _compute_ids(self, identity: str, *, app: str = "") -> list[str]:
        """Return the ids that the memory of an object may have here, starting with the id for a new memory.

        An id is a code made with a signing key, so that nobody can check a guessed text against the id of a purged
        memory. There is one id for each key of this home, and one made without a key.
        """
        data = "\0".join((self._where.agent, self._where.project or "", app, identity))
        return [code_id("mem", code) for code in self._runtime.signer.codes("import", data)]

    def _record_forgotten(self, identity: str) -> None:
        """Record that an object was forgotten in the other tool, so that it is not imported from an older file.

        If the object was imported before, its memory stays, and the answer proposes to forget it.
        """
        ids, reading = self._compute_ids(identity), self.intake.reading
        if ids[0] in self._ids or not any(map(reading.history, ids)):
            self.intake.more.append(Change(kind=ChangeKind.FORGET, subject=ids[0], payload={}))
            return
        held = next((id for id in ids if (stored := reading.get(id)) and stored.status is Status.LIVE), None)
        if held is not None:
            self._answer.proposed.append(f"{identity[:80]} was forgotten there; if you agree: limpet forget {held}")

    def _judge_fact(self, parts: tuple[str, str, str], arrive: Callable[..., Arrival]) -> Arrival:
        try:
            words, redacted = clean_parts(*parts)
        except Unfit as unfit:
            return arrive(result=Result.REFUSED, why=str(unfit))
        scope, key = self._runtime.scope(), tuple(word.casefold() for word in words.values())
        held = self.intake.reading.facts(FactQuery(scope=scope, **words, closed=True, limit=1)).items
        if held or key in self._facts:
            self._answer.present += 1
            return arrive(result=Result.KNOWN, why="a fact says the same", known=held[0].id if held else None)
        self._facts.add(key)
        now = self._runtime.now()
        fact = Fact(
            id=new_id("fact", to_ms(now)),
            agent=scope.agent,
            project=scope.project,
            origin=Origin.IMPORT,
            sensitivity=classify_parts(words, redacted),
            **words,
            valid_from=now,
        )
        return arrive(fact=fact, changed=tuple(f"removed {kind}" for kind in dict.fromkeys(redacted)))


def choose_stores(runtime: Runtime, name: str | None, path: str | None) -> list[tuple[Format, str]]:
    """Return the stores that the user chose by a tool's name, a path, or both; raise UsageError if there are none."""
    chosen = get_format(name) if name else None
    if path is None:
        found = find_stores(runtime, chosen)
        if not found:
            raise UsageError(f"found nothing of {name} for this project; give its file or folder after --from {name}")
        return found
    chosen = chosen or next((each for each in FORMATS if each.recognises(path)), None)
    if chosen is None:
        raise UsageError(
            f"{path} is not an export of Limpet, and no other tool is recognised in it; name the tool with --from"
        )
    return [(chosen, path)]
