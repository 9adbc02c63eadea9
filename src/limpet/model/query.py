"""Search queries, and records for their results."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from limpet.errors import UsageError
from limpet.guard.signs import CERTAIN
from limpet.lean.record import Generic, field, record
from limpet.model.change import Status
from limpet.model.memory import Concept, Impact, Kind, Memory, Origin, Phase, Sensitivity, Tier, Type
from limpet.model.scope import Scope
from limpet.model.signature import Verdict
from limpet.model.standing import Standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")
else:
    T = None

OPEN = (Sensitivity.PUBLIC,)
"""The sensitivities that a memory must have to be shown without an explicit request."""
EVERY_STATUS = (Status.LIVE, Status.SUPERSEDED, Status.FORGOTTEN)
"""All statuses that a stored memory can have. A purged memory is not stored."""
NO_LIMIT = 10_000_000


@record
class Query:
    """A search query. If its text is empty, it selects everything that passes the filters, newest first."""

    scope: Scope
    text: str = ""
    kind: Kind | None = None
    type: Type | None = None
    impact: Impact | None = None
    concept: Concept | None = None
    tag: str | None = None
    file: str | None = None
    keyword: str | None = None
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    phase: Phase | None = None
    origin: Origin | None = None
    branch: str | None = None
    pinned: bool | None = None
    tier: Tier | None = None
    sensitivity: tuple[Sensitivity, ...] = OPEN
    statuses: tuple[Status, ...] = (Status.LIVE,)
    expired: bool = False
    archived: bool = False
    """Whether to include archived memories. They are always included if `phase` is ARCHIVED."""
    weak: bool = False
    """Whether to include weak results: similar memories that may not answer the question."""
    now: datetime
    limit: int = 50
    offset: int = 0


def query_everything(scope: Scope, *, now: datetime) -> Query:
    """Return a query for all memories in a scope, whatever their status, sensitivity, age or phase."""
    return Query(
        scope=scope,
        sensitivity=tuple(Sensitivity),
        statuses=EVERY_STATUS,
        expired=True,
        archived=True,
        now=now,
        limit=NO_LIMIT,
    )


@record
class Stored:
    """A memory from the store, with its status, its use so far and its warnings."""

    memory: Memory
    status: Status = Status.LIVE
    standing: Standing = field(default_factory=Standing)
    suspicions: tuple[str, ...] = ()
    accepted: bool = False
    """Whether the memory was written by a device that has no signing key of this home, but that a person accepted."""
    verdict: Verdict = Verdict.NOT_SIGNING
    signs: tuple[str, ...] | None = None
    """Signs of prompt injection in the text; None if the current rules have not looked for them yet."""

    @property
    def warned(self) -> bool:
        """Tell whether the memory has any warning."""
        return bool(self.warnings)

    @property
    def failed(self) -> bool:
        """Tell whether the memory or one of its changes failed a check. If so, it must be shown only on request."""
        return bool(self.suspicions) or self.verdict.is_failure

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return the warnings about the memory.

        They come from checks of its changes and its signature, and from clear signs of prompt injection.
        """
        return (
            *self.suspicions,
            *((self.verdict.value,) if self.verdict.is_warning else ()),
            *(f"holds an order to a model: {sign}" for sign in self.signs or () if sign in CERTAIN),
        )


@record
class Hit:
    """A memory that a search found, with its score and the components of the score."""

    stored: Stored
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    weak: bool = False
    """Whether the memory is only similar to the question and may not answer it."""

    @property
    def memory(self) -> Memory:
        return self.stored.memory


@record
class Page(Generic[T]):
    """A page of results: some of `total` items, starting at `offset`."""

    items: tuple[T, ...]
    total: int
    offset: int = 0

    @property
    def has_more(self) -> bool:
        return self.offset + len(self.items) < self.total


def check_page(limit: int, offset: int = 0) -> None:
    """Raise UsageError if the limit or the offset is out of range."""
    if not 1 <= limit <= 1000:
        raise UsageError(
            f"limit is {limit}; give a number from 1 to 1000, and an offset for the next ones, "
            "or use `limpet export` for all"
        )
    if offset < 0:
        raise UsageError(f"offset is {offset}; give 0 or more")
