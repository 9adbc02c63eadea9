"""One round of a sync: take what other machines have left in a shared place, then leave there what they lack.

A round can be interrupted at any moment and repeated: what is taken is whole and checked, what is left is written under
another name and renamed, and nothing is ever removed from either side. A second round right after the first moves
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from limpet.lean.record import Protocol, field, mutable
from limpet.model.change import Change
from limpet.store.protocol import Exchange, Progress, no_progress
from limpet.sync.ledger import MachineLedger


class Transport(Protocol):
    """A place where machines leave segments for each other."""

    def names(self) -> list[str]: ...
    def read(self, name: str) -> bytes | None: ...
    def write(self, name: str, data: bytes) -> None: ...
    def ledgers(self) -> list[MachineLedger]: ...
    def write_ledger(self, ledger: MachineLedger) -> None: ...


@mutable
class SyncRound:
    """What a round has moved, and what it could not."""

    taken: dict[str, int] = field(default_factory=dict)
    """How many changes came from each device."""
    sent: int = 0
    """How many changes were written or rewritten in the shared place."""
    withheld: int = 0
    """How many changes of this machine stay here, because they are private."""
    waiting: list[str] = field(default_factory=list)
    """Files that are not whole yet."""
    refused: dict[str, str] = field(default_factory=dict)
    """Files that were not taken, and why."""


def run_round(
    exchange: Exchange,
    transport: Transport,
    *,
    may_leave: Callable[[], Callable[[Change], bool]],
    label: str,
    now: datetime,
    progress: Progress = no_progress,
) -> SyncRound:
    """Take, then leave, then write the ledger.

    `may_leave` is called after taking, because a change that was just taken may say what is private.
    """
    done = SyncRound()
    there = _take(exchange, transport, done, progress)
    exchange.apply()
    _leave(exchange, transport, there, may_leave(), done, progress)
    has = {name: exchange.count(name) for name in exchange.names()}
    known = next((each for each in transport.ledgers() if each.device == exchange.device), None)
    if known is None or known.has != has or known.label != label:
        # Written only when something is new, so that a folder under git or Syncthing stays quiet.
        transport.write_ledger(MachineLedger(device=exchange.device, label=label, at=now, has=has))
    return done


def _take(exchange: Exchange, transport: Transport, done: SyncRound, progress: Progress) -> dict[str, bytes]:
    """Store what is new in the shared place, and return what is there."""
    names = transport.names()
    found: dict[str, bytes] = {}
    for number, name in enumerate(names):
        progress("taking changes", number, len(names))
        data = transport.read(name)
        if data is None:
            done.refused[name] = "it is a link, or too long, or it went away"
            continue
        found[name] = data
        received = exchange.receive(name, data)
        if received.refused:
            done.refused[name] = received.refused
        if received.waiting:
            done.waiting.append(name)
        if received.added or received.fuller:
            device = name.partition("/")[0]
            done.taken[device] = done.taken.get(device, 0) + received.added + received.fuller
    progress("taking changes", len(names), len(names))
    return found


def _leave(
    exchange: Exchange,
    transport: Transport,
    there: dict[str, bytes],
    may_leave: Callable[[Change], bool],
    done: SyncRound,
    progress: Progress,
) -> None:
    """Write to the shared place what it lacks."""
    names = exchange.names()
    for number, name in enumerate(names):
        progress("leaving changes", number, len(names))
        data = exchange.read(name, may_leave)
        if name.startswith(f"{exchange.device}/"):
            done.withheld += exchange.count_withheld(data)
        if name in done.refused and name not in there:
            # A link or a folder lies in its place.
            continue
        before = there.get(name, b"")
        wanted = exchange.combine(name, data, before)
        if wanted != before:
            transport.write(name, wanted)
            done.sent += _count_new_lines(wanted, before)
    progress("leaving changes", len(names), len(names))


def _count_new_lines(wanted: bytes, before: bytes) -> int:
    known = set(before.split(b"\n"))
    return sum(line not in known for line in wanted.split(b"\n"))
