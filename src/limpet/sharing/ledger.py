"""Load and save the ledger: a record of what the last sync saw in a project's shared folders.

The next sync compares the files and memories with it, to find out whether a file, its memory or both have changed. The
ledger is in Limpet's home and concerns this machine only. Each checkout of the project has a separate list of files,
because checkouts may be on different branches. If the ledger is lost, no memory is lost: the next sync compares the
contents of all files with the journal.
"""

from __future__ import annotations

import json
import os
from typing import Any

from limpet import system
from limpet.errors import refuse_write
from limpet.lean.record import field, mutable
from limpet.sharing.shared_folder import Stamp

FOLDER = "mirror"
_VERSION = 1
_RACY_NS = 2_000_000_000
"""The age of a file, in nanoseconds, below which it may change again without getting another time stamp."""
_MOST_SENT = 64


@mutable
class LedgerEntry:
    """A shared file as the last sync saw it, and the memory that it represents."""

    hash: str = ""
    size: int = -1
    mtime_ns: int = -1
    memory: str = ""
    """The id of the memory version that the file represents; an empty string if the file was refused."""
    made: str = ""
    """The hash of the file that Limpet would write for this memory. It changes when the memory changes."""
    is_here: bool = True
    """Whether the file existed. It may have been deleted, or be missing on the branch that is checked out."""
    is_forgotten: bool = False
    """Whether the memory was forgotten because the file was deleted. If the file comes back, the memory is restored."""
    refused: str = ""
    """Why the file was refused; an empty string if it was accepted."""
    links: list[str] = field(default_factory=list)
    """The names of the files that the file links to."""
    listing: dict[str, Any] = field(default_factory=dict)
    """The entry of the file in `index.json`."""

    def is_unchanged(self, stamp: Stamp) -> bool:
        """Tell whether the file, which has this stamp now, is unchanged; return False if that is not certain."""
        return self.is_here and (self.size, self.mtime_ns) == (stamp.size, stamp.mtime_ns)

    def record_stamp(self, stamp: Stamp, *, now_ns: int) -> None:
        """Record that the file existed with this stamp when it was read at the time `now_ns`."""
        is_racy = stamp.mtime_ns > now_ns - _RACY_NS
        self.size, self.mtime_ns, self.is_here = stamp.size, -1 if is_racy else stamp.mtime_ns, True


@mutable
class Checkout:
    """One folder in which the project is checked out."""

    head: str | None = None
    """The commit that the last sync saw, with the size of git's HEAD log; None before the first sync."""
    files: dict[str, LedgerEntry] = field(default_factory=dict)
    """The entries by the names of their files."""
    doubted: list[str] = field(default_factory=list)
    """The names of missing files that were too many to have been deleted on purpose, until a person has said so."""
    proposed: dict[str, str] = field(default_factory=dict)
    """The names of files that would change or retire a confirmed memory, until a person has agreed.

    The values are the hashes of their contents; an empty string means that the file was deleted.
    """


@mutable
class MirrorLedger:
    """A record of what was read, written and purged in the shared folders of one project on this machine."""

    is_shared: bool = False
    """Whether a person on this machine has shared the project's memories, so that they are written to its folder."""
    trees: dict[str, Checkout] = field(default_factory=dict)
    """The project's checkouts by their root folders."""
    sent: dict[str, list[str]] = field(default_factory=dict)
    """The hashes of the latest versions of each file that were written or read in any checkout, by file name.

    Git brings such a version to the other checkouts, so it is not written there again.
    """
    purged: list[str] = field(default_factory=list)
    """The names of files whose memories were purged. Files with these names are refused."""

    def get_checkout(self, root: str) -> Checkout:
        """Return the checkout with this root folder; add an empty one if it is not known."""
        return self.trees.setdefault(root, Checkout())

    def was_sent(self, name: str, made: str) -> bool:
        """Tell whether a version of the file with the hash `made` was written or read in any checkout."""
        return made in self.sent.get(name, ())

    def record_sent(self, name: str, made: str) -> None:
        """Record `made`, the hash of a version of the shared file `name`. The latest 64 of each file are kept."""
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
    """Read the ledger of a project; return an empty one if there is none or it is damaged."""
    try:
        with open(ledger_path(home, project), "rb") as file:
            found = json.loads(file.read())
        return _decode(found)
    except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return MirrorLedger()


def save_ledger(home: str, project: str, ledger: MirrorLedger) -> None:
    """Write the ledger of a project atomically. It is not synced to disk, because a lost ledger can be rebuilt."""
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
            "doubted": tree.doubted,
            "proposed": tree.proposed,
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
            doubted=tree.get("doubted", []),
            proposed=tree.get("proposed", {}),
        )
        for root, tree in found["trees"].items()
    }
    return MirrorLedger(is_shared=found["is_shared"], trees=trees, sent=found["sent"], purged=found["purged"])
