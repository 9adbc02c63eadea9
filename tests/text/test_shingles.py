"""Hashes of word pairs tell a repeated passage from a text about the same subject."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from limpet.text.shingles import BLOCK, decode_block, encode_block, hash_blocks, hash_sentences

PAGE = "Enable pre-ping so that each connection is tested before it is used, because the server may close an idle one."


def share(text: str, page: str = PAGE) -> float:
    """Return the share of a text's pairs that the first block of a page has."""
    hashes = next(iter(hash_sentences(text)))
    return len(hashes & decode_block(hash_blocks(page)[0])) / len(hashes)


def test_a_repetition_shares_its_pairs_and_another_text_on_the_subject_few() -> None:
    assert share(PAGE.upper()) == 1
    assert share("Enable pre-ping: each connection gets tested before use, as servers may close idle ones.") > 0.3
    assert share("The billing worker leaked a connection because the export kept its session open.") < 0.1


def test_one_sentence_among_others_has_hashes_of_its_own() -> None:
    alone = next(iter(hash_sentences("Enable pre-ping for each connection")))
    assert alone in list(hash_sentences("We met on Monday. Enable pre-ping for each connection! Then we ate."))


def test_a_long_text_has_one_block_for_each_passage() -> None:
    words = " ".join(f"w{number}x" for number in range(BLOCK * 3))
    assert len(hash_blocks(words)) == 3


def test_scripts_without_spaces_are_compared_too() -> None:
    page = "接続プールは使用前に各接続を検査する必要があります"
    assert share(page, page) == 1 and share("請求書の処理は毎晩実行されます", page) < 0.3


def test_keys_and_addresses_leave_no_hash() -> None:
    secret = "ghp_" + "x7Kq9Zr2LmW4tB8vNcD3sF6hJ1pQ5yUaEoGi"
    assert hash_blocks(f"token {secret} works") == hash_blocks("token works")


@given(st.frozensets(st.integers(min_value=0, max_value=0xFFFFFF)))
def test_a_block_is_read_back_as_it_was(hashes: frozenset[int]) -> None:
    assert decode_block(encode_block(hashes)) == hashes


@given(st.text())
def test_any_text_can_be_hashed(text: str) -> None:
    assert all(decode_block(block) for block in hash_blocks(text))
    assert list(hash_sentences(text))


def test_a_damaged_block_holds_nothing() -> None:
    assert decode_block("é") == decode_block("a") == frozenset()
