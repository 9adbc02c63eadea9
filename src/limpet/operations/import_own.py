"""Import memories and facts from an export of Limpet itself.

Every line is read separately: a line that cannot be read is reported with its number, and the others are imported. A
memory that was signed with a key of this machine is imported unchanged. Any other memory gets the origin `import`:
until the user confirms it, a model sees it only if it asks for it. Such a memory cannot replace, forget, confirm or pin
anything here: the answer only proposes such changes, as it does for the projects in the header of an unsigned export.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from limpet.doors.admit import Admission
from limpet.doors.exported import (
    PROJECT,
    check_memory,
    find_forgotten,
    is_id,
    propose_changes,
    propose_forgetting,
    propose_keys,
    remove_outside_references,
)
from limpet.doors.fields import clean_words
from limpet.errors import Refused, UsageError
from limpet.lean.record import field, mutable, replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.codec import decode_fact, decode_memory, encode_fact
from limpet.model.fact import Fact
from limpet.model.memory import Memory, Origin, Region
from limpet.model.outcome import Admitted, Duplicate, Outcome, Rejected
from limpet.model.query import Stored
from limpet.model.signature import Verdict
from limpet.operations.export import FORMAT, FORMER_LINE_SIGNATURE, LINE_SIGNATURE, VERSION, normalise_line
from limpet.operations.import_answer import ImportAnswer
from limpet.operations.import_batch import BatchWriter
from limpet.runtime import Runtime
from limpet.store.protocol import Reading
from limpet.system import read_regular
from limpet.text.excerpt import quote
from limpet.workspace import make_slug
from limpet.workspace.files import clean_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

MAX_LINE = 8_000_000
MAX_FILE = 2 << 30


@mutable
class _ExportLine:
    """A line of an export, with its number and its memory or fact."""

    number: int
    memory: Memory | None = None
    fact: Fact | None = None
    status: Status = Status.LIVE
    authentic: bool = False
    """Whether the memory is validly signed with a key of this machine."""
    is_signed: bool = False
    """Whether the whole line, including the status, is validly signed with a key of this machine."""

    @property
    def id(self) -> str:
        return self.memory.id if self.memory else self.fact.id if self.fact else ""


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
    if here and runtime.project is None:
        raise Refused("--here needs a project; go to the folder that the memories belong to")
    reading = runtime.reading()
    header = _read_header(path)
    read = partial(_read_export, runtime, path, agent=make_slug(remap_agent) if remap_agent else None, here=here)
    index = _index_lines(reading, read(answer.problems), answer)
    ids = [id for id in index.lines if is_id(id)]
    if index.known and not merge:
        raise Refused(
            f"{len(index.known)} of {len(ids)} memories are here already, "
            f"for instance {next(id for id in ids if id in index.known)}; "
            "nothing was changed, add --merge to keep those and read the others"
        )
    answer.present = len(index.known)
    projects = _new_project_changes(reading, header, answer, own=_is_signed_line(runtime, header), here=here)
    writer = BatchWriter(runtime, answer, runtime.admission(reading=reading), first=projects, again=" with --merge")
    for line in read([]):
        # The file may have been changed since it was read the first time.
        if index.lines.get(line.id) != line.number:
            continue
        if line.fact is not None:
            writer.more += _fact_changes(writer.reading, line.fact, answer)
        elif line.id in index.known:
            continue
        elif (
            line.memory is not None
            and line.status is Status.LIVE
            and (forgotten := find_forgotten(line.memory, reading=writer.reading, imported=index.lines))
        ):
            answer.problems.append(
                f"line {line.number}: this was forgotten here; to bring it back: limpet restore {forgotten}"
            )
        elif _prepare_memory(line, index.strangers, answer, reading=writer.reading):
            writer.outcomes.append(_readmit(runtime, writer.door, line, answer, index.lines))
        writer.write_if_full()
    writer.write()


def _index_lines(reading: Reading, lines: Iterable[_ExportLine], answer: ImportAnswer) -> _ExportIndex:
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


def _prepare_memory(line: _ExportLine, strangers: set[str], answer: ImportAnswer, *, reading: Reading) -> bool:
    """Remove from a line's memory what an unsigned memory may not claim; return False if it must not be imported.

    The changes that such a memory asks for are added to `answer` as proposals.
    """
    assert line.memory is not None
    if line.status is Status.FORGOTTEN and not line.is_signed:
        answer.propose(line.number, propose_forgetting(line.memory, reading=reading))
        return False
    if not line.authentic:
        answer.propose(line.number, propose_changes(line.memory, reading=reading))
        line.memory = remove_outside_references(line.memory, strangers)
    return True


def _is_signed_line(runtime: Runtime, record: dict[str, Any]) -> bool:
    """Tell whether a line of an export is validly signed with a key of this machine."""
    field = LINE_SIGNATURE if LINE_SIGNATURE in record else FORMER_LINE_SIGNATURE
    return runtime.signer.is_signed_line(normalise_line(record, field), record.get(field))


def _readmit(
    runtime: Runtime, door: Admission, line: _ExportLine, answer: ImportAnswer, imported: Container[str]
) -> Outcome:
    """Admit the memory of a line with its status, count the outcome in `answer`, and return the outcome."""
    assert line.memory is not None
    outcome = door.readmit(line.memory, authentic=line.authentic, is_live=line.status is Status.LIVE)
    match outcome:
        case Admitted(memory=kept):
            answer.added += 1
            answer.unconfirmed += kept.origin is Origin.IMPORT and not kept.confirmed
            project = runtime.project.id if runtime.project else None
            answer.elsewhere += kept.project is not None and kept.project != project
            if line.status is Status.FORGOTTEN:
                door.changes.append(runtime.change(ChangeKind.FORGET, kept))
            elif line.status is Status.SUPERSEDED and (by_id := line.memory.superseded_by) and by_id not in imported:
                # Its correction was not exported. The older text must not look like the newest version.
                door.changes.append(runtime.change(ChangeKind.SUPERSEDE, kept, {"by": by_id}))
        case Duplicate():
            answer.duplicates += 1
        case Rejected(reason=reason):
            answer.problems.append(f"line {line.number}: {reason}")
    return outcome


def _fact_changes(reading: Reading, fact: Fact, answer: ImportAnswer) -> list[Change]:
    if reading.fact(fact.id):
        answer.present += 1
        return []
    answer.facts += 1
    # Facts are not signed, so the origin in the file cannot be trusted.
    origin = Origin.lowest((fact.origin or Origin.IMPORT, Origin.IMPORT))
    payload = {"fact": encode_fact(replace(fact, origin=origin))}
    return [Change(kind=ChangeKind.FACT, subject=fact.id, payload=payload, lineage=fact.sources)]


def is_export(path: str) -> bool:
    """Tell whether to read a file as an export of Limpet, judging by its first line.

    Return True also for a file that is empty, missing or unreadable, because reading it as an export reports the error.
    """
    try:
        data = read_regular(path, MAX_LINE)[:MAX_LINE].partition(b"\n")[0]
    except (OSError, ValueError):
        return not os.path.isdir(path) or os.path.islink(path)
    try:
        first = json.loads(data)
    except (ValueError, RecursionError):
        return not data
    return isinstance(first, dict) and "format" in first and ("version" in first or first["format"] == FORMAT)


def _read_header(path: str) -> dict[str, Any]:
    """Return the first line of an export, which describes the file; raise UsageError if it is not valid."""
    with _open_export(path) as file:
        _, row = next(_read_lines(file))
    return _check_header(path, row)


def _read_export(
    runtime: Runtime, path: str, problems: list[str], *, agent: str | None, here: bool
) -> Iterator[_ExportLine]:
    """Yield the valid lines of an export after the header; add a sentence to `problems` for each other line."""
    with _open_export(path) as file:
        for number, row in _read_lines(file):
            if number == 1 or (row is not None and not row.strip()):
                continue
            try:
                line = _parse_line(runtime, number, _parse_record(row), agent=agent, here=here)
            except (ValueError, TypeError, OverflowError) as error:
                problems.append(f"line {number}: {error}")
            else:
                yield line


@contextmanager
def _open_export(path: str) -> Iterator[BinaryIO]:
    try:
        info = os.stat(path)
        if not stat.S_ISREG(info.st_mode):
            raise UsageError(f"{path} is not a plain file; give an export made by `limpet export`")
        if info.st_size > MAX_FILE:
            raise UsageError(f"{path} has {info.st_size:,} bytes; split it into files of less than {MAX_FILE:,}")
        if info.st_size == 0:
            raise UsageError(f"{path} is empty; give an export made by `limpet export`")
        with open(path, "rb") as file:
            yield file
    except OSError as error:
        raise UsageError(f"cannot read {path!r}: {error.strerror}; check its path and mode") from None


def _read_lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Yield the number and the content of each line; the content is None if the line is too long to be loaded."""
    number = 0
    while row := file.readline(MAX_LINE + 1):
        number += 1
        if len(row) <= MAX_LINE:
            yield number, row
            continue
        while row and not row.endswith(b"\n"):
            row = file.readline(MAX_LINE)
        yield number, None


def _check_header(path: str, row: bytes | None) -> dict[str, Any]:
    try:
        header = json.loads(row or b"")
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise UsageError(f"{path} is not an export of Limpet: its first line does not say so")
    version = header.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise UsageError(f"{path} was written by a newer Limpet (format {quote(version)}); upgrade to read it")
    return header


def _parse_record(row: bytes | None) -> dict[str, Any]:
    if row is None:
        raise ValueError(f"longer than {MAX_LINE:,} bytes")
    try:
        record = json.loads(row)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    return _require_object(record)


def _parse_line(runtime: Runtime, number: int, record: dict[str, Any], *, agent: str | None, here: bool) -> _ExportLine:
    """Return the memory or fact of a record, assigned to `agent` if given, and to this project if `here` is set.

    Raise ValueError if it is not valid, if its signature is wrong, or if it belongs to another agent.
    """
    project = runtime.project.id if runtime.project else None
    if "memory" in record:
        memory = check_memory(decode_memory(_require_object(record["memory"])))
        # The signature was computed for the memory as it was exported, so it is checked before any change.
        verdict = runtime.signer.judge(Stored(memory=memory)).verdict
        if verdict in (Verdict.WRONG, Verdict.ALTERED, Verdict.MALFORMED):
            raise ValueError(f"{verdict.value}; it was not imported")
        status = Status(record.get("status", Status.LIVE))
        if status is Status.PURGED:
            raise ValueError("a purged memory cannot be imported")
        moved = replace(memory, agent=agent or memory.agent)
        if here and memory.region is Region.PROJECT and memory.app is None:
            moved = replace(moved, project=project)
        _refuse_other_agent(runtime, moved.agent, remapped=agent is not None)
        authentic = verdict is Verdict.GOOD and moved == memory
        return _ExportLine(
            number=number,
            memory=moved,
            status=status,
            authentic=authentic,
            is_signed=authentic and _is_signed_line(runtime, record),
        )
    if "fact" in record:
        fact = _check_fact(decode_fact(_require_object(record["fact"])))
        fact = replace(fact, agent=agent or fact.agent, project=project if here and fact.project else fact.project)
        _refuse_other_agent(runtime, fact.agent, remapped=agent is not None)
        return _ExportLine(number=number, fact=fact)
    raise ValueError("neither a memory nor a fact")


def _refuse_other_agent(runtime: Runtime, agent: str, *, remapped: bool) -> None:
    """Raise ValueError if `agent`, the owner of a memory or fact, is another agent and is not to be `remapped`."""
    if agent != runtime.agent_id and not remapped:
        raise ValueError(
            f"it belongs to the agent {agent!r}; read it with --agent {agent}, "
            f"or give it to {runtime.agent_id!r} with --remap-agent {runtime.agent_id}"
        )


def _require_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _check_fact(fact: Fact) -> Fact:
    if not is_id(fact.id, "fact_") or not all(map(is_id, fact.sources)):
        raise ValueError("its id or the id of a source is malformed")
    if fact.closed_by is not None and not is_id(fact.closed_by, "fact_"):
        raise ValueError("closed_by is not the id of a fact")
    if make_slug(fact.agent) != fact.agent or (fact.project is not None and not PROJECT.fullmatch(fact.project)):
        raise ValueError("its agent or project id is malformed")
    subject, predicate, object = (
        clean_words(name, getattr(fact, name))[0] for name in ("subject", "predicate", "object")
    )
    if not (subject and predicate and object):
        raise ValueError("a fact needs a subject, a predicate and an object")
    return replace(fact, subject=subject, predicate=predicate, object=object)


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
        free = [key for key in given if _is_proper_key(key) and reading.project(key) is None]
        if free and own:
            payload = {"name": clean_label(name, 80) if isinstance(name, str) else "", "keys": free[:100]}
            changes.append(Change(kind=ChangeKind.PROJECT, subject=id, payload=payload))
        elif free and not here:
            answer.propose(1, [propose_keys(project, free)])
    return changes


def _is_proper_key(key: str) -> bool:
    # Keys that name accepted folders and joined projects are valid on one machine only.
    return key.startswith(("git:", "dir:", "birth:", "path:")) and len(key) <= 4096 and key.isprintable()
