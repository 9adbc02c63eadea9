"""Count the work and failures of a session since its last memory, to estimate how hard a new memory was to learn.

This is for a memory that is stored on purpose while the session continues. The events are read from the queue, which
keeps processed events for some days.
"""

from __future__ import annotations

from limpet.capture.state import Effort
from limpet.clock import to_ms
from limpet.hosts.events import reports_compactions
from limpet.hosts.payload import mapping_of
from limpet.lean.record import replace
from limpet.learning.sources import decode_entry
from limpet.model.event import Compacted, ToolFinished
from limpet.model.memory import ON_PURPOSE
from limpet.model.query import Query
from limpet.model.reach import SUMMARIES
from limpet.model.scope import Scope
from limpet.queue import files as queue
from limpet.store.protocol import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

_MOST_MEMORIES = 50
"""The maximum number of a session's memories that are examined, newest first."""


def find_effort(home: str, session: str, *, reading: Reading, scope: Scope, now: datetime) -> Effort:
    """Return the counts of tool calls and failures of a session since its last memory was stored."""
    since = max(list_store_times(session, reading=reading, scope=scope, now=now), default=0)
    effort = Effort()
    last: dict[str, Any] = {}
    key = queue.key_of(session)
    for name in queue.list_queue_files(home):
        if name.rpartition("/")[2] != key:
            continue
        for _, record in queue.read(home, name):
            at = record.get("at")
            if not isinstance(at, int) or at <= since:
                continue
            event = decode_entry(record).event
            if isinstance(event, ToolFinished):
                effort = effort.after_tool(failed=event.failed)
            elif isinstance(event, Compacted):
                effort = replace(effort, compacted=True)
            last = record
    host = str(last.get("host", ""))
    if not last or reports_compactions(host):
        return effort
    # Loaded here, because most hosts report them.
    from limpet.hosts.sessions import find_compactions

    times = find_compactions(mapping_of(last.get("payload")), host=host)
    return replace(effort, compacted=True) if any(to_ms(at) > since for at in times) else effort


def list_store_times(
    session: str, *, reading: Reading, scope: Scope, now: datetime, only_on_purpose: bool = False
) -> list[int]:
    """Return the times at which a session's memories were stored, in milliseconds, earliest first."""
    query = Query(scope=scope, session=session, now=now, limit=_MOST_MEMORIES)
    found = (stored.memory for stored in reading.browse(query).items if stored.memory.type not in SUMMARIES)
    return sorted(to_ms(each.created_at) for each in found if not only_on_purpose or each.earned == ON_PURPOSE)
