"""List memories in chronological order, grouped into episodes."""

from __future__ import annotations

from datetime import datetime

from limpet.lean.record import pick, record, replace
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import FILTERS, OFFSET, build_query, limit_param
from limpet.recall.timeline import Episode, find_boundaries, split_into_episodes
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class TimelineAnswer:
    """Memories in chronological order, grouped into episodes, which are parts of sessions about one subject."""

    episodes: tuple[Episode, ...]
    total: int
    offset: int
    has_more: bool


def run(
    runtime: Runtime,
    *,
    around: str | None = None,
    limit: int = 20,
    at: datetime | None = None,
    **filters: Any,
) -> TimelineAnswer:
    """Return, oldest first, the newest memories or those created before and after the memory `around`."""
    reading = runtime.reading(at)
    query = build_query(runtime, limit=limit, at=at, **filters)
    if around is None:
        page = reading.browse(query)
        found, total, more = list(page.items), page.total, page.has_more
    else:
        middle = find_visible(runtime, around, reading=reading).memory
        half = max(1, query.limit // 2)
        before = reading.browse(replace(query, until=middle.created_at, limit=half, offset=0))
        after = reading.browse(replace(query, since=middle.created_at, limit=1000, offset=0))
        found = [*before.items, *list(after.items)[::-1][: half + 1]]
        total, more = before.total + after.total, before.has_more or after.total > half + 1
    judged = [runtime.signer.judge(stored) for stored in found]
    boundaries = find_boundaries(reading, query.scope, judged)
    return TimelineAnswer(
        episodes=split_into_episodes(judged, boundaries), total=total, offset=query.offset, has_more=more
    )


VERB = Verb(
    run=run,
    shape=lambda answer: {
        "episodes": [pick(each, "session", "started_at", "ended_at", "memories") for each in answer.episodes],
        **pick(answer, "total", "offset", "has_more"),
    },
    params=(
        Param(name="around", help="Only what came shortly before and after this memory."),
        *FILTERS,
        limit_param(20),
        OFFSET,
    ),
    examples=("limpet timeline", "limpet timeline --since 2026-10-01", "limpet timeline --around mem_01jz4"),
)
