"""Connect Limpet to the agent clients on this machine: add its hooks and its MCP server to their settings."""

from __future__ import annotations

import os

from limpet import system
from limpet.care.signing import sign_everything, wants_first_key
from limpet.errors import NotWirable, Refused, Untouchable
from limpet.hosts import HOSTS, wiring
from limpet.hosts.claude_code import wiring as claude_code
from limpet.hosts.wiring import TITLES, Launcher, SettingsFile
from limpet.lean.record import pick, record, replace
from limpet.operations.catalogue import Param, Verb
from limpet.runtime import Runtime
from limpet.wiring.bundle import refresh_bundle
from limpet.wiring.files import read
from limpet.wiring.launcher import RUNTIME, describe_runtime, find_launcher
from limpet.wiring.ledger import WiringLedger, write_private
from limpet.wiring.steps import Step, carry_out, plan_removal, plan_wiring


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


def run(
    runtime: Runtime,
    *,
    host: str | None = None,
    dry_run: bool = False,
    project: bool = False,
    statusline: bool = False,
) -> SetupAnswer:
    ledger = WiringLedger(runtime.settings.home)
    if not os.path.isdir(wiring.home_folder()):
        raise Refused(f"your home folder {wiring.home_folder()} is not there; set HOME to your own folder")
    launcher = find_launcher()
    chosen = tuple(each for each in HOSTS if (wiring.is_present(each) if host in (None, "all") else each == host))
    if not chosen:
        raise Refused(
            "no agent was found on this machine; install one and run this again, or name it, "
            f"e.g. limpet setup {HOSTS[0]}"
        )
    root = runtime.place.root if project else ""
    if dry_run:
        return _plan_steps(ledger, launcher, chosen, root, statusline)
    with ledger.lock():
        plan = _plan_steps(ledger, launcher, chosen, root, statusline)
        steps = tuple(carry_out(step) for step in plan.steps)
        failed = {step.host for step in steps if step.problem}
        write_private(os.path.join(ledger.home, RUNTIME), describe_runtime(ledger, launcher))
        key_id = _make_key(runtime)
    refresh_bundle()
    hosts = tuple(each for each in plan.hosts if each not in failed)
    key_folder = runtime.keys.folder if key_id and not runtime.settings.sign.keyring else ""
    return replace(plan, steps=steps, hosts=hosts, done=True, key_id=key_id, key_folder=key_folder)


def has_stored(home: str) -> bool:
    """Tell whether anything was ever stored in a home folder: it has an index, a journal or backups."""
    return os.path.exists(os.path.join(home, "index.db")) or any(
        system.walk_files(os.path.join(home, name)) for name in ("journal", "backups")
    )


def _make_key(runtime: Runtime) -> str:
    """Make a signing key and return its id, or an empty string if there is a key already or the settings forbid it."""
    if not runtime.settings.sign.at_setup or runtime.keys.ring().is_promised:
        return ""
    if not has_stored(runtime.settings.home):
        # There are no memories to sign, so the store need not be created.
        key_id = runtime.keys.begin(in_keyring=runtime.settings.sign.keyring)
        runtime.keys.finish()
        return key_id
    return sign_everything(runtime, new_key=True).key_id if wants_first_key(runtime) else ""


def _plan_steps(
    ledger: WiringLedger, launcher: Launcher, chosen: tuple[str, ...], root: str, statusline: bool
) -> SetupAnswer:
    steps: list[Step] = []
    notes: list[str] = []
    offers: list[str] = []
    for host in chosen:
        known = [entry for entry in ledger.entries.values() if entry.host == host]
        found = wiring.list_settings_files(host, launcher, project=root or None)
        files = [_choose_status_line(file, statusline) for file in found]
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


def _choose_status_line(file: SettingsFile, is_wanted: bool) -> SettingsFile:
    """Return the file with Limpet's status line if that is there already, or if it is wanted and there is no other."""
    current = _read_status_line(file)
    is_kept = wiring.is_our_hook(current) or (current is None and is_wanted)
    return file if is_kept else replace(file, status_line=None)


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


def shape(answer: SetupAnswer) -> dict[str, object]:
    files = [{**pick(step, "host", "path", "action"), "adds": step.lines} for step in answer.steps]
    more = pick(answer, "notes", "offers", "problems", "key_id", "key_folder")
    return {"done": answer.done, "hosts": answer.hosts, "files": files, **more}


VERB = Verb(
    run=run,
    shape=shape,
    is_failure=lambda answer: bool(answer.problems) or not answer.hosts,
    params=(
        Param(
            name="host",
            help="The agent to connect; all that are found if not given.",
            kind="choice",
            choices=(*HOSTS, "all"),
            positional=True,
        ),
        Param(name="dry_run", help="Only show what would be changed.", kind="flag"),
        Param(name="project", help="Connect it in this project only, instead of in all projects.", kind="flag"),
        Param(
            name="statusline",
            help="Also show what was told in the status line of Claude Code, if nothing else is shown there.",
            kind="flag",
        ),
    ),
    details=(
        "Shows every change before it makes it, and keeps the earlier text of each file, so that `limpet uninstall` "
        "can restore it byte for byte. Running it again changes nothing. It also makes a signing key, unless the "
        "setting sign.at_setup is false."
    ),
    examples=("limpet setup", "limpet setup --dry-run", "limpet setup claude-code", "limpet setup --project"),
)
