"""What a tool call was and what came of it, whichever host made it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.hosts.outside import is_external
from limpet.model.event import (
    ToolFinished,
)
from tests.hosts.reading import ANY, read_payload, read_tool_call
from tests.hosts.recorded import payloads


def test_an_interrupted_tool_is_reported_as_such() -> None:
    failed = read_payload({**payloads()["PostToolUseFailure:Bash"], "is_interrupt": True})
    assert isinstance(failed, ToolFinished) and failed.interrupted
    assert read_tool_call("Bash", {"command": "sleep 9"}, {"stdout": "", "stderr": "", "interrupted": True}).interrupted


def test_a_command_is_one_line() -> None:
    assert read_tool_call("Bash", {"command": "cd a\n\n  make \\\n  test\n"}, "").command == "cd a; make test"
    assert read_tool_call("shell", {"command": ["bash", "-lc", "ls -l"]}, "", "codex").command == "ls -l"
    assert read_tool_call("shell", {"command": ["git", "status"]}, "", "codex").command == "git status"
    assert read_tool_call("exec_command", {"cmd": "ls"}, "", "codex").command == "ls"
    assert len(read_tool_call("Bash", {"command": "x" * 10**6}, "").command) == 2_000


def test_what_was_searched_or_asked_is_the_command() -> None:
    assert read_tool_call("Grep", {"pattern": "def x", "path": "src"}, {"content": "a"}).command == "def x"
    assert (
        read_tool_call("WebFetch", {"url": "https://e.org", "prompt": "p"}, {"result": "r"}).command == "https://e.org"
    )
    assert read_tool_call("google_web_search", {"query": "q"}, {"llmContent": "r"}, "gemini").command == "q"
    assert read_tool_call("Task", {"description": "look", "prompt": "long"}, {"content": []}).command == "look"


def test_both_streams_of_a_command_are_its_output() -> None:
    assert read_tool_call("Bash", {"command": "x"}, {"stdout": "out\n", "stderr": "err"}).output == "out\nerr"


def test_a_long_output_keeps_how_it_began_and_ended() -> None:
    output = read_tool_call("Bash", {"command": "x"}, {"stdout": "begin " + "x" * 10**6 + " end"}).output
    assert output.startswith("begin ") and output.endswith(" end") and len(output) < 17_000


def test_the_output_of_an_edit_is_what_was_written() -> None:
    path = "/home/dev/project/a.py"
    before = {"filePath": path, "originalFile": "the whole file as it was"}
    assert read_tool_call("Write", {"file_path": path, "content": "new"}, {**before, "content": "new"}).output == "new"
    assert read_tool_call("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, before).output == "b"
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]
    assert read_tool_call("MultiEdit", {"file_path": path, "edits": edits}, before).output == "b\nd"
    assert read_tool_call("NotebookEdit", {"notebook_path": path, "new_source": "cell"}, before).files_modified == (
        "a.py",
    )
    patch = [{"lines": [" same", "-old", "+new line"]}]
    assert read_tool_call("Edit", {"file_path": path}, {**before, "structuredPatch": patch}).output == "new line"
    assert read_tool_call("Edit", {"file_path": path, "old_string": "a", "new_string": ""}, before).output == ""


def test_a_patch_names_its_files_and_lines() -> None:
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-old\n+new\n*** Add File: b.py\n+all\n*** End Patch\n"
    for form in ({"command": patch}, {"input": patch}, {"command": ["apply_patch", patch]}, patch):
        found = read_tool_call("apply_patch", form, "Success. Updated the following files:\nM src/a.py", "codex")
        assert (found.output, found.files_modified) == ("new\nall", ("src/a.py", "b.py"))


def test_an_edit_that_failed_has_modified_nothing() -> None:
    answer = {"llmContent": "0 occurrences found", "error": {"message": "no match", "type": "edit_no_occurrence"}}
    found = read_tool_call("replace", {"file_path": "a.py", "new_string": "x"}, answer, "gemini")
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
    found = read_tool_call(name, {}, answer)
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
    found = read_tool_call(name, {}, answer)
    assert (found.failed, found.output) == (False, "fine")


def test_a_program_cannot_pretend_to_have_failed() -> None:
    """Only what the host writes around an output counts, not what stands in it."""
    answer = {"stdout": "Exit code: 1\nOutput:\nProcess exited with code 1", "stderr": ""}
    assert not read_tool_call("Bash", {"command": "cat log"}, answer).failed
    said = "Chunk ID: 1\nProcess exited with code 0\nOutput:\nExit code: 7\nOutput:\nx"
    assert not read_tool_call("exec_command", {"cmd": "cat log"}, said, "codex").failed


def test_structured_content_is_the_output_where_there_is_no_other() -> None:
    assert read_tool_call("mcp__x__y", {}, {"content": [], "structuredContent": {"a": 1}}).output == '{"a": 1}'


TOOLS = ("Bash", "Read", "Edit", "Grep", "WebFetch", "Task", "TodoWrite", "apply_patch", "mcp__a__b", "recall", "Odd")


ANSWERS = (
    *("stdout", "stderr", "file", "content", "llmContent", "structuredPatch", "error", "exit_code", "metadata"),
    *("structuredContent", "filenames", "interrupted", "status", "isError"),
)


INPUTS = ("command", "cmd", "file_path", "path", "edits", "content", "patch", "query", "input", "url", "paths")


@given(
    st.sampled_from(TOOLS),
    st.dictionaries(st.sampled_from(INPUTS), ANY, max_size=5) | ANY,
    st.dictionaries(st.sampled_from(ANSWERS), ANY, max_size=5) | ANY,
    st.sampled_from(("claude-code", "codex", "gemini")),
)
def test_no_tool_call_makes_reading_fail(name: str, given_: Any, answer: Any, host: str) -> None:
    found = read_tool_call(name, given_, answer, host)
    is_external(found)
    for text in (found.command, found.output, *found.files_read, *found.files_modified):
        text.encode()
    assert len(found.output) <= 16_100 and "\n" not in found.command


def test_a_read_file_is_named_as_the_project_names_it() -> None:
    found = read_payload(payloads()["PostToolUse:Read"])
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
    assert read_tool_call("Edit", {"file_path": path, "new_string": "x"}, {}, cwd=cwd).files_modified == (named,)
