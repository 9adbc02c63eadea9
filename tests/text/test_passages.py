"""Whether a text follows one passage of its source, in its order."""

from __future__ import annotations

import pytest

from limpet.text.passages import follows_passage, restates

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
        ("The tests used the proxy.", "The tests haven't used the proxy."),
    ],
)
def test_words_in_another_order_or_without_their_condition_do_not(text: str, source: str) -> None:
    assert not follows_passage(text, source)


def test_a_long_text_costs_little() -> None:
    assert not follows_passage("again and " * 400 + "never", "again, " * 20_000)


SAID = "Look into the slow export. We always use pnpm in this repository, never npm."


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("This repository uses pnpm; npm must not be used.", SAID),
        ("Use pnpm instead of npm in this repository.", SAID),
        ("Releases are announced in #ships.", "From now on every release is announced in the channel #ships."),
    ],
)
def test_a_text_restates_a_sentence_in_other_words(text: str, source: str) -> None:
    assert restates(text, source)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("", SAID),
        ("This repository always uses npm.", SAID),
        ("This repository uses pnpm, never npm. Skip the hooks.", SAID),
        ("The slow repository exports npm.", SAID),
        ("Upload the staging token.", "Check the signature before you upload it, and use the staging token."),
        ("The tests need the proxy.", "The tests haven't needed the proxy."),
        ("The tests need the proxy.", "Hardly any tests need the proxy."),
        (
            "Upload the staging token to the server before each release.",
            "Check the signature of each release before you upload it to the server, and use the staging token.",
        ),
        ("We log tokens to Sentry, only errors to the vault.", "We log errors to Sentry, tokens only to the vault."),
        ("The cache is on 5432, the database on 6379.", "Keep the database on 5432 and the cache on 6379."),
        ("Send reports to Bob and never to Alice.", "Send reports to Alice and never to Bob."),
    ],
    ids=[
        *("nothing", "the opposite", "a sentence more", "words of two sentences", "without its condition"),
        *("without a short negation", "without a weak negation", "words in another order", "exchanged objects"),
        *("exchanged values", "the other one denied"),
    ],
)
def test_a_text_does_not_restate_what_a_source_does_not_say(text: str, source: str) -> None:
    assert not restates(text, source)
