"""Query facts, add a fact, or end one.

A fact has a subject, a predicate and an object, and the period in which it is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from limpet.curating.facts import FactsAnswer, add, close, is_shown, judge_fact
from limpet.errors import UsageError
from limpet.lean.record import pick, replace
from limpet.model.query import NO_LIMIT, check_page
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, OFFSET, PRIVATE, limit_param
from limpet.runtime import Runtime
from limpet.runtime.permissions import visible_sensitivities
from limpet.store.protocol import FactQuery
from limpet.text.excerpt import replace_surrogates


def run(
    runtime: Runtime,
    *,
    action: str = "query",
    words: Sequence[str] = (),
    subject: str | None = None,
    predicate: str | None = None,
    object: str | None = None,
    confidence: float | None = None,
    sources: Sequence[str] | None = None,
    valid_from: datetime | None = None,
    at: datetime | None = None,
    closed: bool = False,
    private: bool = False,
    all_projects: bool = False,
    limit: int = 50,
    offset: int = 0,
) -> FactsAnswer:
    if action not in ("query", "add", "close"):
        action, words = "query", (action, *words)
    check_page(limit, offset)
    if action == "add":
        if len(words) != 3:
            raise UsageError(
                "facts add takes three words: SUBJECT PREDICATE OBJECT, e.g. limpet facts add api port 8080"
            )
        return add(runtime, *words, confidence=confidence, sources=sources or (), valid_from=valid_from)
    if action == "close":
        if len(words) != 1:
            raise UsageError("facts close takes the id of one fact; `limpet facts` lists them")
        return close(runtime, words[0], valid_to=at)
    given = dict(zip(("subject", "predicate", "object"), words, strict=False))
    if len(words) > 3:
        raise UsageError("facts query takes at most SUBJECT PREDICATE OBJECT; quote what has spaces")
    query = FactQuery(
        scope=runtime.scope(every_project=all_projects),
        subject=replace_surrogates(subject or given.get("subject")),
        predicate=replace_surrogates(predicate or given.get("predicate")),
        object=replace_surrogates(object or given.get("object")),
        at=at,
        closed=closed,
        # All are judged, because a total would tell that there are facts that are not shown.
        limit=NO_LIMIT,
    )
    reading, allowed = runtime.reading(), visible_sensitivities(runtime, private=private, sensitivity=None)
    judged = [judge_fact(reading, fact) for fact in reading.facts(query).items]
    shown = tuple(each for each in judged if is_shown(each, allowed, forgotten=private))
    return FactsAnswer(
        judged=shown[offset : offset + limit],
        total=len(shown),
        offset=offset,
        left_out=len(judged) - len(shown),
    )


VERB = Verb(
    run=run,
    shape=lambda answer: {
        "facts": answer.facts,
        "closed": [fact.id for fact in answer.closed],
        **pick(answer, "redacted", "left_out", "total", "offset", "has_more"),
    },
    params=(
        Param(
            name="action",
            help="What to do: query (which may be left out), add, or close, which ends a fact.",
            positional=True,
            default="query",
        ),
        Param(
            name="words", help="SUBJECT PREDICATE OBJECT, or the id of the fact to close.", positional=True, many=True
        ),
        Param(name="subject", help="Only about this subject."),
        Param(name="predicate", help="Only with this predicate."),
        Param(name="object", help="Only with this object."),
        Param(name="confidence", help="How sure it is, from 0 to 1.", kind="number"),
        Param(name="sources", help="Ids of the memories it is based on.", many=True),
        Param(name="valid_from", help="When it became true; now if not given.", kind="moment"),
        Param(name="at", help="Only facts that were true at this date; with close: when it ended.", kind="moment"),
        Param(name="closed", help="Include facts that are no longer true.", kind="flag"),
        replace(PRIVATE, help="Include facts that are based on private, secret or forgotten memories."),
        ALL_PROJECTS,
        limit_param(50, what="facts"),
        OFFSET,
    ),
    details=(
        "A fact has a subject, a predicate and an object, and the time in which it is true. Adding another object for "
        "the same subject and predicate ends the older fact."
    ),
    examples=(
        "limpet facts add api port 8080",
        "limpet facts api",
        "limpet facts --at 2026-10-01",
        "limpet facts close fact_01jz4",
    ),
)
