"""Edits that others make to a settings file are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.wiring.ledger import ChangedFile, WiringLedger
from tests.hosts.settings_files import CLAUDE_MEM
from tests.operations.sandbox import Sandbox
from tests.operations.user_home import write_file


def test_edits_made_since_stay_and_only_our_entries_go(sandbox: Sandbox, user_home: Path) -> None:
    path = write_file(user_home / ".claude/settings.json", CLAUDE_MEM)
    servers = write_file(user_home / ".claude.json", '{\n  "numStartups": 1\n}\n')
    sandbox.ask("setup")
    edited = path.read_text().replace('"deny": []', '"deny": ["Bash(rm:*)"] // careful')
    path.write_text(edited)
    servers.write_text(servers.read_text().replace(": 1", ": 2"))
    steps = {step.path: step.action for step in sandbox.ask("uninstall").steps}
    assert steps[str(path)] == steps[str(servers)] == "clean"
    assert path.read_text() == CLAUDE_MEM.replace('"deny": []', '"deny": ["Bash(rm:*)"] // careful')
    assert servers.read_text() == '{\n  "numStartups": 2\n}\n'


def test_an_edited_file_can_be_wired_again_and_still_be_cleaned(sandbox: Sandbox, user_home: Path) -> None:
    path = write_file(user_home / ".claude/settings.json", CLAUDE_MEM)
    sandbox.ask("setup")
    first = path.read_text()
    path.write_text(first.replace('"timeout": 5', '"timeout": 7').replace('"Edit|Write', '"Edit'))
    assert sandbox.ask("setup").problems == ()
    assert path.read_text() == first.replace('"Edit|Write', '"Edit')
    sandbox.ask("uninstall")
    assert path.read_text() == CLAUDE_MEM.replace('"Edit|Write', '"Edit')


def test_a_change_at_the_same_moment_is_not_overwritten(
    sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_file(user_home / ".claude.json", "{}")
    put_in = WiringLedger.put

    def racing(self: WiringLedger, entry: ChangedFile) -> None:
        put_in(self, entry)
        path.write_text('{"numStartups": 3}')

    monkeypatch.setattr(WiringLedger, "put", racing)
    assert "at the same moment" in sandbox.ask("setup", host="claude-code").problems[0]
    assert path.read_text() == '{"numStartups": 3}'
