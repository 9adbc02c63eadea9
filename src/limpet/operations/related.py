"""Find memories that are related to one: linked with it, about the same files, or similar in meaning."""

from __future__ import annotations

from limpet.lean.record import pick
from limpet.model.query import Hit, Page
from limpet.operations.catalogue import Verb
from limpet.operations.parameters import ALL_PROJECTS, ID, OFFSET, PRIVATE, build_query, limit_param
from limpet.recall.related import find_related
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible


def run(
    runtime: Runtime, *, id: str, limit: int = 10, offset: int = 0, private: bool = False, all_projects: bool = False
) -> Page[Hit]:
    reading = runtime.reading()
    stored = find_visible(runtime, id, every_project=all_projects, reading=reading)
    query = build_query(runtime, limit=limit, offset=offset, private=private, all_projects=all_projects)
    return find_related(stored, query, reading=reading, settings=runtime.settings.recall, judge=runtime.signer.judge)


VERB = Verb(
    run=run,
    shape=lambda page: {"hits": page.items, **pick(page, "total", "offset", "has_more")},
    params=(
        ID,
        limit_param(10),
        OFFSET,
        PRIVATE,
        ALL_PROJECTS,
    ),
    examples=("limpet related mem_01jz4",),
)
