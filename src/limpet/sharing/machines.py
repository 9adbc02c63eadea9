"""Sync the journals of several machines through a folder that all of them see."""

from __future__ import annotations

import os
from collections.abc import Callable

from limpet import system
from limpet.curating.facts import judge_fact
from limpet.errors import Refused
from limpet.lean.record import field, record
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Sensitivity
from limpet.runtime import Runtime
from limpet.runtime.permissions import require_person
from limpet.store.protocol import Reading
from limpet.sync.folder import SyncFolder
from limpet.sync.ledger import MachineLedger
from limpet.sync.remembered import RememberedRounds
from limpet.sync.rounds import SyncRound, run_round
from limpet.workspace.files import is_inside

_ALWAYS = (ChangeKind.PROJECT, ChangeKind.AGENT, ChangeKind.SESSION, ChangeKind.DEVICE, ChangeKind.PURGE)
"""The kinds of change that may always be copied, because they contain no text of a memory."""


@record
class MachinesAnswer:
    """The result of a sync between machines: what was copied, and how many changes each machine has."""

    folder: str
    device: str
    moved: SyncRound
    has: int = 0
    """The number of changes that this machine has."""
    machines: tuple[MachineLedger, ...] = ()
    held: tuple[str, ...] = ()
    """The ids of machines whose changes are not used until a person accepts them."""
    status_only: bool = False
    """Whether nothing was copied, because the user only asked for the status."""
    behind: dict[str, int] = field(default_factory=dict)
    """For each other machine, how many of this machine's changes it did not have after its last sync."""

    @property
    def refused(self) -> dict[str, str]:
        """Return the reason for each file that was not read."""
        return self.moved.refused


def sync_machines(
    runtime: Runtime, folder: str, *, private: bool = False, status: bool = False, code: str | None = None
) -> MachinesAnswer:
    """Copy the changes of other machines from a folder, and copy to it the changes that other machines lack.

    If `private` is set, private memories are copied too. If `status` is set, only compare. Raise Refused if the caller
    may not let memories leave the machine.
    """
    shared = SyncFolder(folder)
    if is_inside(os.path.realpath(shared.path), os.path.realpath(runtime.settings.home)):
        raise Refused("this folder belongs to Limpet itself; give a folder that the machines share")
    if not status:
        _require_permission(runtime, shared.path, private=private, code=code)
    exchange = runtime.store.exchange()
    if status:
        moved = SyncRound(has={name: exchange.count(name) for name in exchange.names()})
    else:
        moved = run_round(
            exchange,
            shared,
            remembered=RememberedRounds(runtime.settings.home, os.path.realpath(shared.path)),
            rule="private" if private else "public",
            may_leave=lambda: _make_copy_filter(runtime.reading(), private=private),
            label=runtime.settings.sync.name or system.machine_name(),
            now=runtime.now(),
            progress=runtime.progress,
        )
    ledgers = shared.ledgers()
    machines = tuple(sorted(ledgers, key=lambda each: (each.device != exchange.device, each.label, each.device)))
    return MachinesAnswer(
        folder=shared.path,
        device=exchange.device,
        moved=moved,
        has=sum(moved.has.values()),
        machines=machines,
        held=runtime.store.held_devices(),
        status_only=status,
        behind={each.device: _count_behind(each, moved.has) for each in machines if each.device != exchange.device},
    )


def _require_permission(runtime: Runtime, folder: str, *, private: bool, code: str | None) -> None:
    """Raise Refused if memories may not leave the machine: only a person may choose the folder or copy private ones.

    The folder that the settings name is allowed for every caller.
    """
    chosen = runtime.settings.sync.folder
    is_chosen = bool(chosen) and os.path.realpath(os.path.expanduser(chosen)) == os.path.realpath(folder)
    if not is_chosen or private:
        require_person(runtime, "sync", code=code, doing="let memories leave this machine")


def _count_behind(ledger: MachineLedger, has: dict[str, int]) -> int:
    return sum(max(0, count - ledger.has.get(name, 0)) for name, count in has.items())


def _make_copy_filter(reading: Reading, *, private: bool) -> Callable[[Change], bool]:
    """Return a function that tells whether a change may be copied to other machines.

    Changes of public memories may be copied and, if `private` is set, those of private memories too.
    """
    allowed = (Sensitivity.PUBLIC, Sensitivity.PRIVATE) if private else (Sensitivity.PUBLIC,)
    known: dict[str, bool] = {}

    def is_allowed(subject: str) -> bool:
        if subject.startswith("fact_"):
            fact = reading.fact(subject)
            if fact is None or judge_fact(reading, fact).stored.memory.sensitivity not in allowed:
                return False
            return all(is_allowed(source) for source in fact.sources if reading.get(source) is not None)
        # If a correction is private, the older text is not copied either.
        later = [each.memory for each in reading.versions(subject) if subject in (each.memory.id, *each.memory.lineage)]
        return bool(later) and all(each.sensitivity in allowed for each in later)

    def may_leave(change: Change) -> bool:
        if change.kind in _ALWAYS:
            return True
        if change.subject not in known:
            known[change.subject] = is_allowed(change.subject)
        return known[change.subject]

    return may_leave
