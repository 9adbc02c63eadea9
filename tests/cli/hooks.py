"""Run the hook program as a host does: by path, with `-I -S`, one payload on standard input."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from limpet.cli import hook

PROGRAM = [sys.executable, "-I", "-S", str(Path(hook.__file__).with_name("run_hook.py"))]


_PATIENCE = {
    "SessionStart": "LIMPET_HOOKS__START_MS",
    "UserPromptSubmit": "LIMPET_HOOKS__PROMPT_MS",
    "UserPromptExpansion": "LIMPET_HOOKS__PROMPT_MS",
}
"""The limits of the events that cost most; they are raised to the highest value, because the machine may be busy."""

SESSION = "11111111-2222-4333-8444-555555555555"


def typed_command(name: str, arguments: str, **fields: object) -> dict[str, object]:
    """Return the record of a command as Claude Code writes it once its hook has run."""
    said = f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n"
    content = f"{said}<command-args>{arguments}</command-args>"
    origin = {"kind": "human"}
    return {"type": "user", "message": {"role": "user", "content": content}, "origin": origin, **fields}


def payload(event: str, **fields: object) -> dict[str, object]:
    return {
        "session_id": SESSION,
        "transcript_path": "/nowhere/transcript.jsonl",
        "hook_event_name": event,
        **fields,
    }


def _limit_files(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Host:
    """A host with a project and a home."""

    file_limit: int | None = None
    """The maximum size in bytes of a file that a hook may write, which is like a full disk."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.project.mkdir(parents=True, exist_ok=True)
        self.environment: dict[str, str] = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(folder),
            "LIMPET_HOME": str(self.home),
            "CLAUDE_PROJECT_DIR": str(self.project),
            "CLAUDECODE": "1",
        }

    def raw(
        self, data: bytes, *arguments: str, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*PROGRAM, *arguments],
            input=data,
            capture_output=True,
            env={**(env or {}), **self.environment},
            cwd=self.project,
            timeout=60,
            check=False,
            preexec_fn=None if self.file_limit is None else partial(_limit_files, self.file_limit),
        )

    def record(self, *records: dict[str, object], session: str = SESSION) -> str:
        """Write records to the transcript of the session, as Claude Code does, and return its path."""
        path = Path(self.environment["HOME"]) / ".claude" / "projects" / "-project" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            for record in records:
                file.write(json.dumps({"sessionId": session, **record}) + "\n")
        return str(path)

    def fire(self, event: str, *arguments: str, **fields: object) -> str:
        """Report an event and return what the hook printed; it must have succeeded without error output."""
        told = {"cwd": str(self.project), **fields}
        # An event with settings of its own is not handed over to a server.
        is_served = (self.home / "http").exists()
        env = {_PATIENCE[event]: "4500"} if event in _PATIENCE and not is_served else {}
        done = self.raw(json.dumps(payload(event, **told)).encode(), *arguments, env=env)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()

    def context(self, event: str, **fields: object) -> str:
        """Return the text that the answer to an event gives the model."""
        printed = self.fire(event, **fields)
        if not printed:
            return ""
        answer = json.loads(printed)["hookSpecificOutput"]
        assert answer["hookEventName"] == event
        text: str = answer["additionalContext"]
        return text

    def limpet(self, *arguments: str) -> str:
        """Run a command of the user in the project, outside the agent, and return its output."""
        environment = {name: value for name, value in self.environment.items() if not name.startswith("CLAUDE")}
        # The same code as the hook program, wherever another copy is installed.
        environment["PYTHONPATH"] = str(Path(hook.__file__).parents[2])
        done = subprocess.run(
            [sys.executable, "-m", "limpet", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            cwd=self.project,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def queued(self) -> list[dict[str, object]]:
        from limpet.queue import files as queue

        return [
            record["payload"]
            for name in queue.list_queue_files(str(self.home))
            for _, record in queue.read(str(self.home), name)
        ]
