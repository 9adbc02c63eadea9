"""What the rest of Limpet may ask of a store.

A store keeps changes and answers questions about the state they make. Reading goes through `reading()`, which first
applies whatever other processes and machines have written; the same questions can be asked of a past moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from limpet.lean.record import Protocol, field, mutable, record
from limpet.model.activity import Activity
from limpet.model.change import Change
from limpet.model.fact import Fact
from limpet.model.memory import Impact, Kind, Phase
from limpet.model.query import Page, Query, Stored
from limpet.model.receipt import Receipt
from limpet.model.scope import Agent, Project, Scope
from limpet.model.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.text.embedding import Code
    from limpet.text.lexicon import Term

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


def no_progress(what: str, done: int, total: int) -> None:
    """Show nothing."""


@record
class Problem:
    """Something that is wrong; `subject` is the memory it concerns, where there is one."""

    what: str
    where: str = ""
    subject: str | None = None
    fixable: bool = False


@mutable
class CheckReport:
    """What a check has counted and found, and what was mended."""

    records: int = 0
    memories: int = 0
    problems: list[Problem] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)


@record
class FactQuery:
    """Which facts are asked for; without `at` or `closed` only those that hold now."""

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
    """Where a memory stands in its session."""

    session: str | None
    before: int | None
    after: int | None
    tokens: int


@record
class Room:
    """A scope that holds memories, and how many of them are active: neither superseded nor archived."""

    token: str
    agent: str
    project: str | None
    active: int
    newest: str


@record
class Due:
    """Which active memories a job of upkeep asks for; `unused_since` means neither made nor used since then."""

    token: str | None = None
    impact: Impact | None = None
    below: Phase | None = None
    unused_since: datetime | None = None
    made_before: datetime | None = None
    expired_at: datetime | None = None
    longer_than: int | None = None
    spare: bool = False
    """Neither pinned nor critical."""
    endless: bool = False
    """Without a time at which it expires."""
    promotable: bool = False
    """Used, and of a scale below the project's."""
    unread: bool = False
    """Not yet checked for signs of an instruction by the current rules."""


class Reading(Protocol):
    """The state at one moment."""

    @property
    def has_vectors(self) -> bool: ...

    def get(self, memory_id: str) -> Stored | None: ...
    def ids_with_prefix(self, prefix: str, *, scope: Scope | None = None, limit: int = 20) -> tuple[str, ...]: ...
    def browse(self, query: Query) -> Page[Stored]: ...
    def by_words(self, query: Query, asked: Sequence[Term], *, limit: int) -> list[tuple[int, float]]: ...
    def by_meaning(self, query: Query, code: Code, *, limit: int) -> list[tuple[int, float]]: ...
    def frequencies(self, query: Query, asked: Sequence[Term]) -> tuple[int, list[int]]: ...
    def closeness(self, code: Code, keys: Sequence[int]) -> dict[int, float]: ...
    def neighbours(self, keys: Sequence[int]) -> dict[int, Neighbours]: ...
    def by_keys(self, query: Query, keys: Sequence[int]) -> dict[int, Stored]: ...
    def key_of(self, memory_id: str) -> int | None: ...
    def code_of(self, memory_id: str) -> Code | None: ...
    def same_text(self, scope_token: str, content_hash: str) -> tuple[Stored, ...]: ...
    def recent_with_word(self, scope_token: str, word: str, *, limit: int = 10) -> tuple[Stored, ...]: ...
    def near_duplicates(self, scope_token: str, simhash: int, *, limit: int = 10) -> tuple[Stored, ...]: ...
    def newest(self, scope_token: str, kind: Kind) -> str | None: ...
    def versions(self, memory_id: str) -> tuple[Stored, ...]: ...
    def descendants(self, memory_id: str) -> tuple[str, ...]: ...
    def history(self, subject: str) -> tuple[Change, ...]: ...
    def moved(self) -> tuple[str, ...]: ...
    def last_taken_back(self) -> datetime | None: ...
    def links(self, scope: Scope) -> tuple[tuple[str, str, str], ...]: ...
    def fact(self, fact_id: str) -> Fact | None: ...
    def facts(self, query: FactQuery) -> Page[Fact]: ...
    def facts_from(self, memory_ids: Sequence[str]) -> tuple[Fact, ...]: ...
    def project(self, key_or_id: str) -> Project | None: ...
    def projects(self) -> tuple[Project, ...]: ...
    def commits(self, project_id: str, *, limit: int) -> tuple[str, ...]: ...
    def agent(self, agent_id: str) -> Agent | None: ...
    def agents(self) -> tuple[Agent, ...]: ...
    def session(self, session_id: str) -> Session | None: ...
    def last_session(self, project: str | None, *, besides: str | None) -> str | None: ...
    def counts(self, scope: Scope, now: datetime) -> dict[str, Any]: ...
    def twins(self) -> tuple[Stored, ...]: ...
    def for_start(self, scope: Scope, *, now: datetime, limit: int) -> tuple[Stored, ...]: ...
    def receipts(
        self, *, session: str | None = None, memory: str | None = None, limit: int = 100
    ) -> tuple[Receipt, ...]: ...
    def over_cap(
        self, scope_token: str | None, agent: str, cap: int, phase: Phase = Phase.FULL
    ) -> tuple[Stored, ...]: ...
    def count_in_phase(self, scope_token: str | None, agent: str, phase: Phase) -> int: ...
    def activity(self, project: str | None, agent: str) -> Activity: ...
    def rooms(self) -> tuple[Room, ...]: ...
    def due(self, asked: Due) -> tuple[Stored, ...]: ...
    def summaries(self) -> tuple[Stored, ...]: ...
    def orphans(self) -> tuple[Stored, ...]: ...


class Store(Protocol):
    """A journal of changes and the state they make."""

    notices: list[str]
    """Sentences for the user about what was found and mended."""

    @property
    def home(self) -> str: ...
    def append(self, changes: Sequence[Change], *, durable: bool = True) -> tuple[Change, ...]: ...
    def reading(self, at: datetime | None = None, *, latest: bool = True) -> Reading: ...
    def purge(self, changes: Sequence[Change]) -> None: ...
    def inspecting(self) -> AbstractContextManager[None]: ...
    def verify(self, progress: Progress = no_progress) -> CheckReport: ...
    def mend(self, *, from_backup: bool = False, progress: Progress = no_progress) -> CheckReport: ...
    def backup(self) -> int: ...
    def trim_receipts(self, before: datetime) -> int: ...
    def rest(self) -> None: ...
    def has_missing_vectors(self) -> bool: ...
    def close(self) -> None: ...
