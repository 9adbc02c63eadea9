"""The real clients do with any hook and any server what the tests of Limpet inside them take for granted."""

from __future__ import annotations

import json

from tests.clients.claude_code import ClaudeCode
from tests.clients.codex import Codex
from tests.clients.gemini_cli import GeminiCli
from tests.clients.installed import needs
from tests.clients.model import SUMMARY, Model
from tests.clients.probe import GEMINI_EVENTS, Probe
from tests.clients.wire.turn import Call, Say

ECHO = "mcp__plugin_probe_echo__echo"
FULL = 990_000
"""So many tokens that Claude Code makes room before it goes on."""


@needs("claude-code")
def test_claude_code_gives_the_model_what_a_hook_says(claude: ClaudeCode, model: Model, probe: Probe) -> None:
    claude.install(probe.marketplace, "probe@tide")
    model.when("tide", Call("Bash", {"command": "echo low; false"}), Say("It is low."))
    assert claude.session("How is the tide?", allowed=["Bash"])["result"] == "It is low."
    first, second = model.requests("tide")
    assert "probed SessionStart startup" in first.text
    assert "probed UserPromptSubmit" in first.text
    assert "probed PostToolUseFailure" in second.text
    assert probe.events == ["SessionStart", "UserPromptSubmit", "PostToolUseFailure", "SessionEnd"]


@needs("claude-code")
def test_claude_code_calls_the_tool_of_a_server(claude: ClaudeCode, model: Model, probe: Probe) -> None:
    claude.install(probe.marketplace, "probe@tide")
    model.when("tide", Call(ECHO, {"word": "ebb"}), Say("Done."))
    claude.session("How is the tide?", allowed=[ECHO])
    first, second = model.requests("tide")
    assert ECHO in first.tools
    assert "echoed ebb" in second.text


@needs("claude-code")
def test_claude_code_compacts_a_full_context(claude: ClaudeCode, model: Model, probe: Probe) -> None:
    claude.install(probe.marketplace, "probe@tide")
    model.when("tide", Call("Bash", {"command": "true"}, reads=FULL), Say("Never said."))
    claude.session("How is the tide?", allowed=["Bash"])
    last = model.asked[-1]
    assert SUMMARY in last.text
    assert "probed SessionStart compact" in last.text
    assert "probed SessionStart startup" not in last.text


@needs("codex")
def test_codex_calls_the_tool_of_a_server_and_hooks(codex: Codex, model: Model, probe: Probe) -> None:
    server = f"[mcp_servers.echo]\ncommand = {json.dumps(probe.python)}\nargs = [{json.dumps(str(probe.server))}]\n"
    with codex.settings.open("a", encoding="utf-8") as settings:
        settings.write(f'\n{server}default_tools_approval_mode = "approve"\n')
    codex.wait_for_server("echo")
    (codex.config / "hooks.json").write_text(json.dumps(probe.hooks()), encoding="utf-8")
    model.when("tide", Call("mcp__echo/echo", {"word": "ebb"}), Say("Done."))
    codex.session("How is the tide?")
    first, second = model.requests("tide")
    assert "probed SessionStart startup" in first.text
    assert "probed UserPromptSubmit" in first.text
    assert "echoed ebb" in second.text


@needs("gemini-cli")
def test_gemini_cli_calls_the_tool_of_a_server_and_hooks(gemini: GeminiCli, model: Model, probe: Probe) -> None:
    gemini.write_settings({"mcpServers": {"echo": {**probe.mcp(), "trust": True}}, **probe.hooks(GEMINI_EVENTS)})
    model.when("tide", Call("mcp_echo_echo", {"word": "ebb"}), Say("Done."))
    assert gemini.session("How is the tide?")["response"] == "Done."
    first, second = model.requests("tide")
    assert "probed SessionStart startup" in first.text
    assert "probed BeforeAgent" in first.text
    assert "echoed ebb" in second.text
