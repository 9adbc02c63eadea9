"""Timeline, episodes, and what belongs to a memory."""

from __future__ import annotations

from tests.operations.desk import Desk

MINUTE = 60_000


def test_a_timeline_is_chronological_and_cut_into_episodes(desk: Desk) -> None:
    desk.ask("remember", text="The parser accepts comments now", session="one")
    desk.ask("remember", text="The lexer keeps line numbers", session="one")
    desk.ms += 40 * MINUTE
    desk.ask("remember", text="The printer wraps long lines", session="one")
    desk.ask("remember", text="Release notes are written by hand", session="two")
    answer = desk.ask("timeline")
    assert [[stored.memory.content for stored in episode.memories] for episode in answer.episodes] == [
        ["The parser accepts comments now", "The lexer keeps line numbers"],
        ["The printer wraps long lines"],
        ["Release notes are written by hand"],
    ]
    assert [episode.session for episode in answer.episodes] == ["one", "one", "two"]
    assert answer.total == 4
    assert not answer.has_more


def test_a_timeline_around_a_memory_shows_what_came_before_and_after(desk: Desk) -> None:
    ids = [desk.ask("remember", text=f"Step {number} of the migration is done").memory.id for number in range(9)]
    answer = desk.ask("timeline", around=ids[4], limit=4)
    shown = [stored.memory.id for episode in answer.episodes for stored in episode.memories]
    assert shown == ids[2:7]
    assert answer.has_more


def test_an_empty_timeline_has_no_episodes(desk: Desk) -> None:
    assert desk.ask("timeline").episodes == ()


def test_related_memories_are_linked_about_the_same_file_or_of_like_meaning(desk: Desk) -> None:
    (desk.project / "app.py").write_text("print()\n")
    first = desk.ask("remember", text="The session cache lives in app.py and is cleared at night").memory
    same_file = desk.ask("remember", text="Start-up reads its settings once, see app.py").memory
    alike = desk.ask("remember", text="At night the cache of sessions is emptied").memory
    stranger = desk.ask("remember", text="Matt prefers tabs in Makefiles").memory
    opposite = desk.ask("remember", text="The session cache lives in app.py and is never cleared at night").memory
    page = desk.ask("related", id=first.id)
    reasons = {hit.memory.id: set(hit.parts) for hit in page.items}
    assert "file" in reasons[same_file.id]
    assert "meaning" in reasons[alike.id]
    assert {"contradicts", "near"} & reasons[opposite.id]
    assert stranger.id not in reasons
    assert first.id not in reasons


def test_nothing_of_another_project_is_related(desk: Desk) -> None:
    other = desk.folder / "other"
    other.mkdir()
    mine = desk.ask("remember", text="The queue is drained before a restart").memory
    desk.ask("remember", text="The queue is drained before every restart", cwd=other)
    assert desk.ask("related", id=mine.id).items == ()
