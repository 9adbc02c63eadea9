"""Drive the real Claude Code, headless, with the scripted model."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.clients.client import TIMEOUT, Client
from tests.clients.installed import program
from tests.clients.model import Model

# Without these the client also looks for updates, reports on itself, and keeps its own memory.
QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
}


class ClaudeCode(Client):
    name = "claude-code"

    def __init__(self, folder: Path, model: Model) -> None:
        super().__init__(folder, model)
        self.config = self.home / ".claude"
        self.environment |= {
            # Its usual folder below /tmp may belong to another user.
            "CLAUDE_CODE_TMPDIR": str(self.folder),
            **QUIET,
            "CLAUDE_CONFIG_DIR": str(self.config),
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "scripted",
        }

    def install(self, marketplace: Path, plugin: str) -> None:
        """Install as a person does it: `NAME@MARKETPLACE` from a marketplace that is a folder."""
        for words in (("marketplace", "add", str(marketplace)), ("install", plugin)):
            done = self.run("plugin", *words)
            assert done.code == 0, done

    def session(
        self,
        prompt: str,
        *,
        allowed: Sequence[str] = (),
        options: Sequence[str] = (),
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Any:
        """Run a whole headless session and return what it reports at the end."""
        words = ["-p", prompt, "--output-format", "json", *options]
        if allowed:
            words += ["--allowedTools", ",".join(allowed)]
        done = self.run(*words, cwd=cwd, env=env)
        assert done.code == 0, done
        return {**done.json, "stderr": done.err}

    def conversation(self, *prompts: str, allowed: Sequence[str] = ()) -> None:
        """Run one session of several turns; each prompt is sent when the one before has been answered.

        It has no MCP server: this client does not wait for one here, and tools that join late change every request.
        """
        words = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        words += ["--strict-mcp-config"]
        with subprocess.Popen(
            [program(self.name), *words, "--allowedTools", ",".join(allowed)],
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as client:
            assert client.stdin is not None and client.stdout is not None
            for prompt in prompts:
                said = {"type": "user", "message": {"role": "user", "content": prompt}}
                client.stdin.write(f"{json.dumps(said)}\n")
                client.stdin.flush()
                for line in client.stdout:
                    if json.loads(line).get("type") == "result":
                        break
            client.stdin.close()
            client.stdout.read()
            assert client.wait(TIMEOUT) == 0

    def transcript(self, session: str) -> str:
        """Return the client's own record of a session, with its hooks and their results."""
        (found,) = self.config.glob(f"projects/*/{session}.jsonl")
        return found.read_text(encoding="utf-8")
