"""The interface of a store for the rest of Limpet.

A store keeps changes in a journal, and answers queries about the state that results from them. Queries are methods of
the object that `reading()` returns. They concern the current state, which includes what other processes and machines
have written, or the state at a past time.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from limpet.lean.record import field, mutable, record
from limpet.model.memory import Impact, Phase, Tier
from limpet.model.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.store.exchange import Exchange as Exchange
    from limpet.store.open import Store as Store
    from limpet.store.view.reading import Reading as Reading
else:
    # Names for annotations only. A process that has opened no store yet does not load one.
    Exchange = Store = Reading = object

Progress = Callable[[str, int, int], None]
"""A function that shows progress. It gets the name of the current work, how much of it is done, and the total or 0."""


def no_progress(what: str, done: int, total: int) -> None:
    """Do nothing. This is the default for callers that show no progress."""


@record
class Problem:
    """A problem that was found in a store.

    `where` names the place, such as a segment (one file of the journal). `subject` is the id of the memory, or other
    item, that is affected; None if the problem affects no single item.
    """

    what: str
    where: str = ""
    subject: str | None = None
    fixable: bool = False


@mutable
class CheckReport:
    """The result of checking a store: the number of records and memories, the problems, and the repairs made."""

    records: int = 0
    memories: int = 0
    problems: list[Problem] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)


@record
class FactQuery:
    """A query for facts. By default it finds only facts that are valid now.

    If `at` is given, it finds the facts that were valid at that time. If `closed` is set, it also finds facts that are
    no longer valid.
    """

    scope: Scope
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    at: datetime | None = None
    closed: bool = False
    limit: int = 50
    offset: int = 0


@record
class Neighbours:
    """A memory's session, the index keys of its neighbours in that session, and its number of tokens.

    The neighbours are the memories just before and after it; a key is None if there is none.
    """

    session: str | None
    before: int | None
    after: int | None
    tokens: int


@record
class Room:
    """A scope (the owner of some memories) and the number of its active memories.

    A memory is active if it is live, that is, neither superseded nor forgotten, and not archived. `token` identifies
    the scope in the index, and `newest` is the id of its newest active memory.
    """

    token: str
    agent: str
    project: str | None
    active: int
    newest: str


@record
class DueQuery:
    """A query for active memories that a maintenance job has to process. All given conditions must be met.

    `unused_since` selects memories that were neither made nor used since that time, and `below` selects memories in an
    earlier phase, which are condensed less.
    """

    token: str | None = None
    impact: Impact | None = None
    below: Phase | None = None
    unused_since: datetime | None = None
    made_before: datetime | None = None
    learnt_before: datetime | None = None
    """Select memories that were stored before this time. What is learnt from a recording is dated back to it."""
    expired_at: datetime | None = None
    longer_than: int | None = None
    spare: bool = False
    """Whether to select only memories that are neither pinned nor of critical impact."""
    endless: bool = False
    """Whether to select only memories without an expiry date."""
    promotable: bool = False
    """Whether to select only memories that were used and whose time scale is shorter than `project`."""
    tier: Tier | None = None
    used: bool = False
    """Whether to select only memories that were used at least once."""
    unearned: bool = False
    """Whether to select only memories that were learnt in a session and have no recorded reason to be kept yet."""
    unread: bool = False
    """Whether to select only memories that were not yet checked for prompt injection with the current rules."""


@record
class AppCounts:
    """Counts for one app: its current memories, and what happened since a given time."""

    app: str
    memories: int
    conversations: int
    """The number of conversations that began."""
    created: int
    """The number of memories that were made from conversations."""
    compactions: int
    """How often memories were dropped or merged because there were too many."""
    energy: int
    """The units of work that were spent on memories."""
    injections: int
    """How often memories of the app were handed out as context."""


@record
class FileEntry:
    """A file of an app, without its text."""

    id: str
    path: str
    bytes: int
    created_at: datetime
    updated_at: datetime
    version: int
    head: str
    """The id of the last change of the file."""
    is_deleted: bool


@record
class ReceivedSegment:
    """The result of storing a journal segment that came from another machine."""

    added: int = 0
    """The number of changes that this machine did not have before."""
    fuller: int = 0
    """The number of changes whose text was withheld before and has arrived now."""
    waiting: bool = False
    """Whether the end of the file has not arrived yet."""
    refused: str = ""
    """Why the segment, or the end of it, was not stored, or an empty string if nothing was refused."""


@record
class ComparedSegment:
    """How far a journal segment was found equal to its copy in a shared folder.

    The next comparison continues there, so no record is compared twice. This machine may have several copies of the
    segment.
    """

    parts: tuple[tuple[str, int, int, int, str, int], ...]
    """A cursor for each local copy: name, position, number of records, position and hash of the last, and file time."""
    records: int
    """The number of records that were compared."""
    size: int
    """The length of the shared copy in bytes."""
    last: str
    """The hash of the last record that was compared."""
    is_proven: bool
    """Whether one of the records is signed with a key of this home (Limpet's data folder)."""
    withheld: int
    """The number of records in the shared copy whose text is withheld, because it must not leave its machine."""
