"""Drives the real Codex: headless, with the scripted model for a model."""

from __future__ import annotations

from pathlib import Path

from tests.clients.client import Client, Done
from tests.clients.model import Model

PROVIDER = """\
model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
"""


class Codex(Client):
    name = "codex"

    def __init__(self, folder: Path, model: Model) -> None:
        super().__init__(folder, model)
        self.config = self.home / ".codex"
        self.config.mkdir()
        self.environment |= {"CODEX_HOME": str(self.config), "SCRIPTED_KEY": "scripted"}
        self.settings.write_text(PROVIDER.format(url=model.url), encoding="utf-8")

    @property
    def settings(self) -> Path:
        return self.config / "config.toml"

    def session(self, prompt: str, *, cwd: Path | None = None) -> Done:
        # A person is asked once whether the hooks may run; nobody is here to answer.
        words = ("--skip-git-repo-check", "--json", "--dangerously-bypass-hook-trust")
        done = self.run("exec", *words, prompt, cwd=cwd)
        assert done.code == 0, done
        return done
