"""Learn from the sessions that hosts (Claude Code, Codex, Gemini CLI) have already recorded on disk."""

from __future__ import annotations

import os
import shlex
from datetime import datetime

from limpet.clock import to_local
from limpet.errors import StoreReadOnly, describe_error
from limpet.hosts import HOSTS
from limpet.hosts.sessions import find_session_files, group_sessions
from limpet.inject.review_offer import request_review
from limpet.lean.record import pick, record
from limpet.learning.from_recordings import BackfillReport, learn_from_recordings
from limpet.operations.catalogue import Param, Verb, label
from limpet.runtime import Runtime
from limpet.runtime.recordings import check_session_path, find_session_folders


@record
class BackfillAnswer:
    """The result of learning from recorded sessions, with the folders or files that were searched."""

    filled: BackfillReport
    places: tuple[str, ...]
    since: datetime | None = None
    """The moment since which a session must have been active to be read, or None for all sessions."""
    command: str = "limpet backfill"
    """The command that stores what a dry run has shown."""


def run(
    runtime: Runtime,
    *,
    path: str | None = None,
    since: datetime | None = None,
    host: str | None = None,
    dry_run: bool = False,
) -> BackfillAnswer:
    hosts = tuple(each for each in HOSTS if host in (None, each))
    places = find_session_folders(hosts) if path is None else check_session_path(runtime, path, hosts)
    locks = os.path.join(runtime.settings.home, "locks")
    # If the home folder does not exist yet, the first write creates it.
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
            failed=lambda file, error: answer.failed.append((file, describe_error(error))),
            tick=lambda: runtime.progress("looking for sessions", next(looked), len(files) + 1),
        )
        learn_from_recordings(sessions, answer, context=runtime.context())
    except KeyboardInterrupt:
        answer.stopped = True
    if answer.projects and not dry_run:
        request_review(runtime.settings.home, answer.projects)
    return BackfillAnswer(
        filled=answer,
        places=tuple(dict.fromkeys(place for _, place in places)),
        since=since,
        command=_write_command(path, since, host),
    )


def _write_command(path: str | None, since: datetime | None, host: str | None) -> str:
    chosen = [path] if path is not None else []
    if since is not None:
        moment = to_local(since).replace(tzinfo=None).isoformat(timespec="seconds")
        chosen += ["--since", moment.removesuffix("T00:00:00")]
    chosen += ["--host", host] if host is not None else []
    return shlex.join(["limpet", "backfill", *chosen])


def shape(answer: BackfillAnswer) -> dict[str, object]:
    filled = answer.filled
    counts = ("found", "done", "sessions", "events", "kept", "known", "summaries", "live", "nowhere", "off", "unread")
    return {
        "places": answer.places,
        **pick(filled, *counts),
        "failed": label(filled.failed, "path", "problem"),
        "examples": [pick(memory, "title", "type", "content") for memory in filled.examples],
        **pick(filled, "stopped", "busy"),
        "dry_run": filled.dry,
    }


VERB = Verb(
    run=run,
    shape=shape,
    is_failure=lambda answer: answer.filled.busy,
    is_interrupted=lambda answer: answer.filled.stopped,
    params=(
        Param(
            name="path", help="A folder or file of sessions; all agents on this machine if not given.", positional=True
        ),
        Param(name="since", help="Only sessions that were active since this date.", kind="moment"),
        Param(name="host", help="Only sessions of this agent.", kind="choice", choices=HOSTS),
        Param(name="dry_run", help="Only show what would be noted.", kind="flag"),
    ),
    details=(
        "Reads the sessions that Claude Code, Codex and Gemini CLI have recorded, and notes what Limpet would have "
        "noted during them, with the original dates and in the right projects. It can be stopped at any time and "
        "continues when it is run again. Nothing is learnt twice, neither here nor from hooks."
    ),
    examples=(
        "limpet backfill",
        "limpet backfill --dry-run",
        "limpet backfill --since 2026-10-01",
        "limpet backfill ~/old-laptop/.claude --host claude-code",
    ),
)
