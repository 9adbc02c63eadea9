"""What a rollout of Codex becomes, in the older and the newer form of its published sources."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from limpet.hosts.outside import is_external
from limpet.hosts.sessions import find_sessions, read_session
from limpet.hosts.transcript import SkippedLines
from limpet.model.event import (
    Action,
    Compacted,
    PromptSubmitted,
    SessionStarted,
    SubagentStarted,
    ToolFinished,
    TurnEnded,
)
from tests.hosts.recorded import kinds, write_lines

THREAD = "019e22ba-4c15-7ae0-a903-255537a6a1b3"


PATCH = "*** Begin Patch\n*** Add File: /home/dev/project/script.py\n+import json\n*** End Patch\n"


def line(kind: str, payload: Any, second: int = 0) -> dict[str, Any]:
    return {"timestamp": f"2026-05-13T19:11:{second:02}.000Z", "type": kind, "payload": payload}


def meta(**more: Any) -> dict[str, Any]:
    git = {"commit_hash": "17985d4", "branch": "master", "repository_url": "git@example.org:org/repo.git"}
    return line("session_meta", {"id": THREAD, "cwd": "/home/dev/project", "source": "cli", "git": git, **more})


def shell(command: str, output: str, id: str) -> list[dict[str, Any]]:
    arguments = json.dumps({"cmd": command, "workdir": "/home/dev/project"})
    return [
        line("response_item", {"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": id}),
        line("response_item", {"type": "function_call_output", "call_id": id, "output": output}, 5),
    ]


def typed_then(text: str, *, newer: bool) -> list[dict[str, Any]]:
    """Return the records of a prompt, as the model was given it and as the person typed it."""
    given = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    told: dict[str, Any] = {"type": "user_message", "message": text, "images": []}
    if newer:
        item = {"type": "UserMessage", "id": "1", "content": [{"type": "text", "text": text, "text_elements": []}]}
        told = {"type": "item_completed", "thread_id": THREAD, "item": item}
    return [line("response_item", given, 1), line("event_msg", told, 1)]


def rollout(newer: bool) -> list[Any]:
    surroundings = {"type": "input_text", "text": "<environment_context>\n  <cwd>/tmp</cwd>"}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
    patched = json.dumps({"output": "Success.", "metadata": {"exit_code": 0, "duration_seconds": 0.1}})
    return [
        meta(cwd="/home/dev"),
        line("turn_context", {"cwd": "/home/dev/project", "model": "m"}),
        line("response_item", {"type": "message", "role": "user", "content": [surroundings]}),
        line("event_msg", {"type": "task_started", "turn_id": "t"}),
        *typed_then("Please review the documents.", newer=newer),
        line("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "gAAAA"}),
        *shell("ls docs", "Chunk ID: 5e\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\na.md", "c1"),
        *shell("make", "Chunk ID: 6e\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno rule", "c2"),
        line("response_item", {"type": "custom_tool_call", "call_id": "c3", "name": "apply_patch", "input": PATCH}),
        line(
            "response_item",
            {"type": "function_call", "name": "get", "namespace": "mcp__github", "arguments": "{}", "call_id": "c4"},
        ),
        line("response_item", {"type": "custom_tool_call_output", "call_id": "c3", "output": patched}),
        line(
            "response_item",
            {"type": "function_call_output", "call_id": "c4", "output": [{"type": "input_text", "text": "theirs"}]},
        ),
        line("response_item", {"type": "web_search_call", "action": {"type": "search", "query": "codex hooks"}}),
        line("response_item", said),
        line("event_msg", {"type": "agent_message", "message": "Done."}),
        line("event_msg", {"type": "token_count", "info": {}}),
        line("event_msg", {"type": "task_complete", "turn_id": "t", "last_agent_message": "Done."}, 9),
        "broken",
        line("compacted", {"message": "The summary.", "replacement_history": [said]}),
        line("brand_new", {"type": "user_message", "message": "not this"}),
    ]


@pytest.fixture(params=["older", "newer"])
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "sessions" / "2026" / "05" / "13" / f"rollout-2026-05-13T19-11-47-{THREAD}.jsonl"
    return write_lines(path, rollout(request.param == "newer"))


def test_a_rollout_gives_the_events_of_its_session(recorded: Path) -> None:
    skipped = SkippedLines()
    found = list(read_session(recorded, skipped=skipped, host="codex"))
    assert kinds(found) == [
        *("SessionStarted", "PromptSubmitted"),
        *["ToolFinished"] * 5,
        *("TurnEnded", "Compacted", "SessionEnded"),
    ]
    assert {(each.event.session, each.branch) for each in found} == {(THREAD, "master")}
    assert [each.cwd for each in found] == ["/home/dev", *["/home/dev/project"] * 9], "each turn says where it works"
    started, prompt = found[0].event, found[1].event
    assert isinstance(started, SessionStarted) and started.transcript == str(recorded)
    assert isinstance(prompt, PromptSubmitted) and prompt.text == "Please review the documents."
    assert prompt.at == datetime(2026, 5, 13, 19, 11, 1, tzinfo=UTC)
    ended, compacted = found[7].event, found[8].event
    assert isinstance(ended, TurnEnded) and ended.said == "Done."
    assert isinstance(compacted, Compacted) and compacted.summary == "The summary."
    assert skipped.broken == 1


def test_the_tools_of_a_rollout_are_reported_with_their_results(recorded: Path) -> None:
    found = [each.event for each in read_session(recorded, host="codex")]
    listed, made, patched, theirs, searched = (each for each in found if isinstance(each, ToolFinished))
    assert (listed.command, listed.output, listed.failed) == ("ls docs", "a.md", False)
    assert (made.command, made.output, made.failed) == ("make", "no rule", True)
    assert (patched.output, patched.files_modified) == ("import json", ("script.py",))
    assert (theirs.tool, theirs.output, is_external(theirs)) == ("mcp__github__get", "theirs", True)
    assert (searched.action, searched.command) == (Action.FETCH, "codex hooks")


def test_a_rollout_can_be_continued_from_any_event(recorded: Path) -> None:
    whole = list(read_session(recorded, host="codex"))
    for number, each in enumerate(whole):
        rest = list(read_session(recorded, start=each.offset, host="codex"))
        assert rest == whole[number + 1 :] or (rest == [] and kinds(whole[number + 1 :]) == ["SessionEnded"])


def test_a_rollout_of_a_subagent_belongs_to_its_parent(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "the-parent", "agent_role": "reviewer"}}}
    records = [meta(source=source), *typed_then("told by the agent", newer=False), *shell("ls", "x", "c1")]
    path = write_lines(tmp_path / "rollout-1.jsonl", records)
    started, tool = (each.event for each in read_session(path, host="codex"))
    assert isinstance(started, SubagentStarted) and isinstance(tool, ToolFinished)
    assert started.session == tool.session == "the-parent"
    assert started.subagent == tool.subagent == THREAD


def test_rollouts_are_found_below_the_home_of_codex(recorded: Path, tmp_path: Path) -> None:
    (tmp_path / "history.jsonl").write_text("{}\n", "utf-8")
    assert list(find_sessions(tmp_path, host="codex")) == [recorded]


def test_an_interruption_is_reported(tmp_path: Path) -> None:
    aborted = [line("event_msg", {"type": "turn_aborted", "reason": reason}) for reason in ("interrupted", "replaced")]
    path = write_lines(tmp_path / f"rollout-2026-05-13T19-11-00-{THREAD}.jsonl", [meta(), *aborted])
    assert kinds(list(read_session(path))) == ["SessionStarted", "Interrupted", "SessionEnded"]


@pytest.mark.parametrize(("source", "is_scripted"), [("cli", False), ("vscode", False), ("exec", True)])
def test_a_session_that_a_program_drives_is_told_apart(tmp_path: Path, source: str, is_scripted: bool) -> None:
    path = write_lines(tmp_path / f"rollout-2026-05-13T19-11-00-{THREAD}.jsonl", [meta(source=source)])
    started = next(read_session(path)).event
    assert isinstance(started, SessionStarted) and started.is_scripted is is_scripted
