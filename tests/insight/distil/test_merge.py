"""Merging loses nothing but duplicates and what a newer line replaces or contradicts."""

from __future__ import annotations

from itertools import permutations

import pytest

from limpet.insight.distil.document import Preference, SessionEpisode
from limpet.insight.distil.merge import FactLine, merge_episodes, merge_facts, merge_preferences, overrides
from limpet.model.memory import Origin
from limpet.text.statements import read_statements

Sides = tuple[frozenset[str], frozenset[str]]
PAIRS = (
    ("The retry limit of the gateway is 3.", "The retry limit of the mirror is 5."),
    ("Staging listens on port 8080.", "Production listens on port 8081."),
    ("Backups run on Friday.", "Reports are sent on Monday."),
    ("Ruth reviews the parser.", "Ruth reviews the printer."),
    ("The api needs Python 3.11.", "The api needs Node 22."),
    ("Module 3 keeps its state in Redis.", "Module 4 keeps its state in Postgres."),
)


def merge(*texts: str) -> list[str]:
    return [fact.text for fact in merge_facts([], [FactLine(text=text) for text in texts]).added]


@pytest.mark.parametrize("pair", PAIRS)
def test_two_facts_about_different_things_survive_every_merge(pair: tuple[str, str]) -> None:
    other = "We prefer small commits."
    for order in permutations((*pair, other)):
        assert {*pair} <= {*merge(*order)}
        known = [FactLine(text=order[0])]
        merged = merge_facts(known, [FactLine(text=text) for text in order[1:]])
        assert merged.removed == [] and len(merged.added) == 2


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Never squash commits.", "Always squash commits."),
        ("Deploys moved from Heroku to Fly.io.", "Deploys run on Heroku."),
        ("The retry limit is now 5.", "The retry limit is 3."),
        ("The timeout is 60 seconds instead of 30 seconds.", "The timeout is 30 seconds."),
        ("We no longer use Redis.", "We use Redis for sessions."),
        ("The retry limit is 5.", "The retry limit is 3."),
        ("The gateway times out after 45 seconds.", "The gateway times out after 30 seconds."),
        ("The api is written in Rust.", "The api is written in Go."),
        ("Do not squash commits before merging.", "Squash commits before merging."),
        ("Use spaces, never tabs", "Always use tabs"),
    ],
)
def test_a_line_replaces_an_older_one_that_it_contradicts(newer: str, older: str) -> None:
    assert overrides(newer, older)
    merged = merge_facts([FactLine(text=older)], [FactLine(text=newer)])
    assert [fact.text for fact in merged.removed] == [older]
    assert merge(older, newer) == [newer]


def test_nothing_replaces_what_is_trusted_more() -> None:
    older = FactLine(text="Always squash commits.", origin=Origin.USER, source="mem_1")
    newer = FactLine(text="Never squash commits.", origin=Origin.FILE)
    merged = merge_facts([older], [newer])
    assert (merged.added, merged.removed, merged.refused) == ([], [], [(newer, older)])


def test_an_episode_is_added_once() -> None:
    first = SessionEpisode(title="x", bullets=("a",))
    assert merge_episodes([first], [first, SessionEpisode(title="x", bullets=("b",))]) == [
        SessionEpisode(title="x", bullets=("b",))
    ]


def sides(speaking_for: str, speaking_against: str = "") -> tuple[frozenset[str], frozenset[str]]:
    """Return evidence; each letter is a conversation."""
    return frozenset(speaking_for), frozenset(speaking_against)


def test_preferences_without_evidence_keep_their_count() -> None:
    known = [Preference(text="a", count=7), Preference(text="b", count=1)]
    evidence = {"b": sides("12"), "c": sides("1", "2")}
    assert merge_preferences(known, evidence) == [
        Preference(text="a", count=7),
        Preference(text="b", count=2),
    ]


@pytest.mark.parametrize(("now", "count"), [(sides("1"), 1), (sides("123"), 3), (sides("12345", "6"), 4)])
def test_a_count_is_computed_from_the_conversations_alone(now: Sides, count: int) -> None:
    known = [Preference(text="a", count=18)]
    assert merge_preferences(known, {"a": now}) == [Preference(text="a", count=count)]


def test_a_line_is_replaced_among_many_others() -> None:
    many = [
        FactLine(text=f"The {name} of stage {number} is kept in one table.")
        for number in range(300)
        for name in ("a", "b")
    ]
    older = [FactLine(text="We use npm."), FactLine(text="Always squash commits.")]
    newer = [FactLine(text="We moved to pnpm."), FactLine(text="Never squash commits.")]
    merged = merge_facts([*many, *older, *many], newer)
    assert merged.removed == older


def test_each_of_many_facts_is_read_once() -> None:
    """Reading a line costs more than comparing it, and each new line is compared with twenty others."""
    things = ("gateway", "mirror", "parser", "printer", "queue", "cache", "index", "mailer")
    texts = [
        f"The {one} of the {other} listens on port {port}" for port in range(5) for one in things for other in things
    ]
    read_statements.cache_clear()
    merge(*texts)
    assert read_statements.cache_info().misses <= len(texts)
