"""The names and lists of Gemini CLI, which names some events differently."""

HOST = "gemini"
TITLE = "Gemini CLI"
PROGRAM = "gemini"
PACKAGE = "@google/gemini-cli"

# Event names of the host, with what Limpet calls each of them.
EVENTS = {
    "SessionStart": "SessionStart",
    "BeforeAgent": "UserPromptSubmit",
    "AfterTool": "PostToolUse",
    # Fires before every turn, whether or not anything is compressed, so like PreCompact it reports nothing.
    "PreCompress": "PreCompact",
    "AfterAgent": "Stop",
    "SessionEnd": "SessionEnd",
}

# Events at which the host hands `additionalContext` to the model, with the first version that keeps the earlier request
# as the beginning of the next one. Seen with 0.61.0 within a turn; when it resumes a session, it rewrites earlier turns
# whether or not a hook has spoken.
CONTEXT_EVENTS = {"SessionStart": (0, 0, 0), "BeforeAgent": (0, 0, 0), "AfterTool": (0, 0, 0)}
PLAIN_TEXT_EVENTS = ()

# What each tool does, by the values of `model.event.Action`.
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
# Tools that answer with what lies in the project anyway; little of it needs to be written down.
CONTENT_TOOLS = ("read_file", "read_many_files", "list_directory")

# What hooks have said stands before and behind the prompt, between these two.
HOOK_CONTEXT = ("<hook_context>", "</hook_context>")
# How texts begin that stand where a prompt would, though nobody typed them.
NOT_TYPED = ("<hook_context>", "<session_context>")
INJECTED_BLOCKS = ()
REFUSALS = ("Command was cancelled by user",)
GUARD_REFUSALS = ("Tool execution blocked:", "Tool execution denied by policy")
CANCELLED_WITH = ()

# What stands around the output of a command: its label, and the lines below it.
OUTPUT_LABEL = "Output: "
OUTPUT_FOOTERS = ("Exit Code:", "Signal:", "Background PIDs:", "Process Group PGID:", "Error: (none)")
EXIT_CODES = ("Exit Code:", "Signal:")
