"""A fence of code is closed only by its own marks."""

from __future__ import annotations

import pytest

from limpet.text.fences import read_fence


@pytest.mark.parametrize(
    ("line", "fence"),
    [("```", "```"), ("````sh", "````"), ("  ~~~ x`y", "~~~"), ("``", ""), ("```a`b", ""), ("text", ""), ("", "")],
)
def test_a_line_of_marks_opens_a_fence(line: str, fence: str) -> None:
    assert read_fence(line) == fence


@pytest.mark.parametrize(
    ("line", "is_closed"),
    [("```", True), ("`````", True), ("  ```  ", True), ("```sh", False), ("~~~", False), ("``", False), ("", False)],
)
def test_a_fence_is_closed_by_its_own_marks_alone_on_a_line(line: str, is_closed: bool) -> None:
    assert read_fence(line, "```") == ("" if is_closed else "```")


def test_a_longer_fence_is_not_closed_by_a_shorter_one() -> None:
    assert read_fence("```", "````") == "````"
