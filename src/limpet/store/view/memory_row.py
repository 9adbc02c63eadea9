"""The one encoding of a memory as a row of the index, and the one place where a row becomes a memory again."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence

from limpet.clock import from_ms, to_ms
from limpet.model.activity import Activity
from limpet.model.change import Status
from limpet.model.codec import decode_memory, encode_memory
from limpet.model.query import Stored
from limpet.model.reach import Feedback, reach_of
from limpet.model.scope import token_of
from limpet.model.standing import Standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.model.fold import MemoryState

COLUMNS = (
    *("root", "scope", "agent", "region", "project", "app", "kind", "type", "impact", "sensitivity", "origin"),
    *("phase", "pinned", "session", "branch", "created", "expires", "status", "reach", "feedback", "signs"),
    *("content_hash", "tokens", "body", "checksum"),
)

STORED = """
    m.body, m.status, m.feedback, m.signs, a.count, a.last, a.session,
    (SELECT group_concat(reason, char(31)) FROM suspicion s WHERE s.subject = m.id)
"""
FROM = "FROM memory m LEFT JOIN access a ON a.memory = m.id"
BY_KEY = "FROM memory m NOT INDEXED LEFT JOIN access a ON a.memory = m.id"
"""For queries that name the keys: SQLite would otherwise read the whole scope by its index to look for them there."""


def encode_row(folded: MemoryState, status: Status) -> tuple[Any, ...]:
    """Return the values of a memory's row, in the order of `COLUMNS`."""
    memory = folded.memory
    body = json.dumps(encode_memory(memory, sparse=True), ensure_ascii=False, separators=(",", ":"))
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


def decode_row(row: Sequence[Any], activity_of: Callable[[str | None, str], Activity]) -> Stored:
    """Return the memory of a row that was selected as `STORED`, with its standing."""
    body, status, feedback, signs, count, last, session, suspicions = row
    memory = decode_memory(json.loads(body))
    worked = activity_of(memory.project, memory.agent)
    return Stored(
        memory=memory,
        status=Status(status),
        standing=Standing(
            access_count=count or 0,
            last_accessed=from_ms(last) if last else None,
            last_session=session,
            sessions_since=worked.sessions_since(memory, last, session),
            idle_days=worked.idle_days(memory, last),
            feedback=Feedback(feedback) if feedback else None,
        ),
        suspicions=tuple(suspicions.split("\x1f")) if suspicions else (),
        signs=None if signs is None else tuple(filter(None, signs.split("\x1f"))),
    )


def checksum(values: Sequence[Any]) -> int:
    """Return a checksum of a whole row: SQLite's own check cannot see a byte that changed inside a value."""
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))
