"""Settings files as people have them: comments, tabs, other tools' hooks, odd line endings, and broken ones."""

from __future__ import annotations

import json

from limpet.hosts import wiring
from limpet.hosts.wiring import Launcher, SettingsFile

LAUNCHER = Launcher(
    python="/opt/my tools/bin/python", hook="/opt/my tools/limpet/cli/run_hook.py", path=(), version="1"
)

NEWER = Launcher(python="/usr/bin/python3.13", hook="/usr/lib/limpet/cli/run_hook.py", path=(), version="2")


def file_of(launcher: Launcher) -> SettingsFile:
    """Return a file with hooks and server, as Gemini CLI has it."""
    hooks, servers = wiring.list_settings_files("claude-code", launcher)
    return SettingsFile(host="claude-code", path="x", groups=hooks.groups, server=servers.server)


FILE, LATER = file_of(LAUNCHER), file_of(NEWER)
CODEX_FILE = SettingsFile(host="codex", path="x", server=LAUNCHER.server, syntax="toml")


CLAUDE_MEM = """{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "permissions": {
    "allow": ["Bash(npm run lint)", "Read(~/.zshrc)"],
    "deny": []
  },
  "hooks": {
    "SessionStart": [
      {
        "matcher": "startup|clear|compact",
        "hooks": [
          {
            "type": "command",
            "command": "node \\"/home/you/.claude/plugins/claude-mem/scripts/context-hook.js\\"",
            "timeout": 300
          }
        ]
      }
    ],
    "PostToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [{"type": "command", "command": "prettier --write"}]
      }
    ]
  },
  "statusLine": {"type": "command", "command": "~/.claude/statusline.sh"}
}
"""

COMMENTS = """// my settings, do not touch
{
  /* the big one */
  "model": "opus", // for now
  "hooks": {
    // nothing at the prompt
    "UserPromptSubmit": [], // yet
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]}, // loud
      // {"hooks": [{"type": "command", "command": "say again"}]},
    ],
  },
  "env": {"A": "// no comment", "B": "/* nor this */"}, // the end
}
// after all
"""


def config_of(projects: int) -> str:
    """Return a `.claude.json` with the history of many projects."""
    history = [{"display": f"prompt {each} “with quotes” \\ and 漢字"} for each in range(20)]
    project = {"history": history, "mcpServers": {}, "allowedTools": []}
    data = {
        "numStartups": 412,
        "projects": {f"/home/you/work/{number}": project for number in range(projects)},
        "mcpServers": {"github": {"type": "http", "url": "https://example.org/mcp"}},
        "oauthAccount": {"emailAddress": "you@example.org"},
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


HUGE, LONG = config_of(2_000), config_of(50)

JSON = {
    "with hooks of another tool": CLAUDE_MEM,
    "with comments and last commas": COMMENTS,
    "with tabs": CLAUDE_MEM.replace("  ", "\t"),
    "with four spaces": CLAUDE_MEM.replace("  ", "    "),
    "with the line endings of Windows": CLAUDE_MEM.replace("\n", "\r\n"),
    "with a byte order mark": "\ufeff" + CLAUDE_MEM,
    "without a last newline": CLAUDE_MEM.rstrip(),
    "in other scripts": '{\n  "language": "日本語",\n  "näme": "Ünï 🐚 \\u00e9",\n  "a\\"b": 1\n}\n',
    "on one line": '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}',
    "on one line with spaces": '{"model": "opus", "mcpServers": {"github": {"command": "gh"}}}\n',
    "empty": "",
    "only space": "\n\n",
    "an empty object": "{}",
    "an empty object with space": "{\n}\n",
    "with empty containers": '{\n  "hooks": {},\n  "mcpServers": { }\n}\n',
    "with an empty list": '{\n  "hooks": {\n    "Stop": []\n  }\n}\n',
    "with a comment only": "{\n  // nothing here yet\n}\n",
    "with a comma before the end": '{\n  "model": "opus",\n}\n',
    "with a key given twice": '{"hooks": {"Stop": []}, "hooks": {}}',
    "huge": HUGE,
    "long, with comments": LONG.replace('"allowedTools": []', '"allowedTools": [], // none', 2),
    "long, on one line": json.dumps({"history": ["a prompt"] * 1_000, "hooks": {"Stop": []}, "last": ["x"] * 2_000}),
}

BROKEN = {
    "cut off": CLAUDE_MEM[:200],
    "with a comma missing": '{"a": 1 "b": 2}',
    "with another syntax": "model = 'opus'\n",
    "a list": "[]",
    "with hooks that are none": '{"hooks": []}',
    "with an event that is no list": '{"hooks": {"Stop": {}}}',
    "with servers that are none": '{"mcpServers": "none", "hooks": null}',
    "with more behind it": "{} {}",
    "very deep": "[" * 100_000,
    "with another server of our name": '{"mcpServers": {"limpet": {"command": "other"}}}',
}

CODEX = """# my Codex
model = "gpt-5"   # the newest
approval_policy = "on-request"

[mcp_servers.github]
command = "gh"
args = ["mcp"]
[projects."/home/you/shop"]
trust_level = "trusted"
"""

TOML = {
    "with comments": CODEX,
    "with the line endings of Windows": CODEX.replace("\n", "\r\n"),
    "with a byte order mark": "\ufeff" + CODEX,
    "without a last newline": CODEX.rstrip(),
    "empty": "",
    "with servers on one line": 'model = "x"\nmcp_servers = { github = { command = "gh" } }\n',
    "with dotted keys": 'mcp_servers.github.command = "gh"\nmodel = "x"\n',
    "with a list of tables at the end": '[[profiles]]\nname = "a"\n\n[[profiles]]\nname = "b"\n',
    "with a text that looks like a table": 'note = """\n[mcp_servers.limpet]\ncommand = "no"\n"""\n',
}

BROKEN_TOML = {
    "cut off": 'model = "gpt',
    "with a key given twice": "a = 1\na = 2\n",
    "with servers that are none": "mcp_servers = 3\n",
}
