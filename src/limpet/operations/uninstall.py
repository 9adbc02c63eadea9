"""Remove Limpet from the settings of the agent clients. The memories stay."""

from __future__ import annotations

import contextlib
import os

from limpet.errors import NotWirable, Refused, Untouchable
from limpet.hosts import HOSTS, wiring
from limpet.hosts.claude_code import wiring as claude_code
from limpet.hosts.wiring import SettingsFile
from limpet.lean.record import replace
from limpet.operations import setup
from limpet.operations.catalogue import Param, Verb
from limpet.operations.setup import SetupAnswer
from limpet.runtime import Runtime
from limpet.wiring.bundle import remove_bundle
from limpet.wiring.files import read
from limpet.wiring.launcher import RUNTIME, describe_runtime, find_launcher
from limpet.wiring.ledger import ChangedFile, WiringLedger, write_private
from limpet.wiring.steps import carry_out, plan_removal


def run(runtime: Runtime, *, host: str | None = None, dry_run: bool = False) -> SetupAnswer:
    ledger = WiringLedger(runtime.settings.home)
    chosen = HOSTS if host in (None, "all") else (host,)
    if dry_run or not os.path.isdir(ledger.home):
        return _plan_steps(ledger, chosen)
    with ledger.lock():
        plan = _plan_steps(ledger, chosen)
        steps = tuple(carry_out(step) for step in plan.steps)
        _update_runtime(ledger, last=chosen == HOSTS and not any(step.problem for step in steps))
    if chosen == HOSTS and not setup.has_stored(ledger.home):
        # The key was made by `setup` and has signed nothing.
        runtime.keys.discard()
    for name in ("journal", "locks", ""):
        # If nothing was ever stored, these folders are empty. Folders that are not empty stay.
        with contextlib.suppress(OSError):
            os.rmdir(os.path.join(ledger.home, name))
    return replace(plan, steps=steps, notes=(*plan.notes[:-1], _describe_home(ledger.home)), done=True)


def _describe_home(home: str) -> str:
    return f"your memories stay in {home}" if os.path.isdir(home) else "there were no memories"


def _plan_steps(ledger: WiringLedger, chosen: tuple[str, ...]) -> SetupAnswer:
    entries = [entry for entry in ledger.entries.values() if entry.host in chosen]
    known = {entry.path for entry in entries}
    steps = [plan_removal(ledger, entry) for entry in entries]
    for name in chosen:
        steps += [plan_removal(ledger, entry) for entry in _find_unrecorded(name) if entry.path not in known]
    notes = []
    if "claude-code" in chosen and (state := claude_code.plugin_state()):
        notes.append(f"Limpet's plugin is {state} in Claude Code; to remove it: claude plugin uninstall limpet")
    return SetupAnswer(steps=tuple(steps), notes=(*notes, _describe_home(ledger.home)), hosts=chosen)


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


def _update_runtime(ledger: WiringLedger, *, last: bool) -> None:
    path = os.path.join(ledger.home, RUNTIME)
    if last and not ledger.entries:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        remove_bundle()
    elif os.path.exists(path):
        write_private(path, describe_runtime(ledger, find_launcher()))


VERB = Verb(
    run=run,
    shape=setup.shape,
    is_failure=lambda answer: bool(answer.problems),
    params=(
        Param(
            name="host",
            help="The agent to disconnect; all if not given.",
            kind="choice",
            choices=(*HOSTS, "all"),
            positional=True,
        ),
        Param(name="dry_run", help="Only show what would be changed.", kind="flag"),
    ),
    details=(
        "A file that is still as `limpet setup` left it is restored byte for byte. From a file that was edited since, "
        "only Limpet's entries are removed."
    ),
    examples=("limpet uninstall", "limpet uninstall codex", "limpet uninstall --dry-run"),
)
