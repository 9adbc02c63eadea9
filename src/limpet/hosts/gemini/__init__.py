"""The event names, tool names and other constants of Gemini CLI."""

HOST = "gemini"
TITLE = "Gemini CLI"
PROGRAM = "gemini"
SERVER_FILES = ("", ".gemini", "settings.json", ".gemini/settings.json")
"""Where MCP servers are named: the variable that moves the host's folder, the folder below the home folder, and the
file in it; and the file of a project."""
PACKAGE = "@google/gemini-cli"

# The host's event names, each with the name that Limpet uses.
EVENTS = {
    "SessionStart": "SessionStart",
    "BeforeAgent": "UserPromptSubmit",
    "AfterTool": "PostToolUse",
    # The host reports it before every turn, even if nothing is compressed, so no event is made from it: what really was
    # compressed is found in the transcript.
    "PreCompress": "PreCompact",
    "AfterAgent": "Stop",
    "SessionEnd": "SessionEnd",
}

# The events at which the host gives `additionalContext` to the model, each with the first version that keeps the
# model's prompt cache valid. Tested with 0.61.0 within a turn. When it resumes a session, it rewrites earlier turns in
# any case.
CONTEXT_EVENTS = {"SessionStart": (0, 0, 0), "BeforeAgent": (0, 0, 0), "AfterTool": (0, 0, 0)}
# The events whose output may hold a line for the person.
NOTICE_EVENTS = ("SessionStart",)
PLAIN_TEXT_EVENTS = ()

# The names of the built-in tools, by the values of `model.event.Action`.
TOOLS = {
    "run": "run_shell_command read_shell write_to_shell",
    "read": "read_file read_many_files get_internal_docs",
    "edit": "replace write_file",
    "search": "search_file_content grep_search glob list_directory",
    "fetch": "web_fetch google_web_search",
    "delegate": "delegate_to_agent invoke_agent",
    "plan": (
        "write_todos ask_user enter_plan_mode exit_plan_mode update_topic complete_task tracker_create_task"
        " tracker_update_task tracker_get_task tracker_list_tasks tracker_add_dependency tracker_visualize"
    ),
    "other": "activate_skill save_memory",
}
# Tools that return files or folders of the project, which can be read again, so most of it need not be recorded.
CONTENT_TOOLS = ("read_file", "read_many_files", "list_directory")

# The tags around the output of hooks, which the host adds before and after the prompt.
HOOK_CONTEXT = ("<hook_context>", "</hook_context>")
# The beginnings of prompts that the host writes itself.
NOT_TYPED = ("<hook_context>", "<session_context>", "<state_snapshot>", "<scratchpad>")
INJECTED_BLOCKS = ()
REFUSALS = ("Command was cancelled by user",)
GUARD_REFUSALS = ("Tool execution blocked:", "Tool execution denied by policy")
CANCELLED_WITH = ()

# The label before the output of a command, and the beginnings of the lines after it.
OUTPUT_LABEL = "Output: "
OUTPUT_FOOTERS = ("Exit Code:", "Signal:", "Background PIDs:", "Process Group PGID:", "Error: (none)")
EXIT_CODES = ("Exit Code:", "Signal:")
