"""Learn from the sessions already on disk."""

from __future__ import annotations

import os
from datetime import datetime

from limpet.errors import Refused, SettingsError, StoreReadOnly, UsageError
from limpet.hosts import HOSTS, wiring
from limpet.hosts.sessions import find_session_files, group_sessions
from limpet.lean.record import record
from limpet.learning.from_recordings import BackfillReport, learn_from_recordings
from limpet.operations.catalogue import Param, Verb
from limpet.runtime import Runtime
from limpet.workspace.files import is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class BackfillAnswer:
    """What was learnt, and which places were searched."""

    filled: BackfillReport
    places: tuple[str, ...]


def run(
    runtime: Runtime,
    *,
    path: str | None = None,
    since: datetime | None = None,
    host: str | None = None,
    dry_run: bool = False,
) -> BackfillAnswer:
    hosts = tuple(each for each in HOSTS if host in (None, each))
    places = _find_places(hosts) if path is None else _check_place(runtime, path, hosts)
    locks = os.path.join(runtime.settings.home, "locks")
    # A home that is not there is made by the first write.
    if not dry_run and os.path.isdir(locks) and not os.access(locks, os.W_OK):
        raise StoreReadOnly(
            f"the store at {runtime.settings.home} cannot be written; check its owner and mode, or set LIMPET_HOME"
        )
    answer = BackfillReport(dry=dry_run)
    try:
        files = find_session_files(places, since=since)
        looked = iter(range(1, len(files) + 1))
        sessions = group_sessions(
            files,
            failed=lambda file, error: answer.failed.append((file, error.strerror or str(error))),
            tick=lambda: runtime.progress("looking for sessions", next(looked), len(files) + 1),
        )
        learn_from_recordings(sessions, answer, context=runtime.context())
    except KeyboardInterrupt:
        answer.stopped = True
    return BackfillAnswer(filled=answer, places=tuple(dict.fromkeys(place for _, place in places)))


def _find_places(hosts: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the session folders of the hosts that are installed."""
    found = []
    for host in hosts:
        try:
            folder = wiring.folder(host)
        except SettingsError:  # a user without a home folder has no sessions in it
            continue
        if os.path.isdir(folder):
            found.append((host, folder))
    return found


def _check_place(runtime: Runtime, path: str, hosts: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the given place once for each host; refuse a place that only a person may give.

    Prompts in a transcript become memories of the user's own words. A host's folder holds sessions that the host has
    recorded. Files elsewhere may have been written by anybody, so only a person may give them.
    """
    place = os.path.abspath(os.path.expanduser(path))
    if not os.path.exists(place):
        raise UsageError(f"there is no file or folder {path[:200]!r}; give one that holds sessions, or none at all")
    own = [os.path.realpath(folder) for _, folder in _find_places(HOSTS)]
    real = os.path.realpath(place)
    if runtime.caller.is_agent and not any(real == folder or is_inside(real, folder) for folder in own):
        raise Refused("only a person can have other files read as sessions; ask the user to run this in a terminal")
    return [(host, place) for host in hosts]


def to_json(answer: BackfillAnswer, now: datetime) -> dict[str, Any]:
    filled = answer.filled
    return {
        "places": list(answer.places),
        "found": filled.found,
        "done": filled.done,
        "sessions": filled.sessions,
        "events": filled.events,
        "kept": filled.kept,
        "known": filled.known,
        "summaries": filled.summaries,
        "live": filled.live,
        "nowhere": filled.nowhere,
        "off": filled.off,
        "unread": filled.unread,
        "failed": [{"path": path, "problem": problem} for path, problem in filled.failed],
        "examples": [
            {"title": memory.title, "type": memory.type.value, "content": memory.content} for memory in filled.examples
        ],
        "stopped": filled.stopped,
        "busy": filled.busy,
        "dry_run": filled.dry,
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    is_failure=lambda answer: answer.filled.busy,
    is_interrupted=lambda answer: answer.filled.stopped,
    params=(
        Param(
            name="path", help="A folder or file of sessions; all agents on this machine if not given.", positional=True
        ),
        Param(name="since", help="Only sessions that were active since this date.", kind="moment"),
        Param(name="host", help="Only sessions of this agent.", kind="choice", choices=HOSTS),
        Param(name="dry_run", help="Only show what would be kept.", kind="flag"),
    ),
    details=(
        "Reads the sessions that Claude Code, Codex and Gemini CLI have recorded, and keeps what Limpet would have "
        "kept during them, with the original dates and in the right projects. It can be stopped at any time and "
        "continues when it is run again. Nothing is learnt twice, neither here nor from hooks."
    ),
    examples=(
        "limpet backfill",
        "limpet backfill --dry-run",
        "limpet backfill --since 2026-10-01",
        "limpet backfill ~/old-laptop/.claude --host claude-code",
    ),
)
