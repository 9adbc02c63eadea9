"""What was last seen in the shared folders of a project, by which a change on either side is recognised.

The ledger is kept in Limpet's home and belongs to this machine alone. Each folder in which the project is checked out
has its own list of files, because another branch has other files. If the ledger is lost, nothing else is: the files and
the journal are compared by what they say.
"""

from __future__ import annotations

import json
import os

from limpet import system
from limpet.errors import refuse_write
from limpet.lean.record import field, mutable
from limpet.mirror.folder import Stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = "mirror"
_VERSION = 1
_RACY_NS = 2_000_000_000
"""A file that was changed this shortly before it was read may change again within the same time stamp."""
_MOST_SENT = 64


@mutable
class LedgerEntry:
    """One file as it was last seen."""

    hash: str = ""
    size: int = -1
    mtime_ns: int = -1
    memory: str = ""
    """The version of a memory that the file represents; empty if the file was refused."""
    made: str = ""
    """The hash of the file that this version would give, by which a change in the journal is recognised."""
    is_here: bool = True
    """Whether the file was there; it is not on a branch that never had it, or if it was deleted."""
    is_forgotten: bool = False
    """Whether the memory was forgotten because the file was deleted; it comes back with the file."""
    refused: str = ""
    """Why the file could not be read."""
    links: list[str] = field(default_factory=list)
    """The names of the files that the file links to."""
    listing: dict[str, Any] = field(default_factory=dict)
    """What the index says about the file."""

    def has(self, stamp: Stamp) -> bool:
        """Tell whether the file is certainly unchanged."""
        return self.is_here and (self.size, self.mtime_ns) == (stamp.size, stamp.mtime_ns)

    def see(self, stamp: Stamp, *, now_ns: int) -> None:
        """Record that the file was there with this stamp."""
        is_racy = stamp.mtime_ns > now_ns - _RACY_NS
        self.size, self.mtime_ns, self.is_here = stamp.size, -1 if is_racy else stamp.mtime_ns, True


@mutable
class Checkout:
    """One folder in which the project is checked out: what was checked out last, and the files."""

    head: str | None = None
    files: dict[str, LedgerEntry] = field(default_factory=dict)


@mutable
class MirrorLedger:
    """What this machine remembers of the shared folders of one project: what it saw, wrote and purged there."""

    is_shared: bool = False
    """Whether a person has asked to write memories to the folder."""
    trees: dict[str, Checkout] = field(default_factory=dict)
    sent: dict[str, list[str]] = field(default_factory=dict)
    """The hashes of all files that were written or seen, by name; they travel by git and are not written again."""
    purged: list[str] = field(default_factory=list)
    """The names of files that were purged and do not come back."""

    def tree(self, root: str) -> Checkout:
        return self.trees.setdefault(root, Checkout())

    def was_sent(self, name: str, made: str) -> bool:
        return made in self.sent.get(name, ())

    def send(self, name: str, made: str) -> None:
        hashes = self.sent.setdefault(name, [])
        if made not in hashes:
            hashes.append(made)
            del hashes[:-_MOST_SENT]


def ledger_path(home: str, project: str) -> str:
    return os.path.join(home, FOLDER, f"{project}.json")


def list_ledgers(home: str) -> list[str]:
    """Return the ids of the projects that have a ledger."""
    try:
        names = sorted(os.listdir(os.path.join(home, FOLDER)))
    except OSError:
        return []
    return [name.removesuffix(".json") for name in names if name.endswith(".json")]


def load_ledger(home: str, project: str) -> MirrorLedger:
    """Return the ledger of a project; an empty one if there is none or it is damaged."""
    try:
        with open(ledger_path(home, project), "rb") as file:
            found = json.loads(file.read())
        return _decode(found)
    except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return MirrorLedger()


def save_ledger(home: str, project: str, ledger: MirrorLedger) -> None:
    """Write the ledger; it need not survive a power cut, because it can be made again."""
    path = ledger_path(home, project)
    try:
        system.private_directory(os.path.dirname(path))
        system.write_atomically(path, json.dumps(_encode(ledger), separators=(",", ":")).encode(), durable=False)
    except OSError as error:
        raise refuse_write(error, path) from error


_FIELDS = ("hash", "size", "mtime_ns", "memory", "made", "is_here", "is_forgotten", "refused", "links", "listing")


def _encode(ledger: MirrorLedger) -> dict[str, Any]:
    trees = {
        root: {
            "head": tree.head,
            "files": {name: [getattr(entry, each) for each in _FIELDS] for name, entry in tree.files.items()},
        }
        for root, tree in ledger.trees.items()
    }
    return {
        "version": _VERSION,
        "is_shared": ledger.is_shared,
        "trees": trees,
        "sent": ledger.sent,
        "purged": ledger.purged,
    }


def _decode(found: dict[str, Any]) -> MirrorLedger:
    if found["version"] != _VERSION:
        return MirrorLedger()
    trees = {
        root: Checkout(
            head=tree["head"],
            files={
                name: LedgerEntry(**dict(zip(_FIELDS, values, strict=True))) for name, values in tree["files"].items()
            },
        )
        for root, tree in found["trees"].items()
    }
    return MirrorLedger(is_shared=found["is_shared"], trees=trees, sent=found["sent"], purged=found["purged"])
