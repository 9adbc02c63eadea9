"""Build memory from the sessions already on disk."""

from __future__ import annotations

import os
from datetime import datetime

from limpet.errors import Refused, SettingsError, StoreReadOnly, UsageError
from limpet.hosts import HOSTS, wiring
from limpet.hosts.sessions import find_session_files, group_sessions
from limpet.lean.record import record
from limpet.learning.from_recordings import Report
from limpet.operations.catalogue import Param, Verb
from limpet.runtime import Runtime
from limpet.runtime.learn import learn_from_recordings
from limpet.workspace.files import is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class Backfilled:
    """What came of it, and where was looked."""

    filled: Report
    places: tuple[str, ...]


def run(
    runtime: Runtime,
    *,
    path: str | None = None,
    since: datetime | None = None,
    host: str | None = None,
    dry_run: bool = False,
) -> Backfilled:
    hosts = tuple(each for each in HOSTS if host in (None, each))
    places = _places(hosts) if path is None else _named(runtime, path, hosts)
    if not dry_run and not os.access(os.path.join(runtime.settings.home, "locks"), os.W_OK):
        raise StoreReadOnly(
            f"the store at {runtime.settings.home} cannot be written; check its owner and mode, or set LIMPET_HOME"
        )
    answer = Report(dry=dry_run)
    try:
        files = find_session_files(places, since=since)
        looked = iter(range(1, len(files) + 1))
        sessions = group_sessions(
            files,
            failed=lambda file, error: answer.failed.append((file, error.strerror or str(error))),
            tick=lambda: runtime.progress("looking for sessions", next(looked), len(files) + 1),
        )
        learn_from_recordings(runtime, sessions, answer)
    except KeyboardInterrupt:
        answer.stopped = True
    return Backfilled(filled=answer, places=tuple(dict.fromkeys(place for _, place in places)))


def _places(hosts: tuple[str, ...]) -> list[tuple[str, str]]:
    """The folders of the hosts that are there."""
    found = []
    for host in hosts:
        try:
            folder = wiring.folder(host)
        except SettingsError:  # a user without a home folder has no sessions in it
            continue
        if os.path.isdir(folder):
            found.append((host, folder))
    return found


def _named(runtime: Runtime, path: str, hosts: tuple[str, ...]) -> list[tuple[str, str]]:
    """A place that was asked for.

    Prompts in a transcript are memories of the user's own words. A host's folder holds what a host has recorded; what
    lies elsewhere may have been written by anybody, so that only a person can say that it is theirs.
    """
    place = os.path.abspath(os.path.expanduser(path))
    if not os.path.exists(place):
        raise UsageError(f"there is no file or folder {path[:200]!r}; give one that holds sessions, or none at all")
    own = [os.path.realpath(folder) for _, folder in _places(HOSTS)]
    real = os.path.realpath(place)
    if runtime.caller.is_agent and not any(real == folder or is_inside(real, folder) for folder in own):
        raise Refused("only a person can have memories made of files elsewhere; ask the user to run this in a terminal")
    return [(host, place) for host in hosts]


def to_json(answer: Backfilled, now: datetime) -> dict[str, Any]:
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
        Param(name="path", help="A folder or file of sessions; otherwise those of every agent here.", positional=True),
        Param(name="since", help="Only sessions that were at work since this date.", kind="moment"),
        Param(name="host", help="Only sessions of this agent.", kind="choice", choices=HOSTS),
        Param(name="dry_run", help="Only say what would be kept.", kind="flag"),
    ),
    details=(
        "Reads what Claude Code, Codex and Gemini CLI have recorded and keeps what would have been kept had Limpet "
        "been there, with the dates of then and in the projects it belongs to. It can be stopped at any time and goes "
        "on when it is run again; what was learnt once, here or from hooks, is not learnt twice."
    ),
    examples=(
        "limpet backfill",
        "limpet backfill --dry-run",
        "limpet backfill --since 2026-10-01",
        "limpet backfill ~/old-laptop/.claude --host claude-code",
    ),
)
