"""Reads the sessions that Claude Code has recorded, as the events its hooks would have reported.

What a hook reports and a transcript does not hold (how a session was started, why it ended) is left at its default, and
a session counts as ended where its file does. Records that come from a sub-agent, whether in a file of their own or
between the others, give tool calls only: nobody typed what stands there as a prompt.
"""

from __future__ import annotations

import os

from limpet.hosts.payload import first_text, list_of, mapping_of, spoken, text_of
from limpet.hosts.prompts import command_in, summary_in, typed
from limpet.hosts.results import finished
from limpet.hosts.transcript import Sighting, Skipped, last_before, last_change, moment, read_lines
from limpet.model.event import (
    CommandExpanded,
    Compacted,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    SubagentStarted,
    TurnEnded,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import Any, BinaryIO

    from limpet.hosts.transcript import Line
    from limpet.model.event import Reported

HEAD = 512
MOST_OPEN_CALLS = 256

_KINDS = (b"user", b"assistant", b"system")
_MARKS = tuple(b'"type":' + space + b'"' + kind + b'"' for kind in _KINDS for space in (b"", b" "))


FOLDER = "projects"
"""Where a configuration folder keeps its sessions."""


def is_session(path: str) -> bool:
    return path.endswith(".jsonl") and os.path.basename(os.path.dirname(path)) not in ("tool-results", "memory")


def _matters(raw: bytes) -> bool:
    """Whether a line can be one we read, judged without parsing it: attachments and requests are most of a file."""
    head = raw[:HEAD]
    attached = head.find(b'"attachment":')
    if attached >= 0 and b'"message":' not in head[:attached]:
        return False
    if head.startswith((b'{"type":', b'{"type": ')) and not head.startswith(tuple(b"{" + mark for mark in _MARKS)):
        return False
    return any(mark in raw for mark in _MARKS)


def sightings(path: str, start: int, skipped: Skipped) -> Iterator[Sighting]:
    with open(path, "rb") as file:
        reading = _Reading(file, path, start)
        for line in read_lines(file, start=start, matters=_matters, skipped=skipped):
            yield from reading.record(line)
        if reading.last is not None:
            yield from reading.ended()


class _Reading:
    """What has to be remembered from one record to the next."""

    def __init__(self, file: BinaryIO, path: str, start: int) -> None:
        self.file, self.path, self.start = file, path, start
        name = os.path.basename(path).removesuffix(".jsonl")
        self.agent = name.removeprefix("agent-") if name.startswith("agent-") else ""
        self.session = os.path.basename(os.path.dirname(os.path.dirname(path))) if self.agent else name
        self.at = last_change(path)
        self.cwd, self.branch = "", ""
        self.calls: dict[str, dict[str, Any]] = {}
        self.last: Line | None = None
        self.said: tuple[Line, datetime, str, str] | None = None

    def record(self, line: Line) -> Iterator[Sighting]:
        values = line.record
        kind = values.get("type")
        if kind not in ("user", "assistant", "system"):
            return
        self.session = text_of(values.get("sessionId")) or self.session
        self.at = moment(values.get("timestamp"), self.at)
        self.cwd = text_of(values.get("cwd")) or self.cwd
        self.branch = text_of(values.get("gitBranch")) or self.branch
        if self.last is None:
            # Sub-agents have a name in their records only since they have files of their own.
            self.agent = self.agent or (text_of(values.get("agentId")) if values.get("isSidechain") is True else "")
            if self.start == 0:
                yield self.seen(line, self.begun())
        self.last = line
        if kind == "assistant":
            self.assistant(line)
        elif kind == "user":
            yield from self.user(line)

    def begun(self) -> Reported:
        if self.agent:
            return SubagentStarted(session=self.session, at=self.at, subagent=self.agent)
        return SessionStarted(session=self.session, at=self.at, transcript=self.path)

    def assistant(self, line: Line) -> None:
        """One record a block: a text may be the last word of the turn, a tool call says that it was not."""
        message = mapping_of(line.record.get("message"))
        for block in map(mapping_of, list_of(message.get("content"))):
            if block.get("type") == "tool_use":
                self.said = None
                self.calls[text_of(block.get("id"))] = block
                if len(self.calls) > MOST_OPEN_CALLS:
                    del self.calls[next(iter(self.calls))]
        text = "\n".join(filter(None, map(_block_text, _blocks(message.get("content")))))
        if text and not self.subagent(line.record) and not _ends_in_a_call(message):
            identity = text_of(message.get("id"))
            earlier = f"{self.said[3]}\n" if self.said and identity and self.said[2] == identity else ""
            self.said = (line, self.at, identity, earlier + text)

    def user(self, line: Line) -> Iterator[Sighting]:
        values = line.record
        blocks = _blocks(mapping_of(values.get("message")).get("content"))
        results = [block for block in blocks if block.get("type") == "tool_result"]
        for block in results:
            self.said = None
            yield from self.result(line, block, alone=len(results) == 1)
        if results or values.get("isMeta") is True or self.subagent(values):
            return
        yield from self.turn_ended()
        event = self.prompt(values, blocks)
        if event is not None:
            yield self.seen(line, event)

    def prompt(self, values: dict[str, Any], blocks: list[dict[str, Any]]) -> Reported | None:
        text = "\n".join(filter(None, map(_block_text, blocks)))
        if values.get("isCompactSummary") is True:
            return Compacted(session=self.session, at=self.at, summary=summary_in(text))
        command = command_in(text)
        if command:
            return CommandExpanded(session=self.session, at=self.at, name=command[0], arguments=command[1])
        if values.get("promptSource") == "system" or values.get("isVisibleInTranscriptOnly") is True:
            return None
        text = "\n".join(filter(None, (typed(_block_text(block)) for block in blocks)))
        return PromptSubmitted(session=self.session, at=self.at, text=text) if text else None

    def result(self, line: Line, block: dict[str, Any], *, alone: bool) -> Iterator[Sighting]:
        identity = text_of(block.get("tool_use_id"))
        call = self.calls.pop(identity, None) or self.earlier_call(identity)
        tool = text_of(call.get("name")) if call else ""
        if not call or not tool:
            return
        failed = block.get("is_error") is True
        answer = line.record.get("toolUseResult") if alone and not failed else None
        said = spoken(block.get("content"))
        event = finished(
            session=self.session,
            at=self.at,
            tool=tool,
            given=call.get("input"),
            answer=answer if isinstance(answer, dict | list) and answer else _plain_error(said) if failed else said,
            cwd=self.cwd,
            failed=failed,
            interrupted=mapping_of(line.record.get("toolUseResult")).get("interrupted") is True,
            subagent=self.subagent(line.record) or None,
            line=line.number,
        )
        yield self.seen(line, event)

    def earlier_call(self, identity: str) -> dict[str, Any] | None:
        """A call that was made before the place where this reader began."""
        if not self.start or not identity:
            return None
        found = last_before(self.file, self.start, f'"{identity}"'.encode(), b'"tool_use"')
        for block in _blocks(mapping_of(mapping_of(found).get("message")).get("content")):
            if block.get("id") == identity:
                return block
        return None

    def turn_ended(self) -> Iterator[Sighting]:
        if self.said is not None:
            line, at, _, text = self.said
            self.said = None
            yield self.seen(line, TurnEnded(session=self.session, at=at, said=text))

    def ended(self) -> Iterator[Sighting]:
        yield from self.turn_ended()
        if self.last is not None and not self.agent:
            yield self.seen(self.last, SessionEnded(session=self.session, at=self.at))

    def subagent(self, values: dict[str, Any]) -> str:
        if values.get("isSidechain") is not True and not self.agent:
            return ""
        return first_text(values, "agentId", "attributionAgent") or self.agent or "sidechain"

    def seen(self, line: Line, event: Reported) -> Sighting:
        branch = self.branch if self.branch != "HEAD" else None
        return Sighting(
            event=event,
            path=self.path,
            line=line.number,
            start=line.start,
            offset=line.end,
            cwd=self.cwd,
            branch=branch or None,
        )


def _blocks(content: object) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block if isinstance(block, dict) else {"text": block} for block in list_of(content)]


def _block_text(block: dict[str, Any]) -> str:
    return text_of(block.get("text")) if block.get("type") in ("text", None) else ""


def _ends_in_a_call(message: dict[str, Any]) -> bool:
    return any(block.get("type") == "tool_use" for block in _blocks(message.get("content")))


def _plain_error(text: str) -> str:
    return text.removeprefix("<tool_use_error>").removesuffix("</tool_use_error>")
