"""Sync the journal with other machines: fetch their changes from a shared folder, then write new changes to it.

One such exchange is called a round. It can be interrupted at any time and repeated: only complete and checked changes
are stored, files are written under another name and then renamed, and no change is ever removed on either side. A
second round immediately after the first copies nothing. A round remembers what it has compared, so the next round reads
only new changes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import BinaryIO

from limpet.lean.digest import sha256
from limpet.lean.record import Protocol, field, mutable, replace
from limpet.model.change import Change
from limpet.store.protocol import Exchange, Progress, no_progress
from limpet.sync.ledger import MachineLedger
from limpet.sync.remembered import RememberedCopy, RememberedRounds

_PIECE = 1 << 20


class Transport(Protocol):
    """A place through which machines exchange journal segments, such as a shared folder."""

    def names(self) -> list[str]: ...
    def stamp(self, name: str) -> str: ...
    def open(self, name: str) -> BinaryIO | None: ...
    def write(self, name: str, data: bytes) -> None: ...
    def ledgers(self) -> list[MachineLedger]: ...
    def write_ledger(self, ledger: MachineLedger) -> None: ...


@mutable
class SyncRound:
    """The result of a round: how many changes were copied, and what could not be copied."""

    taken: dict[str, int] = field(default_factory=dict)
    """The number of changes that were fetched, by the device that made them."""
    sent: int = 0
    """The number of lines (one for each change) that were written or rewritten in the shared place."""
    withheld: int = 0
    """The number of this machine's changes whose text was not sent, because it is private."""
    waiting: list[str] = field(default_factory=list)
    """The names of segments whose files have not arrived completely yet."""
    refused: dict[str, str] = field(default_factory=dict)
    """The reasons why segments were not stored, or only in part, by segment name."""
    has: dict[str, int] = field(default_factory=dict)
    """The number of changes that this machine has from each segment."""


def run_round(
    exchange: Exchange,
    transport: Transport,
    *,
    remembered: RememberedRounds,
    rule: str,
    may_leave: Callable[[], Callable[[Change], bool]],
    label: str,
    now: datetime,
    progress: Progress = no_progress,
) -> SyncRound:
    """Fetch new changes from the shared place, write new changes to it, and then write the ledger of this machine.

    `may_leave` returns the function that decides whether the text of a change may be sent. It is called after fetching,
    because a fetched change may make a memory private. `rule` identifies this function: if it differs from that of the
    last round, everything is compared again. `label` is the name of this machine for display.
    """
    done = SyncRound()
    known = remembered.load(f"{rule} {exchange.conditions}")
    before = dict(known)
    exchange.resume({name: copy.compared for name, copy in known.items()})
    same = _fetch(exchange, transport, known, done, progress)
    exchange.apply()
    _send(exchange, transport, known, same, may_leave(), done, progress)
    if known != before:
        remembered.save(f"{rule} {exchange.conditions}", known)
    ledger = next((each for each in transport.ledgers() if each.device == exchange.device), None)
    if ledger is None or ledger.has != done.has or ledger.label != label:
        # Written only if something is new, so that git or Syncthing need not copy the folder otherwise.
        transport.write_ledger(MachineLedger(device=exchange.device, label=label, at=now, has=done.has))
    return done


def _fetch(
    exchange: Exchange, transport: Transport, known: dict[str, RememberedCopy], done: SyncRound, progress: Progress
) -> set[str]:
    """Fetch and store new changes from the shared place; return the names of the segments that have no new changes."""
    names = transport.names()
    same: set[str] = set()
    for name in known.keys() - set(names):
        del known[name]
        exchange.drop_comparison(name)
    for number, name in enumerate(names):
        progress("taking changes", number, len(names))
        stamp = transport.stamp(name)
        if stamp and name in known and stamp == known[name].stamp and exchange.compared(name) is not None:
            same.add(name)
            continue
        file = transport.open(name)
        if file is None:
            known.pop(name, None)
            exchange.drop_comparison(name)
            done.refused[name] = "it is a link, or too long, or it went away"
            continue
        with file:
            if _skip_compared(exchange, known, name, file) and not file.read(1):
                known[name] = replace(known[name], stamp=stamp)
                same.add(name)
                continue
            received = exchange.receive(name, file)
        if received.refused:
            done.refused[name] = received.refused
        if received.waiting:
            done.waiting.append(name)
        if received.added or received.fuller:
            device = name.partition("/")[0]
            done.taken[device] = done.taken.get(device, 0) + received.added + received.fuller
    progress("taking changes", len(names), len(names))
    return same


def _send(
    exchange: Exchange,
    transport: Transport,
    known: dict[str, RememberedCopy],
    same: set[str],
    may_leave: Callable[[Change], bool],
    done: SyncRound,
    progress: Progress,
) -> None:
    """Write changes that the shared place lacks. The segments in `same` need not be read again."""
    names = exchange.names()
    for number, name in enumerate(names):
        progress("sending changes", number, len(names))
        if name not in same or exchange.compared(name) is None or exchange.has_news(name):
            copy = _send_segment(exchange, transport, known, name, may_leave, done)
            known.pop(name, None)
            if copy is not None:
                known[name] = copy
        if name in known and name.startswith(f"{exchange.device}/"):
            done.withheld += known[name].compared.withheld
        done.has[name] = exchange.count(name)
    progress("sending changes", len(names), len(names))


def _send_segment(
    exchange: Exchange,
    transport: Transport,
    known: dict[str, RememberedCopy],
    name: str,
    may_leave: Callable[[Change], bool],
    done: SyncRound,
) -> RememberedCopy | None:
    """Write one segment if its shared copy is incomplete. Return what to record about the copy, which may be None."""
    stamp, file = transport.stamp(name), transport.open(name)
    if file is None:
        if name in done.refused:
            # A link or a folder has this name.
            return None
        exchange.drop_comparison(name)
        wanted, is_there = exchange.combine(name, None, may_leave), False
        new = wanted.count(b"\n") if wanted else 0
    else:
        with file:
            _skip_compared(exchange, known, name, file)
            wanted = exchange.combine(name, file, may_leave)
            is_there = wanted is None or _is_content(file, wanted)
            new = 0 if is_there or wanted is None else _count_new_lines(file, wanted)
    if wanted is None:
        return None
    if not is_there:
        transport.write(name, wanted)
        done.sent += new
    compared = exchange.compare(name, wanted)
    if compared is None:
        return None
    return RememberedCopy(compared=compared, digest=sha256(wanted).hexdigest(), stamp=stamp if is_there else "")


def _skip_compared(exchange: Exchange, known: dict[str, RememberedCopy], name: str, file: BinaryIO) -> bool:
    """Read past the content of a shared copy that was compared before.

    If the copy does not begin with that content, discard the comparison and return False.
    """
    copy, compared = known.get(name), exchange.compared(name)
    if copy is not None and compared is not None:
        digest, left = sha256(), compared.size
        while left and (piece := file.read(min(left, _PIECE))):
            digest.update(piece)
            left -= len(piece)
        if not left and digest.hexdigest() == copy.digest:
            return True
    known.pop(name, None)
    exchange.drop_comparison(name)
    return False


def _is_content(file: BinaryIO, data: bytes) -> bool:
    """Tell whether a file has exactly the content `data`."""
    file.seek(0)
    pieces = (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))
    return all(file.read(len(piece)) == piece for piece in pieces) and not file.read(1)


def _count_new_lines(file: BinaryIO, wanted: bytes) -> int:
    """Return the number of lines in `wanted` that a file does not have yet."""
    lines = set(wanted.split(b"\n")[:-1])
    file.seek(0)
    while lines and (row := file.readline(_PIECE * 16)):
        lines.discard(row.rstrip(b"\n"))
    return len(lines)
