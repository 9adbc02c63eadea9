"""What is kept of what a person types."""

from __future__ import annotations

import pytest

from limpet.capture.candidate import GATE
from limpet.capture.judge import judge
from limpet.capture.speech.prompts import prompt_candidates, read_prompt
from limpet.capture.speech.turn import Turn
from limpet.capture.state import SegmentState
from limpet.model.memory import LEAST_ON_TRIAL, Concept, Origin, Type
from tests.capture.marked import make_event


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("No, use pnpm instead.", "Use pnpm instead."),
        ("Fix the login test. Never commit to main directly.", "Never commit to main directly."),
        ("Let's use Redis instead of Memcached because we need persistence.", None),
        ("We decided to keep the monolith for now.", None),
        ("don't touch anything under vendor/", None),
        ("I prefer tabs.", None),
        ("In notebooks please put all imports first.", None),
        ("Bitte niemals direkt auf main pushen.", "Niemals direkt auf main pushen."),
        ("Всегда запускай тесты перед коммитом.", None),
        ("我们决定用 pnpm 而不是 npm。", None),
        ("今後はコメントを日本語で書くようにしてください。", None),
    ],
)
def test_a_rule_or_decision_of_the_person_is_kept_word_for_word(prompt: str, kept: str | None) -> None:
    found = prompt_candidates(prompt)
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
        "must be the cache",
        "always good to see you",
        "Don't change a thing, it's perfect",
        "Please don't change anything, it looks perfect now.",
        "",
    ],
)
def test_a_task_a_question_a_complaint_a_guess_or_a_log_is_not_noted(prompt: str) -> None:
    assert judge(SegmentState(), make_event({"prompt": prompt})).kept == ()


def test_a_prohibition_of_something_that_is_named_is_a_rule() -> None:
    for prompt in ("Don't change anything in the vendored folder", "Don't touch the migrations, they're perfect"):
        assert [each.why for each in judge(SegmentState(), make_event({"prompt": prompt})).kept] == [
            "something not to do"
        ]


@pytest.mark.parametrize(
    "prompt", ["must be the cache", "It must have been the old proxy server.", "always good to see you"]
)
def test_a_guess_or_a_courtesy_is_no_rule(prompt: str) -> None:
    assert all(verdict is None for verdict in read_prompt(prompt).verdicts)


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
    assert [each.type for each in prompt_candidates(prompt)] == [Type.DISCOVERY]


def test_the_reason_given_in_the_next_sentence_is_kept_with_it() -> None:
    found = prompt_candidates("Use pnpm, not npm. That's because npm breaks the workspace links.")
    assert len(found) == 1
    assert "workspace links" in found[0].text
    assert Concept.WHY_IT_EXISTS in found[0].concepts


def test_a_prompt_gives_at_most_three() -> None:
    assert len(prompt_candidates("\n".join(f"Always use tool{n} for part{n}." for n in range(9)))) == 3


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
    kept = judge(SegmentState(), make_event({"prompt": prompt})).kept
    assert [each for each in kept if each.draft.origin is Origin.USER] == []


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
    assert [each.origin for each in prompt_candidates(prompt)] == [Origin.USER]


def test_a_rule_beside_a_pasted_log_is_kept() -> None:
    (found,) = prompt_candidates(f"From now on please never use WriteString with Sprintf.\n{LOG}")
    assert found.text == "From now on please never use WriteString with Sprintf."
    (after,) = prompt_candidates(f"{LOG}\nplease never use WriteString with Sprintf again in our code")
    assert after.type is Type.DECISION and "Sprintf again" in after.text


WISH = "id like it to work offline. we should keep everything on the device and only sync when the user asks for it"


def test_a_wish_that_no_sentence_orders_is_kept_as_a_decision() -> None:
    (found,) = prompt_candidates(WISH)
    assert (found.type, found.origin) == (Type.DECISION, Origin.USER)
    assert "only sync when the user asks" in found.text


def test_an_answer_to_the_agents_question_decides() -> None:
    prompt = "the carriage gives us 9 ms per row so 1 MHz is enough for `spi0`"
    assert [each.type for each in prompt_candidates(prompt)] == [Type.DISCOVERY]
    assert [each.type for each in prompt_candidates(prompt, Turn(agent_asked=True))] == [Type.DECISION]


@pytest.mark.parametrize(
    "text",
    [
        "actually the staging db is heron-7, not heron-6",
        "the staging db is heron-7, not heron-6",
        "sorry, the staging host is heron-7 and not heron-6",
        "eigentlich heißt die Staging-Datenbank heron-7, nicht heron-6",
        "en fait la base de staging est heron-7, pas heron-6",
        "на самом деле база стейджинга heron-7, а не heron-6",
    ],
)
def test_a_corrected_value_is_noted_as_a_fact(text: str) -> None:
    (found,) = prompt_candidates(text)
    assert (found.type, found.why) == (Type.DISCOVERY, "a correction of fact")
    assert found.message is not None and found.message.passes(GATE)


@pytest.mark.parametrize(
    "text",
    [
        "actually the button is red, not blue",
        "make the button 20px, not 24px",
        "the second row should be 20px, not 24px",
        "why is it heron-7, not heron-6?",
    ],
)
def test_a_wish_or_a_question_about_a_value_corrects_no_fact(text: str) -> None:
    assert not [each for each in prompt_candidates(text) if each.why == "a correction of fact"]


def test_a_sentence_of_a_long_prompt_is_less_important_than_alone() -> None:
    rule = "Never commit to main directly."
    rest = " The export page takes ages to load since we moved the orders, and the filter shows the wrong rows." * 6
    alone, inside = prompt_candidates(rule)[0].message, prompt_candidates(f"{rule}{rest}")[0].message
    assert alone is not None and inside is not None
    assert alone.importance >= LEAST_ON_TRIAL > inside.importance
    assert inside.total >= GATE, "it is noted all the same"


def test_a_prompt_that_only_agrees_states_nothing() -> None:
    assert prompt_candidates("Sounds good, let's keep moving") == prompt_candidates("ok great, let's keep going.") == []
