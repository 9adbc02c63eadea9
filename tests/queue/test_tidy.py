"""What is written down of a payload must be enough to tell later what it reported."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limpet.capture.tools.observe import observe
from limpet.hosts.events import read_event
from limpet.hosts.outside import is_external
from limpet.model.event import PromptSubmitted, ToolFinished
from limpet.queue.tidy import tidy_payload
from tests.hosts.recorded import AT, payloads

HOSTS = {"claude-code": "hook", "codex": "codex", "gemini": "gemini"}
RECORDED = [(host, name) for host, of in HOSTS.items() for name in sorted(payloads(of))]


def kept(payload: dict[str, Any]) -> dict[str, Any]:
    return tidy_payload(payload)


@pytest.mark.parametrize(("host", "name"), RECORDED)
def test_a_recorded_payload_reports_the_same_after_it_was_written_down(host: str, name: str) -> None:
    payload = payloads(HOSTS[host])[name]
    assert read_event(kept(payload), host=host, at=AT) == read_event(payload, host=host, at=AT)


def test_a_tool_of_another_server_stays_foreign_without_its_prefix() -> None:
    payload = {"session_id": "g", "cwd": "/p", "hook_event_name": "AfterTool", "tool_name": "read_file"}
    given = {"tool_input": {}, "tool_response": {"llmContent": "text"}, "mcp_context": {"server_name": "mailbox"}}
    found = read_event(kept({**payload, **given}), host="gemini", at=AT)
    assert isinstance(found, ToolFinished)
    assert found.tool == "mcp__mailbox__read_file"
    assert is_external(found)


KEY = "\n".join(f"MIIE{number:04}abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234" for number in range(400))


def printed(text: str) -> str:
    payload = {"session_id": "s", "tool_name": "Bash", "tool_input": {}, "tool_response": {"stdout": text}}
    return str(kept(payload)["tool_response"]["stdout"])


@pytest.mark.parametrize("before", ["", "one line of a log\n" * 2000])
@pytest.mark.parametrize("behind", ["", "and more\n" * 20])
@pytest.mark.parametrize(
    ("begins", "ends"),
    [
        ("-----BEGIN RSA PRIVATE KEY-----\n", "\n-----END RSA PRIVATE KEY-----\n"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\n", ""),
        ("Private-Lines: 400\n", "\nPrivate-MAC: 0\n"),
    ],
)
def test_the_end_of_a_long_text_shows_nothing_of_a_key(before: str, begins: str, ends: str, behind: str) -> None:
    assert "MIIE" not in printed(before + begins + KEY + ends + behind)


@pytest.mark.parametrize("shift", range(0, 80, 7))
def test_a_key_that_begins_where_a_text_is_cut_is_a_key(shift: int) -> None:
    end = f"-----BEGIN RSA PRIVATE KEY-----\n{KEY[:2900]}\n-----END RSA PRIVATE KEY-----\n"
    text = "one line of a log\n" * 2000 + end
    assert "MIIE" not in printed(text + "." * max(0, 3000 + shift - len(end)))


def test_the_end_of_a_long_text_shows_nothing_private() -> None:
    found = printed("one line of a log\n" * 2000 + "<private>" + "my diary\n" * 1000 + "</private>the end")
    assert "diary" not in found
    assert found.endswith("the end")


def test_a_prompt_that_is_private_as_a_whole_still_begins_a_turn() -> None:
    payload = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "<private>my diary</private>"}
    event = read_event(kept(payload), host="claude-code", at=AT)
    assert isinstance(event, PromptSubmitted)
    assert "diary" not in event.text and observe(event) is None


def test_a_secret_in_the_place_of_a_name_is_redacted() -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    given = {"session_id": "s", "tool_name": "Bash", "tool_input": {token: 1}, "tool_response": {"seen": {token: {}}}}
    assert token not in str(kept(given))


def test_little_is_kept_of_content_that_is_in_the_project_anyway() -> None:
    given = {"session_id": "s", "tool_name": "Read", "tool_response": {"content": "a line of a file\n" * 1000}}
    assert len(tidy_payload(given, brief=True)["tool_response"]["content"]) < 1_300 < len(str(tidy_payload(given)))


@pytest.mark.parametrize(
    "given",
    [
        {"db_password": {"type": "string", "value": "%s"}},
        {"env": [{"name": "DB_PASSWORD", "value": "%s"}]},
        {"parameters": [{"ParameterKey": "DbPassword", "ParameterValue": "%s"}]},
    ],
)
def test_a_value_is_known_by_the_name_beside_or_around_it(given: dict[str, Any]) -> None:
    word = "Zk3-" + "wq9Rt"
    filled = json.loads(json.dumps(given).replace("%s", word))
    payload = {"session_id": "s", "hook_event_name": "PostToolUse", "tool_input": filled, "tool_response": {}}
    assert word not in json.dumps(kept(payload))
    harmless = json.loads(json.dumps(given).replace("%s", word).replace("assword", "lace").replace("PASSWORD", "PLACE"))
    assert word in json.dumps(kept({**payload, "tool_input": harmless}))
