"""Hook events over HTTP: the same answers and the same queue as the hook program."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.queue import files as queue
from tests.cli.hooks import Host, payload
from tests.http.served import Served


def queued(served: Served, session: str) -> list[dict[str, Any]]:
    home = str(served.home)
    records = [record for name in queue.list_queue_files(home) for _, record in queue.read(home, name)]
    return [record for record in records if record["payload"]["session_id"] == session]


def fire(served: Served, address: str, event: str, session: str, **fields: Any) -> Any:
    told = {**payload(event, cwd=str(served.project), **fields), "session_id": session}
    found = served.ask("POST", f"/hook/{address}", told)
    assert found.status == 200, found.text
    return found.json


def test_a_start_is_answered_as_the_hook_program_answers_it(served: Served) -> None:
    served.remember("Always run the linter before a commit.")
    over_http = fire(served, "session_start", "SessionStart", "s-1", source="startup")
    host = Host(served.project.parent / "other")
    host.environment |= {"LIMPET_HOME": str(served.home), "CLAUDE_PROJECT_DIR": str(served.project)}
    # With a setting of its own the hook program does not hand over.
    host.environment["LIMPET_HOOKS__START_MS"] = "3000"
    assert host.context("SessionStart", cwd=str(served.project)) == over_http["hookSpecificOutput"]["additionalContext"]
    assert "linter" in over_http["hookSpecificOutput"]["additionalContext"]


def test_an_event_is_in_the_queue_when_the_server_has_answered(served: Served) -> None:
    fields = {"tool_name": "Bash", "tool_input": {"command": "make ship"}, "tool_response": {"stdout": "ok"}}
    assert fire(served, "post_tool_use", "PostToolUse", "s-2", **fields) == {}
    assert fire(served, "event", "Stop", "s-2") == {}
    assert [row["payload"]["hook_event_name"] for row in queued(served, "s-2")] == ["PostToolUse", "Stop"]


def test_the_body_of_a_simple_script_is_answered_for_the_folder_of_the_server(served: Served) -> None:
    served.remember("Prefer tabs to spaces in this project.")
    before = len(queue.list_queue_files(str(served.home)))
    found = served.send("POST", "/hook/session_start", b"{}")
    assert "tabs" in found.json["hookSpecificOutput"]["additionalContext"]
    for name in ("pre_compact", "session_end"):
        assert served.send("POST", f"/hook/{name}", b"{}").status == 200
    assert served.send("POST", "/hook/session_start").status == 200
    assert len(queue.list_queue_files(str(served.home))) == before


def test_nothing_over_http_counts_as_typed_by_a_person(served: Served) -> None:
    fire(served, "user_prompt_submit", "UserPromptSubmit", "s-3", prompt="Remember that I like tea.")
    assert [row.get("nested") for row in queued(served, "s-3")] == [True]
    fields = {"command_name": "please-remember", "command_args": "The safe is behind the clock."}
    fire(served, "user_prompt_expansion", "UserPromptExpansion", "s-3", **fields)
    found = served.ask("GET", "/memories/search?query=where+is+the+safe").json["memories"]
    assert [row["trust"] for row in found if "safe" in row["text"]] == ["agent"]


def test_a_secret_is_not_written(served: Served) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    fields = {"tool_name": "Bash", "tool_input": {"command": f"curl -H 'Authorization: token {secret}' x"}}
    fire(served, "post_tool_use", "PostToolUse", "s-4", **fields)
    assert queued(served, "s-4")
    assert not any(secret.encode() in data for data in served.journal().values())


@pytest.mark.parametrize(
    "body",
    [[], "x", 3, None, {"session_id": 3}, {"session_id": None}, {"session_id": "", "cwd": "\0"}, {"cwd": []}],
)
def test_a_strange_event_is_no_error_of_the_server(served: Served, body: Any) -> None:
    for name in ("session_start", "post_tool_use", "event", "upkeep"):
        assert served.ask("POST", f"/hook/{name}", body).status in (200, 400)


@pytest.mark.parametrize("session", ["x" * 201, "a\nb", "\x1b[2J"])
def test_a_session_that_nothing_can_be_learnt_from_is_not_queued(served: Served, session: str) -> None:
    """Every later round would try it again, and write a line to the log."""
    assert fire(served, "stop", "Stop", session) == {}
    assert not queued(served, session)


def test_a_host_that_is_not_known_is_refused(served: Served) -> None:
    assert served.ask("POST", "/hook/session_start", {}, Limpet_Host="emacs").status == 400


def test_the_events_of_another_host_have_its_names(served: Served) -> None:
    told = {**payload("BeforeAgent", cwd=str(served.project), prompt="Which linter?"), "session_id": "s-5"}
    assert served.ask("POST", "/hook/event", told, Limpet_Host="gemini").status == 200
    assert len(queued(served, "s-5")) == 1


def test_a_start_is_answered_and_the_failure_logged_if_the_queue_cannot_be_written(served: Served) -> None:
    served.remember("Sign the release before it is uploaded.")
    folder = served.home / "queue"
    folder.rename(served.home / "aside")
    try:
        folder.touch()
        told = fire(served, "session_start", "SessionStart", "s-full", source="startup")
    finally:
        folder.unlink()
        (served.home / "aside").rename(folder)
    assert "Sign the release" in told["hookSpecificOutput"]["additionalContext"]
    assert "not queued" in (served.home / "hook.log").read_text().splitlines()[-1]
