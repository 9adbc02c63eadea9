"""Drive the real Codex, headless, with the scripted model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomlkit

from tests.clients.client import Client, Done
from tests.clients.model import Model

PROVIDER = """\
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

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

    def wait_for_server(self, name: str) -> None:
        """Make Codex wait for a server: it would otherwise begin without the tools of a slow one."""
        settings = tomlkit.parse(self.settings.read_text(encoding="utf-8"))
        server: Any = settings["mcp_servers"]
        server[name]["required"] = True
        self.settings.write_text(tomlkit.dumps(settings), encoding="utf-8")

    def session(self, prompt: str, *, cwd: Path | None = None, resume: bool = False) -> Done:
        """Run a whole headless session, or go on with the last one."""
        # Codex asks a person once whether the hooks may run; a headless session cannot answer.
        words = ("--skip-git-repo-check", "--json", "--dangerously-bypass-hook-trust")
        done = self.run("exec", *words, *(("resume", "--last") if resume else ()), prompt, cwd=cwd)
        assert done.code == 0, done
        return done
