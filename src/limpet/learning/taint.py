"""Find what a session has read from outside (its taint), for a memory that an agent stores while the session continues.

The session's saved state contains the taint up to the last batch, and the queue contains the events since then. Even a
web page that was read just before is in the queue, because a host waits for the hook that reports it. An MCP server may
not know the current session. Therefore other sessions that have recently worked in the project are included too. This
does no harm, because a memory is only affected if it repeats words that were read.

What was read in the present turn affects a memory in any words, so there only the turn of the caller's session counts.
If that session is unknown or over, as after `/clear`, the turns in which other sessions of the folder have lately read
something from outside count.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from limpet.lean.record import replace
from limpet.model.event import PromptSubmitted, SessionEnded
from limpet.model.taint import Taint
from limpet.queue import files as queue

_SESSIONS = 8
"""The maximum number of sessions of a project that are examined."""
_LATELY_MS = 3_600_000


def find_taint(home: str, *, session: str | None, root: str | None, now_ms: int) -> Taint:
    """Return what the session, and other recent sessions in the folder `root`, have read from outside."""
    found: dict[str, list[str]] = {queue.key_of(session): []} if session else {}
    for name in sorted(queue.list_queue_files(home), reverse=True):
        key = name.rpartition("/")[2]
        is_near = key in found or (len(found) < _SESSIONS and root is not None and _is_recent(home, name, root, now_ms))
        if queue.is_name(name) and is_near:
            found.setdefault(key, []).append(name)
    taint, read = Taint(), dict[str, Taint]()
    own = queue.key_of(session) if session else ""
    for key, names in found.items():
        each = _find_session_taint(home, key, sorted(names), root)
        taint = taint.merge(each)
        if each.outside and (key == own or now_ms - each.outside_ms < _LATELY_MS):
            read[key] = each
    typed, is_over = _read_typed(home, found.get(own, ())) if read else ((), True)
    if not is_over:
        read = {own: read[own]} if own in read else {}
    else:
        read.pop(own, None)
        typed = tuple(text for key in read for text in _read_typed(home, found[key])[0])
    outside = tuple(dict.fromkeys(name for each in read.values() for name in each.outside))
    return replace(taint, outside=outside, typed=typed if outside else ())


def _read_typed(home: str, names: Iterable[str]) -> tuple[tuple[str, ...], bool]:
    """Return what the user typed in a session, and whether the session is over or unknown."""
    from limpet.capture.tools.observe import observe
    from limpet.learning.sources import decode_entry

    typed, is_over = list[str](), True
    for record in (record for name in sorted(names) for _, record in queue.read(home, name)):
        event = decode_entry(record).event
        is_over = isinstance(event, SessionEnded)
        if isinstance(event, PromptSubmitted) and event.is_typed and (seen := observe(event)) is not None:
            typed.append(seen.text)
    return tuple(typed), is_over


def _is_recent(home: str, name: str, root: str, now_ms: int) -> bool:
    """Tell whether a queue file was written in the last few days by a session that began in the folder `root`."""
    # Loaded in the functions of this module, because it loads most of `capture` and is often not needed.
    from limpet.learning.sources import decode_entry

    first = None if queue.is_over(name, now_ms) else next(queue.read(home, name), None)
    folder = decode_entry(first[1]).folder if first else ""
    return f"{folder}{os.sep}".startswith(f"{root.rstrip(os.sep)}{os.sep}")


def _find_session_taint(home: str, key: str, names: list[str], root: str | None) -> Taint:
    from limpet.capture.taint import track_own_words, track_source
    from limpet.capture.tools.observe import observe
    from limpet.learning.sources import decode_entry
    from limpet.learning.states import SessionStates

    saved = SessionStates(home, key).newest()
    taint = saved.state.taint if saved else Taint()
    used = saved.cursor if saved else {}
    for name in names:
        if used and name not in used and name < max(used):
            continue
        for _, record in queue.read(home, name, used.get(name, 0)):
            event = decode_entry(record).event
            taint = track_source(taint, event, root=root)
            seen = observe(event)
            taint = track_own_words(taint, seen) if seen else taint
    return taint
