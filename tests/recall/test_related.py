"""The memories that belong to one: linked, about the same file, or of similar meaning."""

from __future__ import annotations

from tests.operations.sandbox import Sandbox


def test_related_memories_are_linked_about_the_same_file_or_of_like_meaning(sandbox: Sandbox) -> None:
    (sandbox.project / "app.py").write_text("print()\n")
    first = sandbox.ask("remember", text="The session cache lives in app.py and is cleared at night").memory
    same_file = sandbox.ask("remember", text="Start-up reads its settings once, see app.py").memory
    alike = sandbox.ask("remember", text="At night the cache of sessions is emptied").memory
    stranger = sandbox.ask("remember", text="Matt prefers tabs in Makefiles").memory
    opposite = sandbox.ask("remember", text="The session cache lives in app.py and is never cleared at night").memory
    page = sandbox.ask("related", id=first.id)
    reasons = {hit.memory.id: set(hit.parts) for hit in page.items}
    assert "file" in reasons[same_file.id]
    assert "meaning" in reasons[alike.id]
    assert {"contradicts", "near"} & reasons[opposite.id]
    assert stranger.id not in reasons
    assert first.id not in reasons


def test_nothing_of_another_project_is_related(sandbox: Sandbox) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    mine = sandbox.ask("remember", text="The queue is drained before a restart").memory
    sandbox.ask("remember", text="The queue is drained before every restart", cwd=other)
    assert sandbox.ask("related", id=mine.id).items == ()
