"""Find memories that are related to one memory: linked with it, about the same files, or of similar meaning."""

from __future__ import annotations

from collections.abc import Callable

from limpet.lean.record import replace
from limpet.model.query import Hit, Page, Query, Stored
from limpet.recall.search import ENOUGH_COSINE, score_parts, total_score
from limpet.settings import RecallSettings
from limpet.store.protocol import Reading

_LINKED = {"contradicts": 1.0, "corrects": 1.0, "replaces": 1.0, "near": 0.9, "follows": 0.4}
_SAME_FILE = 0.6
_NEAREST = 40


def find_related(
    stored: Stored,
    query: Query,
    *,
    reading: Reading,
    settings: RecallSettings,
    judge: Callable[[Stored], Stored],
) -> Page[Hit]:
    """Return the memories related to a memory; the parts of a score are the reasons: links, files, meaning.

    Links weigh most, then files, then meaning.
    """
    memory = stored.memory
    reasons: dict[str, dict[str, float]] = {}
    found: dict[str, Stored] = {}

    def add(other: Stored | None, reason: str, weight: float) -> None:
        if other is None or other.memory.id == memory.id:
            return
        found.setdefault(other.memory.id, other)
        reasons.setdefault(other.memory.id, {})[reason] = weight

    linked = {
        (relation, to if source == memory.id else source)
        for source, relation, to in reading.links(query.scope)
        if memory.id in (source, to)
    }
    if memory.previous_memory_id:
        linked.add(("follows", memory.previous_memory_id))
    for relation, id in linked:
        add(_get_visible(reading, query, id), relation, _LINKED.get(relation, 0.5))
    for path in {*memory.files_read, *memory.files_modified, *(each.path for each in memory.citations)}:
        for other in reading.browse(replace(query, file=path, limit=20, offset=0)).items:
            add(other, "file", _SAME_FILE)
    code = reading.code_of(memory.id)
    if code is not None:
        near = dict(reading.by_meaning(query, code, limit=_NEAREST))
        for key, other in reading.by_keys(query, tuple(near)).items():
            if near[key] >= ENOUGH_COSINE:
                add(other, "meaning", near[key])
    hits = []
    for id, parts in reasons.items():
        judged = judge(found[id])
        scored = score_parts(judged, match=min(1.0, max(parts.values())), now=query.now, settings=settings)
        hits.append(Hit(stored=judged, score=total_score(scored, settings), parts={**scored, **parts}))
    hits.sort(key=lambda hit: (-hit.score, hit.memory.id))
    return Page(items=tuple(hits[query.offset : query.offset + query.limit]), total=len(hits), offset=query.offset)


def _get_visible(reading: Reading, query: Query, id: str) -> Stored | None:
    """Return a linked memory if the query may see it."""
    key = reading.key_of(id)
    return reading.by_keys(query, (key,)).get(key) if key is not None else None
