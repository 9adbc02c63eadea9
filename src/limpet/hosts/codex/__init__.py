"""The event names, tool names and other constants of Codex, whose hooks are like those of Claude Code."""

HOST = "codex"
TITLE = "Codex"
PROGRAM = "codex"
SERVER_FILES = ("CODEX_HOME", ".codex", "config.toml", ".codex/config.toml")
"""Where MCP servers are named: the variable that moves the host's folder, the folder below the home folder, and the
file in it; and the file of a project."""
PACKAGE = "@openai/codex"

# The host's event names, each with the name that Limpet uses.
EVENTS = {
    name: name
    for name in (
        *("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "PostCompact", "SubagentStart", "Stop"),
    )
}

# The events at which the host gives `additionalContext` to the model, each with the first version that keeps the
# model's prompt cache valid. Tested with 0.166.0, over three turns that were each resumed, and in a sub-agent.
CONTEXT_EVENTS = {
    "SessionStart": (0, 0, 0),
    "UserPromptSubmit": (0, 0, 0),
    "SubagentStart": (0, 0, 0),
    "PreToolUse": (0, 0, 0),
    "PostToolUse": (0, 0, 0),
}
# The events whose output may hold a line for the person.
NOTICE_EVENTS = ("SessionStart",)
PLAIN_TEXT_EVENTS = ()

# The names of the built-in tools, by the values of `model.event.Action`.
TOOLS = {
    "run": (
        "shell shell_command exec_command write_stdin local_shell local_shell_call container_exec exec unified_exec"
    ),
    "read": "read_file view_image",
    "edit": "apply_patch",
    "search": "grep_files list_dir tool_search_call",
    "fetch": "web_search web_search_call",
    "delegate": "spawn_agent send_input resume_agent close_agent wait_agent",
    "plan": "update_plan request_user_input",
    "other": "image_generation_call",
}
# Tools that return files or folders of the project, which can be read again, so most of it need not be recorded.
CONTENT_TOOLS = ("read_file",)

# The beginnings of prompts that the host writes itself.
NOT_TYPED = (
    "<environment_context>",
    "<user_instructions>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<permissions instructions>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions for ",
)
INJECTED_BLOCKS = ()
REFUSALS = ()
GUARD_REFUSALS = ("Command blocked by PreToolUse hook",)
CANCELLED_WITH = ()

# The beginnings of the lines before the output of a command. The last of these lines is OUTPUT_BEGINS.
OUTPUT_HEADERS = (
    *("Chunk ID:", "Wall time", "Exit code:", "Process exited with code", "Process running", "Command:"),
    *("Original token count:", "Total output lines:", "Script completed", "Script failed"),
)
OUTPUT_BEGINS = "Output:\n"
EXIT_CODES = ("Exit code:", "Process exited with code")
