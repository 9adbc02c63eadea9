"""Add a fact, end one, and judge whether one may be shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial

from limpet.clock import to_ms
from limpet.doors.fields import clean_words
from limpet.doors.governor import fact_as_memory
from limpet.doors.origin import find_origin
from limpet.errors import InvalidId, Unfit, UsageError
from limpet.lean.record import record
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.codec import encode_fact, format_time
from limpet.model.fact import Fact
from limpet.model.ids import new_id
from limpet.model.memory import Origin, Sensitivity
from limpet.model.query import Stored
from limpet.runtime import Runtime
from limpet.runtime.permissions import complete_id, find_visible
from limpet.secrets.personal import is_personal
from limpet.secrets.redact import redact_named
from limpet.store.protocol import FactQuery, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


OVERTAKEN = 0.6
"""The factor by which the confidence of a fact is multiplied when a newer fact replaces it."""


@record
class JudgedFact:
    """A fact, and the same fact as a memory that has the sensitivity, origin and status of the fact's sources."""

    fact: Fact
    stored: Stored


@record
class FactsAnswer:
    """The facts that were found, added or ended."""

    judged: tuple[JudgedFact, ...]
    total: int
    offset: int = 0
    left_out: int = 0
    """How many facts are not shown or counted, because they or their sources are not public, or were forgotten."""
    closed: tuple[Fact, ...] = ()
    added: bool = False
    redacted: tuple[str, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return only the facts in `judged`, without the memories made from them."""
        return tuple(each.fact for each in self.judged)

    @property
    def seen(self) -> int:
        """Return the number of facts up to the end of this page."""
        return self.offset + len(self.judged)

    @property
    def has_more(self) -> bool:
        """Tell whether there is another page."""
        return self.seen < self.total


def judge_fact(reading: Reading, fact: Fact) -> JudgedFact:
    """Return a fact together with the same fact as a memory, made from the current state of its sources."""
    return JudgedFact(fact=fact, stored=fact_as_memory(fact, [reading.get(source) for source in fact.sources]))


def is_shown(judged: JudgedFact, allowed: Collection[Sensitivity], *, forgotten: bool) -> bool:
    """Tell whether to show a fact: its sensitivity is allowed, and it is not based only on forgotten memories.

    If `forgotten` is set, facts that are based on forgotten memories are shown too.
    """
    stored = judged.stored
    return stored.memory.sensitivity in allowed and (forgotten or stored.status is not Status.FORGOTTEN)


def add(
    runtime: Runtime,
    subject: str,
    predicate: str,
    object: str,
    *,
    confidence: float | None = None,
    sources: Sequence[str] = (),
    valid_from: datetime | None = None,
) -> FactsAnswer:
    """Store a fact. Older facts with the same subject and predicate but another object end when this one begins.

    A more trusted fact does not end; then the confidence of the new one is limited. If the same fact already holds at
    that time, it only gets the given confidence.
    """
    now = runtime.now()
    try:
        parts, redacted = clean_parts(subject, predicate, object)
    except Unfit as unfit:
        raise UsageError(str(unfit)) from None
    if confidence is not None and not 0 <= confidence <= 1:
        raise UsageError(f"confidence is {confidence!r}; give a number between 0 and 1")
    start = valid_from or now
    scope = runtime.scope()
    query = FactQuery(scope=scope, subject=parts["subject"], predicate=parts["predicate"], closed=True, limit=1000)
    reading = runtime.reading()
    held = reading.facts(query).items
    same = [fact for fact in held if fact.object.casefold() == parts["object"].casefold() and fact.holds_at(start)]
    origin, _ = find_origin(runtime.caller.origin, ". ".join(parts.values()), runtime.find_taint())
    if same:
        known = same[0]
        if confidence not in (None, known.confidence) and _may_overtake(origin, known):
            change = Change(kind=ChangeKind.REFRESH, subject=known.id, payload={"confidence": confidence})
            runtime.write([change])
            reading = runtime.reading()
            known = reading.fact(known.id) or known
        return FactsAnswer(judged=(judge_fact(reading, known),), total=1, redacted=redacted)
    others = [older for older in held if older.holds_at(start)]
    overtaken = [older for older in others if _may_overtake(origin, older)]
    sure = OVERTAKEN if len(overtaken) < len(others) else 1.0
    following = min(
        (later for later in held if later.valid_from > start), key=lambda each: each.valid_from, default=None
    )
    fact = Fact(
        id=new_id("fact", to_ms(now)),
        agent=scope.agent,
        project=scope.project,
        confidence=min(sure, 1.0 if confidence is None else confidence),
        sources=tuple(find_visible(runtime, source).memory.id for source in sources),
        origin=origin,
        sensitivity=classify_parts(parts, redacted),
        **parts,
        valid_from=start,
        valid_to=following.valid_from if following else None,
        closed_by=following.id if following else None,
    )
    changes = [Change(kind=ChangeKind.FACT, subject=fact.id, payload={"fact": encode_fact(fact)}, lineage=fact.sources)]
    changes += [
        Change(
            kind=ChangeKind.CLOSE,
            subject=older.id,
            payload={
                "valid_to": format_time(start),
                "confidence": round(older.confidence * OVERTAKEN, 3),
                "by": fact.id,
            },
        )
        for older in overtaken
    ]
    runtime.write(changes)
    judged = judge_fact(runtime.reading(), fact)
    return FactsAnswer(judged=(judged,), total=1, closed=tuple(overtaken), added=True, redacted=redacted)


def _may_overtake(origin: Origin, older: Fact) -> bool:
    """Tell whether a new fact of this origin may end an older one, which must not be more trusted."""
    return origin.ceiling >= (older.origin or Origin.AGENT).ceiling


def classify_parts(parts: Mapping[str, str], redacted: tuple[str, ...]) -> Sensitivity:
    """Return the sensitivity of a fact: private if something was removed, or if it is personal."""
    is_private = bool(redacted) or is_personal(" ".join(parts.values()))
    return Sensitivity.PRIVATE if is_private else Sensitivity.PUBLIC


def clean_parts(subject: str, predicate: str, object: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the cleaned words of a fact by their names, and the kinds of secrets that were removed from them.

    Raise Unfit if they cannot be stored.
    """
    fit: dict[str, Any] = {}
    redacted: tuple[str, ...] = ()
    for name, value in (("subject", subject), ("predicate", predicate), ("object", object)):
        fit[name], kinds = clean_words(name, value)
        if not fit[name]:
            raise Unfit(f"the fact's {name} is empty; a fact needs a subject, a predicate and an object")
        redacted += kinds
    # Some secrets are only recognised by the name before them, such as `password`.
    for name in (fit["predicate"], fit["subject"], f"{fit['subject']} {fit['predicate']}"):
        fit["object"], kinds = redact_named(name, fit["object"])
        redacted += kinds
    return fit, redacted


def close(runtime: Runtime, fact_id: str, *, valid_to: datetime | None = None) -> FactsAnswer:
    """End a fact at a given time, or now. A fact that has already ended is not changed."""
    list_ids = partial(runtime.reading().ids_with_prefix, scope=runtime.scope(), limit=1000)
    id = complete_id(fact_id, list_ids, noun="fact", shown_by="limpet facts", prefix="fact")
    fact = runtime.reading().fact(id) if id is not None else None
    if fact is None:
        raise InvalidId(f"no fact here has the id {fact_id[:60]!r}; `limpet facts` lists them")
    end = valid_to or runtime.now()
    if end < fact.valid_from:
        raise UsageError(f"the fact begins at {format_time(fact.valid_from)}; it cannot end before that")
    if fact.valid_to is None:
        runtime.write([Change(kind=ChangeKind.CLOSE, subject=fact.id, payload={"valid_to": format_time(end)})])
    reading = runtime.reading()
    closed = reading.fact(fact.id) or fact
    return FactsAnswer(judged=(judge_fact(reading, closed),), total=1, closed=(closed,))
