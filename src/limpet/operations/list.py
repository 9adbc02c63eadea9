"""List memories, newest first."""

from __future__ import annotations

from datetime import datetime

from limpet.lean.record import pick, replace
from limpet.model.change import Status
from limpet.model.query import EVERY_STATUS, NO_LIMIT, Page, Query, Stored
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import FILTERS, OFFSET, build_query, limit_param
from limpet.runtime import Runtime
from limpet.store.protocol import Reading
from limpet.text.lexicon import parse_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(
    runtime: Runtime,
    *,
    limit: int = 50,
    at: datetime | None = None,
    all: bool = False,
    forgotten: bool = False,
    pinned: bool = False,
    **filters: Any,
) -> Page[Stored]:
    statuses: tuple[Status, ...] = (Status.LIVE,)
    if all:
        statuses = EVERY_STATUS
    elif forgotten:
        statuses = (Status.FORGOTTEN,)
    query = build_query(runtime, limit=limit, at=at, statuses=statuses, pinned=pinned or None, **filters)
    query = replace(query, expired=all, archived=all)
    reading = runtime.reading(at)
    page = reading.browse(query) if parse_terms(query.keyword or "x") else _find_signs(reading, query)
    return replace(page, items=tuple(runtime.signer.judge(stored) for stored in page.items))


def _find_signs(reading: Reading, query: Query) -> Page[Stored]:
    """Return the memories in whose texts the keyword occurs: a sign such as `%`, which is not in the index."""
    signs = (query.keyword or "").split()
    found = [
        stored
        for stored in reading.browse(replace(query, keyword=None, limit=NO_LIMIT, offset=0)).items
        if signs and all(sign in f"{stored.memory.title}\n{stored.memory.original_content}" for sign in signs)
    ]
    shown = found[query.offset : query.offset + query.limit]
    return Page(items=tuple(shown), total=len(found), offset=query.offset)


VERB = Verb(
    run=run,
    shape=lambda page: {"memories": page.items, **pick(page, "total", "offset", "has_more")},
    params=(
        *FILTERS,
        limit_param(50),
        OFFSET,
        Param(name="keyword", help="Only with these words."),
        Param(name="all", help="Include superseded, forgotten, expired and archived memories.", kind="flag", short="a"),
        Param(name="forgotten", help="Only forgotten ones.", kind="flag"),
        Param(name="pinned", help="Only pinned ones.", kind="flag"),
    ),
    examples=(
        "limpet list",
        "limpet list --kind ARCHITECTURAL --impact CRITICAL",
        "limpet list --since yesterday --tier noted",
        "limpet list --at 2026-10-01 --json",
    ),
)
