"""Speak MCP over standard input and output: JSON-RPC messages, one a line.

Both generations of the protocol are spoken. A client of the older one introduces itself once, with `initialize`. A
client of the newer one (2026-07-28) sends its version with every request and may ask `server/discover` first. Limpet
offers tools and nothing else, so this is all of the protocol it needs. The MCP SDK would take a third of a second and
40 MB at the start of every session, before the first call. `tests/mcp/test_wire.py` compares answers with the SDK's.

Models produce JSON that a strict parser refuses: half of a surrogate pair, a list nested 300 levels deep, a number with
5,000 digits. Such a message is repaired, so that the tool can return a readable error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from limpet import __version__
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.mcp.instructions import INSTRUCTIONS

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The protocol versions that begin with `initialize`, oldest first. The newest is offered to a client of another."""
STATELESS_VERSIONS = ("2026-07-28",)
"""The protocol versions in which each request names its version."""
SERVER = {"name": "limpet", "title": "Limpet", "version": __version__}
_CAPABILITIES = {"tools": {"listChanged": False}}
_META = "io.modelcontextprotocol/"
_FRESH = {"cacheScope": "private", "ttlMs": 0}
"""How long a client may keep an answer of the newer protocol: not at all."""

_INVALID_REQUEST, _NO_METHOD, _INVALID_PARAMS, _NO_VERSION = -32600, -32601, -32602, -32022
_DEEPEST = 48
_LONGEST_NUMBER = 300
_STRINGS_AND_BRACKETS = lazy(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]')


@record
class Call:
    """A call of a tool that waits for its result."""

    id: str | int
    name: str
    arguments: Any
    stateless: bool
    """Whether the request is of the newer protocol, whose results have a different form."""


@record
class Cancelled:
    """A notice that the client no longer wants the answer of the request `id`."""

    id: str | int


class _Refused(Exception):
    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **({} if data is None else {"data": data})}


def receive(line: bytes, list_tools: Callable[[], list[dict[str, Any]]]) -> Call | Cancelled | bytes | None:
    """Return what a line asks for: a call, a notice that one is cancelled, or the answer to anything else as a line.

    Return None for notices that need nothing, and for lines that are not a message, because there is no request that
    an error could answer. `list_tools` returns the descriptions of the tools.
    """
    try:
        message = parse(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict):
        return None
    id, method, params = _read_id(message, "id"), message.get("method"), message.get("params")
    if method == "notifications/cancelled" and isinstance(params, dict):
        cancelled = _read_id(params, "requestId")
        return None if cancelled is None else Cancelled(id=cancelled)
    if id is None or not isinstance(method, str):
        return None
    try:
        if message.get("jsonrpc") != "2.0" or not (params is None or isinstance(params, dict)):
            raise _Refused(_INVALID_REQUEST, "Invalid request")
        return _answer(id, method, params or {}, list_tools)
    except _Refused as refused:
        return _format_line({"jsonrpc": "2.0", "id": id, "error": refused.error})


def format_result(call: Call, text: str, *, failed: bool) -> bytes:
    """Return the line that answers a call with a JSON text, both as text and as structured content."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": failed}
    result["structuredContent"] = {"error": text} if failed else json.loads(text)
    return _format_answer(call.id, result, stateless=call.stateless)


def _read_id(message: Mapping[str, Any], name: str) -> str | int | None:
    id = message.get(name)
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None


def _answer(
    id: str | int, method: str, params: Mapping[str, Any], list_tools: Callable[[], list[dict[str, Any]]]
) -> Call | bytes:
    stateless = _is_stateless(params)
    match method:
        case "tools/call":
            if not isinstance(params.get("name"), str):
                raise _Refused(_INVALID_PARAMS, "Invalid request parameters", "name")
            return Call(id=id, name=params["name"], arguments=params.get("arguments"), stateless=stateless)
        case "tools/list":
            return _format_answer(id, {"tools": list_tools(), **(_FRESH if stateless else {})}, stateless=stateless)
        case "initialize" if not stateless:
            return _format_answer(id, _initialize(params), stateless=False)
        case "ping" if not stateless:
            return _format_answer(id, {}, stateless=False)
        case "server/discover" if stateless:
            offer = {
                "capabilities": _CAPABILITIES,
                "instructions": INSTRUCTIONS,
                "supportedVersions": STATELESS_VERSIONS,
            }
            return _format_answer(id, {**offer, **_FRESH}, stateless=True)
        case _:
            raise _Refused(_NO_METHOD, "Method not found", method)


def _is_stateless(params: Mapping[str, Any]) -> bool:
    """Tell whether a request is of the newer protocol; raise _Refused if it is one that this server does not speak."""
    meta = params.get("_meta")
    if not isinstance(meta, dict) or f"{_META}protocolVersion" not in meta:
        return False
    version = meta[f"{_META}protocolVersion"]
    if version not in STATELESS_VERSIONS:
        raise _Refused(
            _NO_VERSION,
            "Unsupported protocol version",
            {"supported": list(STATELESS_VERSIONS), "requested": version},
        )
    if f"{_META}clientCapabilities" not in meta:
        raise _Refused(
            _INVALID_PARAMS, f"params._meta is missing the required envelope key(s): {_META}clientCapabilities"
        )
    return True


def _initialize(params: Mapping[str, Any]) -> dict[str, Any]:
    version = params.get("protocolVersion")
    if not isinstance(version, str):
        raise _Refused(_INVALID_PARAMS, "Invalid request parameters", "protocolVersion")
    return {
        "protocolVersion": version if version in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
        "capabilities": _CAPABILITIES,
        "serverInfo": SERVER,
        "instructions": INSTRUCTIONS,
    }


def _format_answer(id: str | int, result: dict[str, Any], *, stateless: bool) -> bytes:
    if stateless:
        result = {**result, "resultType": "complete", "_meta": {f"{_META}serverInfo": SERVER}}
    return _format_line({"jsonrpc": "2.0", "id": id, "result": result})


def _format_line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def parse(line: bytes) -> Any:
    """Return the JSON value in a line, repaired where a later step could not process it; raise ValueError if none."""
    text = _limit_depth(line.decode("utf-8", "replace"))
    value = json.loads(text, parse_int=partial(_parse_number, int), parse_float=partial(_parse_number, float))
    return _replace_surrogates(value) if "\\u" in text else value


def _parse_number(kind: type[int] | type[float], text: str) -> float | str:
    return kind(text) if len(text) <= _LONGEST_NUMBER else f"{text[:20]}…"


def _limit_depth(text: str) -> str:
    """Replace lists and objects that are nested more than 48 levels deep with the string "…"."""
    if text.count("[") + text.count("{") <= _DEEPEST:
        return text
    parts, depth, kept = [], 0, 0
    for found in _STRINGS_AND_BRACKETS.finditer(text):
        if found[0] in ("[", "{"):
            if depth == _DEEPEST:
                parts.append(text[kept : found.start()])
            depth += 1
        elif found[0] in ("]", "}"):
            depth -= 1
            if depth == _DEEPEST:
                parts.append('"…"')
                kept = found.end()
    return "".join((*parts, text[kept:]))


def _replace_surrogates(value: Any) -> Any:
    """Replace lone surrogates in all strings of a JSON value with U+FFFD, because they cannot be encoded as UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_replace_surrogates(each) for each in value]
    return value
