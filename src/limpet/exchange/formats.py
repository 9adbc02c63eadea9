"""Render memories and facts in the formats of other tools.

Agent clients load Limpet's block in AGENTS.md into every session. So these contain
only memories that the governor, which decides what a model may see, allows at the start of a session. The other formats
contain every selected memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime

from limpet.doors.governor import Passed, Way, govern
from limpet.guard.neutral import neutralise
from limpet.hosts.instruction_files import END, START
from limpet.imports.note_tools import FACT_TYPE
from limpet.lean.record import pick, record
from limpet.model.codec import format_time
from limpet.model.fact import Fact
from limpet.model.memory import Kind, Memory, Origin, Tier
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
class ExportedFiles:
    """The texts of the exported files, by file name, and how many memories and facts they contain.

    If the export is a single file, its name is an empty string, because the user chooses it.
    """

    files: dict[str, str]
    memories: int
    facts: int = 0


def write_okf(memories: Sequence[Stored], facts: Sequence[Fact], now: datetime) -> ExportedFiles:
    """Render a bundle in the Open Knowledge Format, with a markdown file for each memory and each fact."""
    files = {f"{stored.memory.id}.md": _render_concept(stored.memory) for stored in memories}
    listed = [f"* [{stored.memory.title or stored.memory.id}]({stored.memory.id}.md)" for stored in memories]
    index = "# Memories\n\n" + "\n".join(listed) + "\n"
    if facts:
        known = frozenset(files)
        files |= {f"{fact.id}.md": _render_fact(fact, known) for fact in facts}
        listed = [f"* [{_state_fact(fact)}]({fact.id}.md)" for fact in facts]
        index += "\n# Facts\n\n" + "\n".join(listed) + "\n"
    files["index.md"] = index
    return ExportedFiles(files=files, memories=len(memories), facts=len(facts))


def _render_fact(fact: Fact, known: frozenset[str]) -> str:
    """Render the file for a fact. Sources are left out if their files are not among the `known` files of the bundle."""
    sources = [f"{source}.md" for source in fact.sources if f"{source}.md" in known]
    head = _render_head(
        type=FACT_TYPE,
        title=_state_fact(fact),
        generated={"by": _name_maker(fact.origin), "at": format_time(fact.valid_from)},
        sources=[{"resource": source} for source in sources],
        **pick(fact, "subject", "predicate", "object", "confidence"),
    )
    links = "".join(f"\nSource: [{source}]({source})\n" for source in sources)
    return f"{head}\n{_state_fact(fact)}\n{links}"


def _state_fact(fact: Fact) -> str:
    return f"{fact.subject} {fact.predicate} {fact.object}"


def _render_concept(memory: Memory) -> str:
    maker = Origin.USER if memory.effective_origin is Origin.USER else memory.origin
    head = _render_head(
        type=memory.type.value,
        title=memory.title,
        description=memory.subtitle,
        tags=list(memory.tags),
        generated={"by": _name_maker(maker), "at": format_time(memory.updated_at)},
        verified=[{"by": "human:owner"}] if memory.confirmed else None,
        status="draft" if memory.tier is Tier.NOTED else "stable",
        stale_after=format_time(memory.expires_at) if memory.expires_at else None,
        sources=[{"resource": each.path} for each in memory.citations],
        kind=memory.kind.value,
        impact=memory.impact.value,
    )
    return f"{head}\n{memory.content}\n"


def _name_maker(origin: Origin | None) -> str:
    return "human:owner" if origin is Origin.USER else f"limpet/{origin.value if origin else 'unknown'}"


def _render_head(**fields: object) -> str:
    """Render the fields that have a value as YAML front matter."""
    # JSON is valid YAML in which every value has a definite type.
    head = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in fields.items() if value)
    return f"---\n{head}---\n"


def write_server_memory(memories: Sequence[Stored], facts: Sequence[Fact], now: datetime) -> ExportedFiles:
    """Render JSON lines for the MCP server `server-memory`.

    Each title becomes an entity, each memory an observation of the entity, and each fact a relation.
    """
    entities: dict[str, tuple[str, list[str]]] = {}
    for stored in memories:
        memory = stored.memory
        _, observations = entities.setdefault(memory.title or memory.id, (memory.kind.value.lower(), []))
        observations.append(memory.content)
    for name in (each for fact in facts for each in (fact.subject, fact.object)):
        entities.setdefault(name, ("subject", []))
    rows: list[dict[str, object]] = [
        {"type": "entity", "name": name, "entityType": kind, "observations": observations}
        for name, (kind, observations) in entities.items()
    ]
    rows += [
        {"type": "relation", "from": fact.subject, "to": fact.object, "relationType": fact.predicate} for fact in facts
    ]
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    return ExportedFiles(files={"": text}, memories=len(memories), facts=len(facts))


def write_block(memories: Sequence[Stored], facts: Sequence[Fact], now: datetime) -> ExportedFiles:
    """Render the block for an instruction file such as AGENTS.md, with at most `MOST_LINES` lines.

    It has the memories that may be shown at the start of a session, grouped by kind. The first memory of a group takes
    up three lines: an empty line, a heading and its text.
    """
    groups: dict[Kind, list[str]] = {}
    count, room = 0, MOST_LINES - 3
    for stored in sorted(memories, key=lambda stored: (-stored.memory.impact.rank, stored.memory.id)):
        passed = govern(stored, way=Way.START, now=now)
        kind = stored.memory.kind
        cost = 1 if kind in groups else 3
        # A memory that must be quoted is skipped: it needs a label that these files have no place for.
        if isinstance(passed, Passed) and not passed.quoted and cost <= room:
            line = clip(neutralise(passed.text, one_line=True), _LONGEST)
            groups.setdefault(kind, []).append(f"- {line}")
            count, room = count + 1, room - cost
    lines = [START, "# Project Memory (written by `limpet export`)"]
    for kind, heading in _HEADINGS.items():
        if kind in groups:
            lines += ["", f"## {heading}", *groups[kind]]
    return ExportedFiles(files={"": "\n".join((*lines, END))}, memories=count)


WRITERS: dict[str, Callable[[Sequence[Stored], Sequence[Fact], datetime], ExportedFiles]] = {
    "okf": write_okf,
    "server-memory": write_server_memory,
    "agents-md": write_block,
}
FOLDERS = ("okf",)
"""The formats that consist of several files in a folder."""
