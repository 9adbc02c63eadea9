"""A failure that keeps coming back becomes a rule, and is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from limpet.operations.catalogue import load_verb
from limpet.runtime import open_runtime
from tests.cli.hooks import Host
from tests.hosts.recorded import call, entry, result
from tests.operations.sandbox import USER

RULE = "Use uv in this repository, never pip."
INSTALL = {"tool_name": "Bash", "tool_input": {"command": "pip install requests"}}


def record(host: Host, session: str, *, said: str, day: int) -> None:
    about: dict[str, Any] = {"cwd": str(host.project), "entrypoint": "cli", "version": "2.1.325"}
    lines = [
        entry("user", f"add the package of {session}", second=0, **about),
        call("Bash", INSTALL["tool_input"], id="a", second=1, **about),
        result("ok", id="a", second=2, **about),
        entry("user", said, second=3, **about),
    ]
    for line in lines:
        line["timestamp"] = line["timestamp"].replace("11-15", f"11-{day:02}")
        line.pop("sessionId", None)
    host.record(*lines, session=session)


def ask(host: Host, name: str, **values: Any) -> Any:
    runtime = open_runtime(home=str(host.home), cwd=str(host.project), caller=USER)
    try:
        chosen = load_verb(name)
        return chosen.run(runtime, **chosen.accept(values))
    finally:
        runtime.close()


def test_a_recurring_failure_becomes_a_rule_that_is_told(tmp_path: Path, monkeypatch: Any) -> None:
    host = Host(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "CLAUDECODE"):
        monkeypatch.delenv(name, raising=False)
    host.home.mkdir()
    for day in range(1, 6):
        record(host, f"s-{day}", said="no, don't use pip here", day=day)
    [row] = ask(host, "antigens").rows
    older = host.record({"type": "user", "version": "2.1.227"}, session="older")
    newer = host.record({"type": "user", "version": "2.1.228"}, session="newer")
    assert host.fire("PreToolUse", transcript_path=newer, session_id="newer", **INSTALL) == "", "nothing is adopted"

    ask(host, "antigens", action="adopt", id=row.antigen.id, rule=RULE)
    assert RULE in host.context("SessionStart", source="startup", session_id="t-0")
    assert host.fire("PreToolUse", transcript_path=older, session_id="older", **INSTALL) == "", (
        "the cache would be lost"
    )
    text = host.fire("PreToolUse", transcript_path=newer, session_id="newer", **INSTALL)
    answer = json.loads(text)["hookSpecificOutput"]
    assert RULE in answer["additionalContext"]
    assert set(answer) == {"hookEventName", "additionalContext"}, "a call is never held up"
