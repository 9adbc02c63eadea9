"""What is related to a memory is a page of hits, within what the caller may see."""

from __future__ import annotations

from tests.operations.sandbox import Sandbox


def test_related_memories_are_paged(sandbox: Sandbox) -> None:
    (sandbox.project / "app.py").write_text("x = 1\n")
    first = sandbox.remember("The routes are in app.py")
    for text in ("Workers start in app.py", "Settings are read by app.py"):
        sandbox.remember(text)
    page = sandbox.json("related", id=first.id, limit=1)
    assert (len(page["hits"]), page["total"], page["has_more"]) == (1, 2, True)
    rest = sandbox.json("related", id=first.id, limit=1, offset=1)["hits"]
    assert rest[0]["memory"]["id"] != page["hits"][0]["memory"]["id"]


def test_private_memories_are_related_only_on_request(sandbox: Sandbox) -> None:
    first = sandbox.remember("The default port of the API is 8080")
    sandbox.remember("The default port of the API is 9090", sensitivity="private")
    assert sandbox.json("related", id=first.id)["hits"] == []
    assert len(sandbox.json("related", id=first.id, private=True)["hits"]) == 1
