"""Convert a session recorded by Gemini CLI to the events that its hooks would have reported.

Since 2026 a session file has a header and then one message on each line. A message is written again whenever something
is added to it, so each message and tool call is counted once, by its id. An older session file is one JSON object, and
the offset of an event in it is the number of its message. The folder in which the agent worked is read from a file
`.project_root` in a parent folder.

When a conversation was compressed, the header is changed: its messages are now a summary, which has a new id, and the
last messages. The older form does not record this.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from limpet.hosts.payload import list_of, mapping_of, message_text, text_of
from limpet.hosts.prompt_text import typed_text
from limpet.hosts.results import make_tool_event
from limpet.hosts.transcript import (
    Line,
    LocatedEvent,
    SkippedLines,
    modified_at,
    parse_object,
    parse_record_time,
    read_lines,
)
from limpet.model.event import (
    Compacted,
    PromptSubmitted,
    Reported,
    SessionEnded,
    SessionStarted,
    SubagentStarted,
    TurnEnded,
)

LARGEST_OBJECT = 64 << 20

_NEW_MESSAGES = b'{"$set":{"messages":'
_SUMMARY = "<state_snapshot>"
"""The tag in every summary of a compressed conversation."""
_THANKS = "Got it."

_OVER = ("success", "error", "cancelled")


FOLDER = "tmp"
"""The name of the folder with the sessions, inside the host's configuration folder."""


def is_session(path: str) -> bool:
    folders = path.split(os.sep)[-4:-1]
    return path.endswith((".json", ".jsonl")) and "chats" in folders


def read_located_events(path: str, start: int, skipped: SkippedLines) -> Iterator[LocatedEvent]:
    reader = _Reader(path)
    lines = _object_lines(path, skipped) if path.endswith(".json") else _file_lines(path, skipped)
    for line in lines:
        # Records before `start` are read too, because a message that is written again must not count twice.
        yield from (seen for seen in reader.read_record(line) if seen.offset > start)
    yield from (seen for seen in reader.end_session() if seen.offset > start)


def _file_lines(path: str, skipped: SkippedLines) -> Iterator[Line]:
    with open(path, "rb") as file:
        yield from read_lines(
            file, start=0, matters=lambda raw: not raw.startswith(b'{"$') or _has_summary(raw), skipped=skipped
        )


def _has_summary(raw: bytes) -> bool:
    return raw.startswith(_NEW_MESSAGES) and _SUMMARY.encode() in raw


def find_compactions(path: str) -> list[datetime]:
    """Return when the conversation in a session file was compressed, which no hook reports."""
    known: set[str] = set()
    with open(path, "rb") as file:
        lines = read_lines(file, start=0, matters=_has_summary, skipped=SkippedLines())
        found = [_find_summary(line.record, known, modified_at(path)) for line in lines]
    return [at for at in found if at is not None]


def _find_summary(values: dict[str, Any], known: set[str], otherwise: datetime) -> datetime | None:
    """Return the time of the summary in a record that changes the header, and add its id to `known`.

    Return None if the record has no summary, or one that is known. A summary is the first message after the context of
    the session, and the model seems to thank for it.
    """
    messages = list(map(mapping_of, list_of(mapping_of(values.get("$set")).get("messages"))))[1:3]
    said = [message_text(each.get("content")) for each in messages]
    identity = text_of(messages[0].get("id")) if messages else ""
    if len(said) < 2 or _SUMMARY not in said[0] or not said[1].startswith(_THANKS) or identity in known:
        return None
    known.add(identity)
    return parse_record_time(messages[0].get("timestamp"), otherwise)


def _object_lines(path: str, skipped: SkippedLines) -> Iterator[Line]:
    """Yield the header and the messages of a session file in the older form, as if each were on a separate line."""
    if os.path.getsize(path) > LARGEST_OBJECT:
        skipped.too_long += 1
        return
    with open(path, "rb") as file:
        whole = parse_object(file.read())
    if whole is None:
        skipped.broken += 1
        return
    records = [{**whole, "messages": None}, *map(mapping_of, list_of(whole.get("messages")))]
    for number, each in enumerate(records):
        yield Line(number=number, start=number, end=number + 1, record=each)


class _Reader:
    """A converter of one file's records to events, with the state that is kept between records."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = os.path.dirname(path)
        self.session = os.path.basename(path).rpartition(".")[0]
        self.subagent = ""
        self.cwd = _project_root(self.folder)
        self.at = modified_at(path)
        self.known: set[str] = set()
        self.said: tuple[Line, datetime, str, str] | None = None
        self.last: Line | None = None

    def read_record(self, line: Line) -> Iterator[LocatedEvent]:
        values = line.record
        if "$set" in values:
            at = _find_summary(values, self.known, self.at)
            if at is not None and not self.subagent:
                self.last, self.at = line, at
                yield self.locate_event(line, Compacted(session=self.session, at=at))
            return
        self.at = parse_record_time(values.get("timestamp") or values.get("startTime"), self.at)
        if text_of(values.get("sessionId")) and not self.known:
            self.known.add("")
            self.last = line
            yield self.locate_event(line, self.start_event(values))
        elif text_of(values.get("id")):
            self.last = line
            if values.get("type") == "user":
                yield from self.read_user(line)
            elif values.get("type") == "gemini":
                yield from self.read_model(line)

    def start_event(self, values: dict[str, Any]) -> Reported:
        self.session = text_of(values.get("sessionId"))
        if values.get("kind") == "subagent":
            self.subagent = self.session
            self.session = os.path.basename(self.folder)
            return SubagentStarted(session=self.session, at=self.at, subagent=self.subagent)
        return SessionStarted(session=self.session, at=self.at, transcript=self.path)

    def read_user(self, line: Line) -> Iterator[LocatedEvent]:
        values = line.record
        text = typed_text(message_text(values.get("displayContent")) or _typed_parts(values.get("content")))
        identity = text_of(values.get("id"))
        if not text or self.subagent or identity in self.known:
            return
        self.known.add(identity)
        yield from self.end_turn()
        yield self.locate_event(line, PromptSubmitted(session=self.session, at=self.at, text=text))

    def read_model(self, line: Line) -> Iterator[LocatedEvent]:
        values = line.record
        calls = list(map(mapping_of, list_of(values.get("toolCalls"))))
        text = _typed_parts(values.get("content"))
        identity = text_of(values.get("id"))
        if calls and self.said and self.said[2] == identity:
            self.said = None
        elif text and not calls and not self.subagent:
            at = self.said[1] if self.said and self.said[2] == identity else self.at
            self.said = (line, at, identity, text)
        for call in calls:
            identity = text_of(call.get("id"))
            if call.get("status") in _OVER and identity not in self.known:
                self.known.add(identity)
                self.said = None
                yield self.locate_event(line, self.tool_event(line, call))

    def tool_event(self, line: Line, call: dict[str, Any]) -> Reported:
        status = text_of(call.get("status"))
        return make_tool_event(
            session=self.session,
            at=parse_record_time(call.get("timestamp"), self.at),
            tool=text_of(call.get("name")) or "unknown",
            given=call.get("args"),
            answer={"llmContent": message_text(call.get("result")) or message_text(call.get("resultDisplay"))},
            cwd=self.cwd,
            failed=status == "error",
            interrupted=status == "cancelled",
            subagent=self.subagent or None,
            line=line.number,
        )

    def end_turn(self) -> Iterator[LocatedEvent]:
        if self.said is not None:
            line, at, _, text = self.said
            self.said = None
            yield self.locate_event(line, TurnEnded(session=self.session, at=at, said=text))

    def end_session(self) -> Iterator[LocatedEvent]:
        yield from self.end_turn()
        if self.last is not None and not self.subagent:
            yield self.locate_event(self.last, SessionEnded(session=self.session, at=self.at))

    def locate_event(self, line: Line, event: Reported) -> LocatedEvent:
        return line.locate_event(event, self.path, cwd=self.cwd)


def _typed_parts(content: object) -> str:
    """Return the texts of a message, without the tool results between them."""
    parts = content if isinstance(content, list) else [content]
    return "\n".join(
        filter(None, (each if isinstance(each, str) else text_of(mapping_of(each).get("text")) for each in parts))
    )


def _project_root(folder: str) -> str:
    """Return the folder in which the agent worked, from the file `.project_root`; an empty string if there is none."""
    # The file is in the folder above `chats`, and the transcript of a sub-agent is one folder deeper.
    for _ in range(2):
        folder = os.path.dirname(folder)
        try:
            with open(os.path.join(folder, ".project_root"), encoding="utf-8") as file:
                return file.read(4_096).strip()
        except (OSError, ValueError):
            continue
    return ""
