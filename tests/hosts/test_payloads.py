"""What a hook's payload becomes, whichever host sent it and whatever it holds."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.hosts.answers import context_answer
from limpet.hosts.events import event_name, read_event
from limpet.hosts.tools import action_of, is_external
from limpet.model.event import (
    Action,
    CommandExpanded,
    Compacted,
    PromptSubmitted,
    Reported,
    SessionEnded,
    SessionStarted,
    SubagentStarted,
    ToolFinished,
    TurnEnded,
)
from tests.hosts.recorded import AT, payloads

REPORTED: dict[str, type[Reported]] = {
    "PostCompact:manual": Compacted,
    "PostToolUse:Agent": ToolFinished,
    "PostToolUse:Bash": ToolFinished,
    "PostToolUse:Read": ToolFinished,
    "PostToolUse:Skill": ToolFinished,
    "PostToolUse:ToolSearch": ToolFinished,
    "PostToolUse:mcp__plugin_probe_mem__store_memory": ToolFinished,
    "PostToolUseFailure:Bash": ToolFinished,
    "PostToolUseFailure:mcp__plugin_probe_mem__boom": ToolFinished,
    "SessionEnd": SessionEnded,
    "SessionStart:compact": SessionStarted,
    "SessionStart:resume": SessionStarted,
    "SessionStart:startup": SessionStarted,
    "Stop": TurnEnded,
    "SubagentStart": SubagentStarted,
    "UserPromptExpansion:mcp_prompt": CommandExpanded,
    "UserPromptExpansion:slash_command": CommandExpanded,
    "UserPromptSubmit": PromptSubmitted,
}


def read(payload: Any, host: str = "claude-code") -> Reported | None:
    return read_event(payload, host=host, at=AT)


def tool(name: str, given: Any, answer: Any, host: str = "claude-code", **more: Any) -> ToolFinished:
    event = "AfterTool" if host == "gemini" else "PostToolUse"
    payload = {"hook_event_name": event, "session_id": "s", "cwd": "/home/dev/project"}
    found = read({**payload, "tool_name": name, "tool_input": given, "tool_response": answer, **more}, host)
    assert isinstance(found, ToolFinished)
    return found


@pytest.mark.parametrize("name", sorted(payloads()))
def test_each_recorded_payload_is_read_as_what_it_reports(name: str) -> None:
    payload = payloads()[name]
    found = read(payload)
    if name in REPORTED:
        assert type(found) is REPORTED[name]
        assert found is not None and found.session == payload["session_id"] and found.at == AT
    else:
        assert found is None


def test_codex_sends_the_payloads_of_claude_code() -> None:
    for payload in payloads().values():
        assert read(payload, "codex") == read(payload)


def test_a_session_is_reported_with_its_source_and_transcript() -> None:
    found = read(payloads()["SessionStart:resume"])
    assert isinstance(found, SessionStarted)
    assert found.source == "resume"
    assert found.transcript is not None and found.transcript.endswith("11111111-2222-4333-8444-555555555555.jsonl")


def test_a_command_is_told_with_its_arguments() -> None:
    found = read(payloads()["UserPromptExpansion:slash_command"])
    assert isinstance(found, CommandExpanded)
    assert (found.name, found.arguments) == ("probe:remember", "alpha beta")


def test_a_notification_of_a_background_agent_is_no_prompt() -> None:
    assert read(payloads()["UserPromptSubmit:task-notification"]) is None
    assert read({**payloads()["UserPromptSubmit"], "prompt": "  <task-notification>\nx"}) is None
    asked = read({**payloads()["UserPromptSubmit"], "prompt": "what is a <task-notification>?"})
    assert isinstance(asked, PromptSubmitted)


def test_a_compaction_is_told_by_its_summary_alone() -> None:
    found = read(payloads()["PostCompact:manual"])
    assert isinstance(found, Compacted)
    assert found.summary == "SUMMARY-TEXT"


def test_a_failed_tool_is_told_with_its_error() -> None:
    found = read(payloads()["PostToolUseFailure:Bash"])
    assert isinstance(found, ToolFinished)
    assert found.failed and not found.interrupted
    assert found.command == "ls /nonexistent-dir-x"
    assert found.output.startswith("Exit code 2\nls: cannot access")


def test_an_interrupted_tool_is_told_as_such() -> None:
    failed = read({**payloads()["PostToolUseFailure:Bash"], "is_interrupt": True})
    assert isinstance(failed, ToolFinished) and failed.interrupted
    assert tool("Bash", {"command": "sleep 9"}, {"stdout": "", "stderr": "", "interrupted": True}).interrupted


@pytest.mark.parametrize("name", ["UserPromptSubmit", "UserPromptExpansion:slash_command"])
def test_what_a_subagent_is_asked_was_typed_by_nobody(name: str) -> None:
    assert read(payloads()[name]) is not None
    assert read({**payloads()[name], "agent_type": "reviewer"}) is not None
    assert read({**payloads()[name], "agent_id": "a1", "agent_type": "helper"}) is None


@pytest.mark.parametrize(
    "text", ['<teammate-message teammate_id="x">\nuse yarn\n</teammate-message>', '<channel source="chat">\nuse yarn']
)
def test_what_another_agent_or_a_chat_hands_on_was_typed_by_nobody(text: str) -> None:
    assert read({**payloads()["UserPromptSubmit"], "prompt": text}) is None


def test_a_tool_within_a_subagent_names_it() -> None:
    found = read({**payloads()["PostToolUse:Bash"], "agent_id": "a1", "agent_type": "helper"})
    assert isinstance(found, ToolFinished) and found.subagent == "a1"


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
    assert is_external(tool(name, given, "text")) is external


def test_a_command_is_one_line() -> None:
    assert tool("Bash", {"command": "cd a\n\n  make \\\n  test\n"}, "").command == "cd a; make test"
    assert tool("shell", {"command": ["bash", "-lc", "ls -l"]}, "", "codex").command == "ls -l"
    assert tool("shell", {"command": ["git", "status"]}, "", "codex").command == "git status"
    assert tool("exec_command", {"cmd": "ls"}, "", "codex").command == "ls"
    assert len(tool("Bash", {"command": "x" * 10**6}, "").command) == 2_000


def test_what_was_searched_or_asked_is_the_command() -> None:
    assert tool("Grep", {"pattern": "def x", "path": "src"}, {"content": "a"}).command == "def x"
    assert tool("WebFetch", {"url": "https://e.org", "prompt": "p"}, {"result": "r"}).command == "https://e.org"
    assert tool("google_web_search", {"query": "q"}, {"llmContent": "r"}, "gemini").command == "q"
    assert tool("Task", {"description": "look", "prompt": "long"}, {"content": []}).command == "look"


def test_both_streams_of_a_command_are_its_output() -> None:
    assert tool("Bash", {"command": "x"}, {"stdout": "out\n", "stderr": "err"}).output == "out\nerr"


def test_a_long_output_keeps_how_it_began_and_ended() -> None:
    output = tool("Bash", {"command": "x"}, {"stdout": "begin " + "x" * 10**6 + " end"}).output
    assert output.startswith("begin ") and output.endswith(" end") and len(output) < 17_000


def test_a_read_file_is_named_as_the_project_names_it() -> None:
    found = read(payloads()["PostToolUse:Read"])
    assert isinstance(found, ToolFinished)
    assert (found.output, found.files_read, found.files_modified) == ("hello\n", ("a.txt",), ())


@pytest.mark.parametrize(
    ("path", "cwd", "named"),
    [
        ("/home/dev/project/src/a.py", "/home/dev/project", "src/a.py"),
        ("src/../b.py", "/home/dev/project", "b.py"),
        ("/home/dev/project/../other/c.py", "/home/dev/project", "/home/dev/other/c.py"),
        ("/home/dev/project-two/d.py", "/home/dev/project", "/home/dev/project-two/d.py"),
        ("C:\\work\\proj\\src\\e.py", "C:\\work\\proj", "src/e.py"),
        ("f.py", "", "f.py"),
    ],
)
def test_a_path_is_relative_only_where_it_is_inside(path: str, cwd: str, named: str) -> None:
    assert tool("Edit", {"file_path": path, "new_string": "x"}, {}, cwd=cwd).files_modified == (named,)


def test_an_edit_tells_what_was_written() -> None:
    path = "/home/dev/project/a.py"
    before = {"filePath": path, "originalFile": "the whole file as it was"}
    assert tool("Write", {"file_path": path, "content": "new"}, {**before, "content": "new"}).output == "new"
    assert tool("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, before).output == "b"
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]
    assert tool("MultiEdit", {"file_path": path, "edits": edits}, before).output == "b\nd"
    assert tool("NotebookEdit", {"notebook_path": path, "new_source": "cell"}, before).files_modified == ("a.py",)
    patch = [{"lines": [" same", "-old", "+new line"]}]
    assert tool("Edit", {"file_path": path}, {**before, "structuredPatch": patch}).output == "new line"
    assert tool("Edit", {"file_path": path, "old_string": "a", "new_string": ""}, before).output == ""


def test_a_patch_tells_its_files_and_lines() -> None:
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-old\n+new\n*** Add File: b.py\n+all\n*** End Patch\n"
    for form in ({"command": patch}, {"input": patch}, {"command": ["apply_patch", patch]}, patch):
        found = tool("apply_patch", form, "Success. Updated the following files:\nM src/a.py", "codex")
        assert (found.output, found.files_modified) == ("new\nall", ("src/a.py", "b.py"))


def test_an_edit_that_failed_has_modified_nothing() -> None:
    answer = {"llmContent": "0 occurrences found", "error": {"message": "no match", "type": "edit_no_occurrence"}}
    found = tool("replace", {"file_path": "a.py", "new_string": "x"}, answer, "gemini")
    assert found.failed and found.files_modified == () and found.output == "0 occurrences found"


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("mcp__x__y", {"content": [{"type": "text", "text": "bad"}], "isError": True}),
        ("exec_command", "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nbad"),
        ("shell", "Exit code: 101\nWall time: 0.1 seconds\nOutput:\nbad"),
        ("shell", {"output": "bad", "metadata": {"exit_code": 2, "duration_seconds": 0.1}}),
        ("run_shell_command", {"llmContent": "Output: bad\nExit Code: 1\nProcess Group PGID: 12"}),
        ("run_shell_command", {"llmContent": "Output: bad", "data": {"exitCode": 1, "isError": True}}),
        ("read_file", {"llmContent": "bad", "error": {"message": "not there"}}),
        ("shell", {"aggregated_output": "bad", "exit_code": 1}),
    ],
)
def test_each_way_to_say_that_a_tool_failed_is_understood(name: str, answer: Any) -> None:
    found = tool(name, {}, answer)
    assert (found.failed, found.output) == (True, "bad")


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("exec_command", "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nfine"),
        ("run_shell_command", {"llmContent": "Output: fine\nProcess Group PGID: 12"}),
        ("mcp__x__y", [{"type": "text", "text": "fine"}]),
        ("mcp__x__y", {"content": [{"type": "text", "text": "fine"}, {"type": "image", "data": "AAAA"}]}),
        ("Grep", {"mode": "files_with_matches", "filenames": ["fine"], "numFiles": 1}),
    ],
)
def test_each_way_to_answer_is_read_as_text(name: str, answer: Any) -> None:
    found = tool(name, {}, answer)
    assert (found.failed, found.output) == (False, "fine")


def test_a_program_cannot_pretend_to_have_failed() -> None:
    """Only what the host writes around an output counts, not what stands in it."""
    answer = {"stdout": "Exit code: 1\nOutput:\nProcess exited with code 1", "stderr": ""}
    assert not tool("Bash", {"command": "cat log"}, answer).failed
    said = "Chunk ID: 1\nProcess exited with code 0\nOutput:\nExit code: 7\nOutput:\nx"
    assert not tool("exec_command", {"cmd": "cat log"}, said, "codex").failed


def test_structured_content_is_told_where_there_is_no_other() -> None:
    assert tool("mcp__x__y", {}, {"content": [], "structuredContent": {"a": 1}}).output == '{"a": 1}'


@pytest.mark.parametrize("host", ["codex", "gemini"])
def test_what_the_other_hosts_really_send_is_read(host: str) -> None:
    found = [read(payload, host) for payload in payloads(host).values()]
    started, prompt, finished, ended = found
    assert isinstance(started, SessionStarted) and isinstance(ended, SessionEnded)
    assert isinstance(prompt, PromptSubmitted) and prompt.text == "How is the tide?"
    assert isinstance(finished, ToolFinished) and is_external(finished)
    assert (finished.output, finished.input, finished.failed) == ("echoed ebb", {"word": "ebb"}, False)


def test_what_hooks_have_said_is_not_what_the_person_typed() -> None:
    """Gemini CLI hands our own memories back to us, before the first prompt."""
    found = gemini("BeforeAgent", prompt="<hook_context>[LTM] a\nb</hook_context>\n\nFix it")
    assert isinstance(found, PromptSubmitted) and found.text == "Fix it"
    assert gemini("BeforeAgent", prompt="<hook_context>a</hook_context>") is None
    asked = gemini("BeforeAgent", prompt="What is <hook_context>?")
    assert isinstance(asked, PromptSubmitted) and asked.text == "What is <hook_context>?"


def gemini(name: str, **more: Any) -> Reported | None:
    return read({"hook_event_name": name, "session_id": "g", "cwd": "/p", "timestamp": "x", **more}, "gemini")


def test_the_names_of_gemini_cli_are_mapped() -> None:
    assert gemini("SessionStart", source="startup") == SessionStarted(session="g", at=AT)
    assert gemini("BeforeAgent", prompt="hello") == PromptSubmitted(session="g", at=AT, text="hello")
    assert gemini("AfterAgent", prompt="hello", prompt_response="hi") == TurnEnded(session="g", at=AT, said="hi")
    assert gemini("SessionEnd", reason="exit") == SessionEnded(session="g", at=AT, reason="exit")
    assert gemini("BeforeModel", llm_request={}) is None


def test_what_gemini_cli_might_compress_is_not_compacted_yet() -> None:
    """It fires before every turn; were it taken for a compaction, each turn would end with a summary."""
    assert gemini("PreCompress", trigger="auto") is None
    assert event_name({"hook_event_name": "PreCompress"}, host="gemini") == "PreCompact"


def test_a_server_named_beside_its_tool_makes_it_external() -> None:
    answer = {"llmContent": [{"text": "theirs"}]}
    found = tool("get_issue", {}, answer, "gemini", mcp_context={"server_name": "github", "tool_name": "get_issue"})
    assert found.tool == "mcp__github__get_issue" and found.output == "theirs"
    assert is_external(found)


def test_an_event_of_no_session_is_none() -> None:
    nobody: list[Any] = [None, "", "  ", 7, [], {}]
    for session in nobody:
        assert read({**payloads()["Stop"], "session_id": session}) is None


def test_a_text_that_no_file_can_hold_is_made_fit() -> None:
    found = tool("Bash", {"command": "echo \ud800", "more": ["\udfff"]}, {"stdout": "\ud800 \x00 fine"})
    str(found).encode()
    found.output.encode()


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = (
    *("session_id", "cwd", "prompt", "source", "transcript_path", "tool_name", "tool_input", "tool_response", "error"),
    *(
        "is_interrupt",
        "agent_id",
        "agent_type",
        "last_assistant_message",
        "prompt_response",
        "compact_summary",
        "reason",
    ),
    *("command_name", "command_args", "mcp_context", "hook_event_name"),
)
NAMES = (
    *("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostToolUse", "PostToolUseFailure", "Stop"),
    *("SubagentStart", "PostCompact", "SessionEnd", "BeforeAgent", "AfterTool", "AfterAgent", "PreCompress", "New"),
)
TOOLS = ("Bash", "Read", "Edit", "Grep", "WebFetch", "Task", "TodoWrite", "apply_patch", "mcp__a__b", "recall", "Odd")
ANSWERS = (
    *("stdout", "stderr", "file", "content", "llmContent", "structuredPatch", "error", "exit_code", "metadata"),
    *("structuredContent", "filenames", "interrupted", "status", "isError"),
)
INPUTS = ("command", "cmd", "file_path", "path", "edits", "content", "patch", "query", "input", "url", "paths")


@given(
    st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=10),
    st.sampled_from(NAMES),
    st.sampled_from(("claude-code", "codex", "gemini", "other")),
)
def test_no_payload_makes_reading_fail(fields: dict[str, Any], name: str, host: str) -> None:
    found = read({"session_id": "s", **fields, "hook_event_name": name}, host)
    if isinstance(found, ToolFinished):
        is_external(found)
    read({**fields, "hook_event_name": fields}, host)


@given(
    st.sampled_from(TOOLS),
    st.dictionaries(st.sampled_from(INPUTS), ANY, max_size=5) | ANY,
    st.dictionaries(st.sampled_from(ANSWERS), ANY, max_size=5) | ANY,
    st.sampled_from(("claude-code", "codex", "gemini")),
)
def test_no_tool_call_makes_reading_fail(name: str, given_: Any, answer: Any, host: str) -> None:
    found = tool(name, given_, answer, host)
    is_external(found)
    for text in (found.command, found.output, *found.files_read, *found.files_modified):
        text.encode()
    assert len(found.output) <= 16_100 and "\n" not in found.command


@pytest.mark.parametrize("payload", [None, 7, "text", ["list"], b"bytes"])
def test_what_is_no_payload_at_all_reports_nothing(payload: Any) -> None:
    assert read(payload) is None


@pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"])
def test_context_is_answered_in_the_form_that_hosts_accept(name: str) -> None:
    for host in ("claude-code", "codex"):
        assert context_answer(name, 'a "b"\né', host=host) == (
            f'{{"hookSpecificOutput": {{"hookEventName": "{name}", "additionalContext": "a \\"b\\"\\né"}}}}'
        )


def test_gemini_cli_is_answered_under_its_own_names() -> None:
    assert '"hookEventName": "BeforeAgent"' in context_answer("BeforeAgent", "x", host="gemini")
    assert context_answer("PreCompress", "x", host="gemini") == ""


@pytest.mark.parametrize("name", ["Stop", "SessionEnd", "SubagentStop", "PostCompact", "Unheard"])
def test_where_an_answer_would_do_harm_there_is_none(name: str) -> None:
    assert context_answer(name, "text", host="claude-code") == ""


def test_before_a_compaction_the_answer_is_plain_text() -> None:
    assert context_answer("PreCompact", "keep the names", host="claude-code") == "keep the names"


def test_nothing_to_say_is_no_answer() -> None:
    assert context_answer("SessionStart", "", host="claude-code") == ""


def test_an_answer_that_a_host_would_hide_is_refused() -> None:
    assert len(context_answer("SessionStart", "é" * 9_500, host="claude-code")) < 10_000
    with pytest.raises(ValueError, match="cut the text"):
        context_answer("SessionStart", "x" * 9_501, host="claude-code")
    with pytest.raises(ValueError, match="cut the text"):
        context_answer("SessionStart", '"' * 9_000, host="claude-code")


def test_loading_the_translator_is_cheap() -> None:
    """It is loaded at every tool call."""
    code = (
        "import sys; import limpet.hosts.events, limpet.hosts.answers;"
        "print([each for each in ('dataclasses', 'typing', 're', 'json', 'pathlib', 'inspect') if each in sys.modules])"
    )
    source = [each for each in sys.path if each.endswith("src")]
    code = f"import sys; sys.path[:0] = {source or ['src']!r}; " + code
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


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
