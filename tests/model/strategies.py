"""Arbitrary memories and facts, for properties."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from limpet.model.fact import Fact
from limpet.model.memory import (
    Citation,
    Concept,
    Impact,
    Kind,
    Memory,
    Origin,
    Phase,
    Region,
    Scale,
    Sensitivity,
    Source,
    Tier,
    Type,
)
from tests.model.making import body

texts = st.text(max_size=60)
lines = st.text(min_size=1, max_size=20)
shares = st.floats(min_value=0, max_value=1)
several = st.lists(lines, max_size=3).map(tuple)
moments = st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2200, 1, 1), timezones=st.just(UTC)).map(
    lambda moment: moment.replace(microsecond=moment.microsecond // 1000 * 1000)
)
bodies = st.builds(body, st.integers(0, (1 << 48) - 1), st.integers(0, (1 << 50) - 1))
memory_ids = bodies.map("mem_{}".format)


def maybe(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[str | None]:
    return st.none() | strategy


citations = st.builds(
    Citation, path=lines, start=st.integers(0), end=st.integers(0), span_hash=lines, commit=maybe(lines)
)
sources = st.builds(
    Source, transcript=maybe(lines), line=st.none() | st.integers(), commit=maybe(lines), file=maybe(lines)
)
memories = st.builds(
    Memory,
    id=memory_ids,
    agent=lines,
    region=st.sampled_from(list(Region)),
    project=maybe(texts),
    app=maybe(texts),
    kind=st.sampled_from(list(Kind)),
    type=st.sampled_from(list(Type)),
    concepts=st.lists(st.sampled_from(list(Concept)), max_size=3).map(tuple),
    tags=several,
    title=texts,
    subtitle=texts,
    content=texts,
    original_content=texts,
    impact=st.sampled_from(list(Impact)),
    importance=shares,
    difficulty=shares,
    confidence=shares,
    sensitivity=st.sampled_from(list(Sensitivity)),
    origin=st.sampled_from(list(Origin)),
    confirmed=st.booleans(),
    tier=st.sampled_from(list(Tier)),
    earned=texts,
    phase=st.sampled_from(list(Phase)),
    scale=st.sampled_from(list(Scale)),
    pinned=st.booleans(),
    created_at=moments,
    updated_at=moments,
    expires_at=st.none() | moments,
    session=maybe(texts),
    conversation=maybe(texts),
    source=st.none() | sources,
    branch=maybe(texts),
    commit=maybe(texts),
    files_read=several,
    files_modified=several,
    citations=st.lists(citations, max_size=2).map(tuple),
    previous_memory_id=maybe(memory_ids),
    version=st.integers(1, 9),
    corrects=maybe(memory_ids),
    lineage=st.lists(memory_ids, max_size=3).map(tuple),
    superseded_by=maybe(memory_ids),
    content_hash=texts,
    signature=maybe(texts),
    token_count=st.integers(0, (1 << 63) - 1),
)
facts = st.builds(
    Fact,
    id=bodies.map("fact_{}".format),
    agent=lines,
    project=maybe(texts),
    app=maybe(texts),
    subject=lines,
    predicate=lines,
    object=lines,
    confidence=shares,
    sources=st.lists(memory_ids, max_size=3).map(tuple),
    valid_from=moments,
    valid_to=st.none() | moments,
    closed_by=maybe(lines),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
