"""What is kept of what people and agents say."""

from __future__ import annotations

import pytest

from limpet.capture.prompts import from_prompt
from limpet.capture.reports import from_words
from limpet.model.memory import Concept, Origin, Type


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("No, use pnpm instead.", "No, use pnpm instead."),
        ("Fix the login test. Never commit to main directly.", "Never commit to main directly."),
        ("Let's use Redis instead of Memcached because we need persistence.", None),
        ("We decided to keep the monolith for now.", None),
        ("don't touch anything under vendor/", None),
        ("I prefer tabs.", None),
        ("In notebooks please put all imports first.", None),
        ("Bitte niemals direkt auf main pushen.", None),
        ("Всегда запускай тесты перед коммитом.", None),
        ("我们决定用 pnpm 而不是 npm。", None),
        ("今後はコメントを日本語で書くようにしてください。", None),
    ],
)
def test_a_rule_or_decision_of_the_person_is_kept_word_for_word(prompt: str, kept: str | None) -> None:
    found = from_prompt(prompt)
    assert [(each.type, each.origin, each.text) for each in found] == [(Type.DECISION, Origin.USER, kept or prompt)]


@pytest.mark.parametrize(
    "prompt",
    [
        "fix the failing test",
        "Why does this never return?",
        "the spinner never stops",
        "the total is always wrong, please fix",
        "never mind",
        "don't worry about it",
        "don't commit yet",
        "let's keep going",
        "yes",
        "no, the other one",
        "I get this error:\n\nValueError: must be positive\n    at x (a.ts:1:2)",
        "Review this:\n```py\n# never return None, always raise\n```",
        "2026-03-01 10:00:00 ERROR must never happen because x",
        "blink the LED on boot",
        "should we use Redis here?",
        "I think we should maybe use the cache",
        "",
    ],
)
def test_a_task_a_question_a_complaint_or_a_log_is_not_kept(prompt: str) -> None:
    assert from_prompt(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "The staging database is read-only on weekends because of the backup.",
        "No, the port is 5433.",
        "FYI the CI runners only have 4 GB of RAM.",
        "the dev environment uses a fake SMTP server on port 1025",
        "Der Testserver läuft auf Port 8443, weil 443 belegt ist.",
    ],
)
def test_what_the_person_explains_is_a_discovery(prompt: str) -> None:
    assert [each.type for each in from_prompt(prompt)] == [Type.DISCOVERY]


def test_the_reason_given_in_the_next_sentence_is_kept_with_it() -> None:
    found = from_prompt("Use pnpm, not npm. That's because npm breaks the workspace links.")
    assert len(found) == 1
    assert "workspace links" in found[0].text
    assert Concept.WHY_IT_EXISTS in found[0].concepts


def test_a_prompt_gives_at_most_three() -> None:
    assert len(from_prompt("\n".join(f"Always use tool{n} for part{n}." for n in range(9)))) == 3


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
    found = from_words(said, Origin.AGENT)
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
    assert from_words(said, Origin.AGENT) is None


def test_a_title_reads_like_a_sentence() -> None:
    found = from_words("Done. The cause was that `parse_date` dropped the timezone.", Origin.AGENT)
    assert found is not None
    assert found.title == "The cause was that parse_date dropped the timezone"
