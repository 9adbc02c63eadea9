"""An export holds what may go out, in a file that only its owner can read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from limpet.errors import LimpetError, Refused, UsageError
from tests.operations.exports import export_to_file
from tests.operations.sandbox import MODEL, Sandbox


def test_only_what_is_live_and_public_goes_out_unless_asked_for(full: Sandbox) -> None:
    answer = full.ask("export")
    texts = {record["memory"]["content"] for record in answer.records if "memory" in record}
    assert texts == {"The default port is 9090 – see app.py", "Matt prefers short answers", "Read on a page"}
    assert answer.left_out == 1
    assert full.ask("export", private=True).left_out == 0
    with pytest.raises(Refused, match="shown to their owner only"):
        full.ask("export", private=True, as_=MODEL)


def test_the_file_is_for_its_owner_only(full: Sandbox) -> None:
    assert stat.S_IMODE(export_to_file(full).stat().st_mode) == 0o600


def test_a_file_that_is_there_is_not_written_over_unless_that_is_asked_for(full: Sandbox) -> None:
    path = full.folder / "there.jsonl"
    path.write_text("mine\n")
    path.chmod(0o644)
    with pytest.raises(Refused, match="choose another name or add --force"):
        full.ask("export", file=str(path))
    assert path.read_text() == "mine\n"
    full.ask("export", file=str(path), force=True)
    assert path.read_text().startswith('{"format": "limpet-export"')
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("force", [False, True])
def test_an_export_never_follows_a_symlink_nor_replaces_a_device(full: Sandbox, force: bool) -> None:
    target = full.folder / "target"
    target.write_text("mine\n")
    link, dangling = full.folder / "link", full.folder / "dangling"
    link.symlink_to(target)
    dangling.symlink_to(full.folder / "nowhere")
    pipe = full.folder / "pipe"
    os.mkfifo(pipe)
    for path in (link, dangling, pipe, Path("/dev/null"), full.folder, full.folder / "no" / "such" / "folder"):
        with pytest.raises(LimpetError):
            full.ask("export", file=str(path), force=force)
    assert target.read_text() == "mine\n"
    assert not (full.folder / "nowhere").exists()
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_an_export_needs_the_name_of_a_file(full: Sandbox, name: str) -> None:
    with pytest.raises(UsageError):
        full.ask("export", file=name)
