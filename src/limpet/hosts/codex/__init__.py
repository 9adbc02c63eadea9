"""The names and lists of Codex, which has the same hooks as Claude Code."""

HOST = "codex"
TITLE = "Codex"
PROGRAM = "codex"
PACKAGE = "@openai/codex"

# Event names of the host, with what Limpet calls each of them.
EVENTS = {
    name: name
    for name in (
        *("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "PostCompact", "SubagentStart", "Stop"),
    )
}

# Events at which the host hands `additionalContext` to the model, with the first version that keeps the earlier request
# as the beginning of the next one. Seen with 0.166.0, over three turns that were each resumed, and in a sub-agent.
CONTEXT_EVENTS = {
    "SessionStart": (0, 0, 0),
    "UserPromptSubmit": (0, 0, 0),
    "SubagentStart": (0, 0, 0),
    "PreToolUse": (0, 0, 0),
    "PostToolUse": (0, 0, 0),
}
PLAIN_TEXT_EVENTS = ()

# What each tool does, by the values of `model.event.Action`.
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
# Tools that answer with what lies in the project anyway; little of it needs to be written down.
CONTENT_TOOLS = ("read_file",)

# How texts begin that stand where a prompt would, though nobody typed them.
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

# The lines above the output of a command, which end with OUTPUT_BEGINS.
OUTPUT_HEADERS = (
    *("Chunk ID:", "Wall time", "Exit code:", "Process exited with code", "Process running", "Command:"),
    *("Original token count:", "Total output lines:", "Script completed", "Script failed"),
)
OUTPUT_BEGINS = "Output:\n"
EXIT_CODES = ("Exit code:", "Process exited with code")
