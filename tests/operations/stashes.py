"""Stashes and friction reports that a project may hold, for the tests of distilling."""

from __future__ import annotations

import json
from pathlib import Path

from limpet.insight.authorship import record_file
from tests.operations.sandbox import Sandbox

STASH = """# Reference counts

## Goal
Show reference counts while editing without slowing the editor down.

## Done
- Tried a text fallback while the language server was cold, which caused noise from keyword extraction.
- Edited src/lsp/hook.py and ran the tests.
- The count is only shown when the language server works.

## Decisions
- We chose a queue over threads because locks were hard to test.
- Never mix two search strategies in the same code path.
- The handler lives in src/lsp/hook.py, line 42.

## Errors
- TypeError: cannot read property of undefined

## Open
- Measure the latency on a large repository.
"""


def write_stash(
    sandbox: Sandbox, name: str, text: str = STASH, *, day: str = "2026-02-03", is_own: bool = True
) -> Path:
    """Write a stash, as `limpet stash` writes it, or as somebody else does."""
    folder = sandbox.project / ".claude" / "stash"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.md"
    path.write_text(f"---\ndate: {day}\n---\n{text}", "utf-8")
    if is_own:
        record_file(str(sandbox.home), path.read_bytes())
    return path


def write_objections(sandbox: Sandbox, *said: tuple[str, str]) -> None:
    """Write a report, as `limpet friction` writes it: what the user said, and in which conversation."""
    folder = sandbox.project / ".claude" / "friction"
    folder.mkdir(parents=True, exist_ok=True)
    found = [
        {"anchor_signal": "user_negation", "conversation": where, "user_context": ["add a retry", text]}
        for where, text in said
    ]
    path = folder / "antigen_candidates.json"
    path.write_text(json.dumps(found), "utf-8")
    record_file(str(sandbox.home), path.read_bytes())


def memory_text(sandbox: Sandbox) -> str:
    return (sandbox.project / ".claude" / "memory" / "MEMORY.md").read_text("utf-8")


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
