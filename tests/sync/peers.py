"""Machines of one person that meet in a shared folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from limpet.clock import from_ms
from limpet.model.change import Change
from limpet.model.ids import ms_of, stamp
from limpet.model.keyring import NO_KEYS, KeyRing, key_id
from limpet.model.memory import Memory
from limpet.settings import StoreSettings
from limpet.store import open as stores
from limpet.store.journal import line as lines
from limpet.sync.folder import SyncFolder
from limpet.sync.remembered import RememberedRounds
from limpet.sync.rounds import SyncRound, run_round
from tests.model.making import admit
from tests.store.acting import Clock
from tests.store.homes import tables

KEY = b"0123456789abcdef0123456789abcdef"
RING = KeyRing(keys={key_id(KEY): KEY}, newest=key_id(KEY))
LOCAL = ("access", "receipt", "shown", "tally")
"""Tables about the use of memories on one machine, which does not travel."""


class Peer:
    """One machine, with the key that all of them have unless another is given."""

    def __init__(
        self,
        home: Path,
        shared: Path,
        *,
        clock: Clock | None = None,
        keys: KeyRing = RING,
        settings: StoreSettings | None = None,
    ) -> None:
        shared.mkdir(exist_ok=True)
        self.home, self.shared, self.clock = home, shared, clock or Clock()
        settings = settings or StoreSettings()
        self.store = stores.open_store(str(home), settings=settings, now_ms=self.clock, keys=lambda: keys)
        self.store.reading()

    @property
    def device(self) -> str:
        return self.store.exchange().device

    def remember(self, one: Memory) -> None:
        self.clock.forward()
        self.store.append([admit(one)])

    def sync(self, may_leave: Callable[[Change], bool] | None = None) -> SyncRound:
        done = run_round(
            self.store.exchange(),
            SyncFolder(str(self.shared)),
            remembered=RememberedRounds(str(self.home), str(self.shared)),
            rule="all" if may_leave is None else may_leave.__name__,
            may_leave=lambda: may_leave or (lambda change: True),
            label=self.home.name,
            now=from_ms(self.clock.ms),
        )
        self.store.reading()
        return done

    def texts(self) -> list[str]:
        rows: list[Any] = self.tables()["memory"]
        return sorted(str(each) for each in rows)

    def tables(self) -> dict[str, list[tuple[Any, ...]]]:
        return {name: rows for name, rows in tables(self.store).items() if name not in LOCAL}


def plant(path: Path, change: Change, *, keys: KeyRing = NO_KEYS) -> None:
    """Continue a segment in the shared folder in the name of its device, as somebody with access to it could."""
    rows = path.read_bytes().split(b"\n")[:-1]
    header, previous = lines.header_of(rows[-1])
    row, _ = lines.encode(
        id=stamp(ms_of(header["id"]) + 1),
        device=path.parent.name,
        actor="user",
        verb=change.kind,
        subject=change.subject,
        root=change.root or change.subject,
        lineage=change.lineage,
        payload=change.payload,
        previous=previous,
        number=len(rows) + 1,
        keys=keys,
    )
    path.write_bytes(path.read_bytes() + row + b"\n")


def shared_bytes(shared: Path) -> dict[str, bytes]:
    return {str(path.relative_to(shared)): path.read_bytes() for path in shared.rglob("*") if path.is_file()}
