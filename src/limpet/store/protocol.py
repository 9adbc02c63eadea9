"""The interface of a store for the rest of Limpet.

A store keeps changes in a journal, and answers queries about the state that results from them. Queries are methods of
the object that `reading()` returns. They concern the current state, which includes what other processes and machines
have written, or the state at a past time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from datetime import datetime

from limpet.lean.record import Protocol, field, mutable, record
from limpet.model.app import App, Conversation, Message
from limpet.model.change import Change
from limpet.model.fact import Fact
from limpet.model.memory import Impact, Kind, Phase, Tier, Type
from limpet.model.query import Page, Query, Stored
from limpet.model.receipt import Receipt
from limpet.model.scope import Agent, Project, Scope
from limpet.model.session import Session
from limpet.model.standing import Activity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from limpet.model.antigen import Antigen
    from limpet.model.file import AppFile
    from limpet.text.embedding import Code
    from limpet.text.lexicon import Term

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


class Reading(Protocol):
    """The queries that can be made about the state of a store at a given time.

    Queries change nothing, so most methods are named after what they return, as in `reading.facts(query)`. Each is
    implemented and documented as a function in `store/view`; see the list in `store/view/reader.py`.
    """

    @property
    def has_vectors(self) -> bool: ...

    def get(self, memory_id: str) -> Stored | None: ...
    def ids_with_prefix(self, prefix: str, *, scope: Scope | None = None, limit: int = 20) -> tuple[str, ...]: ...
    def browse(self, query: Query) -> Page[Stored]: ...
    def by_words(self, query: Query, asked: Sequence[Term], *, limit: int) -> list[tuple[int, float]]: ...
    def by_meaning(self, query: Query, code: Code, *, limit: int, newest: int = ...) -> list[tuple[int, float]]: ...
    def frequencies(self, query: Query, asked: Sequence[Term]) -> tuple[int, list[int]]: ...
    def closeness(self, code: Code, keys: Sequence[int]) -> dict[int, float]: ...
    def neighbours(self, keys: Sequence[int]) -> dict[int, Neighbours]: ...
    def by_keys(self, query: Query, keys: Sequence[int]) -> dict[int, Stored]: ...
    def key_of(self, memory_id: str) -> int | None: ...
    def code_of(self, memory_id: str) -> Code | None: ...
    def same_text(self, scope_token: str, content_hash: str) -> tuple[Stored, ...]: ...
    def recent_with_words(
        self,
        scope_token: str,
        words: Iterable[str],
        *,
        each: int,
        types: Sequence[Type] = (),
        now: datetime | None = None,
        fits: Callable[[str], bool] | None = None,
    ) -> tuple[Stored, ...]: ...
    def near_duplicates(
        self, scope_token: str, simhash: int, *, limit: int = 10, fits: Callable[[str], bool] | None = None
    ) -> tuple[Stored, ...]: ...
    def newest(self, scope_token: str, kind: Kind) -> str | None: ...
    def versions(self, memory_id: str) -> tuple[Stored, ...]: ...
    def descendants(self, memory_id: str) -> tuple[str, ...]: ...
    def history(self, subject: str) -> tuple[Change, ...]: ...
    def moved_ids(self) -> tuple[str, ...]: ...
    def last_forgotten(self) -> datetime | None: ...
    def last_purged(self) -> datetime | None: ...
    def links(self, scope: Scope) -> tuple[tuple[str, str, str], ...]: ...
    def contradictions(self, memory_ids: Sequence[str]) -> tuple[tuple[str, str], ...]: ...
    def fact(self, fact_id: str) -> Fact | None: ...
    def facts(self, query: FactQuery) -> Page[Fact]: ...
    def facts_from(self, memory_ids: Sequence[str]) -> tuple[Fact, ...]: ...
    def antigens(self, scope: Scope | None) -> tuple[Antigen, ...]: ...
    def purged_sessions(self) -> frozenset[str]: ...
    def project(self, key_or_id: str) -> Project | None: ...
    def projects(self) -> tuple[Project, ...]: ...
    def commits(self, project_id: str, *, limit: int) -> tuple[str, ...]: ...
    def agent(self, agent_id: str) -> Agent | None: ...
    def agents(self) -> tuple[Agent, ...]: ...
    def session(self, session_id: str) -> Session | None: ...
    def count_compactions(self, project: str | None) -> int: ...
    def last_session(self, project: str | None, *, besides: str | None) -> str | None: ...
    def last_summarised_session(self, project: str | None, *, besides: str | None) -> str | None: ...
    def sessions_to_curate(self, *, since: datetime, quiet_since: datetime, limit: int) -> tuple[Session, ...]: ...
    def app(self, app_id: str) -> App | None: ...
    def apps(self) -> tuple[App, ...]: ...
    def conversation(self, app_id: str, conversation_id: str) -> Conversation | None: ...
    def conversations(
        self, app_id: str, *, limit: int, offset: int = 0, memory: str | None = None
    ) -> Page[Conversation]: ...
    def conversations_to_settle(
        self, *, since: datetime, limit: int, app: str | None = None
    ) -> tuple[Conversation, ...]: ...
    def messages(self, found: Conversation) -> tuple[Message, ...]: ...
    def file(self, app_id: str, file_id: str) -> AppFile | None: ...
    def files(self, app_id: str, *, deleted: bool = False) -> tuple[FileEntry, ...]: ...
    def file_changes(self, file_id: str) -> tuple[Change, ...]: ...
    def energy(self, *, app_id: str | None = None, after: str = "") -> int: ...
    def app_counts(self, *, since: datetime) -> tuple[AppCounts, ...]: ...
    def token_days(self, ways: Sequence[str], since: datetime) -> tuple[tuple[str, int, int], ...]: ...
    def counts(self, scope: Scope, now: datetime) -> dict[str, Any]: ...
    def twins(self) -> tuple[Stored, ...]: ...
    def for_start(self, scope: Scope, *, now: datetime, limit: int) -> tuple[Stored, ...]: ...
    def has_evidence(self, *, since: datetime) -> bool: ...
    def for_trial(
        self, scope: Scope, *, besides: str | None, most: int, now: datetime, limit: int
    ) -> tuple[tuple[Stored, int], ...]: ...
    def count_notes(self, scope: Scope, *, now: datetime) -> int: ...
    def receipts(
        self, *, session: str | None = None, memory: str | None = None, limit: int = 100
    ) -> tuple[Receipt, ...]: ...
    def over_cap(
        self,
        scope_token: str | None,
        agent: str,
        cap: int,
        phase: Phase = Phase.FULL,
        *,
        keep: Set[str] = ...,
        at_least: int | None = None,
    ) -> tuple[Stored, ...]: ...
    def count_in_phase(self, scope_token: str | None, agent: str, phase: Phase) -> int: ...
    def activity(self, project: str | None, agent: str) -> Activity: ...
    def rooms(self) -> tuple[Room, ...]: ...
    def due(self, asked: DueQuery) -> tuple[Stored, ...]: ...
    def summaries(self) -> tuple[Stored, ...]: ...
    def orphans(self) -> tuple[Stored, ...]: ...
    def superseded_by(self, memory_id: str) -> tuple[Stored, ...]: ...


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


class Exchange(Protocol):
    """The exchange of a store's journal segments with other machines.

    The methods are documented in its implementation, `store.exchange.JournalExchange`.
    """

    @property
    def device(self) -> str: ...
    @property
    def conditions(self) -> str: ...
    def resume(self, compared: Mapping[str, ComparedSegment]) -> None: ...
    def drop_comparison(self, name: str) -> None: ...
    def apply(self) -> None: ...
    def names(self) -> tuple[str, ...]: ...
    def count(self, name: str) -> int: ...
    def compared(self, name: str) -> ComparedSegment | None: ...
    def has_news(self, name: str) -> bool: ...
    def receive(self, name: str, file: BinaryIO) -> ReceivedSegment: ...
    def combine(self, name: str, file: BinaryIO | None, may_leave: Callable[[Change], bool]) -> bytes | None: ...
    def compare(self, name: str, data: bytes) -> ComparedSegment | None: ...


class Store(Protocol):
    """A store: a journal of changes, and the state that results from them.

    The methods are documented in its implementation, `store.open.JournalStore`.
    """

    notices: list[str]
    """Messages for the user about damage that was found or repaired."""

    @property
    def home(self) -> str: ...
    def append(self, changes: Sequence[Change], *, durable: bool = True) -> tuple[Change, ...]: ...
    def reading(self, at: datetime | None = None, *, latest: bool = True) -> Reading: ...
    def rehearse(self, changes: Sequence[Change]) -> Reading: ...
    def purge(self, changes: Sequence[Change]) -> None: ...
    def inspection(self) -> AbstractContextManager[None]: ...
    def verify(self, progress: Progress = no_progress) -> CheckReport: ...
    def mend(self, *, from_backup: bool = False, progress: Progress = no_progress) -> CheckReport: ...
    def heads(self) -> dict[str, tuple[int, str]]: ...
    def held_devices(self) -> tuple[str, ...]: ...
    def exchange(self) -> Exchange: ...
    def backup(self) -> int: ...
    def trim_receipts(self, before: datetime) -> int: ...
    def rest(self) -> None: ...
    def has_missing_vectors(self) -> bool: ...
    def embed_missing(self) -> None: ...
    def count_sentences(self) -> tuple[int, int]: ...
    def close(self) -> None: ...
