"""Find the memories that answer a question, and those that are only similar to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from limpet.errors import UsageError
from limpet.lean.record import pick
from limpet.model.query import Hit, Page, Query
from limpet.model.receipt import Receipt
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import FILTERS, OFFSET, build_query, limit_param
from limpet.recall.questions import Question, keep_question
from limpet.recall.search import search, weigh_question
from limpet.recall.wordings import MOST_WORDINGS, search_wordings
from limpet.runtime import Runtime
from limpet.settings import RecallSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(
    runtime: Runtime,
    *,
    query: str,
    also: Sequence[str] | None = None,
    limit: int | None = None,
    at: datetime | None = None,
    explain: bool = False,
    **filters: Any,
) -> Page[Hit]:
    # Read first, because the query is then built from this reading, without looking at the journal again.
    reading = runtime.reading(at)
    runtime.store.embed_missing()
    settings = weigh_question(runtime.settings.recall)
    asked = build_query(
        runtime, text=query, limit=settings.limit if limit is None else limit, at=at, weak=True, **filters
    )
    if also and len(also) > MOST_WORDINGS:
        raise UsageError(f"{len(also)} other wordings are too many; give at most {MOST_WORDINGS}")
    last = reading.last_session(asked.scope.project, besides=runtime.session)
    ask = partial(search, reading=reading, settings=settings, judge=runtime.signer.judge, last_session=last)
    page = search_wordings(asked, also, search=ask) if also else ask(asked)
    if at is None:
        # A weak hit may not answer the question, so it is not counted as an access unless it is opened.
        answers = tuple(hit.memory.id for hit in page.items if not hit.weak)
        record_access(runtime, answers, way="recall")
        _keep_question(runtime, asked, answers, settings)
    return page


def _keep_question(runtime: Runtime, asked: Query, answers: tuple[str, ...], settings: RecallSettings) -> None:
    """Save a question and its answers, if it had no filters and only public memories of this scope were searched.

    Upkeep later merges memories only if every saved question still finds its answer.
    """
    plain = Query(scope=asked.scope, text=asked.text, now=asked.now, limit=asked.limit, weak=True)
    if asked != plain or asked.scope.every_project or asked.scope.app is not None:
        return
    question = Question(text=asked.text, agent=asked.scope.agent, project=asked.scope.project, answers=answers)
    keep_question(runtime.settings.home, question, most=settings.questions)


def record_access(runtime: Runtime, ids: Sequence[str], *, way: str) -> None:
    """Record an access to each of these memories; `way` says how they were accessed, such as `recall`."""
    if not ids:
        return
    runtime.note(Receipt(id="", way=way, ids=tuple(ids), session=runtime.session, counts=True))


VERB = Verb(
    run=run,
    shape=lambda page: {"hits": page.items, **pick(page, "total", "offset", "has_more")},
    params=(
        Param(
            name="query", help="What you want to know, in any words.", positional=True, required=True, free_text=True
        ),
        *FILTERS,
        limit_param(None, setting="recall.limit"),
        OFFSET,
        Param(
            name="also", help=f"Another wording of the same question; up to {MOST_WORDINGS}.", many=True, free_text=True
        ),
        Param(name="explain", help="Show the parts of every score.", kind="flag"),
    ),
    examples=(
        'limpet recall "how do we run migrations"',
        "limpet recall --file src/app.py --since 2026-10-01 timeout",
        "limpet recall --json -n 10 deploy",
    ),
)
