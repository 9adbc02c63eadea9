"""The recordings of real clients, and small ways to make sessions like them."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from limpet.hosts.transcript import LocatedEvent

HERE = Path(__file__).parent / "recordings"
AT = datetime(2026, 11, 15, 12, tzinfo=UTC)
SESSION = "5d1fc93b-8e86-47e3-8415-933986eb78e4"
AGENT = "aaa848be4ee852466"


def payloads(of: str = "hook") -> dict[str, dict[str, Any]]:
    """Return the payloads of a host by the name of their event; without a host, those of Claude Code."""
    found: dict[str, dict[str, Any]] = json.loads((HERE / f"{of}_payloads.json").read_text("utf-8"))
    return found


def config_folder(home: Path) -> Path:
    """Put the recorded transcripts where Claude Code keeps them."""
    project = home / "projects" / "-home-dev-project"
    agents = project / SESSION / "subagents"
    agents.mkdir(parents=True)
    shutil.copy(HERE / "compact.jsonl", project / "5e1f4db6-0d56-4e2d-9fa9-64ae90af9e59.jsonl")
    shutil.copy(HERE / "subagent.jsonl", project / f"{SESSION}.jsonl")
    shutil.copy(HERE / "subagent.agent.jsonl", agents / f"agent-{AGENT}.jsonl")
    (agents / f"agent-{AGENT}.meta.json").write_text('{"agentType": "general-purpose"}', "utf-8")
    return home


def write_lines(path: Path, records: list[Any]) -> Path:
    """Write one JSON value a line, without the spaces that clients do not write; a text is written as it is."""
    lines = [each if isinstance(each, str) else json.dumps(each, separators=(",", ":")) for each in records]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def entry(kind: str, content: Any, *, second: int = 0, **more: Any) -> dict[str, Any]:
    """Return a record as Claude Code writes it, with `type` among its first fields."""
    return {
        "parentUuid": None,
        "isSidechain": False,
        "type": kind,
        "message": {"role": kind, "id": f"msg_{second}", "content": content},
        "uuid": f"uuid-{second}",
        "timestamp": f"2026-11-15T05:{second // 60:02}:{second % 60:02}.000Z",
        "cwd": "/home/dev/project",
        "sessionId": "s-1",
        "gitBranch": "feature/x",
        **more,
    }


def call(name: str, given: Any, *, id: str, second: int = 0, **more: Any) -> dict[str, Any]:
    return entry("assistant", [{"type": "tool_use", "id": id, "name": name, "input": given}], second=second, **more)


def result(content: Any, *, id: str, second: int = 0, failed: bool = False, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": failed}
    return entry("user", [block], second=second, **more)


def kinds(events: list[LocatedEvent]) -> list[str]:
    return [type(each.event).__name__ for each in events]
