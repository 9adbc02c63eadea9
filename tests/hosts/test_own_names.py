"""A host's names for what belongs to Limpet are told from those of others."""

from __future__ import annotations

import pytest

from limpet.hosts.own_names import is_our_command, is_our_tool, split_tool


@pytest.mark.parametrize(
    "tool", ["mcp__limpet__recall", "mcp__plugin_limpet_limpet__store_memory", "mcp_limpet_recall", "mcp__limpet__new"]
)
def test_our_own_tools_are_known_however_they_are_wired(tool: str) -> None:
    assert is_our_tool(tool)


@pytest.mark.parametrize(
    "tool", ["mcp__github__search_limpet", "mcp__mem__recall", "mcp_github_limpet", "recall", "limpet", "Bash", ""]
)
def test_a_tool_of_others_that_only_mentions_us_is_theirs(tool: str) -> None:
    assert not is_our_tool(tool)


@pytest.mark.parametrize(
    ("tool", "parts"),
    [
        ("Bash", ("", "Bash")),
        ("mcp__github__get_issue", ("github", "get_issue")),
        ("mcp__plugin_a_b__c", ("plugin_a_b", "c")),
        ("mcp_mem_store_memory", ("mem", "store_memory")),
        ("mcp_github_get_issue", ("github_get_issue", "github_get_issue")),
    ],
)
def test_a_tool_is_split_into_server_and_name(tool: str, parts: tuple[str, str]) -> None:
    assert split_tool(tool) == parts


def test_a_command_line_of_others_is_not_taken_for_ours() -> None:
    assert is_our_command('"C:/py/python.exe" -I -S "C:/py/limpet/cli/run_hook.py"')
    assert is_our_command(r"C:\py\python.exe -I -S C:\py\limpet\cli\run_hook.py")
    assert not is_our_command('node "/home/you/.claude/plugins/claude-mem/hook.js"')
    assert not is_our_command("limpet-like/cli/hook")
    assert not is_our_command(None)
