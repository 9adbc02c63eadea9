"""A line of MEMORY.md is short, whole, understood alone, and true beyond its day."""

from __future__ import annotations

import pytest

from limpet.insight.distil.lines import LONGEST, comparison_key, find_detail_reason, find_passing_reason, fit_line


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
    assert find_detail_reason(line) == why


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
    assert find_passing_reason(line) == why


def test_one_other_word_is_another_line() -> None:
    assert comparison_key("The port is 8080.") == comparison_key("the port is 8080")
    assert comparison_key("Use the cache for reads") == comparison_key("Use a cache for reads")
    assert comparison_key("The port is 8080") != comparison_key("The port is 8081")
    assert comparison_key("A calls B") != comparison_key("B calls A")
    assert LONGEST == 160
