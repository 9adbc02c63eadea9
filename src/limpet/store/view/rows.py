"""The rows of a memory: how they are encoded and decoded, and the tables for search.

Functions that query a view (`browse`, `search`, `due`, `owners`) read from a `RowSource`, which decodes the rows.
Vectors, with which memories are compared by meaning, are computed later and a few at a time.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence

from limpet.clock import from_ms, to_ms
from limpet.lean import quickjson
from limpet.model.change import Status
from limpet.model.codec import decode_memory, encode_memory
from limpet.model.memory import Memory, Phase, Sensitivity
from limpet.model.query import Stored
from limpet.model.reach import Feedback, reach_of
from limpet.model.scope import agent_token, token_of
from limpet.model.standing import FARTHEST, Activity, Standing, owner_of
from limpet.store.view.open import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.model.fold import MemoryState

COLUMNS = (
    *("root", "scope", "agent", "region", "project", "app", "kind", "type", "impact", "sensitivity", "origin"),
    *("phase", "tier", "pinned", "session", "branch", "created", "expires", "status", "reach", "feedback", "signs"),
    *("content_hash", "tokens", "body", "checksum"),
)

STORED = """
    m.body, m.status, m.feedback, m.signs, a.count, a.last, a.session,
    (SELECT group_concat(reason, char(31)) FROM suspicion s WHERE s.subject = m.id),
    (SELECT group_concat(DISTINCT reason) FROM unproven u WHERE u.subject = m.id
     AND u.device NOT IN (SELECT device FROM trusted)),
    EXISTS (SELECT 1 FROM unproven u JOIN trusted t ON t.device = u.device WHERE u.subject = m.id)
"""
FROM = "FROM memory m LEFT JOIN access a ON a.memory = m.id"
BY_KEY = "FROM memory m NOT INDEXED LEFT JOIN access a ON a.memory = m.id"
"""The tables for queries by key; without NOT INDEXED, SQLite would read the whole scope by its index."""


def encode_row(folded: MemoryState, status: Status) -> tuple[Any, ...]:
    """Return the values of a memory's row, in the order of `COLUMNS`."""
    memory = folded.memory
    body = quickjson.dumps(encode_memory(memory, sparse=True), is_ascii=False)
    values = (
        memory.root,
        token_of(memory),
        memory.agent,
        memory.region.value,
        memory.project,
        memory.app,
        memory.kind.value,
        memory.type.value,
        memory.impact.rank,
        memory.sensitivity.value,
        memory.origin.value,
        int(memory.phase),
        memory.tier.value,
        int(memory.pinned),
        memory.session,
        memory.branch,
        to_ms(memory.created_at),
        to_ms(memory.expires_at) if memory.expires_at else None,
        status.value,
        int(reach_of(memory, folded.feedback)),
        folded.feedback,
        None if folded.signs is None else "\x1f".join(folded.signs),
        memory.content_hash,
        memory.token_count,
        body,
    )
    return *values, checksum(values)


def checksum(values: Sequence[Any]) -> int:
    """Return a checksum of a whole row, because SQLite's own check does not notice a changed byte inside a value."""
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


class RowSource:
    """A view during one reading; the functions of `search`, `browse`, `due` and others read from it."""

    def __init__(self, view: View) -> None:
        self.run = view.run
        self.view = view
        self._activities: dict[tuple[str | None, str], Activity] = {}

    @property
    def has_vectors(self) -> bool:
        return self.view.has_vectors

    def activity(self, project: str | None, agent: str) -> Activity:
        """Return the activity of an owner; cached, because most memories of a page have the same owner."""
        known = self._activities.get((project, agent))
        if known is None:
            known = self._activities[project, agent] = _read_activity(self, project, agent)
        return known

    def decode(self, row: Sequence[Any]) -> Stored:
        """Return the memory of a row that was selected as `STORED`, with its standing."""
        body, status, feedback, signs, count, last, session, suspicions, unproven, accepted = row
        memory = decode_memory(quickjson.loads(body))
        worked = self.activity(memory.project, memory.agent)
        idle_days, sessions_since = worked.measure_idle_time(memory, last, session)
        return Stored(
            memory=memory,
            status=Status(status),
            standing=Standing(
                access_count=count or 0,
                last_accessed=from_ms(last) if last else None,
                last_session=session,
                sessions_since=sessions_since,
                idle_days=idle_days,
                age_days=worked.count_days_since(to_ms(memory.created_at)) if last else idle_days,
                feedback=Feedback(feedback) if feedback else None,
            ),
            suspicions=(
                *(suspicions.split("\x1f") if suspicions else ()),
                *(unproven.split(",") if unproven else ()),
            ),
            accepted=bool(accepted),
            signs=None if signs is None else tuple(filter(None, signs.split("\x1f"))),
        )

    def decode_all(self, rows: Iterable[Sequence[Any]]) -> tuple[Stored, ...]:
        """Return the memories of some rows."""
        return tuple(self.decode(row) for row in rows)


def _read_activity(source: RowSource, project: str | None, agent: str) -> Activity:
    days = source.run(
        "SELECT DISTINCT day FROM active_day WHERE owner = ? ORDER BY day DESC LIMIT ?",
        (owner_of(project, agent), FARTHEST),
    ).fetchall()
    column, value = ("agent", agent) if project is None else ("project", project)
    rows = source.run(
        f"SELECT id, first FROM session WHERE {column} = ? ORDER BY first DESC LIMIT ?", (value, FARTHEST)
    )
    sessions = {str(name): str(first) for name, first in rows}
    return Activity(
        days=tuple(sorted(int(row[0] or 0) for row in days)),
        began=tuple(sorted(sessions.values())),
        sessions=sessions,
    )


def _owner_tokens(memory: Memory, token: str) -> tuple[str, ...]:
    """Return the tokens by which a memory is found; one of an app is not found by its agent."""
    return (token,) if memory.app is not None else (token, agent_token(memory.agent))


def put_search_rows(view: View, key: int, token: str, memory: Memory, status: Status, simhash: int | None) -> None:
    """Add a memory to the tables for search; a memory that is not live is added to the table of facets only."""
    for name, value in {
        *(("tag", tag.lower()) for tag in memory.tags),
        *(("concept", concept.value) for concept in memory.concepts),
        *(("file", path) for path in (*memory.files_read, *memory.files_modified)),
        *(("file", citation.path) for citation in memory.citations),
    }:
        view.run("INSERT OR IGNORE INTO facet VALUES (?, ?, ?)", (name, value, key))
    if status is not Status.LIVE:
        return
    # A process that only reads does not need what turns texts into words.
    from limpet.text.lexicon import expand_all_for_index

    archived = memory.phase is Phase.ARCHIVED
    if simhash is not None and not archived:
        for band in scoped_bands(token, simhash):
            view.run("INSERT OR IGNORE INTO band VALUES (?, ?, ?)", (band, key, simhash - (1 << 63)))
    files = (*memory.files_read, *memory.files_modified, *(each.path for each in memory.citations))
    texts = (
        memory.title,
        memory.subtitle,
        memory.original_content,
        " ".join(memory.tags),
        " ".join(dict.fromkeys(files)),
    )
    view.run(
        "INSERT INTO words (rowid, title, subtitle, content, tags, files, scope) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            *expand_all_for_index(texts),
            " ".join(index_tokens(_owner_tokens(memory, token), (memory.sensitivity,), archived)),
        ),
    )
    if view.has_vectors:
        view.run("INSERT OR IGNORE INTO unembedded VALUES (?)", (key,))


def clear_search_rows(view: View, key: int) -> None:
    """Remove a memory from the tables for search."""
    view.run("DELETE FROM words WHERE rowid = ?", (key,))
    view.run(
        "DELETE FROM sketch WHERE key = ?1 AND scope IN "
        "(SELECT m.scope || level.value || x.value FROM memory m, json_each('[0,1,2,3]') level, "
        'json_each(\'["","x"]\') x WHERE m.key = ?1)',
        (key,),
    )
    view.run("DELETE FROM vector WHERE key = ?", (key,))
    view.run("DELETE FROM sentence WHERE key = ?", (key,))
    view.run("DELETE FROM unembedded WHERE key = ?", (key,))
    view.run("DELETE FROM facet WHERE memory = ?", (key,))
    view.run("DELETE FROM band WHERE memory = ?", (key,))


def index_tokens(scopes: Iterable[str], sensitivities: Iterable[Sensitivity], archived: bool) -> list[str]:
    """Return the tokens in the indexes for some scopes and sensitivities.

    Archived memories have other tokens, and are ranked on request.
    """
    phase = "x" if archived else ""
    return [f"{scope}{sensitivity.level}{phase}" for scope in scopes for sensitivity in sensitivities]


def scoped_bands(scope_token: str, simhash: int) -> list[int]:
    """Return the bands of a simhash as numbers that differ by scope, so that a look-up stays within one scope."""
    scope = zlib.crc32(scope_token.encode())
    from limpet.text.similarity import split_bands

    return [scope << 14 | band for band in split_bands(simhash)]


def embed(view: View, limit: int, *, newest_first: bool = False) -> int:
    """Compute vectors for some of the memories without one; return their number, 0 if there are none left.

    Rows that are added in the order of their keys fill their pages; in the other order, half of each stays empty.
    """
    if not view.has_vectors:
        return 0
    order = "DESC" if newest_first else "ASC"
    rows: list[Any] = view.run(
        "SELECT u.key, m.scope, m.sensitivity, m.phase, m.body FROM unembedded u "
        f"LEFT JOIN memory m ON m.key = u.key AND m.status = 'live' ORDER BY u.key {order} LIMIT ?",
        (limit,),
    ).fetchall()
    from limpet.text.embedding import load_embedding_table, sign_bits

    texts = ["" if body is None else _original_of(quickjson.loads(body)) for *_, body in rows]
    for (key, scope, sensitivity, phase, _), code in zip(rows, load_embedding_table().encode_many(texts), strict=True):
        view.run("DELETE FROM unembedded WHERE key = ?", (key,))
        if code is not None:
            view.run("INSERT OR REPLACE INTO vector VALUES (?, ?)", (key, code))
            (token,) = index_tokens((scope,), (Sensitivity(sensitivity),), phase == Phase.ARCHIVED)
            view.run("INSERT OR REPLACE INTO sketch VALUES (?, ?, ?)", (token, key, sign_bits(code)))
    return len(rows)


def _original_of(body: Mapping[str, Any]) -> str:
    """Return the original text of an encoded memory; it is not written twice if it was never shortened."""
    return str(body.get("original_content", body.get("content", "")))


def has_missing_vectors(view: View) -> bool:
    """Tell whether some memories have no vector yet."""
    return view.has_vectors and bool(view.run("SELECT 1 FROM unembedded LIMIT 1").get)


_WITHOUT_SENTENCE = "FROM vector v LEFT JOIN sentence s ON s.key = v.key WHERE s.key IS NULL"


def count_sentences(view: View) -> tuple[int, int]:
    """Return how many memories have a vector of the sentence encoder, and how many could have one."""
    counts = (view.run(f"SELECT count(*) FROM {table}").get for table in ("sentence", "vector"))
    done, all_of_them = (int(count or 0) for count in counts)
    return done, all_of_them


def encode_sentences(view: View, limit: int) -> int:
    """Compute vectors of the sentence encoder for some memories, if this process has loaded it; return their number.

    The newest come first. Vectors of another version of the encoder are discarded before.
    """
    from limpet.sentence_encoder import loaded_encoder
    from limpet.text.encoder import MODEL

    encoder = loaded_encoder()
    if encoder is None or not view.has_vectors:
        return 0
    if view.run("SELECT value FROM meta WHERE name = 'sentences'").get != MODEL:
        view.run("DELETE FROM sentence")
        view.run("INSERT OR REPLACE INTO meta VALUES ('sentences', ?)", (MODEL,))
    rows: list[Any] = view.run(
        f"SELECT m.key, m.body FROM memory m WHERE m.key IN (SELECT v.key {_WITHOUT_SENTENCE} "
        "ORDER BY v.key DESC LIMIT ?)",
        (limit,),
    ).fetchall()
    for key, body in rows:
        code = encoder.encode(_original_of(quickjson.loads(body))) or bytes(1)
        view.run("INSERT OR REPLACE INTO sentence VALUES (?, ?)", (key, code))
    return len(rows)


def use_vectors_of(view: View, model: str) -> None:
    """Discard all vectors if they are of another model, because vectors of two models cannot be compared."""
    if view.run("SELECT value FROM meta WHERE name = 'vectors'").get == model:
        return
    for command in (
        "DELETE FROM vector",
        "DELETE FROM sketch",
        "INSERT OR IGNORE INTO unembedded SELECT key FROM memory WHERE status = 'live'",
    ):
        view.run(command)
    view.run("INSERT OR REPLACE INTO meta VALUES ('vectors', ?)", (model,))
