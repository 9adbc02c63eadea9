"""Write and check the rows of memories in the search tables: facets, bands and the full-text index.

Facets are tags, concepts and files. Bands are parts of a simhash, a hash that is similar for similar texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import apsw

from limpet.lean.record import record
from limpet.model.change import Status
from limpet.model.codec import decode_memory
from limpet.model.memory import Memory, Origin, Phase, Sensitivity
from limpet.model.scope import agent_token, token_of
from limpet.store.view.open import View
from limpet.store.view.rows import (
    TEXT,
    USERS,
    decode_text,
    index_tokens,
    join_meaning,
    list_shelves,
    put_vectors,
    read_meaning,
    scoped_bands,
)
from limpet.text.lexicon import expand_for_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_PUT_WORDS = "INSERT INTO words (rowid, title, subtitle, content, tags, files, scope) VALUES (?, ?, ?, ?, ?, ?, ?)"
_HAS_FACET = "SELECT 1 FROM facet WHERE name = ? AND value = ? AND memory = ?"
_HAS_BAND = "SELECT 1 FROM band WHERE value = ? AND memory = ?"
_WITHOUT_VECTOR = f"""
    SELECT m.id, v.key IS NOT NULL, {TEXT} FROM memory m
    LEFT JOIN change c ON c.key = m.birth LEFT JOIN vector v ON v.key = m.key
    WHERE m.status = 'live' AND m.key NOT IN (SELECT key FROM unembedded)
    AND (v.key IS NULL OR m.key NOT IN (SELECT key FROM sketch))
"""
_PLACES_OF_WORDS = "SELECT doc, term, col, offset FROM places"
_SIZES = "SELECT sz FROM words_docsize WHERE id = ?"


def _facets_of(memory: Memory) -> set[tuple[str, str]]:
    """Return the facets of a memory as pairs of a name (tag, concept or file) and a value."""
    return {
        *(("tag", tag.lower()) for tag in memory.tags),
        *(("concept", concept.value) for concept in memory.concepts),
        *(("file", path) for path in (*memory.files_read, *memory.files_modified)),
        *(("file", citation.path) for citation in memory.citations),
    }


@record
class Searchable:
    """The values of a memory for the search tables; `scope` and `simhash` are as in the table `memory`."""

    key: int
    scope: int
    memory: Memory
    status: Status
    simhash: int | None


def put_search_rows(view: View, found: Sequence[Searchable]) -> None:
    """Add memories to the search tables. If a memory is not live, only its facets are added."""
    # Table by table and in the order of the keys, because that is faster than memory by memory.
    put = view.connection.executemany
    facets = [(name, value, each.key) for each in found for name, value in _facets_of(each.memory)]
    put("INSERT OR IGNORE INTO facet VALUES (?, ?, ?)", sorted(facets))
    live = [each for each in found if each.status is Status.LIVE]
    put("INSERT OR IGNORE INTO band VALUES (?, ?)", sorted(row for each in live for row in _bands_of(each)))
    put(_PUT_WORDS, [(each.key, *_indexed_texts(each.memory)) for each in live])
    if live and view.any_vectors and view.has_vectors:
        if view.embeds:
            texts = [join_meaning(each.memory.original_content, each.memory.cues) for each in live]
            shelves = [
                list_shelves((each.scope,), (each.memory.sensitivity,), each.memory.phase is Phase.ARCHIVED)[0]
                for each in live
            ]
            put_vectors(view, list(zip((each.key for each in live), shelves, texts, strict=True)))
        else:
            put("INSERT OR IGNORE INTO unembedded VALUES (?)", [(each.key,) for each in live])


def _bands_of(found: Searchable) -> list[tuple[int, int]]:
    """Return the rows of a live memory for the table of bands, or an empty list if it is archived."""
    if found.simhash is None or found.memory.phase is Phase.ARCHIVED:
        return []
    return [(band, found.key) for band in dict.fromkeys(scoped_bands(found.scope, found.simhash + (1 << 63)))]


def find_wrong_search_rows(view: View) -> Iterator[str]:
    """Yield the ids of memories whose rows in the search tables are missing or wrong.

    An empty string is yielded if there are rows that belong to no memory. The words in the full-text index cannot be
    read back, so the texts are indexed again, some memories at a time, and the places of their words are compared.
    Vectors are only checked for being missing.
    """
    places = _sum_places(view.connection)
    other = apsw.Connection(":memory:")
    other.execute(str(view.run("SELECT sql FROM sqlite_master WHERE name = 'words'").get))
    yield from _find_missing_vectors(view)
    known = dict.fromkeys(("facet", "band", "words_docsize"), 0)
    last = -1
    while rows := _read_searchable(view, after=last):
        last = rows[-1].key
        live = [each for each in rows if each.status is Status.LIVE]
        other.executemany(_PUT_WORDS, [(each.key, *_indexed_texts(each.memory)) for each in live])
        sizes: dict[Any, Any] = {row[0]: row[1] for row in other.execute("SELECT id, sz FROM words_docsize")}
        expected = _sum_places(other)
        other.execute("DELETE FROM words")
        for each in rows:
            facets = [(*facet, each.key) for facet in _facets_of(each.memory)]
            bands = _bands_of(each) if each.key in sizes else []
            known["facet"] += len(facets)
            known["band"] += len(bands)
            known["words_docsize"] += each.key in sizes
            is_right = all(view.run(_HAS_FACET, row).get for row in facets)
            is_right = is_right and all(view.run(_HAS_BAND, row).get for row in bands)
            is_right = is_right and places.get(each.key) == expected.get(each.key)
            if not is_right or view.run(_SIZES, (each.key,)).get != sizes.get(each.key):
                yield each.memory.id
    if any(view.run(f"SELECT count(*) FROM {name}").get != count for name, count in known.items()):
        yield ""


def _find_missing_vectors(view: View) -> Iterator[str]:
    """Yield the ids of live memories whose vector is missing or incomplete and will not be computed later."""
    if not view.has_vectors or not view.run("SELECT 1 FROM meta WHERE name = 'vectors'").get:
        return
    from limpet.text.embedding import load_embedding_table

    rows: Any = view.run(_WITHOUT_VECTOR)
    for memory_id, has_vector, *row in rows:
        # A text without words has no vector.
        if has_vector or load_embedding_table().encode_many([read_meaning(decode_text(row))])[0] is not None:
            yield str(memory_id)


def _sum_places(connection: apsw.Connection) -> dict[int, int]:
    """Return a checksum of the words and their places for each memory in a full-text index."""
    sums: dict[int, int] = {}
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab(main, words, instance)")
    rows: Any = connection.execute(_PLACES_OF_WORDS)
    for key, *place in rows:
        sums[key] = sums.get(key, 0) + hash(tuple(place))
    return sums


def _read_searchable(view: View, *, after: int, limit: int = 500) -> list[Searchable]:
    """Return up to `limit` memories with keys above `after`, in the order of their keys."""
    rows: list[Any] = view.run(
        f"SELECT {TEXT}, m.key, m.scope, m.status, m.simhash FROM memory m LEFT JOIN change c ON c.key = m.birth "
        "WHERE m.key > ? ORDER BY m.key LIMIT ?",
        (after, limit),
    ).fetchall()
    return [
        Searchable(key=key, scope=scope, memory=decode_memory(decode_text(row)), status=Status(status), simhash=simhash)
        for row in rows
        for key, scope, status, simhash in (row[3:],)
    ]


def _indexed_texts(memory: Memory) -> tuple[str, ...]:
    """Return the texts of a memory for the full-text index, in the order of its columns."""
    files = (*memory.files_read, *memory.files_modified, *(each.path for each in memory.citations))
    # The agent as a whole does not see a memory that an app owns.
    owners = (token_of(memory),) if memory.app is not None else (token_of(memory), agent_token(memory.agent))
    tokens = index_tokens(owners, (memory.sensitivity,), memory.phase is Phase.ARCHIVED)
    if memory.origin is Origin.USER:
        tokens += [f"{token}{USERS}" for token in tokens]
    return (
        expand_for_index(memory.title),
        expand_for_index(memory.subtitle),
        expand_for_index(memory.original_content),
        expand_for_index(" ".join((*memory.tags, memory.cues))),
        expand_for_index(" ".join(dict.fromkeys(files))),
        " ".join(tokens),
    )


def clear_search_rows(view: View, key: int) -> None:
    """Remove a memory from the search tables. Call this before its row in the table `memory` is changed."""
    row: Any = view.run(
        f"SELECT {TEXT}, m.scope, m.simhash FROM memory m LEFT JOIN change c ON c.key = m.birth WHERE m.key = ?", (key,)
    ).fetchone()
    scope, simhash = row[3:]
    view.run("DELETE FROM words WHERE rowid = ?", (key,))
    for archived in (False, True):
        for shelf in list_shelves((scope,), Sensitivity, archived):
            view.run("DELETE FROM sketch WHERE shelf = ? AND key = ?", (shelf, key))
    view.run("DELETE FROM vector WHERE key = ?", (key,))
    view.run("DELETE FROM sentence WHERE key = ?", (key,))
    view.run("DELETE FROM unembedded WHERE key = ?", (key,))
    for band in () if simhash is None else scoped_bands(scope, simhash + (1 << 63)):
        view.run("DELETE FROM band WHERE value = ? AND memory = ?", (band, key))
    try:
        facets = _facets_of(decode_memory(decode_text(row)))
    except (ValueError, LookupError, TypeError):
        clear_facets(view, key)
    else:
        for name, value in facets:
            view.run("DELETE FROM facet WHERE name = ? AND value = ? AND memory = ?", (name, value, key))


def clear_facets(view: View, key: int) -> None:
    """Remove the facets of a memory whose earlier text is not known. This reads the whole table of facets."""
    view.run("DELETE FROM facet WHERE memory = ?", (key,))
