"""Define the lines of Limpet's export, and read them: a header, then a memory or a fact a line, each a JSON object.

The file may come from anyone, so each line is checked by itself. A line may carry a signature over all its fields.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator

from limpet.curating.facts import clean_parts
from limpet.errors import UsageError
from limpet.lean.record import record, replace
from limpet.model.change import Status
from limpet.model.codec import decode_fact, decode_memory
from limpet.model.fact import Fact
from limpet.model.ids import is_body
from limpet.model.memory import Memory, Origin, Region
from limpet.model.query import Stored
from limpet.model.signature import Verdict
from limpet.runtime import Runtime
from limpet.system import read_regular
from limpet.text.excerpt import quote
from limpet.workspace import make_slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = "limpet-export"
VERSION = 1
PROJECT = re.compile(r"prj_[0-9a-z]{1,64}")
MAX_LINE = 8_000_000
MAX_FILE = 2 << 30
_SIGNATURE = "line_signature"
"""The name of a line's signature field. The signature proves that the line was exported with the user's key."""
_FORMER_SIGNATURE = "seal"
"""The name of the signature field in exports from older versions of Limpet."""


@record
class ExportLine:
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


def sign_line(runtime: Runtime, record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with a signature over all its fields, if there is a key."""
    found = runtime.signer.sign_line(_normalise_line(record, _SIGNATURE))
    return {**record, _SIGNATURE: found} if found else record


def is_signed_line(runtime: Runtime, record: dict[str, Any]) -> bool:
    """Tell whether a line of an export is validly signed with a key of this machine."""
    field = _SIGNATURE if _SIGNATURE in record else _FORMER_SIGNATURE
    return runtime.signer.is_signed_line(_normalise_line(record, field), record.get(field))


def _normalise_line(record: dict[str, Any], signature: str) -> str:
    """Return the text over which a line's signature is computed: all other fields, sorted by name."""
    return json.dumps({name: value for name, value in record.items() if name != signature}, sort_keys=True)


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


def read_header(path: str) -> dict[str, Any]:
    """Return the first line of an export, which describes the file; raise UsageError if it is not valid."""
    _, row = next(_read_rows(path))
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


def read_export(
    runtime: Runtime, path: str, problems: list[str], *, agent: str | None, here: bool
) -> Iterator[ExportLine]:
    """Yield the valid lines of an export after the header; add a sentence to `problems` for each other line.

    If `agent` is given, all memories and facts are given to it; if `here` is set, those of projects to this project.
    """
    for number, row in _read_rows(path):
        if number == 1 or (row is not None and not row.strip()):
            continue
        try:
            line = _parse_line(runtime, number, row, agent=agent, here=here)
        except (ValueError, TypeError, OverflowError) as error:
            problems.append(f"line {number}: {error}")
        else:
            yield line


def _read_rows(path: str) -> Iterator[tuple[int, bytes | None]]:
    """Yield the number and the content of each line; the content is None if the line is too long to be loaded."""
    try:
        info = os.stat(path)
        if not stat.S_ISREG(info.st_mode):
            raise UsageError(f"{path} is not a plain file; give an export made by `limpet export`")
        if info.st_size > MAX_FILE:
            raise UsageError(f"{path} has {info.st_size:,} bytes; split it into files of less than {MAX_FILE:,}")
        if info.st_size == 0:
            raise UsageError(f"{path} is empty; give an export made by `limpet export`")
        with open(path, "rb") as file:
            number = 0
            while row := file.readline(MAX_LINE + 1):
                number += 1
                is_whole = len(row) <= MAX_LINE
                yield number, row if is_whole else None
                while not is_whole and row and not row.endswith(b"\n"):
                    row = file.readline(MAX_LINE)
    except OSError as error:
        raise UsageError(f"cannot read {path!r}: {error.strerror}; check its path and mode") from None


def _parse_line(runtime: Runtime, number: int, row: bytes | None, *, agent: str | None, here: bool) -> ExportLine:
    """Return a line with its memory or fact.

    Raise ValueError if it is not valid, if its signature is wrong, or if it belongs to another agent.
    """
    if row is None:
        raise ValueError(f"longer than {MAX_LINE:,} bytes")
    try:
        record = json.loads(row)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    record = _require_object(record)
    project = runtime.project.id if runtime.project else None
    if "memory" in record:
        memory = _check_memory(decode_memory(_require_object(record["memory"])))
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
        authentic = verdict is Verdict.GOOD and moved == memory
        is_signed = authentic and is_signed_line(runtime, record)
        line = ExportLine(number=number, memory=moved, status=status, authentic=authentic, is_signed=is_signed)
        owner = moved.agent
    elif "fact" in record:
        fact = _check_fact(decode_fact(_require_object(record["fact"])))
        fact = replace(fact, agent=agent or fact.agent, project=project if here and fact.project else fact.project)
        line, owner = ExportLine(number=number, fact=fact), fact.agent
    else:
        raise ValueError("neither a memory nor a fact")
    if owner != runtime.agent_id and agent is None:
        raise ValueError(
            f"it belongs to the agent {owner!r}; read it with --agent {owner}, "
            f"or give it to {runtime.agent_id!r} with --remap-agent {runtime.agent_id}"
        )
    return line


def _require_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def is_id(text: str, prefix: str = "mem_") -> bool:
    """Tell whether a text has the form of an id with this prefix."""
    return text.startswith(prefix) and is_body(text.removeprefix(prefix))


def _check_memory(memory: Memory) -> Memory:
    """Return the memory; raise ValueError if an id in it is malformed, because ids become file names and keys."""
    for name in ("id", "corrects", "previous_memory_id", "superseded_by"):
        value = getattr(memory, name)
        if value is not None and not is_id(value):
            raise ValueError(f"{name} is not a memory id")
    if not all(map(is_id, memory.lineage)):
        raise ValueError("lineage holds something that is not a memory id")
    if memory.corrects and memory.corrects not in memory.lineage:
        raise ValueError("corrects is not in its lineage")
    if make_slug(memory.agent) != memory.agent:
        raise ValueError("agent is not an agent's id")
    if memory.region is Region.PROJECT and not PROJECT.fullmatch(memory.project or "") and not memory.app:
        raise ValueError("a memory of a project must name it")
    return memory


def _check_fact(fact: Fact) -> Fact:
    """Return the fact with clean words and the trust of an import; raise ValueError if it is malformed."""
    if not is_id(fact.id, "fact_") or not all(map(is_id, fact.sources)):
        raise ValueError("its id or the id of a source is malformed")
    if fact.closed_by is not None and not is_id(fact.closed_by, "fact_"):
        raise ValueError("closed_by is not the id of a fact")
    if make_slug(fact.agent) != fact.agent or (fact.project is not None and not PROJECT.fullmatch(fact.project)):
        raise ValueError("its agent or project id is malformed")
    words, _ = clean_parts(fact.subject, fact.predicate, fact.object)
    # Facts are not signed, so the origin in the file cannot be trusted.
    return replace(fact, **words, origin=Origin.lowest((fact.origin or Origin.IMPORT, Origin.IMPORT)))
