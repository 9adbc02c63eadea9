"""Convert a session recorded by Claude Code to the events that its hooks would have reported.

A transcript does not contain everything that a hook reports, such as why a session ended; these fields keep their
default values. The session ends at the end of the file. The records of a sub-agent are in a separate file or between
the others. Only its tool calls are reported, because no person typed its prompts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from typing import Any, BinaryIO

from limpet.hosts.claude_code import INTERRUPTION, SCRIPTED
from limpet.hosts.payload import first_text, list_of, mapping_of, message_text, text_of
from limpet.hosts.prompt_text import parse_revert_command, parse_slash_command, parse_summary, typed_text
from limpet.hosts.results import make_tool_event
from limpet.hosts.transcript import (
    HEAD,
    MOST_OPEN_CALLS,
    Line,
    LocatedEvent,
    SkippedLines,
    find_line_before,
    modified_at,
    parse_record_time,
    read_lines,
)
from limpet.model.event import (
    CommandExpanded,
    Compacted,
    Interrupted,
    PromptSubmitted,
    Reported,
    SessionEnded,
    SessionStarted,
    SubagentStarted,
    TurnEnded,
)

_KINDS = (b"user", b"assistant", b"system")
_MARKS = tuple(b'"type":' + space + b'"' + kind + b'"' for kind in _KINDS for space in (b"", b" "))


FOLDER = "projects"
"""The name of the folder with the sessions, inside the host's configuration folder."""


def is_session(path: str) -> bool:
    return path.endswith(".jsonl") and os.path.basename(os.path.dirname(path)) not in ("tool-results", "memory")


def _matters(raw: bytes) -> bool:
    """Tell without parsing whether a line may be needed; most lines are attachments and requests, which are not."""
    head = raw[:HEAD]
    attached = head.find(b'"attachment":')
    if attached >= 0 and b'"message":' not in head[:attached]:
        return False
    if head.startswith((b'{"type":', b'{"type": ')) and not head.startswith(tuple(b"{" + mark for mark in _MARKS)):
        return False
    return any(mark in raw for mark in _MARKS)


def read_located_events(path: str, start: int, skipped: SkippedLines) -> Iterator[LocatedEvent]:
    with open(path, "rb") as file:
        reader = _Reader(file, path, start)
        for line in read_lines(file, start=start, matters=_matters, skipped=skipped):
            yield from reader.read_record(line)
        if reader.last is not None:
            yield from reader.end_session()


class _Reader:
    """A converter of one file's records to events, with the state that is kept between records."""

    def __init__(self, file: BinaryIO, path: str, start: int) -> None:
        self.file, self.path, self.start = file, path, start
        name = os.path.basename(path).removesuffix(".jsonl")
        self.agent = name.removeprefix("agent-") if name.startswith("agent-") else ""
        self.session = os.path.basename(os.path.dirname(os.path.dirname(path))) if self.agent else name
        self.at = modified_at(path)
        self.cwd, self.branch = "", ""
        self.calls: dict[str, dict[str, Any]] = {}
        self.last: Line | None = None
        self.said: tuple[Line, datetime, str, str] | None = None

    def read_record(self, line: Line) -> Iterator[LocatedEvent]:
        values = line.record
        kind = values.get("type")
        if kind not in ("user", "assistant", "system"):
            return
        self.session = text_of(values.get("sessionId")) or self.session
        self.at = parse_record_time(values.get("timestamp"), self.at)
        self.cwd = text_of(values.get("cwd")) or self.cwd
        self.branch = text_of(values.get("gitBranch")) or self.branch
        if self.last is None:
            # Older versions write the records of sub-agents between the others, some without the sub-agent's name.
            self.agent = self.agent or (text_of(values.get("agentId")) if values.get("isSidechain") is True else "")
            if self.start == 0:
                yield self.locate_event(line, self.start_event(values))
        self.last = line
        if kind == "assistant":
            self.read_assistant(line)
        elif kind == "user":
            yield from self.read_user(line)

    def start_event(self, values: dict[str, Any]) -> Reported:
        if self.agent:
            return SubagentStarted(session=self.session, at=self.at, subagent=self.agent)
        program, (start, end) = text_of(values.get("entrypoint")), SCRIPTED
        is_scripted = program.startswith(start) or program.endswith(end)
        return SessionStarted(session=self.session, at=self.at, transcript=self.path, is_scripted=is_scripted)

    def read_assistant(self, line: Line) -> None:
        """Read a message of the model: remember its tool calls, and its text in case it is the last of the turn."""
        message = mapping_of(line.record.get("message"))
        blocks = _blocks(message.get("content"))
        calls = [block for block in blocks if block.get("type") == "tool_use"]
        for call in calls:
            self.said = None
            self.calls[text_of(call.get("id"))] = call
            if len(self.calls) > MOST_OPEN_CALLS:
                del self.calls[next(iter(self.calls))]
        text = "\n".join(filter(None, map(_block_text, blocks)))
        if text and not self.subagent_of(line.record) and not calls:
            identity = text_of(message.get("id"))
            earlier = f"{self.said[3]}\n" if self.said and identity and self.said[2] == identity else ""
            self.said = (line, self.at, identity, earlier + text)

    def read_user(self, line: Line) -> Iterator[LocatedEvent]:
        values = line.record
        blocks = _blocks(mapping_of(values.get("message")).get("content"))
        results = [block for block in blocks if block.get("type") == "tool_result"]
        for block in results:
            self.said = None
            yield from self.read_result(line, block, alone=len(results) == 1)
        if results or values.get("isMeta") is True or self.subagent_of(values):
            return
        yield from self.end_turn()
        event = self.prompt_event(values, blocks)
        if event is not None:
            yield self.locate_event(line, event)

    def prompt_event(self, values: dict[str, Any], blocks: list[dict[str, Any]]) -> Reported | None:
        text = "\n".join(filter(None, map(_block_text, blocks)))
        if text.startswith(INTERRUPTION):
            return Interrupted(session=self.session, at=self.at)
        if values.get("isCompactSummary") is True:
            return Compacted(session=self.session, at=self.at, summary=parse_summary(text))
        command = parse_slash_command(text)
        if command:
            return CommandExpanded(session=self.session, at=self.at, name=command[0], arguments=command[1])
        if values.get("promptSource") == "system" or values.get("isVisibleInTranscriptOnly") is True:
            return None
        reverted = parse_revert_command(text)
        text = "\n".join(filter(None, (typed_text(_block_text(block)) for block in blocks)))
        text = f"! {reverted}" if reverted else text
        return PromptSubmitted(session=self.session, at=self.at, text=text) if text else None

    def read_result(self, line: Line, block: dict[str, Any], *, alone: bool) -> Iterator[LocatedEvent]:
        identity = text_of(block.get("tool_use_id"))
        call = self.calls.pop(identity, None) or self.find_earlier_call(identity)
        tool = text_of(call.get("name")) if call else ""
        if not call or not tool:
            return
        failed = block.get("is_error") is True
        answer = line.record.get("toolUseResult") if alone and not failed else None
        said = message_text(block.get("content"))
        if failed:
            said = said.removeprefix("<tool_use_error>").removesuffix("</tool_use_error>")
        event = make_tool_event(
            session=self.session,
            at=self.at,
            tool=tool,
            given=call.get("input"),
            answer=answer if isinstance(answer, dict | list) and answer else said,
            cwd=self.cwd,
            failed=failed,
            interrupted=mapping_of(line.record.get("toolUseResult")).get("interrupted") is True,
            subagent=self.subagent_of(line.record) or None,
            line=line.number,
        )
        yield self.locate_event(line, event)

    def find_earlier_call(self, identity: str) -> dict[str, Any] | None:
        """Return the tool call with the id `identity` from the records before the reader's start, or None."""
        if not self.start or not identity:
            return None
        found = find_line_before(self.file, self.start, f'"{identity}"'.encode(), b'"tool_use"')
        for block in _blocks(mapping_of(mapping_of(found).get("message")).get("content")):
            if block.get("id") == identity:
                return block
        return None

    def end_turn(self) -> Iterator[LocatedEvent]:
        if self.said is not None:
            line, at, _, text = self.said
            self.said = None
            yield self.locate_event(line, TurnEnded(session=self.session, at=at, said=text))

    def end_session(self) -> Iterator[LocatedEvent]:
        yield from self.end_turn()
        if self.last is not None and not self.agent:
            yield self.locate_event(self.last, SessionEnded(session=self.session, at=self.at))

    def subagent_of(self, values: dict[str, Any]) -> str:
        if values.get("isSidechain") is not True and not self.agent:
            return ""
        return first_text(values, "agentId", "attributionAgent") or self.agent or "sidechain"

    def locate_event(self, line: Line, event: Reported) -> LocatedEvent:
        branch = self.branch if self.branch != "HEAD" else ""
        return line.locate_event(event, self.path, cwd=self.cwd, branch=branch)


def _blocks(content: object) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block if isinstance(block, dict) else {"text": block} for block in list_of(content)]


def _block_text(block: dict[str, Any]) -> str:
    return text_of(block.get("text")) if block.get("type") in ("text", None) else ""
