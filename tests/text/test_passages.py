"""Whether a text restates a sentence of its source, and which passage of the source it was made from."""

from __future__ import annotations

import pytest

from limpet.text.passages import quote_passage, restates
from tests.text.alteration_pairs import KEPT_BACK, PAIRS

RULE = "Please fix the export, and never push to main before the whole suite has passed."


def test_a_long_text_costs_little() -> None:
    assert not restates("again and " * 400 + "never", "again, " * 20_000)


SAID = "Look into the slow export. We always use pnpm in this repository, never npm."


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("This repository uses pnpm; npm must not be used.", SAID),
        ("Never push to main before the whole suite passes; fix the export.", RULE),
        ("The user prefers short answers.", "I prefer short answers"),
        ("请用 pnpm", "请用 pnpm"),
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
        ("Push to main before the whole suite has passed.", RULE),
        ("Never push to main.", RULE),
        ("Never fix the export.", RULE),
        ("Delete the cache.", "If the build is red, delete the cache."),
        ("Never delete the cache.", "Never delete the backups, and clear the cache."),
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
        ("Copy production to staging.", "Copy staging to production."),
        ("Never deploy before the test.", "Never test before the deploy."),
        ("Run make fmt after you commit.", "Always run make fmt before you commit."),
        ("Keep the cache of the upload client disabled.", "Keep the cache of the upload client enabled."),
        ("Checkstyle warnings can be ignored.", "Checkstyle warnings can be ignored in generated code."),
    ],
    ids=[
        *("nothing", "the opposite", "without never", "without before", "never for something else", "without if"),
        *("another object of never", "a sentence more", "words of two sentences", "without its condition"),
        *("without a short negation", "without a weak negation", "words in another order", "exchanged objects"),
        *("exchanged values", "the other one denied", "an exchanged pair", "an exchanged pair that is denied"),
        *("after for before", "an opposite", "without its scope"),
    ],
)
def test_a_text_does_not_restate_what_a_source_does_not_say(text: str, source: str) -> None:
    assert not restates(text, source)


def test_hardly_any_reversal_restates_its_source() -> None:
    pairs = [*PAIRS, *KEPT_BACK]
    assert sum(restates(wrong, source) for source, _, wrong in pairs) <= 0.02 * len(pairs)


REPORT = """\
The import is slow, I looked at the reader first.

The consumer lagged because max.poll.records was 500. With 50 it keeps up. Nothing else was changed.

Don't do this:
- restart the broker
- drop the topic
"""


@pytest.mark.parametrize(
    ("text", "quote", "passage"),
    [
        (
            "Lower max.poll.records from 500 to 50, or the consumer lags.",
            "max.poll.records was 500",
            "The consumer lagged because max.poll.records was 500. With 50 it keeps up.",
        ),
        ("Never drop the topic.", "drop the topic", "Don't do this: drop the topic"),
        ("Restart the broker.", "restart the broker", "Don't do this: restart the broker"),
        ("Something that was not said.", "not in the report", ""),
    ],
)
def test_the_passage_that_a_text_was_made_from_is_quoted(text: str, quote: str, passage: str) -> None:
    assert quote_passage(text, REPORT, quote=quote, most=400) == passage


def test_a_passage_that_is_too_long_is_not_cut() -> None:
    long = f"Never deploy with ./ship.sh, {'really, ' * 100}ever"
    assert quote_passage("Deploy with ./ship.sh.", long, quote="deploy with ./ship.sh", most=400) == ""
    assert quote_passage("Deploy with ./ship.sh.", long, quote="deploy with ./ship.sh", most=1000) == long
