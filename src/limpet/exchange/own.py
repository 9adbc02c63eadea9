"""Find what to admit in an export of Limpet itself.

Every line is read separately: a line that cannot be read is reported with its number, and the others are imported. A
memory that was signed with a key of this machine is imported unchanged. Any other memory may come from anyone and gets
the origin `import`: until the user confirms it, a model sees it only if it asks for it. Such a memory cannot replace,
forget, confirm or pin anything here: the answer only proposes such changes, with the command for each, as it does for
the projects in the header of an unsigned export.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import partial

from limpet.errors import Refused
from limpet.exchange.account import ImportAnswer, Result
from limpet.exchange.admission import Arrival, Intake
from limpet.exchange.lines import PROJECT, ExportLine, is_id, is_signed_line, read_export, read_header
from limpet.lean.record import field, mutable, replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Memory
from limpet.model.outcome import Admitted, Duplicate
from limpet.model.scope import token_of
from limpet.runtime import Runtime
from limpet.store.protocol import Reading
from limpet.text.similarity import content_hash
from limpet.workspace import make_slug
from limpet.workspace.files import clean_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KEYS = ("git:", "dir:", "birth:", "path:")
"""The kinds of keys that are valid on every machine. Keys of accepted folders and joined projects are not."""
_MOST_KEYS = 3


@mutable
class _ExportIndex:
    """The ids in an export. To save memory, the file is read twice: first for the ids and then for the texts."""

    lines: dict[str, int] = field(default_factory=dict)
    """The line number of each memory and fact that can be imported, by id."""
    known: set[str] = field(default_factory=set)
    """The ids of memories that are already stored here."""
    strangers: set[str] = field(default_factory=set)
    """The ids of new memories that are not signed with a key of this machine."""


def import_export(
    runtime: Runtime, path: str, answer: ImportAnswer, *, merge: bool, remap_agent: str | None, here: bool
) -> None:
    """Import an export, and report the result in `answer`. Nothing is written in a dry run.

    Memories that are already stored here are skipped if `merge` is set; otherwise they are an error. If `here` is set,
    memories of any project are given to this project. If `remap_agent` is given, memories of any agent are given to it.
    """
    reading = runtime.reading()
    header = read_header(path)
    read = partial(read_export, runtime, path, agent=make_slug(remap_agent) if remap_agent else None, here=here)
    index = _index_lines(reading, read(answer.problems), answer)
    ids = [id for id in index.lines if is_id(id)]
    if index.known and not merge:
        raise Refused(
            f"{len(index.known)} of {len(ids)} memories are here already, "
            f"for instance {next(id for id in ids if id in index.known)}; "
            "nothing was changed, add --merge to keep those and read the others"
        )
    answer.present = len(index.known)
    projects = _new_project_changes(reading, header, answer, own=is_signed_line(runtime, header), here=here)
    intake = Intake(runtime, answer, runtime.admission(reading=reading), first=projects, again=" with --merge")
    intake.run(_find_arrivals(runtime, intake, index, read([]), answer))
    intake.write()


def _index_lines(reading: Reading, lines: Iterable[ExportLine], answer: ImportAnswer) -> _ExportIndex:
    """Return an index of the ids; lines that repeat an id or were purged here are reported in `answer`."""
    index = _ExportIndex()
    for line in lines:
        id = line.id
        if id in index.lines:
            answer.problems.append(f"line {line.number}: {id} is in line {index.lines[id]} already")
            continue
        history = reading.history(id)
        if any(change.kind == ChangeKind.PURGE for change in history):
            answer.problems.append(f"line {line.number}: {id} was purged here; it is not imported again")
            continue
        index.lines[id] = line.number
        if line.memory is None:
            continue
        if history and reading.get(id):
            index.known.add(id)
        elif not line.authentic:
            index.strangers.add(id)
    return index


def _find_arrivals(
    runtime: Runtime, intake: Intake, index: _ExportIndex, lines: Iterable[ExportLine], answer: ImportAnswer
) -> Iterator[Arrival]:
    """Yield what the lines bring in, without what an unsigned line may not claim, which is proposed in `answer`."""
    for line in lines:
        name, memory, reading = f"line {line.number}", line.memory, intake.reading
        # The file may have been changed since it was read the first time.
        if index.lines.get(line.id) != line.number or line.id in index.known:
            continue
        if memory is None:
            if reading.fact(line.id):
                answer.present += 1
            else:
                yield Arrival(name=name, fact=line.fact)
        elif line.status is Status.LIVE and (forgotten := _find_forgotten(memory, reading, index.lines)):
            why = f"this was forgotten here; to bring it back: limpet restore {forgotten}"
            yield Arrival(name=name, result=Result.REFUSED, why=why)
        elif line.status is Status.FORGOTTEN and not line.is_signed:
            answer.propose(line.number, _propose_forgetting(memory, reading))
        else:
            if not line.authentic:
                answer.propose(line.number, _propose_changes(memory, reading))
                memory = _remove_outside_references(memory, index.strangers)
            yield Arrival(
                name=name,
                memory=memory,
                authentic=line.authentic,
                is_live=line.status is Status.LIVE,
                settle=partial(_settle, runtime, line.status, memory.superseded_by, index.lines),
            )


def _settle(
    runtime: Runtime, status: Status, by: str | None, imported: Container[str], outcome: Admitted | Duplicate
) -> list[Change]:
    """Return the change that gives a new memory the status that it had where it was exported."""
    if isinstance(outcome, Admitted) and status is Status.FORGOTTEN:
        return [runtime.change(ChangeKind.FORGET, outcome.memory)]
    if isinstance(outcome, Admitted) and status is Status.SUPERSEDED and by and by not in imported:
        # Its correction was not exported. The older text must not look like the newest version.
        return [runtime.change(ChangeKind.SUPERSEDE, outcome.memory, {"by": by})]
    return []


def _find_forgotten(memory: Memory, reading: Reading, imported: Container[str]) -> str:
    """Return the id of a memory with the same text that was forgotten here; an empty string if there is none.

    What the export itself says was forgotten, and stored again later, does not count: `imported` are its ids.
    """
    same = () if memory.corrects else reading.same_text(token_of(memory), content_hash(memory.original_content))
    if any(each.status is Status.LIVE for each in same):
        return ""
    forgotten = (each.memory.id for each in same if each.status is Status.FORGOTTEN)
    return next((id for id in forgotten if id not in imported), "")


def _propose_changes(memory: Memory, reading: Reading) -> Iterator[str]:
    """Yield a proposal for each change that an unsigned memory requests: to replace another one, to confirm or pin."""
    if memory.corrects and reading.get(memory.corrects):
        yield f"would replace {memory.corrects}; if you agree: limpet correct {memory.corrects}"
    for claim, command in ((memory.confirmed, "confirm"), (memory.pinned, "pin")):
        if claim:
            yield f"would {command} {memory.id}; if you agree: limpet {command} {memory.id}"


def _propose_forgetting(memory: Memory, reading: Reading) -> Iterator[str]:
    """Yield proposals to forget memories, because an unsigned memory in the export is forgotten.

    These are its older versions and the memories with the same text. If there are none, yield a remark.
    """
    named = [stored for stored in map(reading.get, memory.lineage) if stored is not None]
    same = reading.same_text(token_of(memory), content_hash(memory.original_content))
    live = dict.fromkeys(stored.memory.id for stored in (*named, *same) if stored.status is Status.LIVE)
    for id in live:
        yield f"would forget {id}; if you agree: limpet forget {id}"
    if not live:
        yield "was forgotten where it was exported, so it was not taken"


def _remove_outside_references(memory: Memory, unsigned: set[str]) -> Memory:
    """Return an unsigned memory without its pin, and without its references to older versions.

    The references are kept if all of them are in `unsigned`, which contains the ids of the new unsigned memories in the
    same export.
    """
    # Ids that are not known are removed too, because a memory with such an id may arrive from another machine.
    memory = replace(memory, pinned=False)
    if unsigned.issuperset((*memory.lineage, *filter(None, (memory.corrects,)))):
        return memory
    return replace(memory, corrects=None, lineage=(), version=1, previous_memory_id=None)


def _new_project_changes(
    reading: Reading, header: dict[str, Any], answer: ImportAnswer, *, own: bool, here: bool
) -> list[Change]:
    """Return the changes that add the unknown projects in a header, without keys that a project here already has.

    `own` means that the header is signed with a key of this machine. The projects of any other header are only proposed
    in the answer, because folders with the same key share their memories.
    """
    changes = []
    projects = header.get("projects")
    for project in projects if isinstance(projects, list) else []:
        if not isinstance(project, dict):
            continue
        id, name, keys = project.get("id"), project.get("name"), project.get("keys")
        if not isinstance(id, str) or not PROJECT.fullmatch(id) or reading.project(id) is not None:
            continue
        given = [key for key in keys if isinstance(key, str)] if isinstance(keys, list) else []
        proper = [key for key in given if key.startswith(_KEYS) and len(key) <= 4096 and key.isprintable()]
        free = [key for key in proper if reading.project(key) is None]
        if free and own:
            payload = {"name": clean_label(name, 80) if isinstance(name, str) else "", "keys": free[:100]}
            changes.append(Change(kind=ChangeKind.PROJECT, subject=id, payload=payload))
        elif free and not here:
            shown = ", ".join(free[:_MOST_KEYS]) + (" and others" if len(free) > _MOST_KEYS else "")
            known_as = f"would know the project {clean_label(str(name or id), 80)!r} by {shown}"
            answer.propose(1, [f"{known_as}; if you agree: import it with --here in its folder"])
    return changes
