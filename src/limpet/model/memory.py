"""The `Memory` record and the enums of its fields; rows, JSON and markdown are encodings of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import IntEnum, StrEnum

from limpet.lean.record import field, record


class Kind(StrEnum):
    """What a memory is about."""

    EMOTIONAL = "EMOTIONAL"
    ARCHITECTURAL = "ARCHITECTURAL"
    LEARNINGS = "LEARNINGS"
    ACHIEVEMENTS = "ACHIEVEMENTS"

    @property
    def code(self) -> str:
        return _KIND_CODE[self]


_KIND_CODE = {Kind.EMOTIONAL: "EMOT", Kind.ARCHITECTURAL: "ARCH", Kind.LEARNINGS: "LEARN", Kind.ACHIEVEMENTS: "ACHV"}


class Type(StrEnum):
    """What happened, such as a bugfix or a decision."""

    BUGFIX = "bugfix"
    FEATURE = "feature"
    REFACTOR = "refactor"
    CHANGE = "change"
    DISCOVERY = "discovery"
    DECISION = "decision"
    SESSION_SUMMARY = "session_summary"
    COMPRESSED_SUMMARY = "compressed_summary"


class Concept(StrEnum):
    """What sort of knowledge a memory holds."""

    HOW_IT_WORKS = "how-it-works"
    WHY_IT_EXISTS = "why-it-exists"
    WHAT_CHANGED = "what-changed"
    PROBLEM_SOLUTION = "problem-solution"
    GOTCHA = "gotcha"
    PATTERN = "pattern"
    TRADE_OFF = "trade-off"


class Impact(StrEnum):
    """How much a memory matters, in a person's words."""

    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    CRITICAL = "CRITICAL"

    @property
    def importance(self) -> float:
        return _IMPORTANCE[self]

    @property
    def rank(self) -> int:
        return _RANK[self]

    @property
    def code(self) -> str:
        return _IMPACT_CODE[self]


_IMPORTANCE = {Impact.LOW: 0.3, Impact.MEDIUM: 0.5, Impact.HIGH: 0.7, Impact.CRITICAL: 0.9}
_IMPACT_CODE = {Impact.LOW: "LOW", Impact.MEDIUM: "MED", Impact.HIGH: "HIGH", Impact.CRITICAL: "CRIT"}
_RANK = {Impact.LOW: 0, Impact.MEDIUM: 1, Impact.HIGH: 2, Impact.CRITICAL: 3}


class Region(StrEnum):
    """The range of a memory: AGENT memories go with the agent across projects, PROJECT memories stay in one project."""

    AGENT = "AGENT"
    PROJECT = "PROJECT"


class Sensitivity(StrEnum):
    """Who may see a memory; `level` rises with strictness."""

    PUBLIC = "public"
    PRIVATE = "private"
    SECRET = "secret"
    UNKNOWN = "unknown"

    @property
    def level(self) -> int:
        return _LEVEL[self]


_LEVEL = {Sensitivity.PUBLIC: 0, Sensitivity.PRIVATE: 1, Sensitivity.SECRET: 2, Sensitivity.UNKNOWN: 3}


class Origin(StrEnum):
    """Who said what a memory holds, in the order of trust; `ceiling` is the highest trust that it can reach."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    FILE = "file"
    IMPORT = "import"
    EXTERNAL = "external"

    @property
    def ceiling(self) -> float:
        return _CEILING[self]

    @property
    def is_own(self) -> bool:
        """Tell whether the origin is the user or the agent, rather than a tool, a file or somebody outside."""
        return self in (Origin.USER, Origin.AGENT)

    @property
    def is_outside(self) -> bool:
        """Tell whether the words were only read: from a file, an import or somebody outside."""
        return self in (Origin.FILE, Origin.IMPORT, Origin.EXTERNAL)

    @staticmethod
    def lowest(origins: tuple[Origin, ...]) -> Origin:
        """Return the least trusted of the origins; a memory derived from several others has this origin."""
        return min(origins, key=lambda origin: (origin.ceiling, origin.value))


_CEILING = {
    Origin.USER: 1.0,
    Origin.AGENT: 0.8,
    Origin.TOOL: 0.6,
    Origin.FILE: 0.4,
    Origin.IMPORT: 0.4,
    Origin.EXTERNAL: 0.2,
}


ON_PURPOSE = "stored on purpose"
"""The value of `earned` for a memory that somebody stored, in contrast to one that was captured."""


class Tier(StrEnum):
    """Whether a memory may be injected at the start of a session (kept) or is only found by a search (noted)."""

    NOTED = "noted"
    KEPT = "kept"


class Phase(IntEnum):
    """How much of a memory's text is still active."""

    FULL = 0
    HINT = 1
    ABSTRACT = 2
    ARCHIVED = 3


class Scale(StrEnum):
    """The time scale a memory serves."""

    IMMEDIATE = "immediate"
    TASK = "task"
    SESSION = "session"
    PROJECT = "project"

    @property
    def rank(self) -> int:
        return tuple(Scale).index(self)

    @staticmethod
    def at(age: timedelta) -> Scale:
        """Return the scale for something of this age; a time in the future counts as now."""
        return next((scale for span, scale in _SPANS if age < span), Scale.PROJECT)


_SPANS = (
    (timedelta(minutes=5), Scale.IMMEDIATE),
    (timedelta(minutes=30), Scale.TASK),
    (timedelta(hours=2), Scale.SESSION),
)


@record
class Citation:
    """A span of lines of a file as it was when the memory was made."""

    path: str
    start: int
    end: int
    span_hash: str
    commit: str | None = None


@record
class Source:
    """Where a memory came from: a line of a transcript, a commit, a file."""

    transcript: str | None = None
    line: int | None = None
    commit: str | None = None
    file: str | None = None


@record
class Memory:
    """One thing worth remembering, as it was admitted; the record is never changed in place."""

    id: str
    agent: str
    region: Region
    project: str | None = None
    app: str | None = None

    kind: Kind
    type: Type
    concepts: tuple[Concept, ...] = ()
    tags: tuple[str, ...] = ()
    title: str = ""
    subtitle: str = ""
    content: str
    original_content: str

    impact: Impact = Impact.MEDIUM
    importance: float = 0.5
    difficulty: float = 0.5
    confidence: float = 1.0
    sensitivity: Sensitivity = Sensitivity.UNKNOWN
    origin: Origin = Origin.EXTERNAL
    confirmed: bool = False
    tier: Tier = Tier.KEPT
    earned: str = ""
    """Why the memory is kept: stored on purpose, confirmed, curated, said again, or used with success."""
    phase: Phase = Phase.FULL
    scale: Scale = Scale.PROJECT
    pinned: bool = False

    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None

    session: str | None = None
    conversation: str | None = None
    source: Source | None = None
    branch: str | None = None
    commit: str | None = None
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()

    previous_memory_id: str | None = None
    version: int = 1
    corrects: str | None = None
    lineage: tuple[str, ...] = ()
    superseded_by: str | None = None

    content_hash: str = ""
    signature: str | None = None
    token_count: int = 0

    @property
    def root(self) -> str:
        """Return the id of the first memory of this line of corrections.

        The changes of one line are folded together.
        """
        older = self.lineage[: max(0, self.version - 1)] if self.corrects else ()
        return older[-1] if older else self.id

    @property
    def made_of(self) -> tuple[str, ...]:
        """Return the ids of the memories that this line was made of; they follow the older versions in the lineage."""
        return self.lineage[max(0, self.version - 1) :] if self.corrects else self.lineage

    @property
    def effective_origin(self) -> Origin:
        """Return the origin that counts for trust: the user's if a person has confirmed the memory."""
        return Origin.USER if self.confirmed else self.origin

    def is_expired(self, now: datetime) -> bool:
        """Tell whether the expiry date of the memory has passed."""
        return self.expires_at is not None and self.expires_at <= now

    @property
    def label(self) -> str:
        """Return kind and impact in the compact notation, such as LEARN:MED; `?` marks low confidence."""
        return f"{self.kind.code}:{self.impact.code}{'?' if self.confidence < _SURE else ''}"


_SURE = 0.7


@record
class Draft:
    """A proposed memory; every field that is None is inferred at admission."""

    text: str
    region: Region | None = None
    kind: Kind | None = None
    type: Type | None = None
    concepts: tuple[Concept, ...] | None = None
    tags: tuple[str, ...] | None = None
    title: str | None = None
    subtitle: str | None = None
    impact: Impact | None = None
    importance: float | None = None
    difficulty: float | None = None
    confidence: float = 1.0
    sensitivity: Sensitivity | None = None
    origin: Origin = Origin.EXTERNAL
    tier: Tier | None = None
    earned: str = ""
    scale: Scale = Scale.PROJECT
    pinned: bool = False
    on_purpose: bool = False
    """Whether the user asked in a prompt to remember this; such a draft is captured but counts as stored on purpose."""
    ttl_days: float | None = None
    session: str | None = None
    conversation: str | None = None
    source: Source | None = None
    app: str | None = None
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    sources: tuple[Memory, ...] = field(default=(), repr=False)
    drawn_from: tuple[str, ...] = ()
    """The names of outside sources that this text repeats; the origin is the lowest of their origins."""
