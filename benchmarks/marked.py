"""Marked messages of real sessions, which are not in the repository: `scripts/fit_capture.py` describes the file."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from limpet.model.event import PromptSubmitted, TurnEnded

KEPT_BACK = (7, 8, 9)
"""The folds that are never fitted to."""
WANTED = ("rule", "decision", "fact", "fix")
_AT = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Message:
    """A prompt or a report, with its mark."""

    role: str
    owner: str
    language: str
    text: str
    before: str
    kind: str
    sure: bool

    @property
    def wanted(self) -> bool:
        return self.kind in WANTED

    @property
    def fold(self) -> int:
        """Return one of ten parts; all messages of an owner are in the same one."""
        return int(hashlib.sha256(self.owner.encode()).hexdigest(), 16) % 10


def load_messages(path: str) -> Iterator[Message]:
    """Yield the messages of a file, one JSON object a line."""
    data = Path(path).read_bytes()
    for line in (lzma.decompress(data) if path.endswith(".xz") else data).decode("utf-8").splitlines():
        row = json.loads(line)
        yield Message(
            role=row["role"],
            owner=row["repo"].split("/")[0].lower(),
            language=row.get("lang", ""),
            text=row["text"],
            before=row["before"],
            kind=row["label"]["kind"],
            sure=row["label"]["sure"],
        )


def make_event(message: Message) -> PromptSubmitted | TurnEnded:
    """Return the event that a host would report."""
    return _make_event(message.role == "prompt", message.text)


def make_event_before(message: Message) -> PromptSubmitted | TurnEnded:
    """Return the event of the message before this one, of which only the end is known."""
    return _make_event(message.role != "prompt", message.before)


def _make_event(is_prompt: bool, text: str) -> PromptSubmitted | TurnEnded:
    if is_prompt:
        return PromptSubmitted(session="s", at=_AT, text=text)
    return TurnEnded(session="s", at=_AT, said=text)
