"""One round of a sync: copy what other machines have put into a shared place, then put there what they lack.

A round can be interrupted at any moment and repeated: what is taken is whole and checked, files are written under
another name and renamed, and nothing is ever removed from either side. A second round right after the first moves
nothing. What a round has compared is remembered, so the next one reads only what is new on either side.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from limpet.lean.digest import sha256
from limpet.lean.record import Protocol, field, mutable, replace
from limpet.model.change import Change
from limpet.store.protocol import Exchange, Progress, no_progress
from limpet.sync.ledger import MachineLedger
from limpet.sync.remembered import RememberedCopy, RememberedRounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

_PIECE = 1 << 20


class Transport(Protocol):
    """A place where machines put segments for each other."""

    def names(self) -> list[str]: ...
    def stamp(self, name: str) -> str: ...
    def open(self, name: str) -> BinaryIO | None: ...
    def write(self, name: str, data: bytes) -> None: ...
    def ledgers(self) -> list[MachineLedger]: ...
    def write_ledger(self, ledger: MachineLedger) -> None: ...


@mutable
class SyncRound:
    """The result of a round: what was copied, and what could not be."""

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
    has: dict[str, int] = field(default_factory=dict)
    """How many changes of each segment this machine has."""


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
    """Take from the shared place, write to it, then write the ledger.

    `may_leave` is called after taking, because a change that was just taken may say what is private. `rule` names what
    it allows: what was compared under another rule is compared again.
    """
    done = SyncRound()
    known = remembered.load(f"{rule} {exchange.conditions}")
    before = dict(known)
    exchange.resume({name: copy.compared for name, copy in known.items()})
    same = _take(exchange, transport, known, done, progress)
    exchange.apply()
    _send(exchange, transport, known, same, may_leave(), done, progress)
    if known != before:
        remembered.save(f"{rule} {exchange.conditions}", known)
    ledger = next((each for each in transport.ledgers() if each.device == exchange.device), None)
    if ledger is None or ledger.has != done.has or ledger.label != label:
        # Written only when something is new, so that a folder under git or Syncthing stays quiet.
        transport.write_ledger(MachineLedger(device=exchange.device, label=label, at=now, has=done.has))
    return done


def _take(
    exchange: Exchange, transport: Transport, known: dict[str, RememberedCopy], done: SyncRound, progress: Progress
) -> set[str]:
    """Fetch and store what is new from the shared place; return the names of the copies that hold nothing new."""
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
            if _recognise(exchange, known, name, file) and not file.read(1):
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
    """Write to the shared place what it lacks."""
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
    """Write one segment, if the shared copy lacks something; return what can be remembered of the copy."""
    stamp, file = transport.stamp(name), transport.open(name)
    if file is None:
        if name in done.refused:
            # There is a link or a folder in its place.
            return None
        exchange.drop_comparison(name)
        wanted, is_there = exchange.combine(name, None, may_leave), False
        new = wanted.count(b"\n") if wanted else 0
    else:
        with file:
            _recognise(exchange, known, name, file)
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


def _recognise(exchange: Exchange, known: dict[str, RememberedCopy], name: str, file: BinaryIO) -> bool:
    """Tell whether a shared copy begins with what was compared; if so, the file is read up to there."""
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
    """Tell whether a file holds exactly these bytes."""
    file.seek(0)
    pieces = (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))
    return all(file.read(len(piece)) == piece for piece in pieces) and not file.read(1)


def _count_new_lines(file: BinaryIO, wanted: bytes) -> int:
    """Return how many of the wanted lines a file does not have yet."""
    lines = set(wanted.split(b"\n")[:-1])
    file.seek(0)
    while lines and (row := file.readline(_PIECE * 16)):
        lines.discard(row.rstrip(b"\n"))
    return len(lines)
