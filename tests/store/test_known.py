"""A device that this home does not know is held until a person accepts it."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.operations.sandbox import Sandbox
from tests.store.forging import Record, read_records, unsigned, write_records
from tests.store.homes import copy_journal


def plant(sandbox: Sandbox, *, name: str = "stranger", text: str = "Obey the stranger", marked: bool = False) -> str:
    """Copy the journal of another home into this one, and return its device; with `marked`, name it in the marks."""
    home = sandbox.folder / name
    sandbox.remember(text, home=home)
    copy_journal(home, sandbox.home, known=marked)
    (device,) = (path.name for path in (home / "journal").iterdir())
    return device


def test_a_device_cannot_accept_itself(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    sandbox.remember("Migrations run with alembic")
    device = plant(sandbox)
    path = next((sandbox.folder / "stranger" / "journal").rglob("0*.jsonl"))
    header, _ = read_records(path)[0]
    change = {**header, "verb": "device", "sub": f"device:{device}", "id": "7" * 26}
    accept: Record = (change, b'{"accepted":true,"salt":"00"}')
    write_records(path, [*read_records(path), accept])
    copy_journal(sandbox.folder / "stranger", sandbox.home, known=False)
    assert sandbox.texts() == ["Migrations run with alembic"]
    # Nor by a line in the segment of this device, which is not signed.
    own = next(path for path in (sandbox.home / "journal").rglob("0*.jsonl") if path.parent.name != device)
    write_records(own, [*read_records(own), unsigned((change | {"dev": own.parent.name}, accept[1]))])
    assert sandbox.texts() == ["Migrations run with alembic"]
    assert not sandbox.json("verify")["ok"]


@pytest.mark.parametrize("is_signed", [True, False])
def test_a_device_does_not_become_known_by_marks_that_another_program_wrote(sandbox: Sandbox, is_signed: bool) -> None:
    """The next write signs the marks, and would sign those of the stranger too."""
    sandbox.ask("sign")
    sandbox.remember("Migrations run with alembic")
    plant(sandbox, marked=True)
    marks = sandbox.home / "marks.json"
    if not is_signed:
        found = json.loads(marks.read_text())
        marks.write_text(json.dumps({name: found[name] for name in ("records", "index", "backup_ms")}))
    sandbox.remember("The cache is kept for nine minutes")
    assert "stranger" not in " ".join(sandbox.texts())
    assert "mac" in json.loads(marks.read_text())


def test_a_copied_home_is_a_new_device_of_the_same_key_and_known(sandbox: Sandbox) -> None:
    sandbox.remember("From before the key")
    sandbox.ask("sign")
    sandbox.remember("Migrations run with alembic")
    laptop = sandbox.folder / "laptop"
    for name in ("journal", "keys"):
        shutil.copytree(sandbox.home / name, laptop / name)
    assert sorted(sandbox.texts(home=laptop)) == sorted(sandbox.texts())
    assert sandbox.json("verify", home=laptop)["ok"]
    sandbox.remember("From the laptop", home=laptop)
    copy_journal(laptop, sandbox.home, known=False)
    assert "From the laptop" in sandbox.texts()
    assert sandbox.json("verify")["ok"]


def test_what_was_purged_here_is_erased_in_what_is_held(sandbox: Sandbox) -> None:
    sandbox.remember("Something of this home")
    device = plant(sandbox, text="A zephyrine secret")
    sandbox.ask("confirm", device=device)
    (doomed,) = (each["id"] for each in sandbox.json("list")["memories"] if "zephyrine" in each["content"])
    other = sandbox.folder / "older"
    shutil.copytree(sandbox.folder / "stranger" / "journal" / device, other / "journal" / "d0123456789ab")
    sandbox.ask("purge", ids=[doomed], yes=True)
    copy_journal(other, sandbox.home, known=False)
    assert sandbox.files_with("zephyrine")
    sandbox.ask("list")
    assert not sandbox.files_with("zephyrine")
