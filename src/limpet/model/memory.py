"""The `Memory` record and the enums of its fields. Database rows, JSON and Markdown are encodings of this record."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from limpet.lean.digest import sha256
from limpet.lean.enumeration import IntEnum, StrEnum
from limpet.lean.record import LATER, field, record

TYPE_CHECKING = False

# The members of some enums have attributes, which `__new__` sets. Its defaults are for type checkers, which take
# `Kind("LEARNINGS")`, a look-up by value, for a call of `__new__`.


class Kind(StrEnum):
    """What a memory is about: people, architecture, lessons or achievements."""

    code: str

    EMOTIONAL = "EMOTIONAL", "EMOT"
    ARCHITECTURAL = "ARCHITECTURAL", "ARCH"
    LEARNINGS = "LEARNINGS", "LEARN"
    ACHIEVEMENTS = "ACHIEVEMENTS", "ACHV"

    def __new__(cls, value: str, code: str = "") -> Kind:
        made = str.__new__(cls, value)
        made._value_, made.code = value, code
        return made


class Type(StrEnum):
    """The kind of event that a memory records, such as a bugfix or a decision."""

    BUGFIX = "bugfix"
    FEATURE = "feature"
    REFACTOR = "refactor"
    CHANGE = "change"
    DISCOVERY = "discovery"
    DECISION = "decision"
    SESSION_SUMMARY = "session_summary"
    COMPRESSED_SUMMARY = "compressed_summary"


class Concept(StrEnum):
    """The sort of knowledge that a memory contains, such as a gotcha or a trade-off."""

    HOW_IT_WORKS = "how-it-works"
    WHY_IT_EXISTS = "why-it-exists"
    WHAT_CHANGED = "what-changed"
    PROBLEM_SOLUTION = "problem-solution"
    GOTCHA = "gotcha"
    PATTERN = "pattern"
    TRADE_OFF = "trade-off"


class Impact(StrEnum):
    """How important a memory is, as a word from LOW to CRITICAL."""

    rank: int
    importance: float
    code: str

    LOW = "LOW", 0, 0.3, "LOW"
    MEDIUM = "MEDIUM", 1, 0.5, "MED"
    HIGH = "HIGH", 2, 0.7, "HIGH"
    CRITICAL = "CRITICAL", 3, 0.9, "CRIT"

    def __new__(cls, value: str, rank: int = 0, importance: float = 0, code: str = "") -> Impact:
        made = str.__new__(cls, value)
        made._value_, made.rank, made.importance, made.code = value, rank, importance, code
        return made


class Region(StrEnum):
    """Where a memory is valid: in every project of its agent (AGENT) or in one project (PROJECT)."""

    AGENT = "AGENT"
    PROJECT = "PROJECT"


class Sensitivity(StrEnum):
    """Who may see a memory. A higher `level` is more restricted."""

    level: int

    PUBLIC = "public", 0
    PRIVATE = "private", 1
    SECRET = "secret", 2
    UNKNOWN = "unknown", 3

    def __new__(cls, value: str, level: int = 0) -> Sensitivity:
        made = str.__new__(cls, value)
        made._value_, made.level = value, level
        return made

    @staticmethod
    def strictest(given: Iterable[Sensitivity]) -> Sensitivity:
        """Return the most restricted of the sensitivities."""
        return max(given, key=lambda each: each.level)


class Origin(StrEnum):
    """Where the text of a memory came from. The members are ordered from most to least trusted."""

    ceiling: float
    """The maximum trust of a memory with this origin."""
    is_own: bool
    """Whether the text came from the user or the agent, and not from a tool, a file or an external source."""
    is_outside: bool
    """Whether the text was only read: from a file, an import or an external source."""

    USER = "user", 1.0
    AGENT = "agent", 0.8
    TOOL = "tool", 0.6
    FILE = "file", 0.4
    IMPORT = "import", 0.4
    EXTERNAL = "external", 0.2

    def __new__(cls, value: str, ceiling: float = 0) -> Origin:
        made = str.__new__(cls, value)
        made._value_, made.ceiling = value, ceiling
        made.is_own, made.is_outside = value in ("user", "agent"), value in ("file", "import", "external")
        return made

    @staticmethod
    def lowest(origins: tuple[Origin, ...]) -> Origin:
        """Return the least trusted of the origins. A memory made from several memories gets this origin."""
        return min(origins, key=lambda origin: (origin.ceiling, origin.value))


LEAST_ON_TRIAL = 0.6
"""The least importance of a note of the user's words that may be told on trial."""
ON_PURPOSE = "stored on purpose"
"""The value of `earned` for a memory that was stored on purpose and not captured."""


CURATED = "curated by "
"""The beginning of `earned` in a memory that a language model chose to keep."""
FOR_ITS_TOPIC = ", for its topic"
"""The end of `earned` in a memory that a language model chose only for its topic, not for every session start."""


class Tier(StrEnum):
    """Whether a memory may be shown at the start of a session (KEPT) or not (NOTED)."""

    NOTED = "noted"
    KEPT = "kept"


class Phase(IntEnum):
    """How much of a memory's text is still in use: all of it, a hint, one sentence or nothing."""

    FULL = 0
    HINT = 1
    ABSTRACT = 2
    ARCHIVED = 3


class Scale(StrEnum):
    """How long a memory is useful: for minutes, for a task, for a session or for the whole project."""

    IMMEDIATE = "immediate"
    TASK = "task"
    SESSION = "session"
    PROJECT = "project"

    def longer(self, other: Scale) -> Scale:
        """Return the longer of two scales."""
        return max(self, other, key=_SCALES.index)

    @staticmethod
    def at(age: timedelta) -> Scale:
        """Return the scale that fits an age. A negative age counts as zero."""
        return next((scale for span, scale in _SPANS if age < span), Scale.PROJECT)


_SCALES = tuple(Scale)
_SPANS = (
    (timedelta(minutes=5), Scale.IMMEDIATE),
    (timedelta(minutes=30), Scale.TASK),
    (timedelta(hours=2), Scale.SESSION),
)


@record
class Citation:
    """A reference to a range of lines in a file, with a hash of these lines from the time the memory was made."""

    path: str
    start: int
    end: int
    span_hash: str
    commit: str | None = None


def hash_plain_text(text: str) -> str:
    """Return the content hash of a text that is already in Unicode's normal form, as almost every text is.

    The text is not normalised here, because the Unicode tables differ between Python versions, and all versions must
    compute the same hash.
    """
    return sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


@record
class Source:
    """The source of a memory: a line in a transcript, a commit or a file."""

    transcript: str | None = None
    line: int | None = None
    commit: str | None = None
    file: str | None = None


@record
class Memory:
    """A stored memory. The record is immutable, so a change makes a new record."""

    id: str
    agent: str
    region: Region
    project: str | None = None
    app: str | None = None

    kind: Kind
    type: Type
    concepts: tuple[Concept, ...] = ()
    tags: tuple[str, ...] = ()
    cues: str = ""
    """Other words by which somebody would look for the memory. They are searched, and never shown as its text."""
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
    """Why the memory is kept: stored on purpose, confirmed, curated by a model, repeated, or used successfully."""
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

    content_hash: str = LATER
    """The hash of the original text. If it is not given, it is computed on first access."""
    signature: str | None = None
    token_count: int = 0

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            """Compute `content_hash` on first access."""
            if name != "content_hash":
                raise AttributeError(f"Memory has no {name!r}")
            found = hash_plain_text(self.original_content)
            type(self).content_hash.__set__(self, found)
            return found

    @property
    def root(self) -> str:
        """Return the id of the first version of this memory. This is its own id if it corrects no other memory."""
        older = self.lineage[: max(0, self.version - 1)] if self.corrects else ()
        return older[-1] if older else self.id

    @property
    def made_of(self) -> tuple[str, ...]:
        """Return the ids of the memories that this memory was made from, without its own older versions."""
        return self.lineage[max(0, self.version - 1) :] if self.corrects else self.lineage

    @property
    def effective_origin(self) -> Origin:
        """Return the origin that limits the trust: user if a person has confirmed the memory, otherwise its origin."""
        return Origin.USER if self.confirmed else self.origin

    def is_expired(self, now: datetime) -> bool:
        """Tell whether the expiry date of the memory has passed."""
        return self.expires_at is not None and self.expires_at <= now

    @property
    def label(self) -> str:
        """Return the kind and impact in short form, such as LEARN:MED. A `?` is added if the confidence is low."""
        return f"{self.kind.code}:{self.impact.code}{'?' if self.confidence < _SURE else ''}"


_SURE = 0.7


@record
class Draft:
    """A proposed memory. Fields that are None, such as the kind or title, are inferred when it is admitted."""

    text: str
    region: Region | None = None
    kind: Kind | None = None
    type: Type | None = None
    concepts: tuple[Concept, ...] | None = None
    tags: tuple[str, ...] | None = None
    cues: str | None = None
    title: str | None = None
    subtitle: str | None = None
    impact: Impact | None = None
    importance: float | None = None
    difficulty: float | None = None
    confidence: float | None = None
    sensitivity: Sensitivity | None = None
    origin: Origin = Origin.EXTERNAL
    tier: Tier | None = None
    earned: str = ""
    scale: Scale = Scale.PROJECT
    pinned: bool = False
    on_purpose: bool = False
    """Whether the user asked in a prompt to remember this text. If so, the draft counts as stored on purpose."""
    ttl_days: float | None = None
    expires_at: datetime | None = None
    """The time at which the memory expires. In contrast, `ttl_days` is counted from the time of admission."""
    created_at: datetime | None = None
    """When the text was first said, if that is known and in the past, as in an import."""
    id: str | None = None
    """The id for the memory. An import sets it, so that it recognises the same object if it is imported again."""
    session: str | None = None
    conversation: str | None = None
    source: Source | None = None
    app: str | None = None
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    sources: tuple[Memory, ...] = field(default=(), repr=False)
    replaces: tuple[str, ...] = ()
    """The ids of the live memories that it makes untrue, as the caller says."""
    drawn_from: tuple[str, ...] = ()
    """The names of the outside sources whose words the text repeats. `origin` is already lowered to theirs."""
