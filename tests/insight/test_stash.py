"""The form and the names of stashes."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from limpet.errors import UsageError
from limpet.insight.distil.files import Manifest
from limpet.insight.folder import Folder
from limpet.insight.stash import (
    Extract,
    encode_stash,
    list_unprocessed,
    make_name,
    mention_many,
    render_extract,
    write_stash,
)

NOW = datetime(2026, 11, 16, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Before the refactoring", "before-the-refactoring"),
        ("../../etc/passwd", "etc-passwd"),
        ("a\x00b\nc", "a-b-c"),
        (".hidden", "hidden"),
        ("CON", "stash-con"),
        ("改造之前", "改造之前"),
        ("x" * 500, "x" * 50),
    ],
)
def test_a_name_is_safe_as_a_file_name(text: str, name: str) -> None:
    assert make_name(text) == name


@pytest.mark.parametrize("text", ["", "...", "🎉", "/"])
def test_a_name_without_a_letter_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no letter or digit"):
        make_name(text)


def test_a_stash_is_never_overwritten(tmp_path: Path) -> None:
    folder = Folder(path=str(tmp_path))
    (tmp_path / "x-3.md").symlink_to("/etc/passwd")
    written = [write_stash(folder, "x", b"text %d\n" % number) for number in range(3)]
    assert [os.path.basename(path) for path in written] == ["x.md", "x-2.md", "x-4.md"]
    assert Path(written[0]).read_text("utf-8") == "text 0\n"


def test_secrets_and_private_parts_are_left_out(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    path = write_stash(Folder(path=str(tmp_path)), "x", encode_stash(f"use {token} <private>my salary</private> here"))
    text = Path(path).read_text("utf-8")
    assert token not in text and "salary" not in text and "here" in text


@pytest.mark.parametrize("text", ["", "  \n", "<private>all of it</private>", "x" * 300_000])
def test_what_is_empty_or_too_long_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError):
        encode_stash(text)
    assert list(tmp_path.iterdir()) == []


def test_five_unprocessed_stashes_are_mentioned_once(tmp_path: Path) -> None:
    folder = Folder(path=str(tmp_path / "stash"))
    (tmp_path / "stash").mkdir()
    told = []
    for number in range(7):
        write_stash(folder, f"s{number}", b"text")
        told.append(mention_many(folder))
    assert told == [0, 0, 0, 0, 5, 0, 0]
    (tmp_path / "memory").mkdir()
    distilled = Manifest(stashes={f"s{number}": "0" * 64 for number in range(6)})
    (tmp_path / "memory" / ".processed").write_bytes(distilled.render())
    assert list_unprocessed(folder) == ["s6.md"]
    assert mention_many(folder) == 0
    for number in range(7, 11):
        write_stash(folder, f"s{number}", b"text")
    assert mention_many(folder) == 5


def test_sections_without_a_line_are_left_out() -> None:
    extract = Extract(
        session="s-1", host="codex", branch="main", begins=NOW, wanted=("Add a\n\x1bretry.",), open=("The test fails.",)
    )
    text = render_extract(extract, title="Add a retry", now=NOW)
    assert text.startswith("# Add a retry\n\n> Stashed 2026-11-16") and "session s-1 (codex, branch main)" in text
    assert "## Wanted\n\n- Add a retry.\n\n## Open\n\n- The test fails.\n" in text
    assert "## Done" not in text
