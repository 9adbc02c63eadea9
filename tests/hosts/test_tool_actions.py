"""What a tool does, told by its name."""

from __future__ import annotations

import pytest

from limpet.hosts.tool_actions import action_of
from limpet.model.event import Action


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
