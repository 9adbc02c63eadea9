"""Choose what goes out with an export, and write it in Limpet's own format or in that of another tool.

Limpet's own format has one JSON object per line. The first line describes the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from limpet import __version__, system
from limpet.curating.facts import is_shown, judge_fact
from limpet.errors import Refused, UsageError, refuse_write
from limpet.exchange.formats import FOLDERS, WRITERS, ExportedFiles
from limpet.exchange.lines import FORMAT, VERSION, sign_line
from limpet.hosts.instruction_files import replace_block
from limpet.lean.record import record, replace
from limpet.model.change import Status
from limpet.model.codec import encode_fact, encode_memory, format_time
from limpet.model.memory import Sensitivity
from limpet.model.query import EVERY_STATUS, NO_LIMIT, Query
from limpet.model.scope import Scope
from limpet.runtime import Runtime
from limpet.store.protocol import FactQuery
from limpet.workspace.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OWN = "limpet"
_MOST_INSTRUCTIONS = 4 << 20


@record
class ExportAnswer:
    """The result of an export. `records` are the JSON objects of the file, one per line."""

    path: str | None
    records: tuple[dict[str, Any], ...]
    memories: int
    facts: int
    left_out: int
    """How many memories were left out because they are not public."""

    @property
    def lines(self) -> Iterator[str]:
        """Yield the lines of the file, without line endings."""
        return (json.dumps(record, ensure_ascii=False) for record in self.records)


def export_memories(
    runtime: Runtime,
    file: str | None,
    *,
    to: str,
    scope: Scope,
    allowed: tuple[Sensitivity, ...],
    all: bool,
    force: bool,
) -> ExportAnswer:
    """Write memories of the `allowed` levels to a file or folder, in the format `to`, and return what was written.

    Without a file, the answer has the records of Limpet's own format. `all` includes superseded, forgotten and expired
    memories. Existing files are overwritten only if `force` is set.
    """
    query = Query(
        scope=scope,
        sensitivity=allowed,
        statuses=EVERY_STATUS if all else (Status.LIVE,),
        expired=all,
        archived=True,
        now=runtime.now(),
        limit=NO_LIMIT,
    )
    reading = runtime.reading()
    memories = sorted(reading.browse(query).items, key=lambda stored: stored.memory.id)
    found = reading.facts(FactQuery(scope=scope, closed=True, limit=NO_LIMIT)).items
    facts = [fact for fact in found if is_shown(judge_fact(reading, fact), allowed, forgotten=all)]
    whole = reading.browse(replace(query, sensitivity=tuple(Sensitivity), limit=1)).total
    left_out = max(0, whole - len(memories))
    if to != OWN and file is not None:
        current = [fact for fact in facts if fact.valid_to is None]
        made = WRITERS[to]([runtime.signer.judge(stored) for stored in memories], current, runtime.now())
        _write_foreign_files(file, made, to=to, force=force)
        return ExportAnswer(path=file, records=(), memories=made.memories, facts=made.facts, left_out=left_out)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "limpet": __version__,
        "exported_at": format_time(runtime.now()),
        "agent": {"id": runtime.agent_id, "name": runtime.agent[1]},
        "projects": [
            {"id": project.id, "name": project.name, "keys": list(project.keys)}
            for project in reading.projects()
            if scope.every_project or (runtime.project and project.id == runtime.project.id)
        ],
    }
    records: list[dict[str, Any]] = [
        header,
        *({"memory": encode_memory(stored.memory), "status": stored.status.value} for stored in memories),
        *({"fact": encode_fact(fact)} for fact in facts),
    ]
    exported = ExportAnswer(
        path=file,
        records=tuple(sign_line(runtime, record) for record in records),
        memories=len(memories),
        facts=len(facts),
        left_out=left_out,
    )
    if file is not None:
        _write_file(file, "".join(f"{line}\n" for line in exported.lines), force=force)
    return exported


def _write_foreign_files(path: str, made: ExportedFiles, *, to: str, force: bool) -> None:
    """Write an export in the format of another tool. In AGENTS.md, only Limpet's block is replaced."""
    if to == "agents-md":
        before: bytes | None = b""
        is_there = os.path.isfile(path) and not system.is_link(path)
        if is_there:
            before = read_file(path, _MOST_INSTRUCTIONS + 1)
            if before is None or len(before) > _MOST_INSTRUCTIONS:
                raise Refused(f"{path} cannot be read or is too large; choose another file, nothing was written")
        after = replace_block(before or b"", made.files[""].split("\n"), os.path.basename(path))
        _write_file(path, after, force=force or is_there)
    elif to not in FOLDERS:
        _write_file(path, made.files[""], force=force)
    else:
        if system.is_link(path):
            raise Refused(f"{path} is a symlink; give the name of a plain folder")
        try:
            os.makedirs(path, exist_ok=True)
            is_empty = not os.listdir(path)
        except OSError as error:
            raise Refused(f"cannot use the folder {path}: {error.strerror}; choose another one") from error
        if not is_empty and not force:
            raise Refused(f"{path} is not empty; choose another folder or add --force")
        for name, text in made.files.items():
            _write_file(os.path.join(path, name), text, force=force)


def _write_file(path: str, text: str | bytes, *, force: bool) -> None:
    """Write a file that only its owner can read. Symlinks are refused, and existing files unless `force` is True."""
    if system.is_link(path):
        raise Refused(f"{path} is a symlink; give the name of a plain file")
    if os.path.isdir(path):
        raise UsageError(f"{path} is a folder; give the name of a file in it")
    if os.path.exists(path) and not os.path.isfile(path):
        raise Refused(f"{path} is not a plain file; give the name of one")
    if os.path.exists(path) and not force:
        raise Refused(f"{path} exists; choose another name or add --force")
    data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    try:
        system.write_atomically(os.path.abspath(path), data)
    except OSError as error:
        raise refuse_write(error, path) from error
