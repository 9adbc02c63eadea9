"""Write memories to a file that `import` reads: one JSON object per line; the first line describes the file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from datetime import datetime

from limpet import __version__, system
from limpet.errors import Refused, UsageError
from limpet.lean.record import record, replace
from limpet.model.change import Status
from limpet.model.codec import encode_fact, encode_memory, format_time
from limpet.model.memory import Sensitivity
from limpet.model.query import EVERY_STATUS, NO_LIMIT, Query
from limpet.operations.catalogue import Param, Verb
from limpet.operations.facts import is_shown, judge_fact
from limpet.operations.parameters import ALL_PROJECTS, PRIVATE
from limpet.operations.permissions import visible_sensitivities
from limpet.runtime import Runtime
from limpet.store.protocol import FactQuery

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = "limpet-export"
VERSION = 1
SEAL = "seal"
"""The field of a line that proves which home exported it."""


@record
class ExportAnswer:
    """The result of an export; `records` are the lines of the file."""

    path: str | None
    records: tuple[dict[str, Any], ...]
    memories: int
    facts: int
    left_out: int
    """How many private memories were left out."""

    @property
    def lines(self) -> Iterator[str]:
        """Return the lines of the file."""
        return (json.dumps(record, ensure_ascii=False) for record in self.records)


def run(
    runtime: Runtime,
    *,
    file: str | None = None,
    all: bool = False,
    private: bool = False,
    force: bool = False,
    all_projects: bool = False,
) -> ExportAnswer:
    scope = runtime.scope(every_project=all_projects)
    statuses: tuple[Status, ...] = EVERY_STATUS if all else (Status.LIVE,)
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
        statuses=statuses,
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
    header = {
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

    def records() -> Iterator[dict[str, Any]]:
        yield _seal(runtime, header)
        for stored in memories:
            yield _seal(runtime, {"memory": encode_memory(stored.memory), "status": stored.status.value})
        for fact in facts:
            yield _seal(runtime, {"fact": encode_fact(fact)})

    exported = ExportAnswer(
        path=file,
        records=tuple(records()),
        memories=len(memories),
        facts=len(facts),
        left_out=max(0, whole - len(memories)),
    )
    if file is not None:
        _write(file, exported.lines, force=force)
    return exported


def sealed_text(record: dict[str, Any]) -> str:
    """Return the text over which the seal of a line is computed: the whole line without the seal, normalised."""
    return json.dumps({name: value for name, value in record.items() if name != SEAL}, sort_keys=True)


def _seal(runtime: Runtime, record: dict[str, Any]) -> dict[str, Any]:
    found = runtime.signer.seal(sealed_text(record))
    return {**record, SEAL: found} if found else record


def _write(path: str, lines: Iterable[str], *, force: bool) -> None:
    """Write a file with access for its owner only. Symlinks are refused; a file is overwritten only with `force`."""
    if not path or "\0" in path:
        raise UsageError(f"{path!r} is not the name of a file; give one")
    if system.is_link(path):
        raise Refused(f"{path} is a symlink; give the name of a plain file")
    if os.path.isdir(path):
        raise UsageError(f"{path} is a folder; give the name of a file in it")
    if os.path.exists(path) and not os.path.isfile(path):
        raise Refused(f"{path} is not a plain file; give the name of one")
    if os.path.exists(path) and not force:
        raise Refused(f"{path} exists; choose another name or add --force")
    data = "".join(f"{line}\n" for line in lines).encode()
    try:
        system.write_atomically(os.path.abspath(path), data)
    except OSError as error:
        raise Refused(f"cannot write {path}: {error.strerror}; choose another place") from error


def to_json(answer: ExportAnswer, now: datetime) -> dict[str, Any]:
    said = {
        "path": answer.path,
        "memories": answer.memories,
        "facts": answer.facts,
        "left_out": answer.left_out,
    }
    return said if answer.path is not None else {**said, "records": list(answer.records)}


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(
        Param(
            name="file", help="The file to write; without one, the answer is the records themselves.", positional=True
        ),
        Param(name="all", help="Include superseded, forgotten and expired ones.", kind="flag", short="a"),
        PRIVATE,
        Param(name="force", help="Overwrite an existing file.", kind="flag"),
        ALL_PROJECTS,
    ),
    examples=("limpet export memories.jsonl", "limpet export --all --private --all-projects everything.jsonl"),
)
