"""Stashes and reports of friction may come from anybody: whatever they hold, reading them harms nothing."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from limpet.insight.authorship import record_file
from limpet.insight.distil.sources import read_sources

CANDIDATE = {"anchor_signal": "user_negation", "conversation": "c1", "user_context": ["add it", "no, use tabs"]}


def write_candidates(root: Path, value: Any) -> Path:
    path = root / ".claude" / "friction" / "antigen_candidates.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def test_a_project_without_anything_has_no_sources(tmp_path: Path) -> None:
    found = read_sources(str(tmp_path), str(tmp_path / "home"))
    assert (found.stashes, found.objections, found.failed) == ([], [], [])


def test_stashes_are_read_the_oldest_first_and_without_private_parts(tmp_path: Path) -> None:
    folder = tmp_path / ".claude" / "stash"
    folder.mkdir(parents=True)
    (folder / "b.md").write_text("2026-01-01\nkept <private>gone</private>", "utf-8")
    (folder / "a.md").write_text("\ufeff# no date", "utf-8")
    os.utime(folder / "a.md", (1_760_000_000, 1_760_000_000))
    (folder / "notes.txt").write_text("not a stash", "utf-8")
    first, second = read_sources(str(tmp_path), str(tmp_path / "home")).stashes
    assert (first.name, first.day, second.name) == ("a", date(2025, 10, 9), "b")
    assert "gone" not in second.text and not first.text.startswith("\ufeff")


def test_what_is_no_plain_file_is_named_and_not_read(tmp_path: Path) -> None:
    folder = tmp_path / ".claude" / "stash"
    folder.mkdir(parents=True)
    (folder / "link.md").symlink_to("/etc/hostname")
    (folder / "folder.md").mkdir()
    os.mkfifo(folder / "pipe.md")
    found = read_sources(str(tmp_path), str(tmp_path / "home"))
    assert found.stashes == []
    assert [os.path.basename(path) for path, _ in found.failed] == ["folder.md", "link.md", "pipe.md"]


def test_each_objection_is_read_once_and_only_from_a_report_of_this_machine(tmp_path: Path) -> None:
    path = write_candidates(tmp_path, [CANDIDATE, CANDIDATE])
    home = str(tmp_path / "home")
    strange = read_sources(str(tmp_path), home)
    assert strange.objections == [] and "limpet friction" in strange.failed[0][1]
    record_file(home, path.read_bytes())
    found = read_sources(str(tmp_path), home)
    assert [(each.text, each.conversation) for each in found.objections] == [("no, use tabs", "c1")]
    assert found.failed == []


@pytest.mark.parametrize(
    "value",
    [
        "",
        "{",
        "[" * 100_000,
        {"a": 1},
        [1, None, [], "x"],
        [{**CANDIDATE, "anchor_signal": "false_success"}],
        [{**CANDIDATE, "anchor_signal": ["user_negation"]}],
        [{**CANDIDATE, "user_context": []}],
        [{**CANDIDATE, "user_context": [7]}],
        [{**CANDIDATE, "conversation": 7}],
    ],
)
def test_a_malformed_report_has_no_objections(tmp_path: Path, value: Any) -> None:
    path = write_candidates(tmp_path, value)
    record_file(str(tmp_path / "home"), path.read_bytes())
    assert read_sources(str(tmp_path), str(tmp_path / "home")).objections == []
