"""The ledger remembers what was last seen, and can be lost or damaged without harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet import system
from limpet.errors import Refused
from limpet.sharing.ledger import LedgerEntry, MirrorLedger, ledger_path, list_ledgers, load_ledger, save_ledger
from limpet.sharing.shared_folder import Stamp


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    ledger = MirrorLedger(is_shared=True, purged=["gone"])
    ledger.get_checkout("/shop").head = "abc"
    ledger.get_checkout("/shop").files["a"] = LedgerEntry(
        hash="h", size=3, mtime_ns=4, memory="mem_1", made="m", refused="why"
    )
    ledger.record_sent("a", "m")
    save_ledger(str(tmp_path), "prj_1", ledger)
    assert load_ledger(str(tmp_path), "prj_1") == ledger
    assert list_ledgers(str(tmp_path)) == ["prj_1"]


def test_a_ledger_that_cannot_be_written_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*values: object, **more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(system, "write_atomically", fail)
    with pytest.raises(Refused, match=r"cannot write .*: No space left on device; free some space and try again"):
        save_ledger(str(tmp_path), "prj_1", MirrorLedger())


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"version":9}', b'{"version":1,"trees":{"x":[]}}', b"\xff"])
def test_a_damaged_ledger_is_an_empty_one(tmp_path: Path, damage: bytes) -> None:
    save_ledger(str(tmp_path), "prj_1", MirrorLedger(is_shared=True))
    Path(ledger_path(str(tmp_path), "prj_1")).write_bytes(damage)
    assert load_ledger(str(tmp_path), "prj_1") == MirrorLedger()


def test_a_file_that_was_changed_a_moment_ago_is_read_again() -> None:
    entry, stamp = LedgerEntry(), Stamp(size=3, mtime_ns=10_000_000_000)
    entry.record_stamp(stamp, now_ns=11_000_000_000)
    assert not entry.is_unchanged(stamp)
    entry.record_stamp(stamp, now_ns=20_000_000_000)
    assert entry.is_unchanged(stamp)
    assert not entry.is_unchanged(Stamp(size=4, mtime_ns=10_000_000_000))
