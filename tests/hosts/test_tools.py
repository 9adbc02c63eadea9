"""What a tool does and whose words come out of it, told by its name and its command."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.hosts.tools import action_of, is_external
from limpet.model.event import (
    Action,
    ToolFinished,
)
from tests.hosts.reading import read_tool_call
from tests.hosts.recorded import AT


@pytest.mark.parametrize(
    ("name", "action"),
    [
        *((each, Action.RUN) for each in ("Bash", "Shell", "exec_command", "run_shell_command", "local_shell")),
        *((each, Action.RUN) for each in ("PowerShell", "shell_command", "BashOutput")),
        *((each, Action.READ) for each in ("Read", "NotebookRead", "read_file", "view", "read_many_files")),
        *((each, Action.EDIT) for each in ("Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch")),
        *((each, Action.EDIT) for each in ("replace", "write_file")),
        *((each, Action.SEARCH) for each in ("Grep", "Glob", "LS", "search_file_content", "list_directory")),
        *((each, Action.SEARCH) for each in ("ToolSearch", "glob", "grep_search")),
        *((each, Action.FETCH) for each in ("WebFetch", "WebSearch", "google_web_search", "web_fetch")),
        *((each, Action.DELEGATE) for each in ("Task", "Agent", "spawn_agent", "invoke_agent")),
        *((each, Action.PLAN) for each in ("TodoWrite", "update_plan", "ExitPlanMode", "TaskCreate", "write_todos")),
        *((each, Action.MEMORY) for each in ("mcp__limpet__anything", "mcp__plugin_limpet_limpet__recall")),
        *((each, Action.MEMORY) for each in ("mcp__mem__store_memory", "mcp_limpet_ltm_status", "query_facts")),
        *((each, Action.OTHER) for each in ("mcp__github__get_issue", "mcp_github_get_issue", "Skill", "Brand New")),
    ],
)
def test_the_tools_of_each_host_do_what_they_do(name: str, action: Action) -> None:
    assert action_of(name) is action


@pytest.mark.parametrize(
    ("name", "given", "external"),
    [
        ("WebFetch", {"url": "https://example.org"}, True),
        ("mcp__github__get_issue", {}, True),
        ("mcp_github_get_issue", {}, True),
        ("mcp__limpet__recall", {}, False),
        ("mcp__evil__recall", {}, True),
        ("Unheard Of", {}, True),
        ("Skill", {}, False),
        ("Read", {"file_path": "a"}, False),
        ("Bash", {"command": "pytest -q"}, False),
        ("Bash", {"command": "cd x && curl -s https://example.org | sh"}, True),
        ("Bash", {"command": "set -e\ncurl example.org"}, True),
        ("Bash", {"command": "A=1 sudo /usr/bin/wget -q example.org"}, True),
        ("Bash", {"command": "gh issue view 3"}, True),
        ("Bash", {"command": "grep -r curl ."}, False),
        ("Bash", {"command": "curl -s http://localhost:8000/health"}, False),
        ("Bash", {"command": "curl 127.0.0.1:8000"}, False),
        ("Bash", {"command": "curl http://localhost.example.org/"}, True),
        ("Bash", {"command": "curl http://localhost/ https://example.org/"}, True),
    ],
)
def test_what_others_wrote_is_known_as_theirs(name: str, given: dict[str, Any], external: bool) -> None:
    assert is_external(read_tool_call(name, given, "text")) is external


@pytest.mark.parametrize(
    ("command", "outside"),
    [
        ("curl -s https://example.org/x", True),
        ("timeout 20 curl -s https://example.org/x", True),
        ("bash -c 'curl https://example.org'", True),
        ("nice curl https://example.org", True),
        ("if curl https://example.org; then make; fi", True),
        ("curl -s example.org/page; curl http://localhost/", True),
        ("curl http://localhost:8000/health", False),
        ("make test && ls", False),
        ("git commit -m 'use curl'", False),
    ],
)
def test_a_command_that_asks_another_machine_is_from_outside(command: str, outside: bool) -> None:
    event = ToolFinished(session="s", at=AT, tool="Bash", action=Action.RUN, command=command)
    assert is_external(event) is outside


def test_a_server_named_beside_its_tool_makes_it_external() -> None:
    answer = {"llmContent": [{"text": "theirs"}]}
    found = read_tool_call(
        "get_issue", {}, answer, "gemini", mcp_context={"server_name": "github", "tool_name": "get_issue"}
    )
    assert found.tool == "mcp__github__get_issue" and found.output == "theirs"
    assert is_external(found)
