"""The names under which hosts know Limpet: the names of its MCP server, its tools, its plugin and its hook program."""

from __future__ import annotations

SERVER = "limpet"
PLUGIN = "limpet"
HOOK_PROGRAM = "limpet/cli/run_hook.py"

TOOLS = frozenset(
    (
        *("store_memory", "recall", "list_memories", "get_memory", "update_memory", "forget", "search_by_file"),
        *("search_by_concept", "get_timeline", "store_fact", "query_facts", "ltm_status", "ltm_check", "ltm_fix"),
        "review_notes",
        *("search_memories", "show_related", "pin_memory", "delete_memory", "purge_expired", "summarize_old"),
        *(
            "give_feedback",
            "measure_friction",
            "list_antigens",
            "detect_achievements",
            "stash_session",
            "gather_for_distil",
        ),
        "commit_distil",
    )
)


def split_tool(tool: str) -> tuple[str, str]:
    """Split the name of a tool into the name of its MCP server and its bare name.

    The server is empty for a built-in tool of a host. Hosts write `mcp__server__tool` or `mcp_server_tool`. The second
    form does not show where the server's name ends, so it is split only if it ends with the name of a Limpet tool.
    """
    if tool.startswith("mcp__"):
        server, _, name = tool[5:].rpartition("__")
        return server or name, name
    if tool.startswith("mcp_"):
        rest = tool[4:]
        for name in TOOLS:
            if rest.endswith("_" + name):
                return rest[: -len(name) - 1], name
        return rest, rest
    return "", tool


def is_our_server_name(server: str) -> bool:
    """Tell whether an MCP server has one of Limpet's names: from the host's settings, or from the plugin."""
    return server == SERVER or server.startswith((f"{SERVER}_", f"plugin_{PLUGIN}_"))


def is_our_tool(tool: str) -> bool:
    """Tell whether a tool belongs to Limpet's MCP server."""
    return tool.startswith("mcp_") and is_our_server_name(split_tool(tool)[0])


def is_our_command(command: object) -> bool:
    """Tell whether a command line starts Limpet's hook program, whatever its version and path."""
    return isinstance(command, str) and HOOK_PROGRAM in command.replace("\\", "/")
