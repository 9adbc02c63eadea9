"""Any value of a payload can be read as what it should be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.hosts.payload import (
    DEEPEST,
    clean_value,
    cut_middle,
    first_text,
    integer_of,
    list_of,
    mapping_of,
    message_text,
    text_of,
    to_one_line,
)

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda some: st.lists(some) | st.dictionaries(st.text(), some),
)


@given(ANYTHING)
def test_nothing_that_a_host_sends_raises(value: Any) -> None:
    text_of(value).encode()
    message_text(value).encode()
    clean_value(value)
    assert isinstance(mapping_of(value), dict) and isinstance(list_of(value), list)
    assert integer_of(value) is None or integer_of(value) == value


def test_a_flag_is_no_number() -> None:
    assert (integer_of(True), integer_of(7), integer_of("7")) == (None, 7, None)


def test_half_a_character_is_replaced() -> None:
    assert text_of("a\ud800b") == "a?b"
    assert clean_value({"a\ud800": ["\udc80"]}) == {"a?": ["?"]}


def test_the_first_text_that_is_there_counts() -> None:
    assert first_text({"a": 1, "b": "", "c": "yes", "d": "no"}, "a", "b", "c", "d") == "yes"


@pytest.mark.parametrize(
    "value",
    ["said", {"text": "said"}, [{"type": "text", "text": "said"}], {"content": [{"text": "said"}]}, {"output": "said"}],
)
def test_a_message_is_a_text_a_block_or_a_list_of_blocks(value: object) -> None:
    assert message_text(value) == "said"


def test_what_is_nested_too_deeply_is_left_out() -> None:
    deep: Any = "said"
    for _ in range(DEEPEST + 1):
        deep = [deep]
    assert message_text(deep) == ""
    assert "said" not in str(clean_value(deep))


def test_a_long_output_loses_its_middle_and_says_so() -> None:
    assert cut_middle("short", 10) == "short"
    cut = cut_middle("a" * 100 + "z" * 100, 30)
    assert cut.startswith("a" * 10) and cut.endswith("z" * 20) and "[170 characters left out]" in cut


def test_a_command_is_shown_on_one_line() -> None:
    assert to_one_line("make\n  test\t-k  one") == "make test -k one"
