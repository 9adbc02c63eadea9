"""List memories, newest first."""

from __future__ import annotations

from datetime import datetime

from limpet.lean.record import replace
from limpet.model.answers import encode_memories
from limpet.model.change import Status
from limpet.model.query import EVERY_STATUS, Page, Stored
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import FILTERS, OFFSET, build_query, limit_param
from limpet.runtime import Runtime

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
    page = runtime.reading(at).browse(replace(query, expired=all, archived=all))
    return replace(page, items=tuple(runtime.signer.judge(stored) for stored in page.items))


VERB = Verb(
    run=run,
    to_json=lambda page, now: encode_memories(page, now=now),
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
        "limpet list --at 2026-10-01 --json",
    ),
)
