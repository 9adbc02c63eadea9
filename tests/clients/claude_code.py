"""Drive the real Claude Code, headless, with the scripted model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.clients.client import Client
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

    def transcript(self, session: str) -> str:
        """Return the client's own record of a session, with its hooks and their results."""
        (found,) = self.config.glob(f"projects/*/{session}.jsonl")
        return found.read_text(encoding="utf-8")
