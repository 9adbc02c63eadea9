"""Encode and decode the JSON files in a shared folder: `index.json`, which git shares, `stats.json` and `state.json`.

Their schemas are those of the tool claude-ltm. In the index, each memory is one line, the oldest first, and each line
but the first begins with a comma. So git's union merge of two branches that add memories yields valid JSON. If both
change the first line, the next sync writes the index anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from limpet.lean.record import record
from limpet.model.codec import format_time
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.model.session import Session
from limpet.model.standing import priority
from limpet.sharing.document import MemoryFile

VERSION = 1
_UNKNOWN = "1970-01-01T00:00:00.000Z"
_MOST_READ = 1 << 24


@record
class Thresholds:
    """The limits in `state.json`, which a person may edit there."""

    max_memories: int = 100
    """The maximum number of files in the folder `memories`."""
    memories_to_load: int | None = None
    """The maximum number of memories that are shown at a session start; None means the number in the settings."""
    eviction_batch_size: int = 10
    """How many files are moved to the folder `archives` at once if there are too many."""


_BOUNDS = {"max_memories": (1, 10_000), "memories_to_load": (1, 200), "eviction_batch_size": (1, 1_000)}


def list_document(document: MemoryFile, memory: Memory) -> dict[str, Any]:
    """Return the entry of a file in the index.

    The entry depends mostly on the content of the file, so that it is the same for everybody who has the file. The
    memory only provides the title and the tags if the file has none.
    """
    tags = memory.tags if document.tags is None else document.tags
    return {
        "topic": document.title or memory.title or " ".join(document.text.split())[:80],
        "tags": ["-".join(tag.split()) for tag in tags],
        "phase": 0,
        "difficulty": 0.5 if document.difficulty is None else document.difficulty,
        "created_at": document.created_at or _UNKNOWN,
    }


def encode_index(entries: Mapping[str, dict[str, Any]]) -> str:
    """Return the text of `index.json` with these entries, the oldest memory first."""
    oldest_first = sorted(entries, key=lambda name: (str(entries[name].get("created_at", "")), name))
    lines = "\n,".join(f"{_dump(name)}:{_dump(entries[name])}" for name in oldest_first)
    return f'{{"version":{VERSION},"memories":{{\n{lines}\n}}}}\n'


def decode_index(data: bytes | None) -> dict[str, Any] | None:
    """Parse `index.json` and return the entries by file name.

    Return None if `data` is None, too large or malformed, or if it contains a name twice.
    """
    if data is None or len(data) > _MOST_READ:
        return None
    try:
        found = json.loads(data, object_pairs_hook=_refuse_duplicates)["memories"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a name occurs twice")
    return dict(pairs)


def encode_stats(files: Mapping[str, Stored], *, numbers: Mapping[str, int]) -> str:
    """Return the text of `stats.json`: how the memory in each file was used on this machine.

    `numbers` maps the ids of sessions to their numbers in the project, which the file contains instead of the ids.
    """
    found = {}
    for name, stored in sorted(files.items()):
        standing = stored.standing
        entry: dict[str, Any] = {
            "access_count": standing.access_count,
            "priority": round(priority(stored.memory, standing), 4),
        }
        if standing.last_accessed is not None:
            entry["accessed_at"] = format_time(standing.last_accessed)
        if (number := numbers.get(standing.last_session or "")) is not None:
            entry["last_session"] = number
        found[name] = entry
    return json.dumps({"version": VERSION, "memories": found}, indent=1) + "\n"


def read_thresholds(data: bytes | None) -> Thresholds:
    """Parse the limits in `state.json`; a limit that is missing or out of range has its default."""
    try:
        given = json.loads(data or b"{}").get("config", {})
        chosen = {
            name: given[name]
            for name, (low, high) in _BOUNDS.items()
            if type(given.get(name)) is int and low <= given[name] <= high
        }
    except (ValueError, TypeError, AttributeError, RecursionError):
        return Thresholds()
    return Thresholds(**chosen)


def encode_state(
    before: bytes | None,
    *,
    latest: Session | None,
    compactions: int,
    thresholds: Thresholds,
    evicted_at: str | None,
) -> str:
    """Return the text of `state.json` with new values; the other keys in `before`, its current content, are kept.

    `latest` is the newest session of the project, and `compactions` is how often conversations were compacted in all of
    its sessions.
    """
    try:
        state = json.loads(before or b"{}")
        state = dict(state) if isinstance(state, dict) else {}
    except (ValueError, RecursionError):
        state = {}
    state |= {
        "version": VERSION,
        "session_count": latest.number if latest else 0,
        "current_session": _encode_session(latest) if latest and not latest.ended else {},
        "compaction_count": compactions,
    }
    config = state.get("config")
    state["config"] = {
        **(config if isinstance(config, dict) else {}),
        **{name: value for name in _BOUNDS if (value := getattr(thresholds, name)) is not None},
    }
    if evicted_at:
        state["last_eviction"] = evicted_at
    return json.dumps(state, indent=1, sort_keys=True) + "\n"


def _encode_session(session: Session) -> dict[str, Any]:
    return {
        "started_at": format_time(session.started_at),
        "tool_failures": session.failures,
        "tool_successes": session.successes,
        "compacted": session.compactions > 0,
    }


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
