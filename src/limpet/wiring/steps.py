"""Plan and carry out the steps that add Limpet's hooks and server to settings files, or remove them.

The hooks and the server of Limpet in a settings file are called its entries.
"""

from __future__ import annotations

import contextlib
import os

from limpet.errors import NotWirable, Untouchable
from limpet.hosts import wiring
from limpet.hosts.wiring import SettingsFile
from limpet.lean.record import record, replace
from limpet.wiring.ledger import ChangedFile, WiringLedger
from limpet.workspace.replacing import list_missing_folders, read, resolve, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


@record
class Step:
    """A change of one settings file, planned or carried out. `problem` is the reason if it cannot be made."""

    host: str
    path: str
    action: str
    """What happens to the file: `write`, `create`, `restore`, `clean`, `delete`, `keep`, or `leave` after a problem."""
    lines: tuple[str, ...] = ()
    """A summary of the entries that are added, to be shown to the user."""
    problem: str = ""
    act: Callable[[], None] | None = None
    """The function that makes the change; None if there is nothing left to do."""


def plan_wiring(ledger: WiringLedger, file: SettingsFile, *, project: str = "") -> Step:
    """Return the step that adds Limpet's entries to a file."""
    known = ledger.entries.get(file.path)
    try:
        current = read(file.path)
        text = current or ""
        if known and current is not None and text in (known.after, known.earlier):
            before, after = known.before, wiring.add(known.before, file)
        else:
            before, after = wiring.remove(text, file, keep=known.before if known else ""), wiring.add(text, file)
        real = resolve(file.path)
    except (Untouchable, NotWirable) as error:
        return _make_failed_step(file.host, file.path, error)
    if after == text and current is not None:
        if known is None:
            # The entries were added by hand, or the ledger was lost. They are recorded, so that they can be removed.
            made = ChangedFile(
                host=file.host, path=file.path, existed=True, before=before, after=after,
                syntax=file.syntax, project=project,
            )  # fmt: skip
            return Step(host=file.host, path=file.path, action="keep", act=lambda: ledger.put(made))
        return Step(host=file.host, path=file.path, action="keep")
    entry = ChangedFile(
        host=file.host,
        path=file.path,
        existed=known.existed if known and current is not None else current is not None,
        before=before,
        after=after,
        earlier=text if known else "",
        made=known.made if known and current is not None else list_missing_folders(real),
        syntax=file.syntax,
        project=project,
    )

    def act() -> None:
        ledger.put(entry)
        if read(file.path) != current:
            raise Untouchable("was changed by another program at the same moment; run this again")
        write(real, after.encode(), shared=file.project)
        if entry.earlier:
            ledger.put(replace(entry, earlier=""))

    action = "write" if current is not None else "create"
    return Step(host=file.host, path=file.path, action=action, lines=file.summary, act=act)


def plan_removal(ledger: WiringLedger, entry: ChangedFile) -> Step:
    """Return the step that restores the earlier text of a file or, if it was edited, removes Limpet's entries."""
    try:
        current = read(entry.path, to_change=False)
        text = current or ""
        if current is None or text == entry.before:
            action, wanted = "keep", text
        elif text in (entry.after, entry.earlier):
            action, wanted = "restore", entry.before
        else:
            action, wanted = "clean", wiring.remove(text, entry.file, keep=entry.before)
        empty = not entry.existed and current is not None and not wiring.read(wanted, entry.syntax)
        try:
            read(entry.path)
        except Untouchable:
            # Without an entry of Limpet, nothing in the file needs to be changed.
            if wanted != text:
                raise
            empty = False
    except (Untouchable, NotWirable) as error:
        return _make_failed_step(entry.host, entry.path, error)

    def act() -> None:
        if empty:
            _delete(entry)
        elif current is not None and wanted != text:
            write(resolve(entry.path), wanted.encode())
        ledger.drop(entry.path)

    if action == "clean" and wanted == text:
        action = "keep"
    return Step(host=entry.host, path=entry.path, action="delete" if empty else action, act=act)


def _delete(entry: ChangedFile) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(resolve(entry.path))
    for folder in reversed(entry.made):
        # A folder that is not empty stays.
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def _make_failed_step(host: str, path: str, error: Exception) -> Step:
    why = error if isinstance(error, Untouchable) else f"is not wired: {error}"
    return Step(host=host, path=path, action="leave", problem=f"{path} {why}; it was left as it is")


def carry_out(step: Step) -> Step:
    """Carry out a step and return it without its function, or with the problem if it failed."""
    if step.act is None:
        return step
    try:
        step.act()
    except Untouchable as error:
        return _make_failed_step(step.host, step.path, error)
    return replace(step, act=None)
