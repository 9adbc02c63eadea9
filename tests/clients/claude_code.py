"""Drives the real Claude Code: headless, with the scripted model for a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.clients.client import Client
from tests.clients.model import Model

# Without these the client also looks for updates, reports on itself, and keeps a memory of its own.
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
        """As a person does it: `NAME@MARKETPLACE` from a marketplace that is a folder."""
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
        """A whole headless session: what it reports of itself at the end."""
        words = ["-p", prompt, "--output-format", "json", *options]
        if allowed:
            words += ["--allowedTools", ",".join(allowed)]
        done = self.run(*words, cwd=cwd, env=env)
        assert done.code == 0, done
        return {**done.json, "stderr": done.err}

    def transcript(self, session: str) -> str:
        """What the client itself wrote down of a session, hooks and their fate included."""
        (found,) = self.config.glob(f"projects/*/{session}.jsonl")
        return found.read_text(encoding="utf-8")
