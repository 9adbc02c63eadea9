"""Plan which settings files of the hosts Limpet changes, to connect them or to remove it from them."""

from __future__ import annotations

import contextlib
import os

from limpet import system
from limpet.errors import NotWirable, Refused, Untouchable
from limpet.hosts import wiring
from limpet.hosts.claude_code import wiring as claude_code
from limpet.hosts.wiring import TITLES, Launcher, SettingsFile
from limpet.lean.record import record, replace
from limpet.wiring.bundle import remove_bundle
from limpet.wiring.launcher import RUNTIME, describe_runtime, find_launcher
from limpet.wiring.ledger import ChangedFile, WiringLedger, write_private
from limpet.wiring.steps import Step, plan_removal, plan_wiring
from limpet.workspace.replacing import read


@record
class SetupAnswer:
    """The changes to settings files that were made or planned, with notes. `uninstall` returns this too."""

    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    """Summaries of entries that were not added because nobody asked for them."""
    done: bool = False
    key_id: str = ""
    """The id of the signing key that was made, or an empty string if none was made."""
    key_folder: str = ""
    """The folder of the signing key that was made, or an empty string if it is in a keyring or none was made."""

    @property
    def problems(self) -> tuple[str, ...]:
        """Return the reasons why files could not be changed."""
        return tuple(step.problem for step in self.steps if step.problem)


def has_stored(home: str) -> bool:
    """Tell whether anything was ever stored in a home folder: it has an index, a journal or backups."""
    return os.path.exists(os.path.join(home, "index.db")) or any(
        system.walk_files(os.path.join(home, name)) for name in ("journal", "backups")
    )


def plan_setup(
    ledger: WiringLedger, launcher: Launcher, chosen: tuple[str, ...], root: str, statusline: bool
) -> SetupAnswer:
    steps: list[Step] = []
    notes: list[str] = []
    offers: list[str] = []
    for host in chosen:
        known = [entry for entry in ledger.entries.values() if entry.host == host]
        found = wiring.list_settings_files(host, launcher, project=root or None)
        files = []
        for file in found:
            current = _read_status_line(file)
            # A status line of another program stays.
            is_ours = wiring.is_our_hook(current) or (current is None and statusline)
            files.append(file if is_ours else replace(file, status_line=None))
        offers += [
            f"{TITLES[host]} has a status line, which can show what was told and what waits: limpet setup --statusline"
            for file in found
            if file.status_line and _read_status_line(file) is None and not statusline
        ]
        if host == "claude-code" and claude_code.plugin_state() == "enabled":
            # A plugin has no status line.
            alone = [replace(file, groups=(), server=None) for file in files if file.status_line]
            steps += [plan_wiring(ledger, file) for file in alone]
            steps += [plan_removal(ledger, entry) for entry in known if entry.path not in {file.path for file in alone}]
            notes.append("Limpet's plugin is enabled in Claude Code and calls Limpet; its settings need no change")
            continue
        if root and any(not entry.project for entry in known):
            notes.append(f"{TITLES[host]} calls Limpet in every project already; this one needs no change")
            continue
        if not root:
            # If both the user's and the project's settings call Limpet, every event is handled twice.
            steps += [plan_removal(ledger, entry) for entry in known if entry.project]
        steps += [plan_wiring(ledger, file, project=root) for file in files]
        notes += _make_notes(host, root)
    return SetupAnswer(steps=tuple(steps), notes=tuple(notes), hosts=chosen, offers=tuple(offers))


def _read_status_line(file: SettingsFile) -> object:
    """Return the status line that the file names, or None; something else if the file cannot be read."""
    try:
        return wiring.find_status_line(read(file.path) or "", file.syntax)
    except (Untouchable, NotWirable) as error:
        return error


def _make_notes(host: str, root: str) -> list[str]:
    made = []
    if host == "codex":
        made.append("Codex runs hooks only after you trust them: start it and type /hooks")
    if host == "claude-code" and claude_code.describe_notes():
        made.append(claude_code.describe_notes())
    if root:
        made.append(f"the settings in {root} contain paths of this machine; check them before you commit")
    return made


def describe_home(home: str) -> str:
    return f"your memories stay in {home}" if os.path.isdir(home) else "there were no memories"


def plan_removals(ledger: WiringLedger, chosen: tuple[str, ...]) -> SetupAnswer:
    entries = [entry for entry in ledger.entries.values() if entry.host in chosen]
    known = {entry.path for entry in entries}
    steps = [plan_removal(ledger, entry) for entry in entries]
    for name in chosen:
        steps += [plan_removal(ledger, entry) for entry in _find_unrecorded(name) if entry.path not in known]
    notes = []
    if "claude-code" in chosen and (state := claude_code.plugin_state()):
        notes.append(f"Limpet's plugin is {state} in Claude Code; to remove it: claude plugin uninstall limpet")
    return SetupAnswer(steps=tuple(steps), notes=(*notes, describe_home(ledger.home)), hosts=chosen)


def _find_unrecorded(host: str) -> list[ChangedFile]:
    """Return the settings files of a host that call Limpet, as ledger entries.

    Files may call Limpet without being in the ledger, if the user edited them by hand or the ledger was lost.
    """
    found = []
    try:
        files: tuple[SettingsFile, ...] = wiring.list_settings_files(host, find_launcher())
    except Refused:
        return []
    for file in files:
        try:
            text = read(file.path) or ""
            status_line = wiring.find_status_line(text, file.syntax)
            if any(wiring.find_wired(text, file.syntax)) or wiring.is_our_hook(status_line):
                found.append(
                    ChangedFile(
                        host=host,
                        path=file.path,
                        existed=True,
                        before="",
                        after="",
                        syntax=file.syntax,
                    )
                )
        except (Untouchable, NotWirable):
            continue
    return found


def update_runtime(ledger: WiringLedger, *, last: bool) -> None:
    path = os.path.join(ledger.home, RUNTIME)
    if last and not ledger.entries:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        remove_bundle()
    elif os.path.exists(path):
        write_private(path, describe_runtime(ledger, find_launcher()))
