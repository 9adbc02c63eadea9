"""What counts as an achievement, and what only looks like one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from limpet.insight.achievements import Achievement, find_achievements
from limpet.workspace.history import Commit, Tag

START = datetime(2026, 11, 1, tzinfo=UTC)

ACHIEVED = (
    ("feat(shop): add CSV export", "feature", "Add CSV export"),
    ("Add CSV export for orders", "feature", "Add CSV export for orders"),
    ("[SHOP-12] Added a dark mode", "feature", "Added a dark mode"),
    ("Support PostgreSQL 18", "feature", "Support PostgreSQL 18"),
    ("fix: lock is not released on a crash", "fix", "Lock is not released on a crash"),
    ("Fix the race in the importer", "fix", "Fix the race in the importer"),
    ("Release 1.2.0", "release", "Released 1.2.0"),
    ("chore(release): v2.0.0-rc1", "release", "Released 2.0.0-rc1"),
    ("Bump version from 1.2.0 to 1.3.0", "release", "Released 1.3.0"),
    ("1.4.2", "release", "Released 1.4.2"),
    ("feat!: drop Python 3.9", "milestone", "Drop Python 3.9"),
    ("Migrate the API to FastAPI", "milestone", "Migrate the API to FastAPI"),
    ("Merge pull request #12 from ann/csv\n\nAdd CSV export", "feature", "Add CSV export"),
)
NOTHING = (
    "Fix typo",
    "fix: lint",
    "Fix failing tests",
    "Add tests for the parser",
    "Add missing comment",
    "Bump lodash from 4.17.20 to 4.17.21",
    "chore: update dependencies",
    "docs: explain the cache",
    "wip",
    "Merge branch 'main' into side",
    "Rename a variable",
    "Additional logging",
    "",
)


def commit(message: str, *, number: int = 0, parents: int = 1) -> Commit:
    return Commit(
        id=f"{number:040x}",
        parents=("f" * 40,) * parents,
        author="Ann",
        at=START - timedelta(days=number),
        message=message,
    )


def find(*messages: str, tags: tuple[Tag, ...] = ()) -> list[Achievement]:
    return find_achievements([commit(each, number=number) for number, each in enumerate(messages)], tags)


@pytest.mark.parametrize(("message", "kind", "title"), ACHIEVED)
def test_an_achievement_is_recognised(message: str, kind: str, title: str) -> None:
    [found] = find(message)
    assert (found.kind.value, found.title) == (kind, title)


@pytest.mark.parametrize("message", NOTHING)
def test_what_needs_no_memory_is_left_out(message: str) -> None:
    assert find(message) == []


def test_a_tag_and_the_commit_that_announces_it_are_one_release() -> None:
    tag = Tag(name="v1.2.0", commit=f"{1:040x}", message="Faster imports and a dark mode\n\n- more")
    found = find("Release 1.2.0", "Add dark mode to the shop", tags=(tag,))
    assert [(each.title, each.commit) for each in found] == [("Released v1.2.0", tag.commit)]
    assert found[0].text == "Released v1.2.0. Faster imports and a dark mode"


def test_tags_that_name_no_version_are_no_releases() -> None:
    assert find("wip", tags=(Tag(name="backup-before-merge", commit=f"{0:040x}"),)) == []


def test_a_merge_and_its_commit_are_one_achievement() -> None:
    assert len(find("Merge pull request #3 from ann/x\n\nAdd CSV export", "Add CSV export")) == 1


def test_the_first_commit_is_a_milestone_unless_the_clone_is_shallow() -> None:
    first = commit("Initial commit", parents=0)
    [found] = find_achievements([first], [])
    assert (found.kind.value, found.title) == ("milestone", "Started the project: Initial commit")
    assert find_achievements([first], [], shallow=True) == []


def test_the_text_says_why_and_names_no_helpers() -> None:
    [found] = find("Add a cache\n\nQueries took 3 s.\n\nCo-authored-by: Bot <bot@example.org>\nSigned-off-by: Ann")
    assert found.text == "Add a cache. Queries took 3 s."


def test_a_hostile_message_takes_no_time() -> None:
    for text in ("a" * 500_000, "fix: " * 100_000, "[" * 500_000, "Merge " * 100_000, "1.1.1." * 100_000):
        find(text)


@pytest.mark.parametrize(
    "message",
    [
        "Add the key AKIAQ3EGRLV7WPXNJ2KD to the deployment",
        "Add CSV export\n\nThe bucket is read with AKIAQ3EGRLV7WPXNJ2KD for now.",
    ],
)
def test_a_secret_of_a_message_is_not_shown(message: str) -> None:
    [found] = find(message)
    assert "AKIA" not in found.title and "AKIA" not in found.text
