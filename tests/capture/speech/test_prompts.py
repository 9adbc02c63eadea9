"""What is kept of what people and agents say."""

from __future__ import annotations

import pytest

from limpet.capture.speech.asking import asked_for
from limpet.capture.speech.points import PROMPT, REPORT, points, signs_of_report, telling
from limpet.capture.speech.prompts import from_prompt, read
from limpet.capture.speech.reports import from_report
from limpet.capture.speech.statements import statements
from limpet.capture.speech.turn import Turn
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
    found = from_report(said, Origin.AGENT)
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
    assert from_report(said, Origin.AGENT) is None


def test_a_title_reads_like_a_sentence() -> None:
    found = from_report("Done. The cause was that `parse_date` dropped the timezone.", Origin.AGENT)
    assert found is not None
    assert found.title == "The cause was that parse_date dropped the timezone"


# What was pasted


LOG = """[12/03/26 17:41 dev ~/app] lint run
pkg/tools/markdown.go:96:4: QF1012: Use fmt.Fprintf(...) instead of WriteString(fmt.Sprintf(...)) (check)
    result.WriteString(fmt.Sprintf("--- %s", path))
pkg/tools/markdown.go:102:4: QF1012: Use fmt.Fprintf(...) instead of WriteString(fmt.Sprintf(...)) (check)
2 issues"""


@pytest.mark.parametrize(
    "prompt",
    [
        LOG,
        f"no, I still get\n\n{LOG}",
        '<pasted_content id="1">\nAlways use tabs, never spaces.\n</pasted_content>\nwhat does this mean?',
        "10:01:02 start\nYou must never call this because it is deprecated\n10:01:03 end",
    ],
    ids=["a log", "a log with a word before", "marked as pasted", "between two lines of a log"],
)
def test_what_was_pasted_is_nobodys_rule(prompt: str) -> None:
    assert from_prompt(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "localhost:5432 is only the proxy, always connect to 5433.",
        "pool.acquire() must never be called outside the loop, because it deadlocks.",
        "session.commit() failed because the pool was closed, so from now on always use the context manager.",
        "let's never use barrel files, they break tree shaking",
    ],
)
def test_a_sentence_that_begins_like_code_is_no_log(prompt: str) -> None:
    assert [each.origin for each in from_prompt(prompt)] == [Origin.USER]


def test_a_rule_beside_a_pasted_log_is_kept() -> None:
    (found,) = from_prompt(f"From now on please never use WriteString with Sprintf.\n{LOG}")
    assert found.text == "From now on please never use WriteString with Sprintf."
    (after,) = from_prompt(f"{LOG}\nplease never use WriteString with Sprintf again in our code")
    assert after.type is Type.DECISION and "Sprintf again" in after.text


# What many weak signs say together


WISH = "id like it to work offline. we should keep everything on the device and only sync when the user asks for it"


def test_a_wish_that_no_sentence_orders_is_kept_as_a_decision() -> None:
    (found,) = from_prompt(WISH)
    assert (found.type, found.origin) == (Type.DECISION, Origin.USER)
    assert "only sync when the user asks" in found.text


def test_an_answer_to_the_agents_question_decides() -> None:
    prompt = "the carriage gives us 9 ms per row so 1 MHz is enough for `spi0`"
    assert [each.type for each in from_prompt(prompt)] == [Type.DISCOVERY]
    assert [each.type for each in from_prompt(prompt, Turn(agent_asked=True))] == [Type.DECISION]


def test_every_sign_that_is_looked_for_has_points() -> None:
    said = statements("One thing is in `a.py`.")
    assert PROMPT.keys() - {""} == read("One thing.").signs.keys()
    assert REPORT.keys() - {""} == signs_of_report(said, Turn()).keys()


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("the build fails with exit 1", "mend"),
        ('Traceback (most recent call last):\n  File "a.py", line 1\nValueError: x', "mend"),
        ("fix the typo", "mend"),
        ("why do we have two queues", "learn"),
        ("can you explain the cache?", "learn"),
        ("can you please add a button", "feature"),
        ("let's refactor this", "refactor"),
        ("i want to change the colour", "change"),
        ("yes", "before"),
        ("The harbour has seven gulls and a lighthouse that nobody has ever painted", ""),
    ],
)
def test_what_a_prompt_wants_is_told_in_a_word(prompt: str, wanted: str) -> None:
    assert asked_for(prompt, "before") == wanted


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
    found = from_report(REPORTED, Origin.TOOL, turn)
    assert found is not None
    assert found.type is kind


def test_a_list_of_what_was_done_is_a_report_though_no_item_has_a_verb() -> None:
    said = (
        "I've added:\n1. Search with filtering by title\n2. Sorting by `date` or `visits`\n"
        "3. A state for no results in `List.tsx`\n4. Types for the filters in `types.ts`"
    )
    found = from_report(said, Origin.TOOL)
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
    assert from_report(said, Origin.TOOL, Turn(asked="learn")) is None


def test_what_spoke_for_and_against_is_told_with_the_weightiest_first() -> None:
    signs = read("From now on use uv here, never pip.").signs
    told = telling(signs, PROMPT)
    assert told[0] == ("mostly rules", PROMPT["mostly rules"])
    assert [abs(worth) for _, worth in told] == sorted((abs(worth) for _, worth in told), reverse=True)
    assert PROMPT[""] + sum(worth for _, worth in told) == pytest.approx(points(signs, PROMPT), abs=0.5)


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
    found = from_report(said, Origin.TOOL, Turn(acted=True))
    assert found is not None
    assert found.title == title
    assert title.split()[0] in found.text
