"""A text tells its kind, impact, region, type, concepts and tags by whole words in their context."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text.inference import infer
from tests.text import inference_sentences as sentences

KINDS = {"EMOTIONAL", "ARCHITECTURAL", "LEARNINGS", "ACHIEVEMENTS"}
IMPACTS = {"LOW", "MEDIUM", "HIGH", "CRITICAL"}
TYPES = {"bugfix", "feature", "refactor", "change", "discovery", "decision"}
CONCEPTS = {
    "how-it-works",
    "why-it-exists",
    "what-changed",
    "problem-solution",
    "gotcha",
    "pattern",
    "trade-off",
}


@pytest.mark.parametrize(
    ("name", "bars"),
    [
        ("TUNED", {"kind": 0.95, "impact": 0.97, "region": 0.96, "type": 0.95}),
        ("CHECKED", {"kind": 0.95, "impact": 0.97, "region": 0.96, "type": 0.95}),
        ("UNSEEN", {"kind": 0.88, "impact": 0.95, "region": 0.96, "type": 0.88}),
    ],
)
def test_labelled_memories_are_understood(name: str, bars: dict[str, float]) -> None:
    rows: list[sentences.Labelled] = getattr(sentences, name)
    for field, bar in bars.items():
        right = sum(getattr(infer(row.text), field) == getattr(row, field) for row in rows)
        assert right / len(rows) >= bar, field


@pytest.mark.parametrize(
    ("text", "field", "wrong"),
    [
        ("The monkey patch is gone.", "impact", "HIGH"),
        ("The API key is rotated monthly.", "impact", "HIGH"),
        ("The primary key is a UUID.", "impact", "HIGH"),
        ("Press any key.", "impact", "HIGH"),
        ("The capital of France is Paris.", "kind", "ARCHITECTURAL"),
        ("It is unlikely to rain.", "kind", "EMOTIONAL"),
        ("Tools like jq are on the path.", "kind", "EMOTIONAL"),
        ("The project was abandoned.", "kind", "ACHIEVEMENTS"),
        ("This is not done.", "kind", "ACHIEVEMENTS"),
        ("The mustache templates are old.", "impact", "CRITICAL"),
        ("minor: must upgrade", "impact", "CRITICAL"),
        ("It must have been the proxy.", "impact", "CRITICAL"),
        ("Not critical at all.", "impact", "CRITICAL"),
        ("Never mind the warning.", "impact", "CRITICAL"),
        ("It is open whether it must run as root.", "impact", "CRITICAL"),
        ("It never returns None.", "impact", "CRITICAL"),
        ('grep -rn "fix" src', "type", "bugfix"),
        ("The prefix is wrong.", "type", "bugfix"),
        ("Always run migrations in this repo.", "region", "AGENT"),
    ],
)
def test_a_word_inside_another_word_or_context_says_nothing(text: str, field: str, wrong: str) -> None:
    assert getattr(infer(text), field) != wrong


def test_an_order_is_critical_and_a_denied_judgement_is_low() -> None:
    assert infer("Never push to main.").impact == "CRITICAL"
    assert infer("You must sign every commit.").impact == "CRITICAL"
    assert infer("The typo is not important.").impact == "LOW"


@pytest.mark.parametrize("name", ["TUNED", "CHECKED", "UNSEEN"])
def test_no_labelled_memory_of_one_project_goes_to_all(name: str) -> None:
    rows: list[sentences.Labelled] = getattr(sentences, name)
    assert [row.text for row in rows if row.region == "PROJECT" and infer(row.text).region == "AGENT"] == []


def test_what_a_person_likes_goes_with_the_person() -> None:
    assert infer("Matt prefers short answers.").region == "AGENT"
    assert infer("In this project Matt prefers short answers.").region == "PROJECT"


@pytest.mark.parametrize(
    "text",
    [
        "User wants the export of the billing service to stream CSV",
        "The user wants the merger of Acme kept quiet",
        "The tone of the merger letter to Acme must stay formal",
        "In this project, as a rule, squash commits",
        "Use tabs everywhere in src/billing",
        "The billing service logs everywhere, in general at level INFO",
        "As a rule, retry the export job twice",
        "ExportJob retries everywhere",
        "Call load_orders everywhere, never the old function",
        "Everywhere in billing.py the amounts are cents",
        "We use Decimal for money everywhere",
        "Timestamps are UTC everywhere.",
        "We use tabs everywhere",
        "Errors are logged in general to Sentry",
        "In general, errors are logged to Sentry",
        "As a rule, amounts are integers",
        "Money is universally Decimal",
        "Use UTC everywhere",
        "Use tabs in Makefiles and four spaces everywhere else.",
    ],
)
def test_a_wish_about_one_project_stays_there_whatever_its_kind(text: str) -> None:
    assert infer(text).region == "PROJECT"


@pytest.mark.parametrize(
    "text",
    [
        "I am colour-blind.",
        "In all my repos, use uv.",
        "In general, squash commits.",
        "In general I prefer tabs.",
        "In general, be brief.",
        "In all my repos, keep README.md short.",
        "In all projects run `uv sync` first.",
        "Always use TypeScript everywhere.",
        "In all my projects I keep notes in docs/decisions.",
    ],
)
def test_words_about_the_person_or_every_project_go_with_the_agent(text: str) -> None:
    assert infer(text).region == "AGENT"


def test_what_holds_in_all_projects_goes_with_the_agent() -> None:
    assert infer("In all projects, run the tests before pushing.").region == "AGENT"
    assert infer("This does not hold in all projects, not in all projects have we CI.").region == "PROJECT"


def test_technologies_are_tagged_by_whole_word_and_alias() -> None:
    tags = infer("The js client talks to Postgres; foo.rs and the Go worker do not use C++.").tags
    assert tags == ("javascript", "postgresql", "rust", "go", "c++")


def test_ordinary_words_are_no_technologies() -> None:
    assert infer("Go to the next page and react to the express train, in spring or in jest.").tags == ()


def test_tags_are_few_and_lower_case() -> None:
    tags = infer("Python Redis Kafka Docker Linux Git Npm Django Flask Nginx").tags
    assert tags == ("python", "redis", "kafka", "docker", "linux", "git", "npm", "django")


def test_concepts_name_what_the_text_explains() -> None:
    concepts = infer("We use SQLite instead of PostgreSQL because it needs no server.").concepts
    assert concepts == ("trade-off", "why-it-exists")
    assert infer("Gotcha: the cache is stale; fixed by clearing it.").concepts == ("problem-solution", "gotcha")


def test_what_is_quoted_or_code_is_not_said() -> None:
    assert infer('The string "must never" is reserved.').impact == "MEDIUM"
    assert infer("Look:\n```\nnever do this, it is critical\n```").impact == "MEDIUM"


@given(st.text(st.characters(), max_size=400))
def test_any_text_gets_lawful_answers(text: str) -> None:
    inferred = infer(text)
    assert inferred.kind in KINDS
    assert inferred.impact in IMPACTS
    assert inferred.region in {"AGENT", "PROJECT"}
    assert inferred.type in TYPES
    assert set(inferred.concepts) <= CONCEPTS
    assert len(inferred.concepts) <= 3
    assert len(inferred.tags) <= 8
    assert len(inferred.title) <= 80
    assert len(inferred.subtitle) <= 120
    assert len((inferred.title + inferred.subtitle).splitlines()) <= 1
    assert bool(inferred.title) == bool(text.strip())
