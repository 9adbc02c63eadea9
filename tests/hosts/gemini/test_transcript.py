"""What a chat of Gemini CLI becomes, in the older and the newer form of its published sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from limpet.hosts.gemini.transcript import find_compactions
from limpet.hosts.prompt_text import typed_text
from limpet.hosts.sessions import find_sessions, read_session
from limpet.hosts.transcript import SkippedLines
from limpet.model.event import (
    Compacted,
    PromptSubmitted,
    ToolFinished,
    TurnEnded,
)
from tests.hosts.recorded import kinds, write_lines


def gemini_call(id: str, name: str, args: Any, status: str, output: str) -> dict[str, Any]:
    told = {"functionResponse": {"id": id, "name": name, "response": {"output": output}}}
    return {
        "id": id,
        "name": name,
        "args": args,
        "status": status,
        "result": [told],
        "timestamp": "2026-09-02T10:00:05Z",
    }


def gemini_messages() -> list[dict[str, Any]]:
    ran = gemini_call("r1", "run_shell_command", {"command": "make"}, "success", "Output: no rule\nExit Code: 2")
    wrote = gemini_call(
        "r2", "write_file", {"file_path": "/home/dev/project/a.py", "content": "x = 1"}, "success", "ok"
    )
    stopped = gemini_call("r3", "read_file", {"file_path": "b.py"}, "cancelled", "")
    first = {"id": "m2", "timestamp": "2026-09-02T10:00:04Z", "type": "gemini", "content": "", "toolCalls": [ran]}
    return [
        {"id": "m0", "timestamp": "2026-09-02T10:00:01Z", "type": "info", "content": "Update available"},
        {
            "id": "m1",
            "timestamp": "2026-09-02T10:00:02Z",
            "type": "user",
            "content": [{"text": "Fix @a.py"}, {"text": "<whole file>"}],
            "displayContent": [{"text": "Fix @a.py"}],
        },
        {**first, "toolCalls": [{**ran, "status": "executing", "result": None}]},
        first,
        {**first, "toolCalls": [ran, wrote, stopped]},
        {"id": "m3", "timestamp": "2026-09-02T10:00:08Z", "type": "gemini", "content": "Fixed.", "toolCalls": []},
        {
            "id": "m3",
            "timestamp": "2026-09-02T10:00:08Z",
            "type": "gemini",
            "content": "Fixed.",
            "tokens": {"total": 9},
        },
        {
            "id": "m4",
            "timestamp": "2026-09-02T10:01:00Z",
            "type": "user",
            "content": "Thanks\n<hook_context>x</hook_context>",
        },
    ]


@pytest.fixture(params=["object", "lines"])
def chat(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    head = {"sessionId": "g-1", "projectHash": "abc", "startTime": "2026-09-02T10:00:00Z", "lastUpdated": "x"}
    folder = tmp_path / "tmp" / "project"
    (folder / "chats").mkdir(parents=True)
    (folder / ".project_root").write_text("/home/dev/project", "utf-8")
    (folder / "logs.json").write_text("[]", "utf-8")
    name = "session-2026-09-02T10-00-0123abcd"
    if request.param == "lines":
        records: list[Any] = [head]
        for message in gemini_messages():
            records += [message, {"$set": {"lastUpdated": "y"}}]
        return write_lines(folder / "chats" / f"{name}.jsonl", [*records, {"$rewindTo": "m4"}, "broken"])
    last = {each["id"]: each for each in gemini_messages()}
    path = folder / "chats" / f"{name}.json"
    path.write_text(json.dumps({**head, "messages": list(last.values())}, indent=2), "utf-8")
    return path


def test_a_chat_gives_the_events_of_its_session(chat: Path) -> None:
    found = list(read_session(chat, host="gemini"))
    assert kinds(found) == [
        *("SessionStarted", "PromptSubmitted"),
        *["ToolFinished"] * 3,
        *("TurnEnded", "PromptSubmitted", "SessionEnded"),
    ]
    assert {(each.event.session, each.cwd) for each in found} == {("g-1", "/home/dev/project")}
    prompts = [each.event.text for each in found if isinstance(each.event, PromptSubmitted)]
    assert prompts == ["Fix @a.py", "Thanks"]
    ran, wrote, stopped = (each.event for each in found if isinstance(each.event, ToolFinished))
    assert (ran.command, ran.output, ran.failed) == ("make", "no rule", True)
    assert (wrote.output, wrote.files_modified) == ("x = 1", ("a.py",))
    assert stopped.interrupted
    assert [each.event.said for each in found if isinstance(each.event, TurnEnded)] == ["Fixed."]


def test_a_chat_can_be_continued_from_any_event(chat: Path) -> None:
    """Two calls that one record tells of are told again to a reader who stopped between them."""
    whole = list(read_session(chat, host="gemini"))
    for number, each in enumerate(whole):
        first = next(place for place, seen in enumerate(whole) if seen.start == each.start)
        expected = whole[number + 1 :] if each.offset > each.start else whole[first:]
        rest = list(read_session(chat, start=each.offset, host="gemini"))
        assert rest == expected or (rest == [] and kinds(expected) == ["SessionEnded"])


def test_chats_are_found_below_the_home_of_gemini_cli(chat: Path, tmp_path: Path) -> None:
    assert list(find_sessions(tmp_path, host="gemini")) == [chat]


def test_a_chat_that_is_no_json_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "chats" / "session-1.json"
    path.parent.mkdir()
    path.write_text("{cut", "utf-8")
    skipped = SkippedLines()
    assert list(read_session(path, skipped=skipped, host="gemini")) == []
    assert skipped.broken == 1


# Compressions. The records are those of Gemini CLI 0.61.0 with shorter texts.

CONTEXT = {
    "id": "d0",
    "timestamp": "2026-09-02T10:00:00Z",
    "type": "user",
    "content": [{"text": "<session_context>\nx"}],
}
THANKS = [{"text": "Got it. Thanks for the additional context!"}]
GOT_IT = {"id": "g1", "timestamp": "2026-09-02T10:02:00Z", "type": "gemini", "content": THANKS}


def snapshot(id: str, minute: int) -> dict[str, Any]:
    text = "<scratchpad>thinking</scratchpad>\n<state_snapshot>\n<overall_goal>Mend the tide table.</overall_goal>"
    return {"id": id, "timestamp": f"2026-09-02T10:{minute:02}:00Z", "type": "user", "content": [{"text": text}]}


def compressed(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"$set": {"messages": [CONTEXT, *messages], "lastUpdated": "2026-09-02T10:09:00Z"}}


def typed(id: str, minute: int, text: str) -> dict[str, Any]:
    return {"id": id, "timestamp": f"2026-09-02T10:{minute:02}:00Z", "type": "user", "content": [{"text": text}]}


def write_compressed_chat(folder: Path) -> Path:
    """Write a chat that was compressed twice, with lines between that change its messages for other reasons."""
    head = {"sessionId": "g-1", "startTime": "2026-09-02T10:00:00Z", "kind": "main"}
    asked, again = typed("m1", 1, "How is the tide?"), typed("m4", 3, "What is a <state_snapshot> for?")
    first, second = snapshot("s1", 2), snapshot("s2", 5)
    return write_lines(
        folder / "tmp" / "shop" / "chats" / "session-1.jsonl",
        [
            *(head, {"$set": {"messages": [CONTEXT]}}, asked, compressed(again, asked), {"$set": {"lastUpdated": "x"}}),
            *(compressed(first, GOT_IT), again, compressed(first, GOT_IT, again)),
            *(head, {"$set": {"sessionId": "g-1"}}, compressed(second, GOT_IT, again), typed("m6", 6, "And the ebb?")),
        ],
    )


def test_each_compression_of_a_chat_counts_once(tmp_path: Path) -> None:
    path = write_compressed_chat(tmp_path)
    found = list(read_session(path, host="gemini"))
    assert kinds(found) == [
        *("SessionStarted", "PromptSubmitted", "Compacted", "PromptSubmitted", "Compacted", "PromptSubmitted"),
        "SessionEnded",
    ]
    times = [each.event.at.minute for each in found if isinstance(each.event, Compacted)]
    assert times == [each.minute for each in find_compactions(str(path))] == [2, 5]
    rest = list(read_session(path, start=found[2].offset, host="gemini"))
    assert kinds(rest) == kinds(found)[3:]


def test_the_summary_of_a_chat_is_no_prompt() -> None:
    for text in ("<state_snapshot>\n<overall_goal>x", "<scratchpad>y</scratchpad>\n<state_snapshot>"):
        assert typed_text(text) == ""
