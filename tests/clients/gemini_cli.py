"""Drive the real Gemini CLI, headless, with the scripted model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.clients.client import Client
from tests.clients.model import Model

# With a named model the client does not ask a smaller one which to take.
MODEL = "gemini-2.5-pro"


class GeminiCli(Client):
    name = "gemini-cli"

    def __init__(self, folder: Path, model: Model) -> None:
        super().__init__(folder, model)
        self.config = self.home / ".gemini"
        self.config.mkdir()
        self.environment |= {
            "GEMINI_API_KEY": "scripted",
            "GOOGLE_GEMINI_BASE_URL": model.url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        self.write_settings({"security": {"auth": {"selectedType": "gemini-api-key"}}})

    @property
    def settings(self) -> Path:
        return self.config / "settings.json"

    def write_settings(self, more: dict[str, Any]) -> None:
        before = json.loads(self.settings.read_text(encoding="utf-8")) if self.settings.exists() else {}
        self.settings.write_text(json.dumps({**before, **more}, indent=2) + "\n", encoding="utf-8")

    def session(self, prompt: str, *, cwd: Path | None = None, resume: bool = False) -> Any:
        """Run a whole headless session, or go on with the last one, and return what it reports at the end."""
        words = ["--model", MODEL, "--approval-mode", "yolo", "--output-format", "json"]
        words += ["--resume", "latest"] if resume else []
        done = self.run("-p", prompt, *words, cwd=cwd)
        assert done.code == 0, done
        return done.json
