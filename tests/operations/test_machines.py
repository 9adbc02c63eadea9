"""Machines sync through a folder; only a person lets memories leave, and what is private stays."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from limpet.errors import Refused, UsageError
from tests.operations.sandbox import MODEL, PROGRAM, Sandbox, files_with

FACT = "The tide turns at six"


@pytest.fixture
def shared(sandbox: Sandbox) -> Path:
    folder = sandbox.folder / "shared"
    folder.mkdir()
    return folder


def sync(sandbox: Sandbox, shared: Path, **values: Any) -> dict[str, Any]:
    return sandbox.json("sync", with_=str(shared), **values)


def test_a_second_machine_has_what_is_public(sandbox: Sandbox, shared: Path) -> None:
    sandbox.remember(FACT)
    sandbox.remember("My landlord is called Starbuck", sensitivity="private")
    source = sandbox.remember("The safe is behind the picture of the Pequod", sensitivity="private")
    sandbox.ask("facts", action="add", words=["safe", "stands", "behind-the-Pequod"], sources=[source.id])
    sandbox.ask("facts", action="add", words=["tide", "turns", "at-six"])
    there = sandbox.folder / "laptop"
    first = sync(sandbox, shared)
    assert first["sent"] and first["withheld"] >= 3
    assert sync(sandbox, shared, home=there)["taken"]
    assert sandbox.texts(home=there) == [FACT]
    facts = sandbox.json("facts", home=there)["facts"]
    assert [each["object"] for each in facts] == ["at-six"]
    assert files_with("Starbuck", shared) == files_with("Pequod", shared) == []


def test_private_memories_leave_if_a_person_says_so_and_secrets_never(sandbox: Sandbox, shared: Path) -> None:
    sandbox.remember("My landlord is called Starbuck", sensitivity="private")
    sandbox.remember("The word is Queequeg", sensitivity="secret")
    there = sandbox.folder / "laptop"
    sync(sandbox, shared, private=True)
    sync(sandbox, shared, home=there)
    assert sandbox.texts(private=True, home=there) == ["My landlord is called Starbuck"]
    assert files_with("Queequeg", shared) == []
    sync(sandbox, shared)
    assert files_with("Starbuck", shared) == []


def test_the_text_before_a_private_correction_leaves_the_folder(sandbox: Sandbox, shared: Path) -> None:
    first = sandbox.remember("The safe is behind the picture of the Pequod")
    sandbox.ask("facts", action="add", words=["safe", "stands", "behind-the-Pequod"], sources=[first.id])
    sync(sandbox, shared)
    assert files_with("behind-the-Pequod", shared)
    sandbox.correct(first, "The safe is behind the picture of the Rachel", sensitivity="private")
    sync(sandbox, shared)
    assert files_with("Pequod", shared) == files_with("Rachel", shared) == []


@pytest.mark.parametrize("caller", [MODEL, PROGRAM])
def test_only_a_person_lets_memories_leave(sandbox: Sandbox, shared: Path, caller: object) -> None:
    sandbox.remember(FACT)
    with pytest.raises(Refused, match="let memories leave this machine"):
        sync(sandbox, shared, as_=caller)
    assert list(shared.iterdir()) == []
    chosen = {"sync.folder": str(shared)}
    sync(sandbox, shared, as_=caller, flags=chosen)
    assert files_with(FACT, shared)
    with pytest.raises(Refused):
        sync(sandbox, shared, as_=caller, flags=chosen, private=True)


def test_a_status_moves_nothing(sandbox: Sandbox, shared: Path) -> None:
    sandbox.remember(FACT)
    assert sync(sandbox, shared, status=True, as_=PROGRAM)["machines"] == []
    assert list(shared.iterdir()) == []
    sync(sandbox, shared)
    there = sandbox.folder / "laptop"
    sync(sandbox, shared, home=there)
    sandbox.remember("The harbour closes at nine")
    machines = {each["device"]: each for each in sync(sandbox, shared, status=True)["machines"]}
    here = sync(sandbox, shared, status=True)["device"]
    (other,) = (each for name, each in machines.items() if name != here)
    assert machines[here]["behind"] == 0 and other["behind"] == 1


def test_a_folder_of_limpet_itself_or_none_is_refused(sandbox: Sandbox, shared: Path) -> None:
    sandbox.remember(FACT)
    with pytest.raises(Refused, match="belongs to Limpet"):
        sync(sandbox, sandbox.home / "journal")
    with pytest.raises(UsageError, match="there is no folder"):
        sync(sandbox, shared / "usb")
    for values in ({"private": True}, {"status": True}):
        with pytest.raises(UsageError, match="add --with FOLDER"):
            sandbox.ask("sync", **values)
    with pytest.raises(UsageError, match="leave out --with"):
        sync(sandbox, shared, deleted=True)


def test_what_is_forgotten_or_purged_on_one_machine_is_so_on_the_other(sandbox: Sandbox, shared: Path) -> None:
    first, second = sandbox.remember(FACT), sandbox.remember("The vault opens with 4711 knocks")
    there = sandbox.folder / "laptop"
    sync(sandbox, shared)
    sync(sandbox, shared, home=there)
    sandbox.ask("forget", ids=[first.id], home=there)
    sandbox.ask("purge", ids=[second.id], yes=True, home=there)
    sync(sandbox, shared, home=there)
    for device in sandbox.json("sync", with_=str(shared))["held"]:
        sandbox.ask("confirm", device=device)
    sync(sandbox, shared)
    assert sandbox.texts() == []
    assert sandbox.files_with("knocks") == files_with("knocks", shared) == files_with("knocks", there) == []


def test_a_memory_is_made_private_on_the_machine_that_stored_it(sandbox: Sandbox, shared: Path) -> None:
    sandbox.ask("sign")
    first = sandbox.remember("The safe is behind the picture of the Pequod")
    there = sandbox.folder / "laptop"
    sync(sandbox, shared)
    shutil.copytree(sandbox.home / "keys", there / "keys")
    sync(sandbox, shared, home=there)
    sandbox.correct(first, "The safe is behind the Rachel", sensitivity="private", home=there)
    sync(sandbox, shared, home=there)
    sync(sandbox, shared)
    assert files_with("Rachel", shared) == []
    assert files_with("Pequod", shared), "nobody changes what another machine has left there"
    sandbox.correct(first, "The safe is behind the Delight", sensitivity="private")
    sync(sandbox, shared)
    assert files_with("Pequod", shared) == files_with("Delight", shared) == []
