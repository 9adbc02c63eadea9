"""Apps over HTTP: conversations in, context out, and the replies of the design for those who administer them."""

from __future__ import annotations

from typing import Any

import pytest

from limpet import clock
from tests.http.served import PERSON, Served

TEXT = "I prefer meetings after 2pm on weekdays."


def talk(served: Served, app: str, text: str) -> str:
    """Hold a conversation and wait until its memory is made; return its id."""
    started = served.ask("POST", f"/apps/{app}/conversations", {"text": text})
    assert started.status == 200, started.text
    id = str(started.json["conversation"])
    more = served.ask("POST", f"/apps/{app}/conversations/{id}/messages", {"text": "Noted.", "role": "assistant"})
    assert more.status == 200, more.text
    assert served.ask("POST", f"/apps/{app}/conversations/{id}/end", {}).status == 200
    for _ in clock.attempts(5_000, every_ms=50):
        found = served.ask("GET", f"/apps/{app}/conversations").json["conversations"]
        if all(each["settled"] for each in found):
            return id
    raise AssertionError("the memory was not made within five seconds")


@pytest.fixture
def app(served: Served, request: pytest.FixtureRequest) -> str:
    name = f"app-{abs(hash(request.node.name)) % 10_000_000}"
    assert served.ask("PUT", f"/apps/{name}", {"label": "Calendar"}).status == 200
    return name


def memories(served: Served, app: str) -> list[dict[str, Any]]:
    found = served.ask("GET", f"/apps/{app}/memories").json
    assert found["appId"] == app and found["count"] == len(found["memories"])
    listed: list[dict[str, Any]] = found["memories"]
    return listed


def test_a_conversation_leaves_a_memory_in_the_form_of_the_design(served: Served, app: str) -> None:
    id = talk(served, app, TEXT)
    (memory,) = memories(served, app)
    assert set(memory) == {"id", "content", "createdAt", "updatedAt", "sourceConversationId", "metadata"}
    assert (memory["content"], memory["sourceConversationId"]) == (TEXT, id)
    assert 0 <= memory["metadata"]["importance"] <= 10 and memory["metadata"]["relatedConversations"] == [id]
    assert "[Created: " in served.ask("GET", f"/apps/{app}/context").json["context"]
    assert served.ask("GET", f"/apps/{app}/energy").json["energy"]["since_poll"] == 10
    assert served.ask("POST", f"/apps/{app}/energy/poll", {}).json["energy"]["since_poll"] == 10
    assert served.ask("GET", f"/apps/{app}/energy").json["energy"]["since_poll"] == 0


def test_only_a_person_deletes_and_what_is_not_theirs_is_not_found(served: Served, app: str) -> None:
    other = f"{app}-2"
    served.ask("PUT", f"/apps/{other}", {})
    talk(served, app, TEXT)
    talk(served, other, TEXT)
    (mine,), (theirs,) = memories(served, app), memories(served, other)
    assert served.ask("DELETE", f"/apps/{app}/memories").status == 403
    assert served.ask("DELETE", f"/apps/{app}/memories/{mine['id']}").status == 403
    for unfit in ("0", "mem_0", "%20", ""):
        assert served.ask("DELETE", f"/apps/{app}/memories/{unfit}", Limpet_Person=PERSON).status == 404, unfit
    assert memories(served, app) == [mine]
    for path in (
        f"/apps/{app}/memories/{theirs['id']}",
        f"/apps/{app}/memories/mem_00000000000000000000000000",
        "/apps/nobody/memories",
        "/apps/nobody/memories/mem_1",
    ):
        assert served.ask("DELETE", path, Limpet_Person=PERSON).status == 404, path
    gone = served.ask("DELETE", f"/apps/{app}/memories/{mine['id']}", Limpet_Person=PERSON)
    assert (gone.status, gone.json) == (200, {"success": True})
    assert served.ask("DELETE", f"/apps/{app}/memories/{mine['id']}", Limpet_Person=PERSON).status == 404
    assert memories(served, app) == [] and len(memories(served, other)) == 1
    talk(served, other, "I never work on Fridays, since my son is at home.")
    all_gone = served.ask("DELETE", f"/apps/{other}/memories", Limpet_Person=PERSON)
    assert all_gone.json == {"success": True, "deletedCount": 2} and memories(served, other) == []


def test_what_is_not_there_is_not_found_and_bad_input_gets_a_sentence(served: Served, app: str) -> None:
    cases: dict[tuple[str, str], tuple[Any, int]] = {
        ("GET", "/apps/nobody/memories"): (None, 404),
        ("GET", "/apps/nobody/context"): (None, 404),
        ("POST", f"/apps/{app}/conversations/conv_1/end"): ({}, 404),
        ("POST", f"/apps/{app}/conversations"): ({}, 400),
        ("POST", f"/apps/{app}/conversations/"): ({"text": ""}, 404),
        ("PUT", "/apps/a%20b"): ({}, 400),
        ("GET", f"/apps/{app}/context?point=moon"): (None, 400),
    }
    for (method, path), (body, status) in cases.items():
        found = served.ask(method, path, body)
        assert found.status == status, (path, found.text)
        assert len(found.json["error"]) > 10


def test_uninstalling_keeps_the_memories(served: Served, app: str) -> None:
    talk(served, app, TEXT)
    assert served.ask("DELETE", f"/apps/{app}").status == 200
    assert len(memories(served, app)) == 1
    assert served.ask("POST", f"/apps/{app}/conversations", {"text": TEXT}).status == 404


def test_the_metrics_of_the_design_are_there(served: Served, app: str) -> None:
    talk(served, app, TEXT)
    served.ask("GET", f"/apps/{app}/context")
    found = served.ask("GET", "/metrics").text
    assert f'limpet_app_memories{{app="{app}"}} 1.0' in found
    for name in (
        "memories_created_per_hour",
        "compactions_per_day",
        "utilisation_ratio",
        "injections_per_conversation",
        "energy_per_day",
    ):
        assert f"limpet_app_{name}" in found
    assert "2pm" not in found


def test_the_memory_tool_answers_a_tool_call_over_http(served: Served, app: str) -> None:
    def use(status: int = 200, to: str = app, **given: Any) -> dict[str, Any]:
        found = served.ask("POST", f"/apps/{to}/memory", given)
        assert found.status == status, found.text
        answer: dict[str, Any] = found.json
        return answer

    path = "/memories/a b/notes.md"
    made = use(command="create", path=path, file_text="  use uv\n")
    assert made == {"content": f"File created successfully at: {path}", "is_error": False}
    assert use(command="view", path=path)["content"].endswith("     1\t  use uv\n     2\t")
    assert use(command="view", path="/memories/../../etc/passwd")["is_error"] is True
    other = f"{app}-2"
    served.ask("PUT", f"/apps/{other}", {})
    assert use(to=other, command="view", path=path)["is_error"] is True
    assert use(command="delete", path="/memories/a b") == {
        "content": "Successfully deleted /memories/a b",
        "is_error": False,
    }
    assert "not registered" in use(404, to="nobody", command="view", path="/memories")["error"]
    assert served.ask("POST", f"/apps/{app}/memory", ["view"]).status == 400
    assert served.send("POST", f"/apps/{app}/memory", b"{}", {"Authorization": None}).status == 401
