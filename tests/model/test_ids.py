"""Ids: they sort by time, cannot be guessed, and nothing else looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.model.ids import ALPHABET, BODY, SHORTEST, is_body, is_prefix_of_id, lowest_after, ms_of, new_id, stamp

times = st.integers(0, (1 << 48) - 2)


@given(times, times)
def test_ids_sort_as_their_moments_do(one: int, other: int) -> None:
    if one != other:
        assert (stamp(one) < stamp(other)) == (one < other)


@given(times)
def test_the_moment_can_be_read_from_an_id_with_and_without_its_prefix(ms: int) -> None:
    assert ms_of(stamp(ms)) == ms
    assert ms_of(new_id("mem", ms)) == ms


@given(times)
def test_every_id_is_valid_and_begins_with_its_prefix(ms: int) -> None:
    made = new_id("mem", ms)
    assert made.startswith("mem_")
    assert is_body(made[4:])
    for length in range(SHORTEST, BODY + 1):
        assert is_prefix_of_id(made[: 4 + length])
        assert is_prefix_of_id(made[4 : 4 + length])


def test_ids_of_one_moment_differ_in_eighty_random_bits() -> None:
    made = [stamp(1_700_000_000_000) for _ in range(4000)]
    assert len(set(made)) == len(made)
    assert {each[:10] for each in made} == {made[0][:10]}
    assert 5 * len(made[0][10:]) >= 80
    # Each of the sixteen places takes every letter: a place that does not carries less than five bits.
    for place in range(10, BODY):
        assert {each[place] for each in made} == set(ALPHABET)


@given(times, st.integers(-5000, 5000))
def test_the_lowest_body_after_a_moment_parts_earlier_from_later(ms: int, distance: int) -> None:
    bound = lowest_after(ms)
    assert is_body(bound)
    other = ms + distance
    if 0 <= other < (1 << 48) - 1:
        assert (stamp(other) < bound) == (other <= ms)


@pytest.mark.parametrize("ms", [-1, -(10**15), 1 << 48, 10**30])
def test_a_moment_out_of_range_still_makes_a_valid_id(ms: int) -> None:
    assert is_body(stamp(ms))
    assert is_body(lowest_after(ms))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mem_",
        "../etc",
        "mem_../x",
        "mem_%",
        "mem_*",
        "mem_01jo",
        "mem_01jI",
        "mem_01ju",
        "' OR 1",
        "mem_é",
        "mem_01j0 ",
        "0",
        "mem_01j",
    ],
)
def test_what_could_be_a_path_a_pattern_or_sql_is_no_prefix_of_an_id(text: str) -> None:
    assert not is_prefix_of_id(text)


def test_a_body_of_the_wrong_length_or_letters_is_refused() -> None:
    good = stamp(5)
    assert not is_body(good[:-1])
    assert not is_body(good + "0")
    assert not is_body(good[:-1] + "u")
    assert not is_prefix_of_id(good + "0")
    with pytest.raises(ValueError):
        ms_of(good[:-1])
    assert not is_prefix_of_id("fact_" + good)
    assert is_prefix_of_id("fact_" + good, "fact")


@given(st.text(st.sampled_from(ALPHABET + "_ilouéA"), min_size=24, max_size=28) | st.text(max_size=40))
def test_the_moment_of_any_text_is_a_number_or_a_value_error(text: str) -> None:
    try:
        assert ms_of(text) >= 0
    except ValueError:
        assert not is_body(text.rpartition("_")[2])
