"""Recorded sessions of Claude Code in the home of a sandbox, written as prompts, commands and edits."""

from __future__ import annotations

from typing import Any

from tests.hosts.recorded import call, entry, result, write_lines
from tests.operations.sandbox import Sandbox

Step = tuple[str, str]


def record_session(sandbox: Sandbox, session: str, *steps: Step, day: int = 15, **more: Any) -> None:
    """Record a session of the sandbox's project: `user` prompts, `runs` and `edits`, and `uses` for another tool."""
    about: dict[str, Any] = {"sessionId": session, "cwd": str(sandbox.project), "entrypoint": "cli", **more}
    lines = []
    for number, (what, value) in enumerate(steps):
        second = number * 10
        match what:
            case "user":
                lines.append(entry("user", value, second=second, **about))
                continue
            case "runs" | "fails":
                made = call("Bash", {"command": value}, id=f"c{number}", second=second, **about)
            case "edits":
                given = {"file_path": str(sandbox.project / value), "old_string": "a", "new_string": "b"}
                made = call("Edit", given, id=f"c{number}", second=second, **about)
            case _:
                made = call(value, {"query": "x"}, id=f"c{number}", second=second, **about)
        lines += [made, result("ok", id=f"c{number}", second=second + 1, failed=what == "fails", **about)]
    for line in lines:
        line["timestamp"] = line["timestamp"].replace("11-15", f"11-{day:02}")
    write_lines(sandbox.folder / "nobody" / ".claude" / "projects" / "-p" / f"{session}.jsonl", lines)
