"""A backup counts only once restored: copies taken while others write hold everything up to that moment."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from limpet.api import Limpet
from limpet.store.context import HighWater
from tests.faults import scale
from tests.faults.processes import Ledger, Nursery, load_checked


def test_backups_taken_while_others_write_restore_completely(
    home: str, nursery: Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random("backups")
    monkeypatch.setenv("LIMPET_STORE__SEGMENT_BYTES", "32768")
    writers = [nursery.start(home, way, way) for way in ("remember", "mixed")]
    monkeypatch.setenv("LIMPET_STORE__BACKUP_HOURS", "0.000001")
    try:
        for number in range(scale.BACKUPS_WHILE_WRITING):
            time.sleep(0.1 * chance.random())
            acknowledged = Ledger()
            for writer in writers:
                acknowledged.read(writer.has_said())
            _take_backup(home)
            restored = f"{home}-restored-{number}"
            Path(home, "backups", "journal").mkdir(parents=True, exist_ok=True)
            shutil.copytree(Path(home, "backups", "journal"), Path(restored, "journal"))
            assert acknowledged.differences(load_checked(restored)) == []
    finally:
        for writer in writers:
            writer.kill_after(0)


def _take_backup(home: str) -> None:
    """Take a backup by closing the store; repeat while the store is busy."""
    before = HighWater.load(home).backup_ms
    while HighWater.load(home).backup_ms == before:
        with Limpet() as memory:
            memory.stats()
