"""Check in the host's transcript whether a person typed a command or a prompt.

The input of a hook is no proof, because an agent can start the hook program and write anything to it. The transcript of
the host is harder to forge. Claude Code may record a typed command only after its hook has run. So a command that is
not in the transcript yet may be recorded later.
"""

from __future__ import annotations

import os

from limpet import clock
from limpet.errors import SettingsError
from limpet.hosts.payload import mapping_of, text_of
from limpet.hosts.prompt_text import parse_slash_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from typing import Any

    from limpet.model.event import CommandExpanded

_REMEMBER = ("please-remember", "remember")
_TAIL = 4 << 20
"""The number of bytes at the end of a transcript that are searched, because the command is among the last records."""


def asks_to_remember(event: CommandExpanded) -> bool:
    """Tell whether a slash command is `/remember` or `/please-remember` with a text to store."""
    name = event.name.rpartition(":")[2].lstrip("/")
    return name in _REMEMBER and bool(event.arguments.strip())


def is_command_to_remember(prompt: str) -> bool:
    """Tell whether a prompt begins with `/remember` or `/please-remember`, which the host also reports as a command."""
    name = (prompt.split(maxsplit=1) or [""])[0]
    return name.startswith("/") and name[1:].rpartition(":")[2] in _REMEMBER


def read_typed_texts(payload: Mapping[str, Any], *, host: str) -> Iterator[str]:
    """Yield the arguments with which a person typed the slash command in `payload`, newest first.

    They are read from the transcript. There are several if the command was typed several times, and none if it is not
    recorded yet.
    """
    path = transcript_of(payload, host=host)
    name = text_of(payload.get("command_name")).lstrip("/")
    for values in _last_records(path, b"command-name") if path else ():
        found = _read_command(values, payload)
        if found is not None and found[0] == name:
            yield found[1].strip()


def read_typed_prompts(payload: Mapping[str, Any], *, host: str) -> Iterator[str]:
    """Yield the prompts that a person typed in the session of `payload`, from the transcript, newest first."""
    path = transcript_of(payload, host=host)
    for values in _last_records(path, b"user") if path else ():
        if values.get("type") == "queue-operation":
            if values.get("operation") == "enqueue" and _is_of_session(values, payload):
                yield text_of(values.get("content")).strip()
        elif (content := _find_typed_content(values, payload)) is not None:
            yield content.strip()


def read_texts_to_remember(payload: Mapping[str, Any], *, host: str) -> Iterator[tuple[datetime, str]]:
    """Yield the texts that a person gave to `/remember` in the session of `payload`, newest first, with their times."""
    # Loaded here, as no hook needs it.
    from limpet.hosts.transcript import parse_record_time

    path = transcript_of(payload, host=host)
    for values in _last_records(path, b"remember") if path else ():
        # A prompt that waits for the agent may still be withdrawn, so only those that were sent count.
        name, text = parse_slash_command(_find_typed_content(values, payload) or "") or ("", "")
        if name.rpartition(":")[2] in _REMEMBER and text.strip():
            yield parse_record_time(values.get("timestamp"), clock.from_ms(0)), text.strip()


def transcript_of(payload: Mapping[str, Any], *, host: str) -> str | None:
    """Return the path of the transcript that `payload` names, with symbolic links resolved.

    Return None unless the file is in the host's folder and named after the session.
    """
    # Loaded here, because no other hook needs to know where a host keeps its files.
    from limpet.hosts.wiring import host_folder

    path, session = text_of(payload.get("transcript_path")), text_of(payload.get("session_id")).strip()
    if not os.path.isabs(path) or "\0" in path or os.path.basename(path) != f"{session}.jsonl":
        return None
    try:
        own = os.path.realpath(os.path.join(host_folder(host), "projects"))
        real = os.path.realpath(path)
    except (OSError, SettingsError):
        return None
    return real if real.startswith(own + os.sep) else None


def _last_records(path: str, word: bytes) -> Iterator[dict[str, Any]]:
    """Yield the latest records of a transcript that contain `word` or concern queued prompts, newest first."""
    # Loaded here, because few hooks search a transcript.
    from limpet.hosts.transcript import parse_object

    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL))
            tail = file.read(_TAIL)
    except OSError:
        return
    # Splitting the text takes longer than searching it, and usually no record is wanted.
    for row in reversed(tail.splitlines()) if word in tail or b"queue-operation" in tail else ():
        if (word in row or b"queue-operation" in row) and (found := parse_object(row)) is not None:
            yield found


def _is_of_session(values: Mapping[str, Any], payload: Mapping[str, Any]) -> bool:
    return text_of(values.get("sessionId")) == text_of(payload.get("session_id")).strip()


def _read_command(values: dict[str, Any], payload: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the name and the arguments of the slash command in a record; None unless a person typed one."""
    if values.get("type") == "queue-operation":
        name, *arguments = text_of(values.get("content")).strip().split(maxsplit=1) or [""]
        is_typed = values.get("operation") == "enqueue" and name.startswith("/") and _is_of_session(values, payload)
        return (name[1:], arguments[0] if arguments else "") if is_typed else None
    content = _find_typed_content(values, payload)
    return None if content is None else parse_slash_command(content)


def _find_typed_content(values: Mapping[str, Any], payload: Mapping[str, Any]) -> str | None:
    """Return the text of a record if a person typed it in the payload's session; otherwise None."""
    if not _is_of_session(values, payload):
        return None
    content = mapping_of(values.get("message")).get("content")
    # Tool results also have the type `user`, but their content is a list, not a string.
    if values.get("type") != "user" or not isinstance(content, str) or values.get("toolUseResult") is not None:
        return None
    if values.get("isMeta") is True or values.get("isSidechain") is True or values.get("agentId"):
        return None
    kind = mapping_of(values.get("origin")).get("kind")
    same = {text_of(values.get("promptId")), text_of(payload.get("prompt_id"))} - {""}
    return content if kind in (None, "human") and len(same) < 2 else None
