"""What is written down of a payload must be enough to tell later what it reported."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.hosts import read_event
from limpet.hosts.tools import is_external
from limpet.model.event import ToolFinished
from limpet.store.intake import tidied
from tests.hosts.recorded import AT, payloads

HOSTS = {"claude-code": "hook", "codex": "codex", "gemini": "gemini"}
RECORDED = [(host, name) for host, of in HOSTS.items() for name in sorted(payloads(of))]


def kept(payload: dict[str, Any]) -> dict[str, Any]:
    found = tidied(payload)
    assert found is not None
    return found


@pytest.mark.parametrize(("host", "name"), RECORDED)
def test_a_recorded_payload_reports_the_same_after_it_was_written_down(host: str, name: str) -> None:
    payload = payloads(HOSTS[host])[name]
    assert read_event(kept(payload), host=host, at=AT) == read_event(payload, host=host, at=AT)


def test_a_tool_of_another_server_stays_one_though_its_name_is_bare() -> None:
    payload = {"session_id": "g", "cwd": "/p", "hook_event_name": "AfterTool", "tool_name": "read_file"}
    given = {"tool_input": {}, "tool_response": {"llmContent": "text"}, "mcp_context": {"server_name": "mailbox"}}
    found = read_event(kept({**payload, **given}), host="gemini", at=AT)
    assert isinstance(found, ToolFinished)
    assert found.tool == "mcp__mailbox__read_file"
    assert is_external(found)
