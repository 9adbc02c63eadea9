"""Whether a text follows one passage of its source, in its order."""

from __future__ import annotations

import pytest

from limpet.text.passages import follows_passage

RULE = "Please fix the export, and never push to main before the whole suite has passed."


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Never push to main before the whole suite passes.", RULE),
        (RULE, RULE),
        (
            "Run the importer with two workers.",
            "From now on run the importer with two workers. One waits for the lock.",
        ),
        ("Use uv here, never pip.", "no, use uv here, never pip, ok?"),
        ("The user prefers short answers.", "I prefer short answers"),
        ("We deploy from the release branch.", "We always deploy from the protected release branch."),
        ("请用 pnpm", "请用 pnpm，不要用 npm"),
    ],
)
def test_a_part_of_a_source_in_its_order_follows_it(text: str, source: str) -> None:
    assert follows_passage(text, source)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Push to main before the whole suite has passed.", RULE),
        ("Never push to main.", RULE),
        ("Never fix the export.", RULE),
        ("The suite has passed, push to main.", RULE),
        ("Delete the cache.", "If the build is red, delete the cache."),
        ("Never delete the cache.", "Never delete the backups, and clear the cache."),
        ("Use pip.", "Use uv here, never pip."),
        ("Export every record tonight.", RULE),
        ("", RULE),
        ("Always push.", ""),
    ],
)
def test_words_in_another_order_or_without_their_condition_do_not(text: str, source: str) -> None:
    assert not follows_passage(text, source)


def test_a_long_text_costs_little() -> None:
    assert not follows_passage("again and " * 400 + "never", "again, " * 20_000)
