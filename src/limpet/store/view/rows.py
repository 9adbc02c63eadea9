"""Encode and decode the index rows of memories, and compute their vectors.

The modules that query a view (`browse`, `search`, `due`, `owners` and so on) use a `RowSource`, which decodes the rows.
Vectors, which are compared to find memories by meaning, are computed later and in batches.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence

from limpet.clock import to_ms
from limpet.lean.digest import sha256
from limpet.model.change import Change, Status
from limpet.model.codec import decode_memory, encode_memory
from limpet.model.memory import Phase, Scale, Sensitivity
from limpet.model.query import Stored
from limpet.model.reach import Feedback, reach_of
from limpet.model.scope import token_of
from limpet.model.standing import FARTHEST, Activity, owner_of
from limpet.store.view.open import View
from limpet.store.view.packed import pack_body, unpack_body, unpack_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.model.fold import MemoryState

COLUMNS = (
    *("root", "scope", "agent", "region", "project", "app", "kind", "type", "impact", "sensitivity", "origin"),
    *("phase", "tier", "pinned", "session", "branch", "created", "expires", "status", "reach", "feedback", "signs"),
    *("scale", "earned", "superseded_by", "made_at", "length", "content_hash", "simhash", "tokens", "birth", "body"),
    "checksum",
)
_NAMED = {
    "birth": "(SELECT id FROM change WHERE key = birth)",
    "scope": "(SELECT token FROM scope s WHERE s.key = memory.scope)",
}
SELECTED = ", ".join(_NAMED.get(each, each) for each in COLUMNS)
"""The columns for a SELECT that returns the same values as `encode_row`.

Where the table has the key of a change or a scope, `encode_row` returns its id or its token.
"""

TEXT = "m.body, c.line, m.id"
"""The columns for a SELECT whose rows `decode_text` decodes."""
STORED = f"""
    {TEXT}, m.status, m.feedback, m.signs, a.count, a.last, a.session,
    (SELECT group_concat(reason, char(31)) FROM suspicion s WHERE s.subject = m.id),
    (SELECT group_concat(DISTINCT reason) FROM unproven u WHERE u.subject = m.id
     AND u.device NOT IN (SELECT device FROM trusted)),
    EXISTS (SELECT 1 FROM unproven u JOIN trusted t ON t.device = u.device WHERE u.subject = m.id)
"""
"""The columns for a SELECT whose rows `RowSource.decode` decodes."""
_STATUSES = {each.value: each for each in Status}
BESIDE = "LEFT JOIN change c ON c.key = m.birth LEFT JOIN access a ON a.memory = m.id"
FROM = f"FROM memory m {BESIDE}"
BY_KEY = f"FROM memory m NOT INDEXED {BESIDE}"
"""The FROM clause of a query by key. Without NOT INDEXED, SQLite would read the whole scope through its index."""


def encode_row(folded: MemoryState, status: Status, changes: Sequence[Change]) -> tuple[Any, ...]:
    """Return the index row of a memory, in the order of `COLUMNS`. `changes` contains all changes of its versions.

    The column `body` is used only for a memory that was changed after it was introduced. The text of any other memory
    is read from the line of the change that introduced it.
    """
    memory = folded.memory
    hashes = (change.payload.get("simhash") for change in changes if change.subject == memory.id)
    # SQLite's integers have a sign.
    simhash = next((each - (1 << 63) for each in hashes if isinstance(each, int) and 0 <= each < 1 << 64), None)
    values = (
        None if memory.root == memory.id else memory.root,
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
        None if memory.scale is Scale.PROJECT else memory.scale.value,
        int(bool(memory.earned)),
        memory.superseded_by,
        _encode_commit(memory.commit),
        len(memory.original_content),
        shorten_hash(memory.content_hash),
        simhash,
        memory.token_count,
        folded.birth,
        pack_body(encode_memory(memory, sparse=True)) if folded.birth is None else None,
    )
    return *values, checksum(values)


def checksum(values: Sequence[Any]) -> int:
    """Return a checksum of a whole row, because SQLite's check does not notice changed bytes inside a value."""
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def shorten_hash(content_hash: str) -> bytes:
    """Return the first 128 bits of the hash of a text, as the index stores it."""
    try:
        return bytes.fromhex(content_hash)[:16]
    except ValueError:
        # Another program may have written the record.
        return sha256(content_hash.encode("utf-8", "replace")).digest()[:16]


def _encode_commit(commit: str | None) -> bytes | str | None:
    """Return a commit hash as bytes, which take half the space, or unchanged if it is not a hexadecimal number."""
    if commit is None or len(commit) % 2 or commit.strip("0123456789abcdef"):
        return commit
    return bytes.fromhex(commit)


def decode_commit(stored: object) -> object:
    """Return the commit hash from the value of the column `made_at`, or None if there is none."""
    return stored.hex() if isinstance(stored, bytes) else stored


def decode_text(row: Sequence[Any]) -> Any:
    """Return the JSON object of a memory from the columns `TEXT`: from its body, or the line that introduced it."""
    body, line, memory_id = row[:3]
    return unpack_memory(line, memory_id) if body is None else unpack_body(body)


class RowSource:
    """A view with methods that decode its rows. It is the first parameter of every query."""

    def __init__(self, view: View) -> None:
        self.run = view.run
        self.view = view
        self._activities: dict[tuple[str | None, str], Activity] = {}

    @property
    def has_vectors(self) -> bool:
        return self.view.has_vectors

    def activity(self, project: str | None, agent: str) -> Activity:
        """Return the days and sessions in which a project, or an agent across all projects, was active.

        The result is cached.
        """
        known = self._activities.get((project, agent))
        if known is None:
            known = self._activities[project, agent] = _read_activity(self, project, agent)
        return known

    def decode(self, row: Sequence[Any]) -> Stored:
        """Return the memory of a row with the columns `STORED`, with its status, uses and warnings."""
        status, feedback, signs, count, last, session, suspicions, unproven, accepted = row[3:]
        memory = decode_memory(decode_text(row))
        worked = self.activity(memory.project, memory.agent)
        return Stored(
            memory=memory,
            status=_STATUSES[status],
            standing=worked.standing_of(
                memory,
                count=count or 0,
                last_ms=last,
                session=session,
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
        """Return the memories of rows with the columns `STORED`."""
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


USERS = "u"
"""The end of further words in the scope column of a memory that holds the user's own words."""


def index_tokens(scopes: Iterable[str], sensitivities: Iterable[Sensitivity], archived: bool) -> list[str]:
    """Return the words for the scope column of the full-text index, one for each scope with each sensitivity.

    `scopes` are the tokens of the scopes. Archived memories have different words.
    """
    phase = "x" if archived else ""
    return [f"{scope}{sensitivity.level}{phase}" for scope in scopes for sensitivity in sensitivities]


def list_shelves(scopes: Iterable[int], sensitivities: Iterable[Sensitivity], archived: bool) -> list[int]:
    """Return the number of the shelf for each scope, given by its key, with each sensitivity.

    A shelf is a group of vectors that a search reads together. Archived memories have different shelves.
    """
    return [scope << 3 | sensitivity.level << 1 | archived for scope in scopes for sensitivity in sensitivities]


def scoped_bands(scope: int, simhash: int) -> list[int]:
    """Split a simhash into bands, and return them as numbers that are different in each scope.

    Similar texts have some bands in common, so a lookup of bands finds similar texts of one scope.
    """
    from limpet.text.similarity import split_bands

    return [scope << 14 | band for band in split_bands(simhash)]


def embed(view: View, limit: int, *, newest: int = 0) -> int:
    """Compute vectors for up to `limit` memories that have none; return the number of memories processed.

    The result is 0 if no memory is left. If `newest` is set, only that many of the newest memories are considered.
    """
    if not view.has_vectors:
        return 0
    # In the order of their keys: in the opposite order, half of each page of the index would stay empty.
    since: Any = 0
    if newest:
        since = view.run("SELECT min(key) FROM (SELECT key FROM unembedded ORDER BY key DESC LIMIT ?)", (newest,)).get
    rows: list[Any] = view.run(
        f"SELECT {TEXT}, u.key, m.scope, m.sensitivity, m.phase FROM unembedded u "
        "LEFT JOIN memory m ON m.key = u.key AND m.status = 'live' LEFT JOIN change c ON c.key = m.birth "
        "WHERE u.key >= ? ORDER BY u.key LIMIT ?",
        (since or 0, limit),
    ).fetchall()
    found = []
    for row in rows:
        *_, memory, key, scope, sensitivity, phase = row
        if memory is not None:
            (shelf,) = list_shelves((scope,), (Sensitivity(sensitivity),), phase == Phase.ARCHIVED)
            found.append((key, shelf, read_meaning(decode_text(row))))
    put_vectors(view, found)
    if rows:
        view.run("DELETE FROM unembedded WHERE key BETWEEN ? AND ?", (rows[0][3], rows[-1][3]))
    return len(rows)


def put_vectors(view: View, found: Sequence[tuple[int, int, str]]) -> None:
    """Compute and store the vectors of memories, each given by its key, its shelf and its text."""
    from limpet.text.embedding import load_embedding_table, sign_bits

    vectors, sketches = [], []
    codes = load_embedding_table().encode_many([text for _, _, text in found])
    for (key, shelf, _), code in zip(found, codes, strict=True):
        if code is not None:
            vectors.append((key, code))
            sketches.append((shelf, key, sign_bits(code)))
    view.connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", vectors)
    view.connection.executemany("INSERT OR REPLACE INTO sketch VALUES (?, ?, ?)", sketches)


def count_by_census(source: RowSource, where: str, values: Sequence[Any]) -> int:
    """Return the number of memories for which a condition holds. It may use only the columns of the table `census`.

    Memories without an expiry date are counted in advance, in that table. The others are counted in a small index.
    """
    endless = source.run(f"SELECT sum(count) FROM (SELECT *, NULL AS expires FROM census) m WHERE {where}", values).get
    ending = source.run(
        f"SELECT count(*) FROM memory m INDEXED BY memory_expiring WHERE m.expires IS NOT NULL AND {where}", values
    ).get
    return int(endless or 0) + int(ending or 0)


def read_meaning(body: Mapping[str, Any]) -> str:
    """Return the text of an encoded memory that its vectors are made of: the original text, and the cues."""
    return join_meaning(str(body.get("original_content", body.get("content", ""))), str(body.get("cues", "")))


def join_meaning(text: str, cues: str) -> str:
    """Return the text for the vectors of a memory with these cues."""
    return f"{text}\n{cues}" if cues else text


def has_missing_vectors(view: View) -> bool:
    """Tell whether some memories have no vector yet."""
    return view.has_vectors and bool(view.run("SELECT 1 FROM unembedded LIMIT 1").get)


_WITHOUT_SENTENCE = "FROM vector v LEFT JOIN sentence s ON s.key = v.key WHERE s.key IS NULL"


def count_sentences(view: View) -> tuple[int, int]:
    """Return the number of memories with a sentence-encoder vector, and the number that could have one."""
    counts = (view.run(f"SELECT count(*) FROM {table}").get for table in ("sentence", "vector"))
    done, all_of_them = (int(count or 0) for count in counts)
    return done, all_of_them


def encode_sentences(view: View, limit: int) -> int:
    """Compute sentence-encoder vectors for up to `limit` memories, newest first; return their number.

    The result is 0 if this process has not loaded the encoder. Vectors from another version of the encoder are
    discarded.
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
        f"SELECT {TEXT}, m.key FROM memory m LEFT JOIN change c ON c.key = m.birth "
        f"WHERE m.key IN (SELECT v.key {_WITHOUT_SENTENCE} ORDER BY v.key DESC LIMIT ?)",
        (limit,),
    ).fetchall()
    codes = encoder.encode_many([read_meaning(decode_text(row)) for row in rows])
    for row, code in zip(rows, codes, strict=True):
        view.run("INSERT OR REPLACE INTO sentence VALUES (?, ?)", (row[3], code or bytes(1)))
    return len(rows)


def discard_other_vectors(view: View, model: str) -> None:
    """Discard all vectors if they were not made with this model, because vectors of two models cannot be compared."""
    if view.run("SELECT value FROM meta WHERE name = 'vectors'").get == model:
        return
    for command in (
        "DELETE FROM vector",
        "DELETE FROM sketch",
        "INSERT OR IGNORE INTO unembedded SELECT key FROM memory WHERE status = 'live'",
    ):
        view.run(command)
    view.run("INSERT OR REPLACE INTO meta VALUES ('vectors', ?)", (model,))
