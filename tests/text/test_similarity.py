"""Texts that say the same in nearly the same words are found, and others are not."""

from __future__ import annotations

import random
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from limpet.text.similarity import FAR_BITS, SURE_BITS, content_hash, hamming, is_near, jaccard, simhash, split_bands
from tests.text.contradiction_pairs import COMPATIBLE_TUNED, CONTRADICTING_TUNED
from tests.text.token_samples import ENGLISH_AND_CODE

ANY_TEXT = st.text(st.characters(), max_size=300)
HASHES = st.integers(0, 2**64 - 1)
PROSE = ENGLISH_AND_CODE["prose"].text
STATEMENTS = sorted({side for pair in CONTRADICTING_TUNED + COMPATIBLE_TUNED for side in pair if side})


def share_a_band(first: int, second: int) -> bool:
    return any(a == b for a, b in zip(split_bands(first), split_bands(second), strict=True))


def edited(text: str, edits: int, chance: random.Random) -> str:
    found = text.split()
    for _ in range(edits):
        at = chance.randrange(len(found))
        match chance.randrange(3):
            case 0:
                found[at] = "another"
            case 1:
                del found[at]
            case _:
                found.insert(at, "further")
    return " ".join(found)


def test_the_same_words_in_another_layout_are_an_exact_duplicate() -> None:
    assert content_hash(PROSE) == content_hash(PROSE.replace("\n", "  \r\n") + "\n")


def test_another_word_is_no_exact_duplicate() -> None:
    assert content_hash(PROSE) != content_hash(PROSE.replace("slow", "new"))


def test_a_text_that_is_no_unicode_still_has_a_hash() -> None:
    assert content_hash("broken \ud800") != content_hash("broken")


def test_the_simhash_is_the_same_in_another_process() -> None:
    code = "import sys; from limpet.text.similarity import simhash; print(simhash(sys.argv[1]))"
    shown = subprocess.run([sys.executable, "-c", code, PROSE], capture_output=True, text=True, check=True).stdout
    assert int(shown) == simhash(PROSE)


def test_the_simhash_never_changes_between_versions() -> None:
    # Stored hashes are compared with new ones: changing the function means reindexing every store.
    assert simhash("We use Redis for caching sessions.") == 0x21310A2E478600E4


@given(HASHES, st.sets(st.integers(0, 63), max_size=SURE_BITS))
def test_hashes_that_differ_in_few_bits_always_share_a_band(value: int, flipped: set[int]) -> None:
    other = value ^ sum(1 << bit for bit in flipped)
    assert hamming(value, other) == len(flipped)
    assert share_a_band(value, other)


def test_most_edited_texts_share_a_band_and_all_are_close() -> None:
    chance = random.Random(1)
    found = 0
    for _ in range(200):
        first, second = simhash(PROSE), simhash(edited(PROSE, 5, chance))
        assert hamming(first, second) <= FAR_BITS
        found += share_a_band(first, second)
    assert found >= 190


def test_strangers_are_far_apart() -> None:
    values = [simhash(text) for text in STATEMENTS]
    pairs = [(a, b) for at, a in enumerate(values) for b in values[at + 1 :]]
    assert sum(share_a_band(a, b) and hamming(a, b) <= FAR_BITS for a, b in pairs) <= 0.03 * len(pairs)


def test_a_text_with_a_word_changed_is_near() -> None:
    assert is_near(
        "We decided to use PostgreSQL instead of SQLite because writers block each other.",
        "we decided to use PostgreSQL instead of SQLite, because writers lock each other",
    )


def test_a_text_about_something_else_is_not_near() -> None:
    assert not is_near("Tests run with pytest on every commit.", "Deploys go through Argo CD on every merge.")


def test_the_same_words_in_another_order_are_not_near() -> None:
    assert not is_near("use pytest not unittest", "use unittest not pytest")


def test_texts_without_words_are_near_only_when_equal() -> None:
    assert is_near("👍 🚀", "👍  🚀")
    assert not is_near("👍", "🚀")


def test_jaccard_is_the_share_of_common_words() -> None:
    assert jaccard("one two three", "Two three four") == 0.5
    assert jaccard("", "") == 1.0


@given(ANY_TEXT, ANY_TEXT)
def test_nearness_and_overlap_are_symmetric(first: str, second: str) -> None:
    assert is_near(first, second) == is_near(second, first)
    assert jaccard(first, second) == jaccard(second, first)
    assert is_near(first, first)


@given(ANY_TEXT)
def test_any_text_has_a_simhash_of_64_bits(text: str) -> None:
    assert 0 <= simhash(text) < 2**64
    assert len(split_bands(simhash(text))) == SURE_BITS + 1
