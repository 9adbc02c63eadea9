"""Memories in the order of time, cut into episodes."""

from __future__ import annotations

from tests.operations.sandbox import Sandbox

MINUTE = 60_000


def test_a_timeline_is_chronological_and_cut_into_episodes(sandbox: Sandbox) -> None:
    sandbox.ask("remember", text="The parser accepts comments now", session="one")
    sandbox.ask("remember", text="The lexer keeps line numbers", session="one")
    sandbox.ms += 40 * MINUTE
    sandbox.ask("remember", text="The printer wraps long lines", session="one")
    sandbox.ask("remember", text="Release notes are written by hand", session="two")
    answer = sandbox.ask("timeline")
    assert [[stored.memory.content for stored in episode.memories] for episode in answer.episodes] == [
        ["The parser accepts comments now", "The lexer keeps line numbers"],
        ["The printer wraps long lines"],
        ["Release notes are written by hand"],
    ]
    assert [episode.session for episode in answer.episodes] == ["one", "one", "two"]
    assert answer.total == 4
    assert not answer.has_more


def test_a_timeline_around_a_memory_shows_what_came_before_and_after(sandbox: Sandbox) -> None:
    ids = [sandbox.ask("remember", text=f"Step {number} of the migration is done").memory.id for number in range(9)]
    answer = sandbox.ask("timeline", around=ids[4], limit=4)
    shown = [stored.memory.id for episode in answer.episodes for stored in episode.memories]
    assert shown == ids[2:7]
    assert answer.has_more


def test_an_empty_timeline_has_no_episodes(sandbox: Sandbox) -> None:
    assert sandbox.ask("timeline").episodes == ()
