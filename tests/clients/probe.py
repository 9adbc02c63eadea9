"""A plugin that does next to nothing: it shows what a client does with any plugin, when Limpet seems at fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PreCompact", "SessionEnd")
GEMINI_EVENTS = ("SessionStart", "BeforeAgent", "AfterTool", "SessionEnd")

HOOK = """\
import json, sys
payload = json.load(sys.stdin)
event = payload["hook_event_name"]
with open(__file__ + ".log", "a") as log:
    log.write(json.dumps(payload) + "\\n")
if event in ("SessionStart", "UserPromptSubmit", "PostToolUseFailure", "BeforeAgent"):
    text = f"probed {event} {payload.get('source', '')}"
    print(json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}))
"""

SERVER = """\
from mcp.server import MCPServer

server = MCPServer("echo")

@server.tool()
def echo(word: str) -> str:
    return f"echoed {word}"

server.run()
"""


class Probe:
    """A marketplace with the one plugin, and what its hook was told."""

    def __init__(self, folder: Path, python: str) -> None:
        self.marketplace = folder
        self.plugin = folder / "probe"
        self.python = python
        self.hook = self._write("hook.py", HOOK)
        self.server = self._write("server.py", SERVER)
        self._write("README.md", "It answers, so that one can see that it was asked.\n")
        author = {"name": "Nobody"}
        about = {"name": "probe", "description": "Answers when asked.", "author": author}
        self._write(".claude-plugin/plugin.json", json.dumps({**about, "version": "1.0.0", "license": "Apache-2.0"}))
        self._write("hooks/hooks.json", json.dumps(self.hooks()))
        self._write(".mcp.json", json.dumps({"mcpServers": {"echo": {**self.mcp(), "alwaysLoad": True}}}))
        market = {
            "name": "tide",
            "description": "For tests.",
            "owner": author,
            "plugins": [{**about, "source": "./probe"}],
        }
        (folder / ".claude-plugin").mkdir()
        (folder / ".claude-plugin" / "marketplace.json").write_text(json.dumps(market), encoding="utf-8")

    def hooks(self, events: tuple[str, ...] = EVENTS) -> dict[str, Any]:
        run = {"type": "command", "command": f'"{self.python}" "{self.hook}"'}
        return {"hooks": {event: [{"hooks": [run]}] for event in events}}

    def mcp(self) -> dict[str, Any]:
        return {"command": self.python, "args": [str(self.server)]}

    def payloads(self) -> list[dict[str, Any]]:
        """Return what the hook read on its standard input, in order."""
        log = Path(f"{self.hook}.log")
        return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []

    @property
    def events(self) -> list[str]:
        return [payload["hook_event_name"] for payload in self.payloads()]

    def _write(self, name: str, text: str) -> Path:
        path = self.plugin / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path
