"""A store that may be read but not written is read; writing says why not."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.faults.processes import leave_rights, limpet, limpet_without_rights, remember


def snapshot(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def test_a_store_that_may_only_be_read_can_be_read_and_refuses_writes(open_folder: Path) -> None:
    texts = ["anchors hold in clay", "mussels grow on ropes"]
    kept = {remember(text): text for text in texts}
    home = open_folder / "home"
    leave_rights(home, folders=5, files=4)
    before = snapshot(home)
    for verb in ("list", "recall"):
        arguments = [verb, "--json", *(["anchors mussels"] if verb == "recall" else [])]
        done = limpet_without_rights(*arguments)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        found = answer["memories"] if verb == "list" else [hit["memory"] for hit in answer["hits"]]
        assert {each["id"]: each["content"] for each in found} == kept
    for arguments in (
        ["remember", "this cannot be kept"],
        ["forget", next(iter(kept))],
        ["facts", "add", "a", "b", "c"],
    ):
        done = limpet_without_rights(*arguments)
        assert done.returncode == 1, arguments
        assert "cannot be written" in done.stderr, done.stderr
        assert done.stdout == ""
    assert snapshot(home) == before


def test_a_store_that_may_not_even_be_read_says_so(open_folder: Path) -> None:
    remember("for my eyes only")
    leave_rights(open_folder / "home", folders=0)
    done = limpet_without_rights("list")
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert str(open_folder / "home") in done.stderr, done.stderr


def test_an_owner_who_made_the_store_read_only_finds_it_unchanged(open_folder: Path) -> None:
    remember("sealed on purpose")
    home = open_folder / "home"
    owner = os.stat(sys.prefix)
    for path in (*home.rglob("*"), home):
        if os.geteuid() == 0:
            os.chown(path, owner.st_uid, owner.st_gid)
        path.chmod(0o555 if path.is_dir() else 0o444)
    assert "sealed on purpose" in limpet_without_rights("list").stdout
    assert limpet_without_rights("remember", "not allowed").returncode == 1
    assert limpet("list").returncode == 0
