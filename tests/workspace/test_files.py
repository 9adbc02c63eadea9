"""Files and paths that may be hostile are read up to a limit, and only if they are plain files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from limpet.system import open_regular
from limpet.workspace.files import canonical_path, clean_label, is_inside, read_file


def test_a_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"0123456789")
    assert (read_file(str(path), 4), read_file(str(path), 99)) == (b"0123", b"0123456789")
    assert read_file(str(tmp_path / "none"), 4) is None
    assert read_file("a\0b", 4) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_file(str(tmp_path / "pipe"), 4) is None
    with pytest.raises(OSError, match="not a regular file"):
        open_regular(str(tmp_path / "pipe"))


def test_a_path_is_compared_without_symlinks_and_by_whole_names(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert canonical_path(str(tmp_path / "link" / "x")) == os.path.realpath(tmp_path / "real" / "x")
    assert (canonical_path(""), canonical_path("a\0b")) == (None, None)
    assert is_inside("/a/b/c", "/a/b") and not is_inside("/a/bc", "/a/b") and not is_inside("/a/b", "/a/b")


def test_a_label_is_one_printable_line() -> None:
    assert clean_label("  two\n lines\x1b[31m  and more", 12) == "two lines[31"
