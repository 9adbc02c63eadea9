"""What is kept of what an agent reports."""

from __future__ import annotations

import pytest

from limpet.capture.speech.reports import report_candidate
from limpet.capture.speech.turn import Turn
from limpet.model.memory import Origin, Type


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Fixed. The cause was that `parse` dropped the offset.", Type.BUGFIX),
        ("I went with SQS over Kafka because nobody wants to run brokers.", Type.DECISION),
        ("Implemented `/export` in src/export.py with streaming, 10 MB at most.", Type.FEATURE),
        ("Extracted `retry.py` from `http/a.py` and `http/b.py`.", Type.REFACTOR),
        ("Bumped `urllib3` from 1.26 to 2.2 in requirements.txt.", Type.CHANGE),
        ("`fs.watch` does not report renames on macOS, so the reloader needs polling.", Type.DISCOVERY),
    ],
)
def test_a_report_is_called_by_what_it_reports(said: str, kind: Type) -> None:
    found = report_candidate(said, Origin.AGENT)
    assert found is not None
    assert found.type is kind


@pytest.mark.parametrize(
    "said",
    [
        "Done! All tests pass.",
        "I've fixed the TypeScript errors.",
        "I'll now implement `a.py`, `b.py` and `c.py` because you asked.",
        "The issue might be in the cache because `get` is slow. Let me look.",
        "Should I use `pnpm` instead of `npm`, because it is faster?",
        "I couldn't fix `parse` yet.",
        "Understood. I'll keep that in mind.",
    ],
)
def test_what_is_announced_guessed_asked_or_merely_done_is_not_kept(said: str) -> None:
    assert report_candidate(said, Origin.AGENT) is None


def test_a_title_never_says_the_opposite_of_its_sentence() -> None:
    found = report_candidate("No work has been done for `AES-CTR` because streaming was deferred to 1.1.", Origin.TOOL)
    assert found is not None
    assert found.title.startswith("No work has been done")


def test_a_title_reads_like_a_sentence() -> None:
    found = report_candidate("Done. The cause was that `parse_date` dropped the timezone.", Origin.AGENT)
    assert found is not None
    assert found.title == "The cause was that parse_date dropped the timezone"


REPORTED = "`export.py` streams rows now and `limits.toml` holds the most rows, 10,000 by default."


@pytest.mark.parametrize(
    ("turn", "kind"),
    [
        (Turn(asked="mend", acted=True), Type.BUGFIX),
        (Turn(asked="feature", acted=True), Type.FEATURE),
        (Turn(asked="refactor", acted=True), Type.REFACTOR),
        (Turn(asked="change", acted=True), Type.CHANGE),
    ],
    ids=lambda value: value.asked if isinstance(value, Turn) else value.value,
)
def test_a_report_is_called_by_what_was_asked_for(turn: Turn, kind: Type) -> None:
    found = report_candidate(REPORTED, Origin.TOOL, turn)
    assert found is not None
    assert found.type is kind


def test_a_list_of_what_was_done_is_a_report_though_no_item_has_a_verb() -> None:
    said = (
        "I've added:\n1. Search with filtering by title\n2. Sorting by `date` or `visits`\n"
        "3. A state for no results in `List.tsx`\n4. Types for the filters in `types.ts`"
    )
    found = report_candidate(said, Origin.TOOL)
    assert found is not None
    assert found.type is Type.FEATURE
    assert "Sorting by `date`" in found.text


@pytest.mark.parametrize(
    "said",
    [
        "You're welcome! Just say the word if you want more.",
        "You could use `jest` or `vitest`. Which one would you like?",
        "Please paste the output of `git remote -v`, then I can tell you the command.",
        "Yes, 127.0.0.1 is the same as localhost. Could you share the URL that you see?",
    ],
)
def test_an_offer_a_request_or_a_courtesy_is_no_report(said: str) -> None:
    assert report_candidate(said, Origin.TOOL, Turn(asked="learn")) is None


@pytest.mark.parametrize(
    ("said", "title"),
    [
        (
            "Done.\n\nSeeding now runs when the server boots.\n\n- `seed.ts` is imported by `server.ts`\n"
            "- it does nothing if `users` has rows, so restarts are safe",
            "Seeding now runs when the server boots",
        ),
        (
            "✅ **Lead times are set in `leads.toml` now:**\n- cakes: 3 opening days\n"
            "- bread: 1 day, added in `shop.py`",
            "Lead times are set in leads.toml now",
        ),
    ],
)
def test_a_report_is_titled_by_what_it_opens_with(said: str, title: str) -> None:
    found = report_candidate(said, Origin.TOOL, Turn(acted=True))
    assert found is not None
    assert found.title == title
    assert title.split()[0] in found.text
