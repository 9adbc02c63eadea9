"""What a recorded session of Claude Code becomes, and that any file can be read, however long and broken."""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from limpet.hosts.events import read_event
from limpet.hosts.sessions import read_session
from limpet.hosts.transcript import LONGEST_LINE, LocatedEvent, SkippedLines
from limpet.lean.record import replace
from limpet.model.event import (
    CommandExpanded,
    Compacted,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    SubagentStarted,
    ToolFinished,
    TurnEnded,
)
from tests.hosts.recorded import (
    AGENT,
    AT,
    HERE,
    SESSION,
    call,
    config_folder,
    entry,
    kinds,
    payloads,
    result,
    write_lines,
)


def read(path: Path, start: int = 0) -> list[LocatedEvent]:
    return list(read_session(path, start=start, host="claude-code"))


def tools(path: Path) -> list[ToolFinished]:
    return [each.event for each in read(path) if isinstance(each.event, ToolFinished)]


def test_a_recorded_session_gives_the_events_its_hooks_would_have() -> None:
    found = read(HERE / "compact.jsonl")
    assert kinds(found) == [
        *("SessionStarted", "PromptSubmitted", "ToolFinished", "TurnEnded", "Compacted", "CommandExpanded"),
        *("PromptSubmitted", "TurnEnded", "SessionEnded"),
    ]
    events = [each.event for each in found]
    assert {each.session for each in events} == {"5e1f4db6-0d56-4e2d-9fa9-64ae90af9e59"}
    assert isinstance(events[0], SessionStarted) and events[0].transcript == str(HERE / "compact.jsonl")
    assert isinstance(events[1], PromptSubmitted) and events[1].text == "What is here?"
    assert events[1].at == datetime(2026, 11, 15, 5, 17, 52, 472_000, UTC)
    assert isinstance(events[2], ToolFinished) and events[2].line == 18
    assert (events[2].command, events[2].output) == ("ls", "__pycache__\ncalc.py\ntest_calc.py")
    assert isinstance(events[3], TurnEnded) and events[3].said == "Two files."
    assert isinstance(events[4], Compacted) and events[4].summary == "The project has two files."
    assert isinstance(events[5], CommandExpanded) and events[5].arguments == "keep the file names"
    assert isinstance(events[8], SessionEnded)


def test_an_event_says_where_the_agent_worked() -> None:
    found = read(HERE / "compact.jsonl")[2]
    assert (found.cwd, found.line, found.path) == ("/home/dev/project", 18, str(HERE / "compact.jsonl"))
    assert found.branch is None, "a detached head is no branch"
    raw = (HERE / "compact.jsonl").read_bytes()[found.start : found.offset]
    assert json.loads(raw)["toolUseResult"]["stdout"].startswith("__pycache__")


def test_the_work_of_a_subagent_is_its_own(tmp_path: Path) -> None:
    home = config_folder(tmp_path)
    found = read(home / "projects" / "-home-dev-project" / SESSION / "subagents" / f"agent-{AGENT}.jsonl")
    assert kinds(found) == ["SubagentStarted", "ToolFinished"]
    started, tool = (each.event for each in found)
    assert isinstance(started, SubagentStarted) and started.subagent == AGENT
    assert isinstance(tool, ToolFinished) and tool.subagent == AGENT
    assert started.session == tool.session == SESSION


def test_a_notification_is_no_prompt_but_ends_a_turn() -> None:
    found = read(HERE / "subagent.jsonl")
    assert kinds(found) == [
        *("SessionStarted", "PromptSubmitted", "ToolFinished", "TurnEnded", "TurnEnded", "SessionEnded")
    ]


def test_a_tool_call_is_the_same_from_the_hook_and_from_the_transcript(tmp_path: Path) -> None:
    for name, payload in payloads().items():
        if payload["hook_event_name"] not in ("PostToolUse", "PostToolUseFailure"):
            continue
        failed = "error" in payload
        answer = {} if failed else {"toolUseResult": payload["tool_response"]}
        text = payload["error"] if failed else json.dumps(payload["tool_response"])
        path = write_lines(
            tmp_path / f"{name.replace(':', '-')}.jsonl",
            [
                call(payload["tool_name"], payload["tool_input"], id="t1", sessionId=payload["session_id"]),
                result(text, id="t1", failed=failed, sessionId=payload["session_id"], **answer),
            ],
        )
        (found,) = tools(path)
        assert replace(found, line=None, at=AT) == read_event(payload, host="claude-code", at=AT), name


def test_calls_and_results_are_matched_across_records(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "s-1.jsonl",
        [
            call("Bash", {"command": "one"}, id="a"),
            call("Bash", {"command": "two"}, id="b"),
            result("second", id="b"),
            result([{"type": "text", "text": "first"}], id="a"),
            result("of a call nobody made", id="z"),
        ],
    )
    assert [(each.command, each.output) for each in tools(path)] == [("two", "second"), ("one", "first")]


def test_a_failed_tool_is_seen_by_its_mark(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "s-1.jsonl",
        [
            call("Edit", {"file_path": "/home/dev/project/a.py", "new_string": "x"}, id="a"),
            result("<tool_use_error>String to replace not found</tool_use_error>", id="a", failed=True),
            call("Bash", {"command": "x"}, id="b"),
            result("Exit code 0 and all is well", id="b", toolUseResult={"stdout": "Exit code 1", "stderr": ""}),
            call("Bash", {"command": "y"}, id="c"),
            result("The user doesn't want to proceed with this tool use.", id="c", failed=True),
        ],
    )
    edit, good, denied = tools(path)
    assert edit.failed and edit.output == "String to replace not found" and edit.files_modified == ()
    assert not good.failed
    assert denied.failed and denied.interrupted


def test_nobody_typed_what_a_host_wrote(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "s-1.jsonl",
        [
            entry("user", "typed"),
            entry("user", "expanded by a command", isMeta=True),
            entry("user", "given to a sub-agent", isSidechain=True),
            entry("user", "<local-command-stdout>x</local-command-stdout>"),
            entry("user", "[Request interrupted by user]"),
            entry("user", "by a timer", promptSource="system"),
            entry("user", [{"type": "text", "text": "<ide_opened_file>a.py"}, {"type": "text", "text": "in blocks"}]),
            entry("user", [{"type": "image", "source": {}}, {"type": "text", "text": "with an image"}]),
        ],
    )
    prompts = [each.event.text for each in read(path) if isinstance(each.event, PromptSubmitted)]
    assert prompts == ["typed", "in blocks", "with an image"]


def test_what_a_person_takes_back_in_the_shell_mode_is_reported_and_no_other_command(tmp_path: Path) -> None:
    typed = ("git checkout -- src/cart.py", "git status", "ls")
    lines = [entry("user", f"<bash-input>{command}</bash-input>") for command in typed]
    found = read(write_lines(tmp_path / "s-1.jsonl", lines))
    prompts = [each.event.text for each in found if isinstance(each.event, PromptSubmitted)]
    assert prompts == ["! git checkout -- src/cart.py"]


def test_an_interruption_is_reported(tmp_path: Path) -> None:
    text = "[Request interrupted by user for tool use]"
    path = write_lines(
        tmp_path / "s-1.jsonl",
        [
            entry("user", "go", second=1),
            entry("user", [{"type": "text", "text": text}], second=2),
            entry("user", [{"type": "text", "text": text}], second=3, isSidechain=True),
            entry("user", "what does [Request interrupted by user] mean?", second=4),
        ],
    )
    assert kinds(read(path)) == ["SessionStarted", "PromptSubmitted", "Interrupted", "PromptSubmitted", "SessionEnded"]


@pytest.mark.parametrize(
    ("program", "is_scripted"),
    [
        ("cli", False),
        ("claude-vscode", False),
        ("", False),
        ("sdk-cli", True),
        ("sdk-py", True),
        ("codexhost-sdk", True),
    ],
)
def test_a_session_that_a_program_drives_is_told_apart(tmp_path: Path, program: str, is_scripted: bool) -> None:
    path = write_lines(tmp_path / "s-1.jsonl", [entry("user", "go", entrypoint=program)])
    started = read(path)[0].event
    assert isinstance(started, SessionStarted) and started.is_scripted is is_scripted


def test_a_turn_ends_with_the_last_word(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "s-1.jsonl",
        [
            entry("user", "go", second=1),
            entry("assistant", [{"type": "text", "text": "I will look."}], second=2),
            call("Bash", {"command": "ls"}, id="a", second=2),
            result("x", id="a", second=3),
            entry("assistant", [{"type": "thinking", "thinking": "hm"}], second=4),
            entry("assistant", [{"type": "text", "text": "Part one."}], second=4),
            entry("assistant", [{"type": "text", "text": "Part two."}], second=4),
            entry("user", "next", second=5),
        ],
    )
    found = read(path)
    assert [each.event.said for each in found if isinstance(each.event, TurnEnded)] == ["Part one.\nPart two."]
    assert kinds(found)[-3:] == ["TurnEnded", "PromptSubmitted", "SessionEnded"]
    assert found[0].branch == "feature/x"


def test_broken_lines_are_skipped_with_a_count(tmp_path: Path) -> None:
    good = entry("user", "still read")
    path = write_lines(
        tmp_path / "s-1.jsonl",
        [
            "not json",
            '{"type":"user","message":{"content":"cut',
            '{"parentUuid":null,"isSide',
            '{"type":"user"}' + "}",
            "",
            "[1, 2]",
            '{"agentType":"no type at all"}',
            {"type": "queue-operation", "content": "x"},
            {"type": "brand-new", "message": 7},
            good,
        ],
    )
    skipped = SkippedLines()
    found = list(read_session(path, skipped=skipped, host="claude-code"))
    assert kinds(found)[:2] == ["SessionStarted", "PromptSubmitted"]
    assert (skipped.broken, skipped.too_long) == (5, 0)


def test_lines_without_uuid_or_time_or_session_are_read(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "the-session.jsonl", [{"type": "user", "message": {"content": "bare"}}])
    found = read(path)
    assert kinds(found) == ["SessionStarted", "PromptSubmitted", "SessionEnded"]
    assert found[1].event.session == "the-session"
    assert found[1].event.at.tzinfo is not None


def test_a_line_that_is_being_written_is_left_for_later(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s-1.jsonl", [entry("user", "one", second=1)])
    whole = path.read_bytes()
    second = json.dumps(entry("user", "two", second=2)).encode() + b"\n"
    path.write_bytes(whole + second[:60])
    skipped = SkippedLines()
    found = list(read_session(path, skipped=skipped, host="claude-code"))
    assert kinds(found) == ["SessionStarted", "PromptSubmitted", "SessionEnded"] and skipped.broken == 0
    path.write_bytes(whole + second)
    assert kinds(read(path, found[-1].offset)) == ["PromptSubmitted", "SessionEnded"]
    path.write_bytes(whole + second.rstrip(b"\n"))
    assert len(read(path)) == 4, "a last line may lack its end"


def a_session() -> list[Any]:
    noise = {
        "parentUuid": None,
        "isSidechain": False,
        "attachment": {"type": "x", "text": "y" * 500},
        "type": "attachment",
    }
    records: list[Any] = [{"type": "mode", "mode": "normal"}]
    for second in range(0, 60, 6):
        records += [
            entry("user", f"prompt {second}", second=second),
            noise,
            call("Bash", {"command": f"make {second}"}, id=f"toolu_{second}a", second=second + 1),
            call("Read", {"file_path": "/home/dev/project/a.py"}, id=f"toolu_{second}b", second=second + 1),
            result("made", id=f"toolu_{second}a", second=second + 2),
            "broken",
            result("text", id=f"toolu_{second}b", second=second + 3),
            entry("assistant", [{"type": "text", "text": f"done {second}"}], second=second + 4),
        ]
    return records


@pytest.mark.parametrize("made", ["compact", "subagent", "own"])
def test_a_session_can_be_continued_from_any_event(tmp_path: Path, made: str) -> None:
    path = write_lines(tmp_path / "s-1.jsonl", a_session()) if made == "own" else HERE / f"{made}.jsonl"
    whole = read(path)
    for number, each in enumerate(whole):
        rest = read(path, each.offset)
        assert rest == whole[number + 1 :] or (rest == [] and kinds(whole[number + 1 :]) == ["SessionEnded"]), number


def test_two_results_in_one_record_are_seen_again_rather_than_lost(tmp_path: Path) -> None:
    both = [
        {"type": "tool_result", "tool_use_id": "a", "content": "1"},
        {"type": "tool_result", "tool_use_id": "b", "content": "2"},
    ]
    records = [call("Bash", {"command": "1"}, id="a"), call("Bash", {"command": "2"}, id="b"), entry("user", both)]
    path = write_lines(tmp_path / "s-1.jsonl", [entry("user", "go"), *records])
    first, second = (each for each in read(path) if isinstance(each.event, ToolFinished))
    assert [each.event for each in read(path, first.offset)][:2] == [first.event, second.event]
    assert read(path, second.offset) == []


def test_a_long_file_is_read_in_little_memory(tmp_path: Path) -> None:
    """Thirty megabytes of what real files are made of, one line alone far beyond what is ever parsed."""
    path = tmp_path / "s-1.jsonl"
    attachment = {"parentUuid": None, "isSidechain": False, "attachment": {"text": "x" * 300_000}, "type": "attachment"}
    request = {"type": "api-request-body", "request": {"messages": [{"role": "user", "content": "y" * 400_000}]}}
    with path.open("w", encoding="utf-8") as file:
        for second in range(30):
            for each in (
                attachment,
                request,
                call("Bash", {"command": f"make {second}"}, id=f"t{second}", second=second),
                result("z" * 100_000, id=f"t{second}", second=second, toolUseResult={"stdout": "z" * 100_000}),
            ):
                file.write(json.dumps(each) + "\n")
        file.write(json.dumps(entry("user", "w" * (LONGEST_LINE + 10))) + "\n")
        file.write(json.dumps({**request, "request": "v" * (LONGEST_LINE + 10)}) + "\n")
        file.write(json.dumps(entry("user", "after it all", second=59)) + "\n")
    assert path.stat().st_size > 30_000_000
    skipped = SkippedLines()
    tracemalloc.start()
    try:
        count = sum(1 for _ in read_session(path, skipped=skipped, host="claude-code"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 33
    assert (skipped.broken, skipped.too_long) == (0, 1), "what nobody would have read is not missed"
    assert peak < 4 * LONGEST_LINE, f"{peak:,} bytes"


def test_lines_that_report_nothing_are_not_parsed(tmp_path: Path) -> None:
    """A record that begins as an attachment is passed over whatever stands further on, be it no JSON at all."""
    begun = (
        '{"parentUuid":"a","isSidechain":false,"attachment":{"type":"hook_success","stdout":"'
        + "x" * 600
        + '"type":"user"}'
    )
    path = write_lines(tmp_path / "s-1.jsonl", [begun, entry("user", 'a "attachment": of "mine"')])
    skipped = SkippedLines()
    found = list(read_session(path, skipped=skipped, host="claude-code"))
    assert isinstance(found[1].event, PromptSubmitted) and found[1].event.text == 'a "attachment": of "mine"'
    assert skipped.broken == 0


RECORDS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "id", "name", "input", "content", "text", "tool_use_id", "message", "is_error"]),
            inner | st.sampled_from(["tool_use", "tool_result", "text", "user", "t1", "Bash"]),
            max_size=5,
        )
    ),
    max_leaves=10,
)


OPTIONAL = (
    *("message", "sessionId", "timestamp", "cwd", "gitBranch", "isMeta", "isSidechain", "agentId"),
    *("toolUseResult", "promptSource", "isCompactSummary", "payload", "id", "toolCalls"),
)


ENTRIES = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "system", "gemini", "response_item", "event_msg", "session_meta"])},
    optional=dict.fromkeys(OPTIONAL, RECORDS),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(ENTRIES, max_size=6), st.binary(max_size=40))
def test_no_file_makes_reading_fail(tmp_path: Path, records: list[Any], bytes_between: bytes) -> None:
    lines = [json.dumps(each).encode() for each in records]
    for name in ("s-1.jsonl", "rollout-1.jsonl", "chats/session-1.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"\n".join([*lines, bytes_between, *lines]))
        for each in read_session(path):
            str(each.event).encode()
            assert 0 <= each.start <= each.offset <= path.stat().st_size
