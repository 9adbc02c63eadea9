"""A line of MEMORY.md is short, whole, understood alone, and true beyond its day."""

from __future__ import annotations

import pytest

from limpet.insight.distil.lines import LONGEST, find_detail, find_passing, fit_line, key_of


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- **Decision:** use uv, never pip", "use uv, never pip"),
        ("1. Commits are  conventional,\n   without a co-author", "Commits are conventional, without a co-author"),
        ("timezone: EST", "timezone: EST"),
        ("We deploy on Fridays. " + "More about that. " * 20, "We deploy on Fridays."),
        ("It should follow this.", None),
        ("Use the following:", None),
        ("ok", None),
        ("x" * 300, None),
        ("The key is [REDACTED:api key] for the gateway", None),
        ("Shall we use uv here?", None),
    ],
)
def test_a_claim_fits_whole_or_not_at_all(text: str, line: str | None) -> None:
    assert fit_line(text) == line


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("The handler lives in src/lsp/hook.py", "a detail of the code"),
        ("Call flush() before close", "a detail of the code"),
        ("Commit 3f2a91c broke the build", "a detail of the code"),
        ("TypeError when the list is empty", "an error"),
        ("Ran the tests again", "a chore"),
        ("We use Node.js and TCP/IP for client/server calls", None),
        ("Never log personal data; mask it first", None),
        ("Prefer small commit(s) over large ones", None),
    ],
)
def test_details_of_the_code_are_told_from_statements(line: str, why: str | None) -> None:
    assert find_detail(line) == why


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("The tests are red today", "true on its day only"),
        ("Perhaps we need a queue", "a guess"),
        ("Added a retry to the uploader", "a step of the work"),
        ("I have refactored the importer", "a step of the work"),
        ("The nightly job dies, find out why", "a request"),
        ("The uploader retries twice", None),
    ],
)
def test_what_passes_with_the_day_is_told_from_what_lasts(line: str, why: str | None) -> None:
    assert find_passing(line) == why


def test_one_other_word_is_another_line() -> None:
    assert key_of("The port is 8080.") == key_of("the port is 8080")
    assert key_of("Use the cache for reads") == key_of("Use a cache for reads")
    assert key_of("The port is 8080") != key_of("The port is 8081")
    assert key_of("A calls B") != key_of("B calls A")
    assert LONGEST == 160
