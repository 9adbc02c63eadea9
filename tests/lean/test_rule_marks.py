"""The marks by which a hook recognises a call that may concern an antigen."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.lean.rule_marks import MARKS, may_concern


@pytest.mark.parametrize(
    ("written", "text", "expected"),
    [(b"pip\n", "pip install", True), (b"pip\n\n", "ls", False), (b"", "x", False), (b"\xff\npip\n", "pip", True)],
)
def test_a_call_is_recognised_by_a_mark(tmp_path: Path, written: bytes, text: str, expected: bool) -> None:
    (tmp_path / MARKS).write_bytes(written)
    assert may_concern(str(tmp_path), text) is expected


def test_without_a_file_nothing_is_recognised(tmp_path: Path) -> None:
    assert not may_concern(str(tmp_path), "pip")
    (tmp_path / MARKS).mkdir()
    assert not may_concern(str(tmp_path), "pip")
