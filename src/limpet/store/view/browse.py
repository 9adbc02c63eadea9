"""List and fetch memories: by id, by query, by text or by age. Also query changes, links and receipts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from limpet.clock import from_ms, to_local, to_ms
from limpet.lean import quickjson
from limpet.model.change import Change
from limpet.model.ids import lowest_after, ms_of
from limpet.model.memory import Impact, Kind, Phase, Type
from limpet.model.query import Page, Query, Stored
from limpet.model.reach import SUMMARIES
from limpet.model.receipt import TRIAL, Receipt
from limpet.model.scope import Scope
from limpet.store.view.conditions import conditions, facts_seen_by, is_plain, seen_by
from limpet.store.view.open import SCOPE
from limpet.store.view.rows import (
    BESIDE,
    BY_KEY,
    FROM,
    STORED,
    TEXT,
    RowSource,
    count_by_census,
    decode_text,
    scoped_bands,
    shorten_hash,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_AT_ONCE = 1000
"""The number of memories that are read by one statement."""
_RECENT = 200
"""The number of memories that are examined for each word: the newest ones that contain it."""
_COMPARED = 100
"""The maximum number of memories that are compared with a text. Usually about 50 of 10,000 are similar enough."""


def get(source: RowSource, memory_id: str) -> Stored | None:
    """Return the memory with this id, whatever its status, or None if there is none."""
    row = source.run(f"SELECT {STORED} {FROM} WHERE m.id = ?", (memory_id,)).fetchone()
    return source.decode(row) if row else None


def ids_with_prefix(source: RowSource, prefix: str, *, scope: Scope | None = None, limit: int = 20) -> tuple[str, ...]:
    """Return up to `limit` ids of memories, facts or antigens that begin with a prefix."""
    table = {"fact": "fact", "ag": "antigen"}.get(prefix.partition("_")[0], "memory")
    where, values = (seen_by if table == "memory" else facts_seen_by)(scope) if scope else ("1", [])
    rows = source.run(
        f"SELECT m.id FROM {table} m WHERE m.id >= ? AND m.id < ? AND {where} ORDER BY m.id LIMIT ?",
        (prefix, prefix + "~", *values, limit),
    )
    return tuple(str(row[0]) for row in rows)


def browse(source: RowSource, query: Query) -> Page[Stored]:
    """Return a page of the memories that pass the filters of a query, newest first. The query's text is ignored."""
    # One scope after the other, because only the rows of one scope are in the requested order in the index.
    last = query.offset + query.limit
    found: list[tuple[int, str, int]] = []
    for token in query.scope.tokens() or (None,):
        inside, given = conditions(query) if token is None else conditions(query, (token,))
        rows = source.run(
            f"SELECT m.created, m.id, m.key FROM memory m WHERE {inside} ORDER BY m.created DESC, m.id DESC LIMIT ?",
            (*given, last),
        )
        found += [(int(created or 0), str(name), int(key or 0)) for created, name, key in rows]
    chosen = [key for _, _, key in sorted(found, reverse=True)[query.offset : last]]
    items: list[Stored] = []
    for at in range(0, len(chosen), _AT_ONCE):
        keys = chosen[at : at + _AT_ONCE]
        items += source.decode_all(
            source.run(
                f"SELECT {STORED} {BY_KEY} WHERE m.key IN ({','.join('?' * len(keys))}) "
                "ORDER BY m.created DESC, m.id DESC",
                keys,
            )
        )
    where, values = conditions(query)
    if query.scope.tokens() is None or not is_plain(query):
        total = int(source.run(f"SELECT count(*) FROM memory m WHERE {where}", values).get or 0)
    else:
        total = count_by_census(source, where, values)
    return Page(items=tuple(items), total=total, offset=query.offset)


def by_keys(source: RowSource, query: Query, keys: Sequence[int]) -> dict[int, Stored]:
    """Return the memories with these index keys that pass the filters of the query, by key."""
    where, values = conditions(query)
    marks = ",".join("?" * len(keys))
    rows = source.run(
        f"SELECT m.key, {STORED} {BY_KEY} WHERE m.key IN ({marks}) AND {where}", (*keys, *values)
    ).fetchall()
    stored = source.decode_all([row[1:] for row in rows])
    return {int(row[0] or 0): each for row, each in zip(rows, stored, strict=True)}


def same_text(source: RowSource, scope_token: str, content_hash: str) -> tuple[Stored, ...]:
    """Return the live and forgotten memories of a scope whose text has this hash."""
    # Without the named index, SQLite would read the whole scope to get the rows in order.
    rows = source.run(
        f"SELECT {STORED} FROM memory m INDEXED BY memory_by_hash {BESIDE} "
        f"WHERE m.content_hash = ? AND m.scope = {SCOPE} "
        "AND m.status IN ('live', 'forgotten') ORDER BY m.status DESC, m.id",
        (shorten_hash(content_hash), scope_token),
    )
    return source.decode_all(rows)


def recent_with_words(
    source: RowSource,
    scope_token: str,
    words: Iterable[str],
    *,
    each: int,
    types: Sequence[Type] = (),
    now: datetime | None = None,
    fits: Callable[[str], bool] | None = None,
) -> tuple[Stored, ...]:
    """Return the newest live memories of a scope that contain one of the words, up to `each` memories for each word.

    `types` limits the result to memories of these types, `now` to memories that have not expired by then, and `fits` to
    memories whose text it accepts. The memories are not ranked, so the cost does not grow with the store.
    """
    more, values = "", list[object]()
    if types:
        more += f" AND k.type IN ({','.join('?' * len(types))})"
        values += [type.value for type in types]
    if now is not None:
        more += " AND (k.expires IS NULL OR k.expires > ?)"
        values.append(to_ms(now))
    keys: set[int] = set()
    for word in words:
        # SQLite would take a zero byte for the end of the query.
        quoted = '"' + word.replace('"', '""').replace("\0", " ") + '"'
        # The scope is checked for the rows that were found, because its list in the full-text index is as long as the
        # store. The inner query yields the newest first and stops early, so the outer query must not sort.
        found = source.run(
            "SELECT k.key FROM (SELECT rowid AS key FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?) w "
            f"CROSS JOIN memory k ON k.key = w.key WHERE k.scope = {SCOPE} AND k.status = 'live' AND k.phase < ? "
            f"AND k.sensitivity IN ('public', 'private'){more} LIMIT ?",
            (f"{{title content}} : {quoted}", _RECENT, scope_token, int(Phase.ARCHIVED), *values, each),
        )
        keys.update(int(row[0] or 0) for row in found)
    return _read_fitting(source, tuple(keys), fits, order="m.key")


def near_duplicates(
    source: RowSource, scope_token: str, simhash: int, *, limit: int = 10, fits: Callable[[str], bool] | None = None
) -> tuple[Stored, ...]:
    """Return up to `limit` live memories of a scope whose texts are most similar to the text with this simhash.

    A simhash is a hash that is similar for similar texts. Only the memories with the most parts (bands) in common are
    compared, newest first. If `fits` is given, only memories whose text it accepts are returned.
    """
    from limpet.text.similarity import FAR_BITS, hamming

    scope = source.run(f"SELECT {SCOPE}", (scope_token,)).get
    if scope is None:
        return ()
    values = scoped_bands(int(scope), simhash)
    rows = source.run(
        "SELECT key, simhash FROM memory NOT INDEXED WHERE simhash IS NOT NULL AND scope = ? AND status = 'live' "
        f"AND key IN (SELECT memory FROM band WHERE value IN ({','.join('?' * len(values))}) "
        "GROUP BY memory ORDER BY count(*) DESC, memory DESC LIMIT ?)",
        (scope, *values, _COMPARED),
    )
    distances = {int(row[0] or 0): hamming(simhash, int(row[1] or 0) + (1 << 63)) for row in rows}
    nearest = [key for key in sorted(distances, key=lambda key: (distances[key], -key)) if distances[key] <= FAR_BITS]
    return _read_fitting(source, nearest[:limit], fits, order="m.id")


def _read_fitting(
    source: RowSource, keys: Sequence[int], fits: Callable[[str], bool] | None, *, order: str
) -> tuple[Stored, ...]:
    """Return the memories with these index keys whose text `fits` accepts, sorted by `order` in descending order."""
    if fits is not None and keys:
        # Only the text is unpacked, because most memories do not fit.
        rows = source.run(
            f"SELECT m.key, {TEXT} FROM memory m NOT INDEXED LEFT JOIN change c ON c.key = m.birth "
            f"WHERE m.key IN ({','.join('?' * len(keys))})",
            keys,
        )
        keys = [int(row[0] or 0) for row in rows if fits(str(decode_text(row[1:]).get("content", "")))]
    if not keys:
        return ()
    marks = ",".join("?" * len(keys))
    return source.decode_all(
        source.run(f"SELECT {STORED} {BY_KEY} WHERE m.key IN ({marks}) ORDER BY {order} DESC", keys)
    )


def newest(source: RowSource, scope_token: str, kind: Kind) -> str | None:
    """Return the id of the newest live memory of a kind in a scope, or None if there is none."""
    found = source.run(
        f"SELECT id FROM memory WHERE scope = {SCOPE} AND kind = ? AND status = 'live' "
        "ORDER BY created DESC, id DESC LIMIT 1",
        (scope_token, kind),
    ).get
    return None if found is None else str(found)


def versions(source: RowSource, memory_id: str) -> tuple[Stored, ...]:
    """Return all versions of a memory, oldest first."""
    rows = source.run(
        f"SELECT {STORED} {FROM} WHERE m.id = ?1 OR m.root = ?1 ORDER BY m.created, m.id",
        (source.run("SELECT coalesce(root, id) FROM memory WHERE id = ?", (memory_id,)).get,),
    )
    return source.decode_all(rows)


def descendants(source: RowSource, memory_id: str) -> tuple[str, ...]:
    """Return the ids of the memories that were made from this memory."""
    rows = source.run(
        "SELECT d.memory FROM descent d JOIN memory m ON m.id = d.memory WHERE d.ancestor = ? ORDER BY d.memory",
        (memory_id,),
    )
    return tuple(str(row[0]) for row in rows)


def history(source: RowSource, subject: str) -> tuple[Change, ...]:
    """Return the changes of a memory, or of another journal subject, oldest first."""
    # Loaded here, because no hook needs this.
    from limpet.store.view.folded_rows import changes_of

    root = source.run("SELECT coalesce(root, id) FROM memory WHERE id = ?", (subject,)).get
    if root is None:
        # A purged memory, or no memory: its root is only in its changes.
        root = source.run("SELECT root FROM change WHERE coalesce(subject, root) = ? LIMIT 1", (subject,)).get
    return tuple(change for change in changes_of(source.view, str(root)) if change.subject == subject)


def last_forgotten(source: RowSource) -> datetime | None:
    """Return the time of the last change that forgot or purged something, on any machine, or None if there is none."""
    return _find_last(source, "'forget', 'purge'")


def last_purged(source: RowSource) -> datetime | None:
    """Return the time of the last purge on any machine, or None if there is none."""
    return _find_last(source, "'purge'")


def _find_last(source: RowSource, verbs: str) -> datetime | None:
    found = source.run(f"SELECT max(id) FROM change WHERE verb IN ({verbs}) AND verb <> 'admit'").get
    return None if found is None else from_ms(ms_of(str(found)))


def changed_ids(source: RowSource, kinds: Sequence[str], *, limit: int = -1) -> tuple[str, ...]:
    """Return the ids of the memories with changes of these kinds, but not `admit`, those with the latest one first."""
    rows = source.run(
        f"SELECT coalesce(subject, root) AS changed FROM change WHERE verb IN ({', '.join('?' * len(kinds))}) "
        "AND verb <> 'admit' GROUP BY changed ORDER BY max(id) DESC LIMIT ?",
        (*kinds, limit),
    )
    return tuple(str(row[0]) for row in rows)


def links(source: RowSource, scope: Scope) -> tuple[tuple[str, str, str], ...]:
    """Return the links from memories of a scope to other memories, each as source, relation and target."""
    where, values = seen_by(scope)
    rows = source.run(
        f"SELECT l.source, l.relation, l.target FROM link l JOIN memory m ON m.id = l.source WHERE {where} "
        "ORDER BY l.source, l.relation, l.target",
        values,
    )
    return tuple((str(row[0]), str(row[1]), str(row[2])) for row in rows)


def contradictions(source: RowSource, memory_ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the ids of memories that contradict each other, as pairs of a newer and an older memory.

    At least one memory of each pair is among `memory_ids`.
    """
    marks = ",".join("?" * len(memory_ids))
    rows = source.run(
        f"SELECT source, target FROM link WHERE relation = 'contradicts' AND target IN ({marks}) "
        f"UNION SELECT source, target FROM link WHERE relation = 'contradicts' AND source IN ({marks})",
        (*memory_ids, *memory_ids),
    )
    return tuple((str(row[0]), str(row[1])) for row in rows)


def has_evidence(source: RowSource, *, since: datetime) -> bool:
    """Tell whether a model has stored what a user had stated since a given time, in any project."""
    found = source.run(
        "SELECT 1 FROM link l INDEXED BY link_of_evidence JOIN memory m ON m.id = l.source "
        "WHERE l.relation = 'evidence' AND m.created >= ? LIMIT 1",
        (to_ms(since),),
    ).get
    return found is not None


def for_start(source: RowSource, scope: Scope, *, now: datetime, limit: int) -> tuple[Stored, ...]:
    """Return memories that may be injected at the start of a session, first the user's own, each by impact.

    Once at least `limit` others are found, others of lower impact are left out. So no impact that an agent claims can
    leave out the user's own. Each query reads a short range of an index, so the cost does not grow with the store.
    """
    others: list[tuple[Any, ...]] = []
    tokens, moment = scope.tokens() or (), to_ms(now)
    where = (
        f"SELECT {STORED} {FROM} WHERE m.scope = {SCOPE} AND m.reach = 2 AND m.status = 'live' AND NOT m.twin "
        "AND m.sensitivity = 'public' AND (m.expires IS NULL OR m.expires > ?) AND m.origin"
    )
    newest = "m.created DESC LIMIT ?"
    first = f"{where} = 'user' ORDER BY m.impact DESC, {newest}"
    own = [row for token in tokens for row in source.run(first, (token, moment, limit))]
    for rank in sorted((impact.rank for impact in Impact), reverse=True):
        for token in tokens:
            statement = f"{where} <> 'user' AND m.impact = ? ORDER BY {newest}"
            others += source.run(statement, (token, moment, rank, limit))
        if len(others) >= limit:
            break
    return source.decode_all([*own, *others])


def for_trial(
    source: RowSource, scope: Scope, *, besides: str | None, most: int, now: datetime, limit: int
) -> tuple[tuple[Stored, int], ...]:
    """Return notes of the user's own words, each with the number of sessions in which it was told on trial.

    Notes of the session `besides`, and those that were told on trial in `most` sessions, are left out. Those that were
    told already come first, then the newest ones.
    """
    types = ", ".join(f"'{each.value}'" for each in SUMMARIES)
    rows: list[tuple[Any, ...]] = []
    for token in scope.tokens() or ():
        rows += source.run(
            f"SELECT {STORED}, (SELECT count(DISTINCT r.session) FROM shown t JOIN receipt r ON r.id = t.receipt "
            f"WHERE t.memory = m.id AND json_extract(r.body, '$.notes.' || m.id) = '{TRIAL}') AS told {FROM} "
            f"WHERE m.scope = {SCOPE} AND m.tier = 'noted' AND m.origin = 'user' AND m.status = 'live' AND NOT m.twin "
            f"AND m.sensitivity = 'public' AND m.phase < {int(Phase.ARCHIVED)} AND m.type NOT IN ({types}) "
            "AND (m.expires IS NULL OR m.expires > ?) AND coalesce(m.session, '') <> ? AND told < ? "
            "ORDER BY told = 0, m.created DESC LIMIT ?",
            (token, to_ms(now), besides or "", most, limit),
        )
    return tuple((source.decode(row[:-1]), int(row[-1])) for row in rows)


def count_notes(source: RowSource, scope: Scope, *, now: datetime) -> int:
    """Return the number of notes (captured memories) in a scope on which the user has not decided yet."""
    # Only an index is read, because the start of a session waits for this.
    where, values = seen_by(scope)
    types = ", ".join(f"'{each.value}'" for each in SUMMARIES)
    found = source.run(
        f"SELECT count(*) FROM memory m INDEXED BY memory_noted WHERE {where} AND m.tier = 'noted' "
        "AND m.status = 'live' AND NOT m.twin AND m.sensitivity = 'public' AND (m.expires IS NULL OR m.expires > ?) "
        f"AND m.phase < {int(Phase.ARCHIVED)} AND m.type NOT IN ({types})",
        (*values, to_ms(now)),
    ).get
    return int(found or 0)


def receipts(
    source: RowSource, *, session: str | None = None, memory: str | None = None, limit: int = 100
) -> tuple[Receipt, ...]:
    """Return up to `limit` receipts (records of memories that were shown), newest first.

    If `session` is given, only receipts of this session are returned; if `memory` is given, only receipts about it.
    """
    if memory is not None:
        table, values = "receipt r JOIN shown s ON s.receipt = r.id AND s.memory = ?", [memory]
    else:
        table, values = "receipt r", []
    where = "1" if session is None else "r.session = ?"
    rows = source.run(
        f"SELECT r.id, r.body FROM {table} WHERE {where} ORDER BY r.id DESC LIMIT ?",
        (*values, *([] if session is None else [session]), limit),
    )
    return tuple(Receipt.decode(str(id), quickjson.loads(str(body))) for id, body in rows)


def token_days(source: RowSource, ways: Sequence[str], since: datetime) -> tuple[tuple[str, int, int], ...]:
    """Return the number of receipts and their total number of tokens for each day, newest day first.

    Only receipts are counted that were written since a given time and whose `way` (the occasion) is one of `ways`. Days
    without receipts are left out.
    """
    found: dict[str, tuple[int, int]] = {}
    marks = ", ".join("?" for _ in ways)
    rows = source.run(
        f"SELECT id, body FROM receipt WHERE id >= ? AND json_extract(body, '$.way') IN ({marks}) ORDER BY id DESC",
        (lowest_after(to_ms(since)), *ways),
    )
    for id, body in rows:
        receipt = Receipt.decode(str(id), quickjson.loads(str(body)))
        day = to_local(receipt.at).date().isoformat()
        calls, tokens = found.get(day, (0, 0))
        found[day] = calls + 1, tokens + receipt.tokens
    return tuple((day, calls, tokens) for day, (calls, tokens) in found.items())
