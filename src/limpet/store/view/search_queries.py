"""Search memories by words and by meaning, and fetch the data for ranking the results.

Scope and sensitivity are part of the full-text index and of each vector's row, so only memories that the query may
return are ranked. Vectors are searched in two steps: first the signs (one bit for each dimension) of all vectors of a
scope, and then the full vectors (their codes) of the nearest ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.model.memory import Phase
from limpet.model.query import Query
from limpet.store.protocol import Neighbours
from limpet.store.view.conditions import COLUMNS, conditions, is_plain, search_tokens
from limpet.store.view.open import SCOPE
from limpet.store.view.rows import RowSource, list_shelves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.text.embedding import Code
    from limpet.text.lexicon import Term

_COARSE, _COARSE_EACH = 500, 10
"""How many of the vectors with the most similar signs are compared in full: at most, and for each result."""
_COUNTED = 1000
_ALL = -1
_WEIGHTS = "4.0, 2.0, 1.0, 3.0, 2.0, 0.0"


def by_words(source: RowSource, query: Query, asked: Sequence[Term], *, limit: int) -> list[tuple[int, float]]:
    """Return the index keys of the best matches in the full-text index with their scores, best first.

    A higher score is better.
    """
    if not asked:
        return []
    match = f"{_match_scope(query)} : ({' OR '.join(way for term in asked for way in term.ways)})"
    if is_plain(query):
        rows = source.run(
            f"SELECT rowid, bm25(words, {_WEIGHTS}) AS rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?",
            (match, limit),
        ).fetchall()
    else:
        where, values = conditions(query)
        # With CROSS JOIN the full text is searched once; otherwise SQLite might search it for every memory.
        rows = source.run(
            f"SELECT words.rowid, bm25(words, {_WEIGHTS}) AS rank "
            "FROM words CROSS JOIN memory m ON m.key = words.rowid "
            f"WHERE words MATCH ? AND {where} ORDER BY rank LIMIT ?",
            (match, *values, limit),
        ).fetchall()
    return [(int(row[0] or 0), -float(row[1] or 0)) for row in rows]


def frequencies(
    source: RowSource, query: Query, asked: Sequence[Term], *, at_most: int = _COUNTED
) -> tuple[int, list[int]]:
    """Return an upper bound on the number of all memories, and for each term the number that contain it.

    Only memories in the scope of the query are counted for a term, up to `at_most`.
    """
    most = int(source.run("SELECT coalesce(max(key), 0) FROM memory").get or 0)
    scope = _match_scope(query)
    counted = []
    for term in asked:
        found = source.run(
            "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)",
            (f"{scope} : ({' OR '.join(term.ways)})", at_most),
        ).get
        counted.append(int(found or 0))
    return most, counted


def by_meaning(
    source: RowSource, query: Query, code: Code, *, limit: int, newest: int = _ALL
) -> list[tuple[int, float]]:
    """Return the index keys of the memories with the most similar vectors and their cosine similarity, best first.

    `code` is the vector of the question. If `newest` is given and the query filters only by scope and sensitivity, only
    that many of the newest memories of each scope are compared. A sentence-encoder vector is compared with all vectors
    of that encoder, which is slower.
    """
    if not source.view.has_vectors:
        return []
    from limpet.text.embedding import DIMENSIONS, sign_bits

    tokens = query.scope.tokens()
    keys = [source.run(f"SELECT {SCOPE}", (token,)).get for token in tokens or ()]
    values: list[Any] = list_shelves(
        [int(key) for key in keys if key is not None], query.sensitivity, query.phase is Phase.ARCHIVED
    )
    inside = f"s.shelf IN ({_placeholders(values)})"
    sketches = "sketch"
    across = tokens is None
    if not across and not values:
        return []
    if across:
        inside, values = "1", []
    if across or not is_plain(query):
        where, more = conditions(query)
        inside += f" AND s.key IN (SELECT m.key FROM memory m WHERE {where})"
        values += more
    elif newest != _ALL:
        one = "SELECT * FROM (SELECT key, bits FROM sketch WHERE shelf = ? ORDER BY key DESC LIMIT ?)"
        sketches = f"({' UNION ALL '.join([one] * len(values))})"
        inside, values = "1", [value for shelf in values for value in (shelf, newest)]
    if len(code) != DIMENSIONS:
        rows = source.run(
            "SELECT v.key, vec_distance_cosine(vec_int8(v.code), vec_int8(?)) AS distance "
            "FROM sketch s JOIN sentence v ON v.key = s.key "
            f"WHERE {inside} AND length(v.code) = ? ORDER BY distance LIMIT ?",
            (code, *values, len(code), limit),
        )
        return [(int(row[0] or 0), 1 - float(row[1] or 0)) for row in rows]
    rows = source.run(
        "SELECT v.key, vec_distance_cosine(vec_int8(v.code), vec_int8(?)) AS distance FROM ("
        f"SELECT s.key FROM {sketches} s WHERE {inside} ORDER BY vec_distance_hamming(vec_bit(s.bits), vec_bit(?)) "
        "LIMIT ?) AS near JOIN vector v ON v.key = near.key ORDER BY distance LIMIT ?",
        (code, *values, sign_bits(code), min(_COARSE, _COARSE_EACH * limit), limit),
    )
    return [(int(row[0] or 0), 1 - float(row[1] or 0)) for row in rows]


def closeness(source: RowSource, code: Code, keys: Sequence[int]) -> dict[int, float]:
    """Return the cosine similarity of memories to the vector `code`, by index key.

    Memories without a vector of the same kind are left out.
    """
    if not source.view.has_vectors or not keys:
        return {}
    from limpet.text.embedding import DIMENSIONS

    table = "vector" if len(code) == DIMENSIONS else "sentence"
    rows = source.run(
        f"SELECT key, vec_distance_cosine(vec_int8(code), vec_int8(?)) FROM {table} "
        f"WHERE key IN ({_placeholders(keys)}) AND length(code) = ?",
        (code, *keys, len(code)),
    )
    return {int(row[0] or 0): 1 - float(row[1] or 0) for row in rows}


def index_key(source: RowSource, memory_id: str) -> int | None:
    """Return the index key of a memory, or None if there is no such memory."""
    found = source.run("SELECT key FROM memory WHERE id = ?", (memory_id,)).get
    return None if found is None else int(found)


def code_of(source: RowSource, memory_id: str) -> Code | None:
    """Return the vector of a memory, or None if it has no vector yet."""
    found = source.run("SELECT v.code FROM vector v JOIN memory m ON m.key = v.key WHERE m.id = ?", (memory_id,)).get
    return found if isinstance(found, bytes) else None


def neighbours(source: RowSource, keys: Sequence[int]) -> dict[int, Neighbours]:
    """Return the session of each memory and its neighbours in that session, by index key."""
    rows = source.run(
        "SELECT m.key, m.session, "
        "CASE WHEN m.session IS NULL THEN NULL ELSE "
        "(SELECT max(b.key) FROM memory b WHERE b.session = m.session AND b.key < m.key) END, "
        "CASE WHEN m.session IS NULL THEN NULL ELSE "
        "(SELECT min(a.key) FROM memory a WHERE a.session = m.session AND a.key > m.key) END, "
        f"m.tokens FROM memory m WHERE m.key IN ({_placeholders(keys)})",
        list(keys),
    )
    answer = {}
    for key, session, before, after, tokens in rows:
        answer[int(key or 0)] = Neighbours(
            session=None if session is None else str(session),
            before=None if before is None else int(before),
            after=None if after is None else int(after),
            tokens=int(tokens or 0),
        )
    return answer


def _match_scope(query: Query) -> str:
    """Return the first part of a full-text query. It restricts the scope; a colon and the words to find must follow."""
    return f"scope : ({' OR '.join(search_tokens(query))}) AND {COLUMNS}"


def _placeholders(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
