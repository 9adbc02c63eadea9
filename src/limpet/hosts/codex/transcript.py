"""Convert a session recorded by Codex to the events that its hooks would have reported.

Each line of a session file, which Codex calls a rollout, is `{timestamp, type, payload}`. Text that a person typed is
in an `event_msg` (`user_message`, since 0.147 `item_completed` with a `UserMessage`). The `response_item` for the same
prompt is the model's input, with much text that no person typed. Tool calls and their outputs are `response_item`s with
a common `call_id`. A file that Codex has compressed (`.jsonl.zst`) cannot be read with the standard library and is
ignored.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, BinaryIO

from limpet.hosts.payload import first_text, list_of, mapping_of, message_text, text_of
from limpet.hosts.prompt_text import typed_text
from limpet.hosts.results import make_tool_event, unwrap_output
from limpet.hosts.tool_actions import qualify_tool
from limpet.hosts.transcript import (
    HEAD,
    MOST_OPEN_CALLS,
    Line,
    LocatedEvent,
    SkippedLines,
    find_line_before,
    modified_at,
    parse_object,
    parse_record_time,
    read_lines,
)
from limpet.model.event import (
    Compacted,
    Interrupted,
    PromptSubmitted,
    Reported,
    SessionEnded,
    SessionStarted,
    SubagentStarted,
    TurnEnded,
)

_TYPES = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
# Records that report nothing: hidden reasoning, token counts, repetitions.
_NOISE = ("reasoning", "token_count", "agent_reasoning", "agent_message", "world_state", "exec_command_end")
_MARKS = tuple(f'"type":{space}"{name}"'.encode() for name in _TYPES for space in ("", " "))
_NOISE_MARKS = tuple(f'"payload":{space}{{"type":{space}"{name}"'.encode() for name in _NOISE for space in ("", " "))
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call")


FOLDER = "sessions"
"""The name of the folder with the sessions, inside the host's configuration folder."""


def is_session(path: str) -> bool:
    return os.path.basename(path).startswith("rollout-") and path.endswith(".jsonl")


def _matters(raw: bytes) -> bool:
    head = raw[:HEAD]
    if any(mark in head for mark in _NOISE_MARKS):
        return False
    return any(mark in head for mark in _MARKS)


def read_located_events(path: str, start: int, skipped: SkippedLines) -> Iterator[LocatedEvent]:
    with open(path, "rb") as file:
        reader = _Reader(file, path, start)
        for line in read_lines(file, start=start, matters=_matters, skipped=skipped):
            event = reader.read_record(line)
            reader.last = line
            if event is not None:
                yield reader.locate_event(line, event)
        if reader.last is not None and not reader.subagent:
            yield reader.locate_event(reader.last, SessionEnded(session=reader.session, at=reader.at))


class _Reader:
    """A converter of one file's records to events, with the state that is kept between records."""

    def __init__(self, file: BinaryIO, path: str, start: int) -> None:
        self.file, self.path, self.start = file, path, start
        self.session = os.path.basename(path).removesuffix(".jsonl")[-36:]
        self.subagent = ""
        self.cwd, self.branch = "", ""
        self.at = modified_at(path)
        self.calls: dict[str, dict[str, Any]] = {}
        self.failed: set[str] = set()
        self.last: Line | None = None
        if start:
            self.read_meta(mapping_of(mapping_of(parse_object(file.readline(1 << 22))).get("payload")))
            context = mapping_of(find_line_before(file, start, b'"turn_context"'))
            if context.get("type") == "turn_context":
                self.cwd = text_of(mapping_of(context.get("payload")).get("cwd")) or self.cwd

    def read_meta(self, meta: dict[str, Any]) -> None:
        """Read the session's id from the first record; a sub-agent's file belongs to the session that started it."""
        self.session = text_of(meta.get("id")) or self.session
        self.cwd = text_of(meta.get("cwd")) or self.cwd
        self.branch = text_of(mapping_of(meta.get("git")).get("branch")) or self.branch
        source = mapping_of(meta.get("source")).get("subagent")
        if source:
            spawn = mapping_of(mapping_of(source).get("thread_spawn"))
            self.subagent = self.session
            self.session = first_text(spawn, "parent_thread_id") or first_text(meta, "parent_thread_id") or self.session

    def read_record(self, line: Line) -> Reported | None:
        self.at = parse_record_time(line.record.get("timestamp"), self.at)
        payload = mapping_of(line.record.get("payload"))
        match line.record.get("type"):
            case "session_meta" if self.last is None and not self.start:
                self.read_meta(payload)
                return self.start_event(payload)
            case "turn_context":
                self.cwd = text_of(payload.get("cwd")) or self.cwd
            case "compacted" if not self.subagent:
                return Compacted(session=self.session, at=self.at, summary=text_of(payload.get("message")))
            case "event_msg":
                return self.read_message(payload)
            case "response_item":
                return self.read_item(line, payload)
        return None

    def start_event(self, meta: dict[str, Any]) -> Reported:
        if self.subagent:
            return SubagentStarted(session=self.session, at=self.at, subagent=self.subagent)
        source = "fork" if meta.get("forked_from_id") else "startup"
        is_scripted = meta.get("source") == "exec"
        return SessionStarted(
            session=self.session, at=self.at, source=source, transcript=self.path, is_scripted=is_scripted
        )

    def read_message(self, payload: dict[str, Any]) -> Reported | None:
        match payload.get("type"):
            case "user_message":
                return self.prompt_event(text_of(payload.get("message")))
            case "item_completed":
                item = mapping_of(payload.get("item"))
                if item.get("type") == "UserMessage":
                    return self.prompt_event(message_text(item.get("content")))
                if item.get("status") == "failed":
                    self.failed.add(text_of(item.get("id")))
            case "turn_aborted" if payload.get("reason") == "interrupted" and not self.subagent:
                return Interrupted(session=self.session, at=self.at)
            case "patch_apply_end" if payload.get("success") is False:
                self.failed.add(text_of(payload.get("call_id")))
            case "task_complete" | "turn_complete" if not self.subagent:
                return TurnEnded(session=self.session, at=self.at, said=text_of(payload.get("last_agent_message")))
        return None

    def prompt_event(self, text: str) -> Reported | None:
        text = typed_text(text)
        return PromptSubmitted(session=self.session, at=self.at, text=text) if text and not self.subagent else None

    def read_item(self, line: Line, payload: dict[str, Any]) -> Reported | None:
        kind = text_of(payload.get("type"))
        identity = text_of(payload.get("call_id"))
        if kind in _CALLS and identity:
            self.calls[identity] = payload
            if len(self.calls) > MOST_OPEN_CALLS:
                del self.calls[next(iter(self.calls))]
        elif kind.endswith("_output") and identity:
            call = self.calls.pop(identity, None) or self.find_earlier_call(identity)
            return self.tool_event(line, call, _read_answer(payload.get("output"))) if call else None
        elif kind == "web_search_call":
            return self.tool_event(line, {"name": kind, "arguments": payload.get("action")}, "")
        return None

    def tool_event(self, line: Line, call: dict[str, Any], answer: object) -> Reported | None:
        name = text_of(call.get("name")) or text_of(call.get("type"))
        server = text_of(call.get("namespace")).removeprefix("mcp__")
        return make_tool_event(
            session=self.session,
            at=self.at,
            tool=qualify_tool(server, name),
            given=_read_input(call),
            # The result of an MCP server has the same header as the output of a command.
            answer=unwrap_output(message_text(answer))[0] if server else answer,
            cwd=self.cwd,
            failed=text_of(call.get("call_id")) in self.failed,
            subagent=self.subagent or None,
            line=line.number,
        )

    def find_earlier_call(self, identity: str) -> dict[str, Any] | None:
        """Return the tool call with an id from the records before the reader's start; None if it is not found."""
        if not self.start:
            return None
        found = find_line_before(self.file, self.start, f'"{identity}"'.encode(), b"_call", b'"response_item"')
        payload = mapping_of(mapping_of(found).get("payload"))
        return payload if payload.get("type") in _CALLS and payload.get("call_id") == identity else None

    def locate_event(self, line: Line, event: Reported) -> LocatedEvent:
        return line.locate_event(event, self.path, cwd=self.cwd, branch=self.branch)


def _read_input(call: dict[str, Any]) -> object:
    """Return the input of a tool call: an object, parsed if it is a JSON string, or the text of a patch."""
    for name in ("arguments", "action", "input"):
        found = call.get(name)
        if isinstance(found, str) and found.lstrip().startswith("{"):
            return parse_object(text_of(found).encode()) or found
        if found:
            return found
    return None


def _read_answer(output: object) -> object:
    """Return the output of a tool call: a string, a list of blocks, or an object, parsed if it is a JSON string."""
    if isinstance(output, str) and output.startswith('{"'):
        found = parse_object(text_of(output).encode())
        if found is not None and "output" in found:
            return found
    return list_of(output) or output
