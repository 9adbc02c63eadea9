"""The marks by which a hook recognises a call that may concern an antigen."""

from __future__ import annotations

import os
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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_does_not_hold_up_a_call(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / MARKS)
    assert not may_concern(str(tmp_path), "pip")
