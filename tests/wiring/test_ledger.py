"""Whenever setup is stopped, the ledger knows how to undo what was done."""

from __future__ import annotations

import json
import stat
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from limpet import system
from limpet.errors import Refused
from limpet.wiring.ledger import WiringLedger
from tests.hosts.settings_files import CLAUDE_MEM, CODEX
from tests.operations.sandbox import Sandbox
from tests.operations.user_home import SETTINGS_FILES, snapshot, write_file


class Stopped(Exception):
    pass


@pytest.mark.parametrize("stop_at", range(13))
def test_a_setup_stopped_at_any_moment_can_be_undone(
    sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch, stop_at: int
) -> None:
    """Whatever was written last, the next uninstall puts everything back."""
    for name in SETTINGS_FILES:
        write_file(user_home / name, CODEX if name.endswith("toml") else CLAUDE_MEM)
    before = snapshot(user_home)
    written: list[str] = []
    real = system.write_atomically

    def write(path: str, data: bytes, **options: bool) -> None:
        if not path.endswith(".bundle"):  # a cache beside the byte code, which may be fresh already
            if len(written) == stop_at:
                raise Stopped
            written.append(path)
        real(path, data, **options)

    monkeypatch.setattr(system, "write_atomically", write)
    with pytest.raises(Stopped) if stop_at < 12 else nullcontext():
        sandbox.ask("setup")
    monkeypatch.setattr(system, "write_atomically", real)
    assert len(written) == min(stop_at, 12)
    assert sandbox.ask("uninstall").problems == ()
    assert snapshot(user_home) == before


@pytest.mark.parametrize("stop_at", range(10))
def test_an_upgrade_that_was_stopped_is_taken_back_byte_for_byte(
    sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch, stop_at: int
) -> None:
    write_file(user_home / ".claude/settings.json", CLAUDE_MEM.rstrip())
    write_file(user_home / ".codex/config.toml", CODEX.rstrip())
    before = snapshot(user_home)
    sandbox.ask("setup")
    written: list[str] = []
    real = system.write_atomically

    def write(path: str, data: bytes, **options: bool) -> None:
        if not path.endswith(".bundle"):  # a cache beside the byte code, which may be fresh already
            if len(written) == stop_at:
                raise Stopped
            written.append(path)
        real(path, data, **options)

    other = sandbox.folder / "python"
    other.symlink_to(sys.executable)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(other))
        patch.setattr(system, "write_atomically", write)
        with pytest.raises(Stopped):
            sandbox.ask("setup")
    assert sandbox.ask("uninstall").problems == ()
    assert snapshot(user_home) == before


def test_the_ledger_is_for_its_owner_only(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    for name in ("wiring.json", "runtime.json"):
        assert stat.S_IMODE((sandbox.home / name).stat().st_mode) == 0o600
    assert sandbox.ask("doctor").problems == []


def test_a_second_setup_at_the_same_time_is_refused(sandbox: Sandbox, user_home: Path) -> None:
    with WiringLedger(str(sandbox.home)).lock(), pytest.raises(Refused, match="another setup is running"):
        sandbox.ask("setup")


def test_a_damaged_ledger_is_one_sentence(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.home.mkdir(mode=0o700)
    (sandbox.home / "wiring.json").write_text("{")
    with pytest.raises(Refused, match="move it away"):
        sandbox.ask("setup")


def test_a_ledger_of_another_version_still_puts_files_back(sandbox: Sandbox, user_home: Path) -> None:
    write_file(user_home / SETTINGS_FILES[0], CLAUDE_MEM)
    before = snapshot(user_home)
    sandbox.ask("setup")
    ledger = sandbox.home / "wiring.json"
    rows = json.loads(ledger.read_text())
    for row in rows["files"]:
        row["real"] = row["path"]
    ledger.write_text(json.dumps(rows))
    assert sandbox.ask("uninstall").problems == ()
    assert snapshot(user_home) == before
