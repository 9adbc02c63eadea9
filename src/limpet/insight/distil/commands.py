"""Check the commands that a line quotes: each must have been run, word for word, in a session, and have succeeded."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.hosts.sessions import RecordedSession, Replay
from limpet.lean.pattern import lazy
from limpet.model.event import ToolFinished

_QUOTED = lazy(r"`([^`\n]{3,300})`")
_COMMAND = lazy(r"[a-z][\w.+-]*+ \S.*+")
_JOIN = lazy(r"\s*+(?:&&|\|\|?|;)\s*+")


def find_quoted_commands(text: str) -> list[str]:
    """Return the commands that a text quotes between backticks; a single word is a name, not a command."""
    return [span for span in (" ".join(found.split()) for found in _QUOTED.findall(text)) if _COMMAND.fullmatch(span)]


def find_proven(wanted: Iterable[str], sessions: Iterable[RecordedSession]) -> frozenset[str]:
    """Return the commands that succeeded in one of the sessions; no more sessions are read than needed."""
    missing, proven = set(wanted), set[str]()
    for recorded in sessions:
        if not missing:
            break
        replay = Replay(recorded, {})
        try:
            for seen in replay:
                event = seen.event
                if isinstance(event, ToolFinished) and event.command and not event.failed and not event.interrupted:
                    whole = " ".join(event.command.split())
                    proven |= missing & {whole, *_JOIN.split(whole)}
        finally:
            replay.close()
        missing -= proven
    return frozenset(proven)
