"""Export memories to a file that `import` reads, or to the format of another tool.

Limpet's own format has one JSON object per line. The first line describes the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator

from limpet import __version__, system
from limpet.curating.facts import is_shown, judge_fact
from limpet.errors import Refused, UsageError, refuse_write
from limpet.hosts.instructions import replace_block
from limpet.lean.record import record, replace
from limpet.model.change import Status
from limpet.model.codec import encode_fact, encode_memory, format_time
from limpet.model.fact import Fact
from limpet.model.memory import Sensitivity
from limpet.model.query import EVERY_STATUS, NO_LIMIT, Query, Stored
from limpet.operations.catalogue import Param, Verb
from limpet.operations.export_formats import FOLDERS, WRITERS, ExportedFiles, ExportSelection
from limpet.operations.parameters import ALL_PROJECTS, PRIVATE, check_path
from limpet.runtime import Runtime
from limpet.runtime.permissions import visible_sensitivities
from limpet.store.protocol import FactQuery, Reading
from limpet.workspace.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OWN = "limpet"
_MOST_INSTRUCTIONS = 4 << 20
FORMAT = "limpet-export"
VERSION = 1
LINE_SIGNATURE = "line_signature"
"""The name of a line's signature field. The signature proves that the line was exported with the user's key."""
FORMER_LINE_SIGNATURE = "seal"
"""The name of the signature field in exports from older versions of Limpet."""


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


def run(
    runtime: Runtime,
    *,
    file: str | None = None,
    all: bool = False,
    private: bool = False,
    force: bool = False,
    all_projects: bool = False,
    to: str = OWN,
) -> ExportAnswer:
    if to != OWN and (file is None or all):
        raise UsageError(f"--to {to} needs a {_name_target_type(to)} to write, and cannot hold what --all adds")
    if file is not None:
        check_path(file, what=_name_target_type(to))
    scope = runtime.scope(every_project=all_projects)
    allowed = visible_sensitivities(runtime, private=private, sensitivity=None)
    if all and runtime.caller.is_agent:
        raise Refused("only a person can export what was forgotten; ask the user to run this in a terminal")
    if file is None and runtime.caller.is_agent:
        raise Refused("inside an agent an export goes to a file; give its name")
    if all and private:
        allowed = tuple(Sensitivity)
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
        made = WRITERS[to](_choose_current(runtime, memories, facts))
        _write_foreign_files(file, made, to=to, force=force)
        return ExportAnswer(path=file, records=(), memories=made.memories, facts=made.facts, left_out=left_out)
    records = [
        _make_header(runtime, reading, all_projects=all_projects),
        *({"memory": encode_memory(stored.memory), "status": stored.status.value} for stored in memories),
        *({"fact": encode_fact(fact)} for fact in facts),
    ]
    exported = ExportAnswer(
        path=file,
        records=tuple(_sign_line(runtime, record) for record in records),
        memories=len(memories),
        facts=len(facts),
        left_out=left_out,
    )
    if file is not None:
        _write_file(file, "".join(f"{line}\n" for line in exported.lines), force=force)
    return exported


def _choose_current(runtime: Runtime, memories: Iterable[Stored], facts: Iterable[Fact]) -> ExportSelection:
    """Return what to export to another tool: the memories with their signatures checked, and the current facts."""
    return ExportSelection(
        memories=[runtime.signer.judge(stored) for stored in memories],
        facts=[fact for fact in facts if fact.valid_to is None],
        project=runtime.project.name if runtime.project else "",
        now=runtime.now(),
    )


def _make_header(runtime: Runtime, reading: Reading, *, all_projects: bool) -> dict[str, Any]:
    """Return the first record of an export: its format, and the agent and the projects of its memories."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "limpet": __version__,
        "exported_at": format_time(runtime.now()),
        "agent": {"id": runtime.agent_id, "name": runtime.agent[1]},
        "projects": [
            {"id": project.id, "name": project.name, "keys": list(project.keys)}
            for project in reading.projects()
            if all_projects or (runtime.project and project.id == runtime.project.id)
        ],
    }


def _name_target_type(to: str) -> str:
    return "folder" if to in FOLDERS else "file"


def _write_foreign_files(path: str, made: ExportedFiles, *, to: str, force: bool) -> None:
    """Write an export in the format of another tool. In AGENTS.md, only Limpet's block is replaced."""
    if to == "agents-md":
        before = _read_instructions(path)
        after = replace_block(before or b"", made.files[""].split("\n"), os.path.basename(path))
        _write_file(path, after, force=force or before is not None)
    elif to not in FOLDERS:
        _write_file(path, made.files[""], force=force)
    else:
        _make_folder(path, force=force)
        for name, text in made.files.items():
            if "/" in name:
                os.makedirs(os.path.join(path, os.path.dirname(name)), exist_ok=True)
            _write_file(os.path.join(path, *name.split("/")), text, force=force)


def _read_instructions(path: str) -> bytes | None:
    """Return the content of an instruction file, such as AGENTS.md, whose block will be replaced.

    Return None if the file is missing or is not a plain file.
    """
    if not os.path.isfile(path) or system.is_link(path):
        return None
    data = read_file(path, _MOST_INSTRUCTIONS + 1)
    if data is None or len(data) > _MOST_INSTRUCTIONS:
        raise Refused(f"{path} cannot be read or is too large; choose another file, nothing was written")
    return data


def _make_folder(path: str, *, force: bool) -> None:
    if system.is_link(path):
        raise Refused(f"{path} is a symlink; give the name of a plain folder")
    try:
        os.makedirs(os.path.join(path), exist_ok=True)
        if os.listdir(path) and not force:
            raise Refused(f"{path} is not empty; choose another folder or add --force")
        resources = os.path.join(path, "resources")
        if system.is_link(resources):
            raise Refused(f"{resources} is a symlink; remove it, nothing was written")
    except OSError as error:
        raise Refused(f"cannot use the folder {path}: {error.strerror}; choose another one") from error


def normalise_line(record: dict[str, Any], signature: str = LINE_SIGNATURE) -> str:
    """Return the text over which a line's signature is computed: all other fields, sorted by name."""
    return json.dumps({name: value for name, value in record.items() if name != signature}, sort_keys=True)


def _sign_line(runtime: Runtime, record: dict[str, Any]) -> dict[str, Any]:
    found = runtime.signer.sign_line(normalise_line(record))
    return {**record, LINE_SIGNATURE: found} if found else record


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


def shape(answer: ExportAnswer) -> dict[str, Any]:
    said = {
        "path": answer.path,
        "memories": answer.memories,
        "facts": answer.facts,
        "left_out": answer.left_out,
    }
    return said if answer.path is not None else {**said, "records": list(answer.records)}


VERB = Verb(
    run=run,
    shape=shape,
    params=(
        Param(
            name="file",
            help="The file or folder to write; the records are printed if not given.",
            positional=True,
        ),
        Param(name="all", help="Include superseded, forgotten and expired memories.", kind="flag", short="a"),
        PRIVATE,
        Param(name="force", help="Overwrite an existing file.", kind="flag"),
        ALL_PROJECTS,
        Param(
            name="to",
            help="The format: Limpet's own, a bundle of the Open Knowledge Format, the file of MCP server-memory, or "
            "a block in AGENTS.md.",
            kind="choice",
            choices=(OWN, *WRITERS),
            default=OWN,
        ),
    ),
    examples=(
        "limpet export memories.jsonl",
        "limpet export --to okf knowledge",
        "limpet export --to agents-md AGENTS.md",
        "limpet export --all --private --all-projects everything.jsonl",
    ),
)
