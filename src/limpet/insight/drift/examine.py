"""Find statements in instruction files and memories that a diff makes false, and statements that it adds."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from limpet.insight.drift.claims import Cause, Falsehood, find_falsehoods
from limpet.insight.drift.difference import Difference
from limpet.lean.record import record
from limpet.model.memory import Citation, Kind, Memory, Type
from limpet.text.fences import read_fence
from limpet.workspace.citations import hash_lines, split_lines
from limpet.workspace.trees import Tree

INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENT.md", "GEMINI.md", ".cursorrules", ".windsurfrules")
_NAMES = (*INSTRUCTIONS, "copilot-instructions.md", "SKILL.md")
_FOLDERS = (".claude/rules/", ".cursor/rules/", ".windsurf/rules/", ".clinerules/", ".github/instructions/")
_SHARED_MEMORIES = ".claude/ltm/memories/"
_NATIVE_MEMORY = ".claude/memory/MEMORY.md"
_PAST_TYPES = (Type.SESSION_SUMMARY, Type.COMPRESSED_SUMMARY)
_MOST_LINES = 5000
_MAX_BYTES = 1 << 20


@record
class Finding:
    """A statement that a diff makes false: a line of a file, or a memory if `memory` is not None."""

    falsehood: Falsehood
    text: str
    path: str = ""
    line: int = 0
    memory: Memory | None = None


@record
class Addition:
    """A statement that a diff adds: a line of a file, or a memory if `memory` is not None."""

    text: str
    path: str = ""
    line: int = 0
    memory: Memory | None = None


def is_instruction(path: str) -> bool:
    """Tell whether the file at a path contains instructions for agents or a shared memory."""
    return (
        posixpath.basename(path) in _NAMES
        or any(f"/{folder}" in f"/{path}" for folder in _FOLDERS)
        or path == _NATIVE_MEMORY
        or _is_shared_memory(path)
    )


def _is_shared_memory(path: str) -> bool:
    return path.startswith(_SHARED_MEMORIES) and posixpath.basename(path) != "index.md"


def examine_instructions(difference: Difference) -> tuple[list[Finding], list[Addition]]:
    """Return the statements in the instruction files of the head that the diff makes false, and those that it adds."""
    findings: list[Finding] = []
    added: list[Addition] = []
    for path in sorted(path for path, _ in difference.head.walk() if is_instruction(path)):
        old = frozenset(line.strip() for line, _, _ in _read_statements(difference.base, path))
        for line, number, is_code in _read_statements(difference.head, path):
            folder = posixpath.dirname(path)
            findings += [
                Finding(falsehood=each, text=line.strip(), path=path, line=number)
                for each in find_falsehoods(line, difference, folder=folder, is_code=is_code)
            ]
            if line.strip() not in old and not is_code and len(line.split()) >= 4 and not line.startswith("#"):
                added.append(Addition(text=line.strip(), path=path, line=number))
    return findings, added


def _read_statements(tree: Tree, path: str) -> Iterator[tuple[str, int, bool]]:
    """Yield each line of a file that may be a statement, with its number and whether it is in a code block.

    Only the content lines of a shared memory are yielded, because its front matter and summary repeat them.
    """
    lines = list(_read_lines(tree, path))
    if _is_shared_memory(path):
        heading = next((at for at, (line, _, is_code) in enumerate(lines) if line == "## Content" and not is_code), -1)
        lines = lines[heading + 1 :]
    yield from lines


def _read_lines(tree: Tree, path: str) -> Iterator[tuple[str, int, bool]]:
    """Yield each line of a file that is not empty, with its number and whether it is in a code block."""
    data = tree.read(path)
    if data is None or len(data) > _MAX_BYTES or b"\0" in data:
        return
    fence = ""
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines()[:_MOST_LINES], 1):
        was_open, fence = bool(fence), read_fence(line, fence)
        # The marks of a fence are neither text nor code.
        if line.strip() and was_open is bool(fence):
            yield line, number, was_open


def examine_memories(memories: Iterable[Memory], difference: Difference) -> list[Finding]:
    """Return a finding for each part of a memory that a diff makes false.

    Achievements and summaries are left out, because they report the past.
    """
    return [
        Finding(falsehood=each, text=memory.content, memory=memory)
        for memory in memories
        if memory.kind is not Kind.ACHIEVEMENTS and memory.type not in _PAST_TYPES
        for each in _judge_memory(memory, difference)
    ]


def _judge_memory(memory: Memory, difference: Difference) -> list[Falsehood]:
    """Return what a diff makes false in the text and the citations of a memory."""
    found = find_falsehoods(memory.content, difference)
    named = {each.named for each in found}
    for citation in memory.citations:
        why = "" if citation.path in named else judge_citation(citation, difference)
        if why:
            found.append(Falsehood(cause=Cause.SPAN, named=citation.path, why=why))
    return found


def judge_citation(citation: Citation, difference: Difference) -> str:
    """Describe how a diff changes or removes the lines that a memory cites.

    Return an empty string if the lines are unchanged or only moved, if they had already changed before the diff, or if
    the memory cites the whole file.
    """
    before = difference.base.read(citation.path)
    old = split_lines(before) if before is not None else []
    is_fresh = citation.end <= len(old) and hash_lines(old, citation.start, citation.end) == citation.span_hash
    if not is_fresh or (citation.start == 1 and citation.end == len(old)):
        return ""
    after = difference.head.read(citation.path)
    if after is None:
        new_name = difference.find_new_name(citation.path)
        after = difference.head.read(new_name) if new_name else None
        if after is None:
            return f"{citation.path}, which it cites, is removed"
    lines, cited = split_lines(after), old[citation.start - 1 : citation.end]
    if any(lines[at : at + len(cited)] == cited for at in range(len(lines))):
        return ""
    return f"lines {citation.start}-{citation.end} of {citation.path}, which it cites, are changed"
