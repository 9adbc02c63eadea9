"""What belongs to a memory: linked with it, about the same files, or of nearly the same meaning."""

from __future__ import annotations

from limpet.model.answers import encode_hits
from limpet.model.query import Hit, Page
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, ID, PRIVATE, query_from, refuse_if_hidden
from limpet.recall.related import related
from limpet.runtime import Runtime


def run(
    runtime: Runtime, *, id: str, limit: int = 10, offset: int = 0, private: bool = False, all_projects: bool = False
) -> Page[Hit]:
    reading = runtime.reading()
    stored = refuse_if_hidden(runtime, runtime.find(id, every_project=all_projects, reading=reading))
    query = query_from(runtime, limit=limit, offset=offset, private=private, all_projects=all_projects)
    return related(stored, query, reading=reading, settings=runtime.settings.recall, judge=runtime.judged)


VERB = Verb(
    run=run,
    to_json=lambda page, now: encode_hits(page, now=now),
    params=(
        ID,
        Param(name="limit", help="How many.", kind="integer", default=10, short="n"),
        Param(name="offset", help="How many to skip.", kind="integer", default=0),
        PRIVATE,
        ALL_PROJECTS,
    ),
    examples=("limpet related mem_01jz4",),
)
