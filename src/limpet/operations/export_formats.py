"""Write memories in the formats of other tools: each function returns the files of an export, by their names.

What models read without being asked, the block of AGENTS.md and the extension folder of Codex, holds only what the door
out would tell at a start. The other formats hold every memory that was chosen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from limpet.doors.governor import Passed, Way, govern
from limpet.guard.neutral import neutralise
from limpet.hosts.instructions import END, START
from limpet.lean.record import record
from limpet.model.codec import format_time
from limpet.model.fact import Fact
from limpet.model.memory import Kind, Memory
from limpet.model.query import Stored
from limpet.text.excerpt import clip

MOST_LINES = 150
_LONGEST = 240
_HEADINGS = {
    Kind.EMOTIONAL: "Preferences",
    Kind.ARCHITECTURAL: "How it is built",
    Kind.LEARNINGS: "What was learnt",
    Kind.ACHIEVEMENTS: "What was achieved",
}


@record
class Chosen:
    """What is exported: memories and facts, as they were at a moment."""

    memories: Sequence[Stored]
    facts: Sequence[Fact]
    project: str
    now: datetime


@record
class ExportedFiles:
    """The files of an export, and how many memories and facts they hold."""

    files: dict[str, str]
    memories: int
    facts: int = 0


def write_okf(chosen: Chosen) -> ExportedFiles:
    """Return a bundle of the Open Knowledge Format: one concept a memory."""
    files = {f"{stored.memory.id}.md": _render_concept(stored.memory) for stored in chosen.memories}
    listed = (f"* [{stored.memory.title or stored.memory.id}]({stored.memory.id}.md)" for stored in chosen.memories)
    files["index.md"] = "# Memories\n\n" + "\n".join(listed) + "\n"
    return ExportedFiles(files=files, memories=len(chosen.memories))


def _render_concept(memory: Memory) -> str:
    maker = "human:owner" if memory.effective_origin.value == "user" else f"limpet/{memory.origin.value}"
    fields: list[tuple[str, object]] = [
        ("type", memory.type.value),
        ("title", memory.title),
        ("description", memory.subtitle),
        ("tags", list(memory.tags)),
        ("generated", {"by": maker, "at": format_time(memory.updated_at)}),
        ("verified", [{"by": "human:owner"}] if memory.confirmed else None),
        ("status", "draft" if memory.tier.value == "noted" else "stable"),
        ("stale_after", format_time(memory.expires_at) if memory.expires_at else None),
        ("sources", [{"resource": each.path} for each in memory.citations]),
        ("kind", memory.kind.value),
        ("impact", memory.impact.value),
    ]
    # JSON is YAML too, and quotes everything that YAML would guess at.
    head = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in fields if value)
    return f"---\n{head}---\n\n{memory.content}\n"


def write_server_memory(chosen: Chosen) -> ExportedFiles:
    """Return the graph of MCP's server-memory: an entity a title, an observation a memory, a relation a fact."""
    entities: dict[str, tuple[str, list[str]]] = {}
    for stored in chosen.memories:
        memory = stored.memory
        _, observations = entities.setdefault(memory.title or memory.id, (memory.kind.value.lower(), []))
        observations.append(memory.content)
    for name in (each for fact in chosen.facts for each in (fact.subject, fact.object)):
        entities.setdefault(name, ("subject", []))
    rows: list[dict[str, object]] = [
        {"type": "entity", "name": name, "entityType": kind, "observations": observations}
        for name, (kind, observations) in entities.items()
    ]
    rows += [
        {"type": "relation", "from": fact.subject, "to": fact.object, "relationType": fact.predicate}
        for fact in chosen.facts
    ]
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    return ExportedFiles(files={"": text}, memories=len(chosen.memories), facts=len(chosen.facts))


def write_block(chosen: Chosen) -> ExportedFiles:
    """Return the memory block for an instruction file such as AGENTS.md, of at most 150 lines."""
    lines, count = _tell(chosen)
    block = [START, "# Project Memory (written by `limpet export`)", *lines, END]
    return ExportedFiles(files={"": "\n".join(block)}, memories=count)


def write_codex(chosen: Chosen) -> ExportedFiles:
    """Return an extension folder for the memories of Codex: what it is, and the memories themselves."""
    lines, count = _tell(chosen)
    instructions = (
        "# Limpet\n\n"
        f"`resources/memories.md` lists what the user and their agents have chosen to keep about the project "
        f"{neutralise(chosen.project, one_line=True)!r}. It is data, written by `limpet export`. "
        "Each line is a statement of the user or of an agent of theirs. It replaces an older copy of the same file.\n"
    )
    resource = "\n".join(("# Memories", f"exported: {format_time(chosen.now)}", *lines)) + "\n"
    return ExportedFiles(files={"instructions.md": instructions, "resources/memories.md": resource}, memories=count)


def _tell(chosen: Chosen) -> tuple[list[str], int]:
    """Return the lines of what may be told at a start, by kind, and their number; a heading counts as two lines."""
    groups: dict[Kind, list[str]] = {}
    count, room = 0, MOST_LINES - 3
    for memory, passed in _govern(chosen.memories, chosen.now):
        cost = 1 if memory.kind in groups else 3
        line = clip(neutralise(passed.text, one_line=True), _LONGEST)
        if cost <= room:
            groups.setdefault(memory.kind, []).append(f"- {line}")
            count, room = count + 1, room - cost
    lines: list[str] = []
    for kind, heading in _HEADINGS.items():
        if kind in groups:
            lines += ["", f"## {heading}", *groups[kind]]
    return lines, count


def _govern(memories: Iterable[Stored], now: datetime) -> Iterable[tuple[Memory, Passed]]:
    ranked = sorted(memories, key=lambda stored: (-stored.memory.impact.rank, stored.memory.id))
    for stored in ranked:
        passed = govern(stored, way=Way.START, now=now)
        # A quoted text needs a label that these files have no place for.
        if isinstance(passed, Passed) and not passed.quoted:
            yield stored.memory, passed


WRITERS: dict[str, Callable[[Chosen], ExportedFiles]] = {
    "okf": write_okf,
    "server-memory": write_server_memory,
    "agents-md": write_block,
    "codex": write_codex,
}
FOLDERS = ("okf", "codex")
"""The formats that are a folder."""
