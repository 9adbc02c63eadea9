"""The memory tool with the official SDK: its own abstract class, its commands, and its tool runner."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest
from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
from anthropic.types.beta import BetaMemoryTool20250818StrReplaceCommand as StrReplace
from anthropic.types.beta import BetaMemoryTool20250818ViewCommand as View

from limpet import MemoryTool

NOTES = "/memories/notes.md"


class Memory(MemoryTool, BetaAbstractMemoryTool):
    """The tool that a user of the SDK writes."""


@pytest.fixture
def tool(tmp_path: Path) -> Iterator[Memory]:
    made = Memory("assistant", home=str(tmp_path / "home"))
    yield made
    made.close()


def call(tool: Memory, command: str, **given: Any) -> str:
    return str(tool.call({"command": command, **given}))


def test_the_six_commands_go_through_the_class_of_the_sdk(tool: Memory) -> None:
    assert tool.name == "memory" and tool.to_dict()["type"] == "memory_20250818"
    call(tool, "create", path=NOTES, file_text="one\ntwo\n")
    call(tool, "insert", path=NOTES, insert_line=0, insert_text="zero")
    tool.str_replace(StrReplace(command="str_replace", path=NOTES, old_str="two", new_str="2"))
    call(tool, "rename", old_path=NOTES, new_path="/memories/moved.md")
    shown = tool.view(View(command="view", path="/memories/moved.md", view_range=[1, 3]))
    assert shown.endswith("numbers:\n     1\tzero\n     2\tone\n     3\t2")
    call(tool, "delete", path="/memories/moved.md")
    with pytest.raises(ToolError, match="does not exist"):
        call(tool, "view", path="/memories/moved.md")


def test_a_program_without_the_sdk_answers_tool_calls_itself(tmp_path: Path) -> None:
    code = (
        "import json, sys; from limpet import MemoryTool; tool = MemoryTool('assistant', home=sys.argv[1])\n"
        "print(json.dumps([tool.answer({'command': 'create', 'path': '/memories/a', 'file_text': 'x'}),"
        " tool.answer({'command': 'view', 'path': '/memories/b'}), 'anthropic' in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "home")], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    made, missing, has_sdk = json.loads(done.stdout)
    assert made == {"content": "File created successfully at: /memories/a", "is_error": False}
    assert missing["is_error"] and not has_sdk


def test_what_one_process_wrote_another_reads(tool: Memory, tmp_path: Path) -> None:
    call(tool, "create", path=NOTES, file_text="kept")
    again = Memory("assistant", home=str(tmp_path / "home"))
    other = Memory("someone-else", home=str(tmp_path / "home"))
    assert "kept" in call(again, "view", path=NOTES)
    with pytest.raises(ToolError, match="does not exist"):
        call(other, "view", path=NOTES)
    again.close()
    other.close()


def test_the_tool_runner_of_the_sdk_uses_it_unchanged(tool: Memory) -> None:
    calls = [
        {"command": "create", "path": NOTES, "file_text": "tea, no milk"},
        {"command": "view", "path": "/memories/none.md"},
        {"command": "view", "path": NOTES},
    ]
    results: list[Any] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        last = body["messages"][-1]["content"]
        results.extend(last if isinstance(last, list) else [])
        number = len(results)
        content: list[dict[str, Any]] = [{"type": "text", "text": "Noted."}]
        if number < len(calls):
            content = [{"type": "tool_use", "id": f"toolu_{number}", "name": "memory", "input": calls[number]}]
        reply = {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": content,
            "stop_reason": "tool_use" if number < len(calls) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        return httpx2.Response(200, json=reply)

    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    with anthropic.Anthropic(api_key="none", base_url="http://127.0.0.1:9", http_client=http) as client:
        runner = client.beta.messages.tool_runner(
            model="scripted", max_tokens=10, messages=[{"role": "user", "content": "Remember my tea."}], tools=[tool]
        )
        runner.until_done()
    said = [(each["content"], bool(each.get("is_error"))) for each in results]
    assert said[0] == (f"File created successfully at: {NOTES}", False)
    assert said[1] == ("The path /memories/none.md does not exist. Please provide a valid path.", True)
    assert said[2][0].endswith("     1\ttea, no milk")
