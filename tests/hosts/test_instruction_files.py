"""The memory block of an instruction file is replaced, and no other byte of the file is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.errors import Refused
from limpet.hosts.instruction_files import END, START, find_block, read_block, replace_block

LINES = [START, "- one", END]


@given(st.binary(max_size=60), st.binary(max_size=60), st.sampled_from([b"\n", b"\r\n"]))
def test_what_stands_around_a_block_stays(above: bytes, below: bytes, newline: bytes) -> None:
    if above.startswith((b"\xff\xfe", b"\xfe\xff")) or b"`" in above + below or b"~" in above + below:
        return
    old = newline.join([START.encode(), b"old", END.encode()])
    data = above + newline + old + newline + below
    written = replace_block(data, LINES, "x")
    assert written.startswith(above + newline) and written.endswith(newline + below)
    assert replace_block(written, LINES, "x") == written


@given(st.binary(max_size=80))
def test_a_file_without_a_block_is_kept_in_front_of_it(data: bytes) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    written = replace_block(data, LINES, "x")
    assert written.startswith(data) and replace_block(written, LINES, "x") == written


def test_a_fence_that_is_never_closed_hides_no_block() -> None:
    data = f"```\n{START}\n{END}\n".encode()
    assert find_block(data, "x") is not None
    assert find_block(data + b"```\n", "x") is None


def test_a_fence_ends_at_its_own_marks_only() -> None:
    inside = f"````md\n```\n{START}\n{END}\n~~~\n````\n"
    assert find_block(inside.encode(), "x") is None
    assert read_block(f"{inside}{START}\n{END}\n".encode(), "x") == f"{START}\n{END}\n"
    assert find_block(f"```make``` builds it\n{START}\n{END}\n```\n".encode(), "x") is not None


def test_the_text_of_a_block_is_read_with_plain_ends_of_lines() -> None:
    assert read_block(f"a\r\n{START}\r\n- é\r\n{END}\r\n".encode(), "x") == f"{START}\n- é\n{END}\n"
    assert read_block(b"", "x") == ""


def test_another_encoding_is_refused() -> None:
    with pytest.raises(Refused, match="not UTF-8"):
        replace_block("# x".encode("utf-16"), LINES, "x")
