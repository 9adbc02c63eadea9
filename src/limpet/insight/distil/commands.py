"""Check the commands that a line quotes: each must have succeeded in a recorded session, word for word."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.hosts.sessions import RecordedSession, Replay
from limpet.lean.pattern import lazy
from limpet.model.event import ToolFinished

_QUOTED = lazy(r"`([^`\n]{3,300})`")
_COMMAND = lazy(r"[a-z][\w.+-]*+ \S.*+")
_JOIN = lazy(r"\s*+(?:&&|\|\|?|;)\s*+")


def find_quoted_commands(text: str) -> list[str]:
    """Return the commands in a text: the parts in backticks that begin with a word in lower case and have arguments."""
    return [span for span in (" ".join(found.split()) for found in _QUOTED.findall(text)) if _COMMAND.fullmatch(span)]


def find_proven(wanted: Iterable[str], sessions: Iterable[RecordedSession]) -> frozenset[str]:
    """Return the `wanted` commands that succeeded in at least one session. Stop reading when all are found."""
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
