"""Signing keys: each in a file only its owner can read, trusted only if it is the key its name says."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from limpet import system
from limpet.errors import StoreError
from limpet.model.signature import key_id
from limpet.runtime import keys


def test_a_key_is_found_under_its_id_with_its_owner(home: Path) -> None:
    home.mkdir()
    name = keys.create(str(home), "anima")
    ((found, (agent, key)),) = keys.load(str(home)).items()
    assert (found, agent, key_id(key)) == (name, "anima", name)
    assert len(key) == 32
    assert keys.agents_that_sign(str(home)) == {"anima"}


def test_without_keys_nobody_signs(home: Path) -> None:
    assert keys.load(str(home)) == {}
    assert keys.agents_that_sign(str(home)) == frozenset()


def test_an_agent_may_have_several_keys_and_an_id_with_dots(home: Path) -> None:
    home.mkdir()
    first, second = keys.create(str(home), "a.b"), keys.create(str(home), "a.b")
    assert {name: agent for name, (agent, _) in keys.load(str(home)).items()} == {first: "a.b", second: "a.b"}


@pytest.mark.parametrize("content", ["", "zz", "00" * 32, "keyring-like", "é", "00" * 31])
def test_a_key_that_is_not_what_its_name_says_is_not_used_but_its_agent_still_signs(home: Path, content: str) -> None:
    home.mkdir()
    keys.create(str(home), "anima")
    (path,) = (home / "keys").iterdir()
    path.write_text(content, encoding="utf-8")
    assert keys.load(str(home)) == {}
    assert keys.agents_that_sign(str(home)) == {"anima"}


@pytest.mark.skipif(system.WINDOWS, reason="modes and symlinks are POSIX")
def test_key_files_are_private_to_their_owner_and_symlinks_are_not_read(home: Path) -> None:
    home.mkdir()
    name = keys.create(str(home), "anima")
    (path,) = (home / "keys").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.rename(home / "elsewhere")
    path.symlink_to(home / "elsewhere")
    assert name not in keys.load(str(home))
    (home / "keys").rename(home / "real")
    (home / "keys").symlink_to(home / "real")
    with pytest.raises(StoreError, match="symlink"):
        keys.create(str(home), "anima")
