"""Shortened texts keep what can be checked, decided or got wrong, and never say the opposite of what was said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text.gist import CUT, HINT, LONGEST, make_abstract, make_hint, merge_texts, split_summary
from limpet.text.words import split_words
from tests.growth import assert_growth
from tests.text.dependent_sentences import DEPENDENT
from tests.text.long_notes import FILLER, NOTES, Note

NAMES = [note.name for note in NOTES]


@pytest.mark.parametrize("note", NOTES, ids=NAMES)
def test_a_hint_keeps_what_counts(note: Note) -> None:
    kept = make_hint(note.text)
    assert [part for part in note.keeps if part not in kept] == []
    assert len(kept) < len(note.text)


@pytest.mark.parametrize("note", NOTES, ids=NAMES)
def test_an_abstract_is_what_tells_most(note: Note) -> None:
    kept = make_abstract(note.text)
    assert [part for part in note.tells if part not in kept] == []
    assert len(kept) <= LONGEST + 80


@pytest.mark.parametrize("note", NOTES, ids=NAMES)
def test_nothing_is_kept_without_what_turns_its_meaning(note: Note) -> None:
    for kept in (make_hint(note.text), make_abstract(note.text)):
        assert [pair for pair in note.together if pair[0] in kept and pair[1] not in kept] == []


@pytest.mark.parametrize(("text", "tells", "subject"), DEPENDENT)
def test_nothing_is_kept_without_its_subject(text: str, tells: str, subject: str) -> None:
    for kept in (make_hint(f"{text}\n\n{FILLER * 3}"), make_abstract(f"{text}\n\n{FILLER * 3}")):
        assert tells in kept
        assert subject in kept


@pytest.mark.parametrize(
    ("text", "subject", "tells"),
    [
        (
            "Marten is our search service. Indexing takes a while. The queue must be drained first, since a half-"
            "filled index answers with 500.",
            "Marten",
            "must be drained",
        ),
        (
            "The nightly export of the shop runs on heron-7. Never restart the box before 02:00, because the backup "
            "holds a lock on /var/lib/db until then. Ana owns the schedule.",
            "heron-7",
            "before 02:00",
        ),
    ],
)
def test_what_tells_most_keeps_the_subject_that_only_the_first_sentence_names(
    text: str, subject: str, tells: str
) -> None:
    for kept in (make_abstract(text), make_hint(f"{text}\n\n{FILLER * 3}")):
        assert subject in kept and tells in kept
    assert len(make_abstract(text)) < len(text)


def test_a_first_sentence_that_names_no_subject_is_not_kept() -> None:
    rule = "The importer must never run twice because it doubles 3 rows of orders."
    assert make_abstract(f"Notes of today. {rule} It was slow.") == f"{rule} It was slow."
    assert make_abstract(f"The importer reads orders. {rule}") == rule


@pytest.mark.parametrize("note", NOTES, ids=NAMES)
def test_filler_goes_first(note: Note) -> None:
    for kept in (make_hint(note.text), make_abstract(note.text)):
        assert FILLER.strip() not in kept


@pytest.mark.parametrize("note", NOTES, ids=NAMES)
def test_nothing_is_invented(note: Note) -> None:
    """Every word was there; only what says that something is missing is ours."""
    for kept in (make_hint(note.text), make_abstract(note.text)):
        assert set(split_words(kept.replace(CUT, ""))) <= set(split_words(note.text)) | {"summary"}


def test_a_summary_is_kept_to_the_letter_until_it_is_an_abstract() -> None:
    written = "  First *this*.\n\n- then   that\n\tand more"
    text = f"# Title\n\n## Summary\n{written}\n\n## Content\n\n{FILLER * 4}"
    assert split_summary(text)[0] == written
    assert written in make_hint(text)


@pytest.mark.parametrize("piece", ["a.", "a-", "a_.", "A.", "1.", "a b.", ".", "?!"])
def test_a_long_run_of_dots_is_condensed_in_linear_time(piece: str) -> None:
    """Four times the length must cost about four times the work; the square of it would be sixteen times."""

    def condense(text: str) -> None:
        make_hint(text)
        make_abstract(text)

    assert_growth(condense, piece * 5_000, piece * 20_000, below=9)


@given(st.text(max_size=2000))
def test_any_text_is_condensed_the_same_way_twice_and_never_grows(text: str) -> None:
    for way in (make_hint, make_abstract):
        kept = way(text)
        assert kept == way(text)
        assert len(kept) <= len(text)
        assert bool(kept.strip()) == bool(text.strip()) or not kept


@given(
    st.lists(st.sampled_from([*(note.text for note in NOTES), "# Head\n\n", "Only this:\n", "- a point\n"]), max_size=6)
)
def test_what_is_put_together_at_random_stays_within_bounds(parts: list[str]) -> None:
    text = "\n\n".join(parts)
    summary, _ = split_summary(text)
    assert len(make_hint(text)) <= max(len(summary), LONGEST) + HINT + 400


def test_a_megabyte_is_no_trouble() -> None:
    text = "The limit of request number is 17 because of `x`. " * 20_000
    assert len(make_hint(text)) < 2_000
    assert len(make_abstract("word " * 200_000)) < 1_000


def test_merging_keeps_the_essence_of_each() -> None:
    texts = [
        ("2026-03-01", "The nightly job needs 3 GB since the index grew."),
        ("2026-03-04", "The nightly job needs 5 GB since the index grew again."),
        ("2026-03-05", "The nightly job needs 5 GB since the index grew again."),
    ]
    text = merge_texts(texts)
    assert text.startswith("## Summary\n\nThe nightly job needs")
    assert "- 2026-03-01: The nightly job needs 3 GB" in text
    assert "- 2026-03-04: The nightly job needs 5 GB" in text
    assert text.count("5 GB since the index grew again") <= 2


def test_merging_long_texts_keeps_what_a_hint_keeps() -> None:
    notes = [note for note in NOTES if len(note.keeps) > 1 and "## Summary" not in note.text]
    text = merge_texts([(str(number), note.text) for number, note in enumerate(notes)])
    flat = " ".join(text.split())
    assert [part for note in notes for part in note.keeps if " ".join(part.split()) not in flat] == []
