"""A code belongs to one key, one purpose and one sequence of parts."""

from __future__ import annotations

import pytest

from limpet.model.keyring import NO_KEYS, KeyRing, compute_code, is_equal, key_id

KEY, OTHER = b"k" * 32, b"o" * 32
RING = KeyRing(keys={key_id(KEY): KEY}, newest=key_id(KEY))


def test_a_code_fits_its_own_bytes_and_purpose_only() -> None:
    code = RING.code("marks", b"data")
    assert RING.fits("marks", key_id(KEY), b"data", code) is True
    assert RING.fits("marks", key_id(KEY), b"date", code) is False
    assert RING.fits("change", key_id(KEY), b"data", code) is False


def test_a_code_of_a_key_that_is_not_here_cannot_be_judged() -> None:
    assert RING.fits("marks", key_id(OTHER), b"data", "00" * 16) is None
    assert NO_KEYS.fits("marks", key_id(KEY), b"data", "00" * 16) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [(("ab", "c"), ("a", "bc")), (("a", None), ("a", "")), (("a",), ("a", "")), (("a", b"b"), ("ab",))],
)
def test_parts_cannot_be_shifted_into_each_other(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert compute_code(KEY, "memory", "k", one) != compute_code(KEY, "memory", "k", other)


def test_the_name_of_a_key_does_not_hold_the_key() -> None:
    assert KEY.hex() not in key_id(KEY) and key_id(KEY) != key_id(OTHER)


def test_codes_are_equal_only_to_the_last_letter() -> None:
    assert is_equal("abcd", "abcd")
    assert not is_equal("abcd", "abce") and not is_equal("abcd", "abc") and not is_equal("", "a")
