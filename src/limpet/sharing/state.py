"""Hold the state of one sync of a shared folder: its files, their ledger, and their memories.

The steps of a sync, which use this state, are in `intake.py`, `deletion.py` and `output.py`. `folder.py` runs them.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet import clock
from limpet.lean.record import field, mutable, record
from limpet.model.change import Change, Status
from limpet.model.memory import Memory, Origin, Region, Sensitivity
from limpet.model.outcome import Outcome
from limpet.model.query import Stored, query_everything
from limpet.model.scope import token_of
from limpet.runtime import Runtime
from limpet.sharing.document import MemoryFile, document_agrees, encode_document
from limpet.sharing.index_files import list_document
from limpet.sharing.ledger import LedgerEntry, load_ledger
from limpet.sharing.shared_folder import ARCHIVES, LTM, MEMORIES, SUFFIX, SharedFolder, Stamp, hash_content
from limpet.workspace.git import find_missing_in_index, find_repository, measure_log, read_head, stamp_index
from limpet.workspace.trees import MOST_COMMITS, find_former_files

_MOST_HURRIED = 50
"""How many commits are searched for a deleted file at the start of a session."""
_SWITCH_NS = 1_000_000_000
"""The age of git's index, in nanoseconds, below which a checkout may not have set the current commit yet."""


@mutable
class FilesAnswer:
    """The result of a sync of shared files: which memories and files were changed, and which files were refused."""

    folder: str = ""
    taken: list[str] = field(default_factory=list)
    """The ids of memories that were made from new files."""
    edited: list[str] = field(default_factory=list)
    """The ids of new versions of memories that were made from changed files."""
    both: list[str] = field(default_factory=list)
    """The ids of new versions that are live beside an older one, because the file and the memory had both changed."""
    forgotten: list[str] = field(default_factory=list)
    """The ids of memories that were forgotten, because their files were deleted."""
    restored: list[str] = field(default_factory=list)
    """The ids of memories that were restored, because their deleted files exist again."""
    written: list[str] = field(default_factory=list)
    """The names of files that were written."""
    removed: list[str] = field(default_factory=list)
    """The names of files that were removed."""
    archived: list[str] = field(default_factory=list)
    """The names of files that were moved to the archive."""
    proposed: list[str] = field(default_factory=list)
    """The names of files that were changed or deleted and whose memories a person has confirmed.

    Until a person agrees, these memories stay as they are.
    """
    refused: dict[str, str] = field(default_factory=dict)
    """The reason for each file that cannot become a memory, by file name."""
    withheld: dict[str, str] = field(default_factory=dict)
    """The reason for each memory that may not be written to a file, by id."""
    notes: list[str] = field(default_factory=list)
    waiting: int = 0
    """How many memories from files are not confirmed by a person yet."""
    is_complete: bool = True
    """Whether all files were compared. At the start of a session, a sync stops after a short time."""


@record
class SeenFile:
    """A shared file that was read: its hash, its stamp (size and time), and its content."""

    name: str
    hash: str
    stamp: Stamp
    document: MemoryFile


class SharingState:
    """The data that the steps of one sync share. It may be used only while the lock for the shared files is held."""

    def __init__(self, runtime: Runtime, folder: SharedFolder, answer: FilesAnswer, *, budget_ms: int | None) -> None:
        assert runtime.project is not None
        self.runtime = runtime
        self.folder = folder
        self.answer = answer
        self.project = runtime.project.id
        self.ledger = load_ledger(runtime.settings.home, self.project)
        self.tree = self.ledger.get_checkout(folder.root)
        self.until = None if budget_ms is None else clock.now_ms() + budget_ms
        self.reading = runtime.reading()
        self.present: dict[str, Stamp] = {}
        self.archived: dict[str, Stamp] = {}
        self.admitted: list[Outcome] = []
        self.links: list[Change] = []
        # Read anew, because another commit may have been checked out since the runtime was opened.
        self._repository = find_repository(folder.root)
        self._head: str | None = None
        self._index = self._stamp_index()
        self.position = self._read_position()
        """The commit that is checked out, and the size of git's log, which grows when another one is checked out."""
        self._tokens = frozenset(runtime.scope().tokens() or ())
        self._by_file: dict[str, str] | None = None
        self._former: dict[str, set[str]] | None = None

    @property
    def is_same_position(self) -> bool:
        """Tell whether the commit that is checked out is the same as at the last complete sync of this folder."""
        return self.tree.head == self.position

    def is_git_at_work(self, missing: Sequence[str]) -> bool:
        """Tell whether git is checking out another commit, or has done so since the sync began.

        `missing` are the names of files that may be missing because of this.
        """
        # Git replaces the files first, then the index, and the current commit last.
        index = self._stamp_index()
        if index is None or index != self._index or self.position != self._read_position():
            return True
        if self._repository is None or not self.is_same_position or index[1] < now_ns() - _SWITCH_NS:
            return False
        return bool(find_missing_in_index(self._repository, map(self.folder.relative_path, missing)))

    def _stamp_index(self) -> tuple[int, int] | None:
        return (0, 0) if self._repository is None else stamp_index(self._repository)

    def _read_position(self) -> str:
        self._head = None if self._repository is None else read_head(self._repository)[1]
        return f"{self._head} {measure_log(self.folder.root)}"

    def scan(self) -> bool:
        """List the shared files and return True. Return False if that fails: then nothing may be changed."""
        try:
            self.present, self.answer.refused = self.folder.scan(MEMORIES)
            self.archived, _ = self.folder.scan(ARCHIVES)
        except OSError as error:
            self.answer.notes.append(f"cannot list {error.filename}: {error.strerror}; nothing was changed")
            self.answer.is_complete = False
            return False
        return True

    def see(self, file: SeenFile, memory: Memory) -> None:
        """Record in the ledger that a file, in its current state, represents a version of a memory."""
        entry = self.tree.files.setdefault(file.name, LedgerEntry())
        entry.record_stamp(file.stamp, now_ns=now_ns())
        entry.hash, entry.memory, entry.refused, entry.is_forgotten = file.hash, memory.id, "", False
        entry.made = hash_content(encode_document(memory, name=file.name))
        entry.links = list(file.document.links)
        entry.listing = list_document(file.document, memory)
        self.ledger.record_sent(file.name, entry.made)

    def refuse(self, name: str, digest: str, stamp: Stamp, reason: str) -> None:
        """Record that a file cannot become a memory, with the reason. Neither the file nor its memory is changed."""
        entry = self.tree.files.setdefault(name, LedgerEntry())
        entry.record_stamp(stamp, now_ns=now_ns())
        entry.hash, entry.refused = digest, reason
        self.tree.proposed.pop(name, None)
        self.answer.refused[f"{name}{SUFFIX}"] = reason

    def find_versions(self, name: str, document: MemoryFile, entry: LedgerEntry | None) -> list[Stored]:
        """Return all versions of the memory of a file, oldest first, or an empty list if there is none.

        The memory is looked up by its ledger entry, then by the name of the file, by the source that memories name, and
        by a former name of the file.
        """
        ids = [entry.memory if entry is not None else "", name, self.find_by_source(name)]
        if document.id and document.id != name and document.id not in self.present:
            former = self.tree.files.pop(document.id, None)
            ids += [former.memory if former else "", document.id]
        for id in filter(None, ids):
            stored = self.reading.get(id)
            if stored is not None and self.may_have_file(stored.memory):
                return self.load_versions(id)
        return []

    def propose(self, file: SeenFile, memory: Memory) -> None:
        """Record that a file changes a confirmed memory. Neither of them is changed until a person agrees."""
        entry = self.tree.files.setdefault(file.name, LedgerEntry(memory=memory.id))
        entry.record_stamp(file.stamp, now_ns=now_ns())
        self.tree.proposed[file.name] = file.hash

    def load_versions(self, id: str) -> list[Stored]:
        return sorted(self.reading.versions(id), key=lambda each: each.memory.id)

    def may_have_file(self, memory: Memory) -> bool:
        """Tell whether a memory may have a shared file: only a public memory of this project may."""
        is_shared = memory.region is Region.PROJECT and memory.sensitivity is Sensitivity.PUBLIC
        return is_shared and memory.app is None and token_of(memory) in self._tokens

    def find_by_source(self, name: str) -> str:
        """Return the id of the newest memory that was made from a file, or an empty string if there is none."""
        if self._by_file is None:
            query = query_everything(self.runtime.scope(), now=self.runtime.now())
            found = sorted((each.memory for each in self.reading.browse(query).items), key=lambda memory: memory.id)
            sources = ((each.source.file if each.source else None, each.id) for each in found)
            self._by_file = {file: id for file, id in sources if file is not None and file.startswith(LTM)}
        return self._by_file.get(self.folder.relative_path(name), "")

    def find_former(self, name: str) -> set[str]:
        """Return the hashes of all earlier contents of a file in the history of the commit that is checked out.

        At the start of a session, only the newest commits are read.
        """
        if self._former is None:
            self._former = {}
            if self._repository is not None and self._head is not None:
                most = MOST_COMMITS if self.until is None else _MOST_HURRIED
                self._former = find_former_files(self._repository.common, self._head, f"{LTM}/{MEMORIES}", most=most)
        return self._former.get(f"{name}{SUFFIX}", set())


def is_confirmed(memory: Memory) -> bool:
    """Tell whether a person stands behind a memory, as its author or by confirming it.

    A change of the shared files neither retires nor replaces such a memory, and does not bring it back, because anybody
    may have changed the files.
    """
    return memory.effective_origin is Origin.USER


def find_live(versions: Sequence[Stored]) -> list[Stored]:
    """Return the versions that are live: neither superseded nor forgotten."""
    return [each for each in versions if each.status is Status.LIVE]


def find_agreeing(document: MemoryFile, versions: Sequence[Stored]) -> list[Stored]:
    """Return the versions that have the same content as a file. `versions` are sorted, oldest first."""
    memories = [each.memory for each in versions]
    return [each for at, each in enumerate(versions) if document_agrees(document, each.memory, former=memories[:at])]


def now_ns() -> int:
    """Return the current time in nanoseconds since the epoch, to be compared with the times of files."""
    return clock.now_ms() * 1_000_000
