"""Find memories for the maintenance jobs of `upkeep`: memories to condense, to merge, to archive or to bring back."""

from __future__ import annotations

from collections.abc import Set

from limpet.clock import to_ms
from limpet.lean.record import fields
from limpet.model.change import Status
from limpet.model.ids import lowest_after
from limpet.model.memory import Impact, Memory, Phase, Type
from limpet.model.query import Stored
from limpet.model.standing import rate_priority
from limpet.store.protocol import DueQuery, Room
from limpet.store.view.open import SCOPE
from limpet.store.view.rows import BESIDE, BY_KEY, FROM, STORED, TEXT, RowSource, count_by_census, decode_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ACTIVE = f"m.status = 'live' AND m.phase < {int(Phase.ARCHIVED)} AND m.app IS NULL"
_AT_ONCE = 1000
"""The number of memories that are read by one statement."""
_DIFFICULTY = next(each.default for each in fields(Memory) if each.name == "difficulty")
"""The difficulty of a memory that is stored without one."""
_LEARNT = (
    "coalesce(c.id, (SELECT min(h.id) FROM change h "
    "WHERE h.root = coalesce(m.root, m.id) AND coalesce(h.subject, h.root) = m.id))"
)
"""The id of the change that introduced a memory."""
_SPARE = f"NOT m.pinned AND m.impact < {Impact.CRITICAL.rank}"


def rooms(source: RowSource) -> tuple[Room, ...]:
    """Return every scope with active memories (live and not archived), sorted by token.

    Scopes of apps are left out, because the number of an app's memories is limited elsewhere.
    """
    # Cached until the view changes, because every job of upkeep needs this.
    moment = source.view.moment()
    if source.view.rooms is None or source.view.rooms[0] != moment:
        source.view.rooms = moment, _count_rooms(source)
    return source.view.rooms[1]


COUNT_ROOMS = (
    "SELECT (SELECT token FROM scope s WHERE s.key = m.scope) AS token, count(*), max(m.id) "
    "FROM memory m INDEXED BY memory_by_scope "
    f"WHERE m.status = 'live' AND m.phase < {int(Phase.ARCHIVED)} GROUP BY m.scope ORDER BY token"
)


def _count_rooms(source: RowSource) -> tuple[Room, ...]:
    found = []
    for token, count, newest in source.run(COUNT_ROOMS).fetchall():
        agent, region, project, app = source.run(
            "SELECT agent, region, project, app FROM memory WHERE id = ?", (newest,)
        ).fetchone() or ("", "", None, None)
        is_of_project = region == "PROJECT"
        if app is None and (project is not None or not is_of_project):
            found.append(
                Room(
                    token=str(token),
                    agent=str(agent),
                    project=str(project) if is_of_project and project else None,
                    active=int(count or 0),
                    newest=str(newest),
                )
            )
    return tuple(found)


def due(source: RowSource, asked: DueQuery) -> tuple[Stored, ...]:
    """Return the active memories that meet all conditions of a query, oldest first."""
    parts: list[str] = [_ACTIVE]
    values: list[Any] = []

    def add(condition: str, *given: Any) -> None:
        parts.append(condition)
        values.extend(given)

    table = FROM
    if asked.used or asked.promotable:
        # Few memories are ever used, so SQLite should begin with those.
        table = "FROM access a CROSS JOIN memory m ON m.id = a.memory LEFT JOIN change c ON c.key = m.birth"
        add("a.count > 0")
    if asked.unread:
        # Otherwise SQLite would use the index of the scope, which contains all memories.
        table = f"FROM memory m INDEXED BY memory_unread {BESIDE}"
        add("m.signs IS NULL")
    if asked.token is not None:
        add(f"m.scope = {SCOPE}", asked.token)
    before = [to_ms(each) for each in (asked.unused_since, asked.made_before) if each is not None]
    if before:
        # In the index, the memories of a scope are ordered by time, so memories made later are not read.
        if asked.token is None:
            add("m.scope IN (SELECT DISTINCT scope FROM memory)")
        add("m.created < ?", min(before))
    if asked.learnt_before is not None:
        add(f"{_LEARNT} < ?", lowest_after(to_ms(asked.learnt_before) - 1))
    if asked.impact is not None:
        add("m.impact = ?", asked.impact.rank)
    if asked.below is not None:
        add("m.phase < ?", int(asked.below))
    if asked.unused_since is not None:
        add("max(m.created, coalesce(a.last, 0)) < ?", to_ms(asked.unused_since))
    if asked.expired_at is not None:
        add("m.expires <= ?", to_ms(asked.expired_at))
    if asked.spare:
        add(_SPARE)
    if asked.endless:
        add("m.expires IS NULL")
    if asked.promotable:
        add("m.scale IS NOT NULL")
    if asked.tier is not None:
        # Written out for SQLite, which uses a partial index only for a constant.
        add(f"m.tier = '{asked.tier.value}'")
    if asked.unearned:
        add("m.session IS NOT NULL AND NOT m.earned")
    if asked.longer_than is not None:
        add("m.length > ?", asked.longer_than)
    # With the plus sign, SQLite sorts the results; without it, it would read all memories in the order of their ids.
    rows = source.run(f"SELECT {STORED} {table} WHERE {' AND '.join(parts)} ORDER BY +m.id", values)
    return source.decode_all(rows)


def summaries(source: RowSource) -> tuple[Stored, ...]:
    """Return the live and forgotten summaries into which several memories were merged."""
    rows = source.run(
        f"SELECT {STORED} {FROM} WHERE m.type = ? AND m.status IN ('live', 'forgotten') "
        "AND m.id IN (SELECT memory FROM descent) ORDER BY +m.id",
        (Type.COMPRESSED_SUMMARY,),
    )
    return source.decode_all(rows)


def orphans(source: RowSource) -> tuple[Stored, ...]:
    """Return the superseded memories whose successor no longer exists.

    Memories of apps are left out: they were superseded because there were too many, and stay superseded.
    """
    rows = source.run(
        f"SELECT {STORED} {FROM} WHERE m.status = ? AND m.status <> 'live' AND m.app IS NULL "
        "AND m.superseded_by NOT IN (SELECT id FROM memory) ORDER BY +m.id",
        (Status.SUPERSEDED,),
    )
    return source.decode_all(rows)


def superseded_by(source: RowSource, memory_id: str) -> tuple[Stored, ...]:
    """Return the memories that were superseded by this memory and are still hidden."""
    rows = source.run(
        f"SELECT {STORED} {FROM} WHERE m.status <> 'live' AND m.superseded_by = ? ORDER BY +m.id",
        (memory_id,),
    )
    return source.decode_all(rows)


def twins(source: RowSource) -> tuple[Stored, ...]:
    """Return the live memories whose text is the same as that of an earlier memory in their scope."""
    rows = source.run(f"SELECT {STORED} {FROM} WHERE m.twin AND m.status = 'live' ORDER BY m.id")
    return source.decode_all(rows)


def count_in_phase(source: RowSource, scope_token: str | None, agent: str, phase: Phase) -> int:
    """Return the number of live memories in a phase, in one scope or, if `scope_token` is None, of an agent."""
    where, values = _phase_condition(scope_token, agent, phase)
    return int(source.run(f"SELECT count(*) FROM memory m WHERE {where}", values).get or 0)


def over_cap(
    source: RowSource,
    scope_token: str | None,
    agent: str,
    cap: int,
    phase: Phase = Phase.FULL,
    *,
    keep: Set[str] = frozenset(),
    at_least: int | None = None,
) -> tuple[Stored, ...]:
    """Return the memories in a phase that may be condensed, or an empty tuple if at most `cap` are in it.

    The memories with the lowest priority come first. Pinned and critical memories, and those with an id in `keep`, are
    left out. If `at_least` is given, only as many memories as exceed the cap are returned, or `at_least` memories if
    that is more. If `scope_token` is None, all memories of the agent are counted.
    """
    # Every write asks this, and mostly the cap is not reached.
    if _bound_count(source, scope_token, phase) <= cap:
        return ()
    count = count_in_phase(source, scope_token, agent, phase)
    if count <= cap:
        return ()
    ranked = _rank_by_priority(source, scope_token, agent, phase)
    keys = [key for _, memory, key in ranked if memory not in keep]
    if at_least is not None:
        del keys[max(at_least, count - cap) :]
    found: dict[int, Stored] = {}
    for at in range(0, len(keys), _AT_ONCE):
        some = keys[at : at + _AT_ONCE]
        rows: Any = source.run(f"SELECT m.key, {STORED} {BY_KEY} WHERE m.key IN ({','.join('?' * len(some))})", some)
        found.update((row[0], source.decode(row[1:])) for row in rows.fetchall())
    return tuple(found[key] for key in keys)


def _rank_by_priority(
    source: RowSource, scope_token: str | None, agent: str, phase: Phase
) -> list[tuple[float, str, int]]:
    """Return priority, id and key of the memories in a phase that may be condensed, lowest priority first.

    There may be thousands of them, so the memories are not fully decoded.
    """
    where, values = _phase_condition(scope_token, agent, phase)
    rows: Any = source.run(
        f"SELECT {TEXT}, m.key, m.project, m.agent, m.created, m.session, a.count, a.last, a.session "
        f"{FROM} WHERE {where} AND {_SPARE}",
        values,
    ).fetchall()
    ranked = []
    for row in rows:
        key, project, owner, created, made_in, count, last, used_in = row[3:]
        sessions = source.activity(project, owner).count_sessions_since_use(created, last, used_in or made_in)
        difficulty = decode_text(row).get("difficulty")
        value = rate_priority(_DIFFICULTY if difficulty is None else difficulty, sessions, count or 0)
        ranked.append((value, str(row[2]), int(key)))
    return sorted(ranked)


def _bound_count(source: RowSource, scope_token: str | None, phase: Phase) -> int:
    """Return an upper bound on the number of live memories in a phase, without reading all their rows.

    If `scope_token` is None, the memories of all scopes are counted.
    """
    where, values = f"m.status = 'live' AND m.phase = {int(phase)}", list[str]()
    if scope_token is not None:
        where, values = f"m.scope = {SCOPE} AND {where}", [scope_token]
    return count_by_census(source, where, values)


def _phase_condition(scope_token: str | None, agent: str, phase: Phase) -> tuple[str, list[Any]]:
    live = f"m.status = 'live' AND m.phase = {int(phase)}"
    # A scope belongs to one agent, so the agent need not be compared, and the query can be answered from an index.
    if scope_token is not None:
        return f"m.scope = {SCOPE} AND {live}", [scope_token]
    return f"m.agent = ? AND {live} AND m.app IS NULL", [agent]
