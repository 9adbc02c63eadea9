"""The order of the best matches by fitted weights."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.lean.record import replace
from limpet.recall.ranking import MARKS, MEASURES, TABLE, TRAITS, Asked, Candidate, weigh_candidates
from limpet.text.tables import read_table
from tests.operations.sandbox import Sandbox
from tests.recall.searching import LEAK, found, told

IMAGES = "Keep background images below 200 kB, because people on trains give up"
FLAGS = "Feature flags live in LaunchDarkly and expire after a quarter"
OTHERS = (
    "The nightly job archives old invoices to cold storage",
    "Customers who never log in are removed after two years",
    "Passwords are hashed with argon2id, never bcrypt",
    "The landing page shows three plans and a banner",
    "Use ruff for linting; black was dropped",
    "Invoices are numbered per year and never reused",
    "Redis evicts sessions when it is full; maxmemory-policy is volatile-lru",
    "Staging is rebuilt every Monday from a dump of production",
    "The image for night work is built on alpine",
    "Error pages are cached by the CDN for ten seconds",
)

share = st.floats(0, 1)
asked = st.builds(
    Asked,
    covered=share,
    terms=st.integers(0, 32),
    nearest=share,
    lead=share,
    agreement=share,
    held=st.integers(0, 32),
)
candidates = st.builds(
    Candidate,
    cosine=st.floats(-1, 1),
    rest=st.floats(-1, 1),
    coverage=share,
    context=share,
    rarity=share,
    by_meaning=st.integers(0, 200),
    by_words=st.integers(0, 200),
    held=st.integers(0, 32),
    tokens=st.integers(0, 10_000),
    asks=st.just(False),
)


@pytest.mark.parametrize(
    ("question", "answer"), [("background jobs eat RAM", LEAK), ("toggles that hide unfinished work", FLAGS)]
)
def test_a_memory_of_near_meaning_comes_before_those_that_share_a_word(
    filled: Sandbox, question: str, answer: str
) -> None:
    for text in (IMAGES, FLAGS, *OTHERS):
        filled.remember(text)
    assert found(filled, question)[0] == answer


def test_the_fitted_order_changes_nothing_of_what_is_told_unasked(
    filled: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.remember(IMAGES)
    before = told(filled, "which port does the API listen on")
    monkeypatch.setattr("limpet.recall.ranking.rank_matches", None)
    assert told(filled, "which port does the API listen on") == before != []


def test_what_a_later_page_shows_scores_no_more_than_the_first_page(sandbox: Sandbox) -> None:
    for number in range(45):
        sandbox.remember(
            f"Queue {number} of the mail service holds {number + 2} letters, as {chr(97 + number % 26)} says"
        )
    hits = sandbox.ask("recall", query="which queue holds the letters of the mail service", limit=45).items
    scores = [hit.parts["match"] for hit in hits]
    assert len(scores) == 45
    assert min(scores[:20]) >= max(scores[20:])


def test_a_match_is_one_for_the_best_and_less_for_the_others(filled: Sandbox) -> None:
    hits = filled.ask("recall", query="background jobs eat RAM").items
    assert max(hit.parts["match"] for hit in hits) == 1
    assert all(0 <= hit.parts["match"] < 1 for hit in hits[1:])


def test_the_best_match_is_one_even_if_the_weights_prefer_what_does_not_match(
    filled: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in (IMAGES, FLAGS, *OTHERS):
        filled.remember(text)
    assert found(filled, "background jobs eat RAM")[0] == LEAK
    monkeypatch.setattr("limpet.recall.search._BASELINE", 0.99)
    matches = [hit.parts["match"] for hit in filled.ask("recall", query="background jobs eat RAM", limit=15).items]
    assert matches.count(0) > 0, "what is far below the best of the first look does not match"
    assert max(matches) == 1


@given(asked, candidates, st.sampled_from(["cosine", "rest", "coverage", "context", "rarity"]), share)
def test_more_of_a_measure_never_counts_against_a_memory(
    question: Asked, candidate: Candidate, measure: str, more: float
) -> None:
    values: dict[str, Any] = {measure: getattr(candidate, measure) + more}
    matches = weigh_candidates(question, {1: candidate, 2: replace(candidate, **values)})
    assert matches[2] >= matches[1]


@given(asked, candidates, st.integers(1, 32))
def test_a_word_more_counts_against_a_memory_of_no_word_only_and_takes_less_than_half_of_its_match(
    question: Asked, candidate: Candidate, more: int
) -> None:
    matches = weigh_candidates(question, {1: candidate, 2: replace(candidate, held=candidate.held + more)})
    if candidate.held > 0 or question.covered >= 0.6:
        assert matches[2] >= matches[1]
    assert matches[2] > 0.53 * matches[1]


def test_where_no_memory_covers_much_one_of_a_single_word_falls_below_one_of_none() -> None:
    candidate = Candidate(
        cosine=0.5, rest=0.5, coverage=0, context=0, rarity=0, by_meaning=0, by_words=0, held=0, tokens=9, asks=False
    )
    question = Asked(covered=0, terms=3, nearest=0.5, lead=0, agreement=1, held=1)
    matches = weigh_candidates(question, {1: candidate, 2: replace(candidate, held=1)})
    assert 0.53 < matches[2] < 0.54


def test_a_memory_that_only_asks_counts_half() -> None:
    candidate = Candidate(
        cosine=0.5, rest=0.5, coverage=1, context=0, rarity=1, by_meaning=0, by_words=0, held=3, tokens=9, asks=False
    )
    question = Asked(covered=1, terms=3, nearest=0.5, lead=0, agreement=1, held=3)
    asking = replace(candidate, asks=True)
    assert asking.measures == tuple(each / 2 for each in candidate.measures)
    assert weigh_candidates(question, {1: asking, 2: candidate})[1] < 1


def test_the_table_has_every_measure_with_every_trait_and_every_mark() -> None:
    rows = {row.name: row.contents for row in read_table(TABLE)}
    assert set(rows) == {*MEASURES, *MARKS}
    assert all([line.rsplit(" ", 1)[0] for line in rows[name].splitlines()] == list(TRAITS) for name in MEASURES)


def test_the_figures_of_kept_back_questions_stay_in_the_table_as_long_as_its_weights(tmp_path: Path) -> None:
    np = pytest.importorskip("numpy")
    from scripts.fit_ranking import KEPT_BACK, NOT_MEASURED, PATH, Weights, write

    rows = {row.name: row for row in read_table(TABLE)}
    slopes = [[float(line.rsplit(" ", 1)[1]) for line in rows[name].contents.splitlines()] for name in MEASURES]
    weights = Weights(
        base=np.array([rows[name].weight for name in MEASURES]),
        slopes=np.array(slopes).T,
        marks=np.array([rows[name].weight for name in MARKS]),
    )
    table = PATH.read_text("utf-8")
    sets = re.findall(r"^# - (.* questions)$", table, re.MULTILINE)
    assert "# - coding, reworded: 18 / 55 / 64 → 25 / 57 / 70\n" in table.partition(KEPT_BACK)[2]
    copy = tmp_path / "ranking.table"
    copy.write_text(table, "utf-8")
    write(weights, sets, copy)
    assert copy.read_text("utf-8") == table
    write(weights._replace(marks=weights.marks + 1), sets, copy)
    assert copy.read_text("utf-8").partition("\n\n")[0].endswith(f"{KEPT_BACK}\n{NOT_MEASURED}")
