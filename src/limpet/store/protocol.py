"""The interface of a store for the rest of Limpet.

A store keeps changes and answers queries about the state that they give. Reading goes through `reading()`, which first
applies everything that other processes and machines have written; the same queries can be made for a past moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
"""Called with the name of the current work, how much of it is done, and the total."""


def no_progress(what: str, done: int, total: int) -> None:
    """Ignore the progress; for callers that show none."""


@record
class Problem:
    """A problem in the store; `subject` is the memory that it concerns, if any."""

    what: str
    where: str = ""
    subject: str | None = None
    fixable: bool = False


@mutable
class CheckReport:
    """The result of a check: counts, problems, and repairs that were made."""

    records: int = 0
    memories: int = 0
    problems: list[Problem] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)


@record
class FactQuery:
    """A query for facts; without `at` or `closed` it finds only facts that hold now."""

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
    """The session of a memory, and the memories before and after it there."""

    session: str | None
    before: int | None
    after: int | None
    tokens: int


@record
class Room:
    """A scope that holds memories, and how many of its memories are active: neither superseded nor archived."""

    token: str
    agent: str
    project: str | None
    active: int
    newest: str


@record
class DueQuery:
    """A query of upkeep for active memories; `unused_since` means neither made nor used since then."""

    token: str | None = None
    impact: Impact | None = None
    below: Phase | None = None
    unused_since: datetime | None = None
    made_before: datetime | None = None
    expired_at: datetime | None = None
    longer_than: int | None = None
    spare: bool = False
    """Only memories that are neither pinned nor critical."""
    endless: bool = False
    """Only memories without an expiry date."""
    promotable: bool = False
    """Only memories that were used and have a scale below `project`."""
    tier: Tier | None = None
    used: bool = False
    """Only memories that were used at least once."""
    unearned: bool = False
    """Only memories that were learnt in a session and have not yet earned a tier."""
    unread: bool = False
    """Only memories that the current rules have not yet checked for signs of an instruction."""


@record
class AppCounts:
    """Counts of what an app holds now, and of what happened in it since a moment."""

    app: str
    memories: int
    conversations: int
    created: int
    """Memories that were made of conversations."""
    compactions: int
    energy: int
    injections: int
    """How often its memories were handed out as context."""


@record
class FileEntry:
    """A file in the list of an app's files, without its text."""

    id: str
    path: str
    bytes: int
    digest: str
    """The SHA-256 of its text, in hexadecimal."""
    created_at: datetime
    updated_at: datetime
    version: int
    head: str
    """The id of its last change."""
    is_deleted: bool


class Reading(Protocol):
    """The queries that can be made about the state at one moment.

    They only read, so most of them are named after what they return, as in `reading.facts(query)`, and have no verb.
    Each is a function of `store/view`; `store/view/reader.py` lists them.
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
    def file_change_ids(self, app_id: str, *, before: str, limit: int) -> tuple[tuple[str, str], ...]: ...
    def energy(self, *, app_id: str | None = None, after: str = "") -> int: ...
    def app_counts(self, *, since: datetime) -> tuple[AppCounts, ...]: ...
    def token_days(self, ways: Sequence[str], since: datetime) -> tuple[tuple[str, int, int], ...]: ...
    def counts(self, scope: Scope, now: datetime) -> dict[str, Any]: ...
    def twins(self) -> tuple[Stored, ...]: ...
    def for_start(self, scope: Scope, *, now: datetime, limit: int) -> tuple[Stored, ...]: ...
    def count_notes(self, scope: Scope, *, now: datetime) -> int: ...
    def was_noted(self, name: str, value: str, *, since: datetime) -> bool: ...
    def receipts(
        self, *, session: str | None = None, memory: str | None = None, limit: int = 100
    ) -> tuple[Receipt, ...]: ...
    def over_cap(
        self, scope_token: str | None, agent: str, cap: int, phase: Phase = Phase.FULL
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
    """The outcome of receiving a segment from another machine."""

    added: int = 0
    """How many changes are new here."""
    fuller: int = 0
    """How many changes were withheld before and are here now."""
    waiting: bool = False
    """Whether the file is not whole yet."""
    refused: str = ""
    """Why nothing of it was taken."""


@record
class ComparedSegment:
    """The state of a segment when it was last found equal to its shared copy.

    The next comparison begins there: what was compared is not read again. Several copies of one segment may exist here.
    """

    parts: tuple[tuple[str, int, int, int, str, int], ...]
    """The copies here: name, position, number of records, start and hash of the last one, time of the last write."""
    records: int
    """How many records were compared."""
    size: int
    """The length of the shared copy in bytes."""
    last: str
    """The hash of the last record that was compared."""
    is_proven: bool
    """Whether a key of this home proves any of the records."""
    withheld: int
    """How many records of the shared copy have no text, because it may not leave."""


class Exchange(Protocol):
    """The segments of a store, as they are exchanged with other machines."""

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
    """A journal of changes and the state that they give."""

    notices: list[str]
    """Sentences for the user about damage that was found or mended."""

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
