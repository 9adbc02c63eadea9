"""Reduce the payload of a hook event to the part that may be queued: known fields, shortened and without secrets.

A secret is recognised by its context. So a text is never cut in the middle of a word, private passages are removed
before a cut could split their tags, and a value that has a name is checked together with it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType
    from typing import Any

# Names and ids that the host generates, which contain no secrets.
_NAMES = (
    *("session_id", "cwd", "hook_event_name", "transcript_path", "prompt_id", "agent_id", "agent_type", "source"),
    *("model", "expansion_type", "command_name", "command_source", "tool_name", "tool_use_id", "trigger", "reason"),
    *("is_interrupt", "duration_ms", "stop_hook_active"),
)
_TEXTS = (
    *("prompt", "command_args", "tool_input", "tool_response", "error", "mcp_context", "compact_summary"),
    *("last_assistant_message", "prompt_response"),
)
_BUDGET = 24_000
_HASHED = 128_000
_HEAD, _TAIL = 6_000, 3_000
_ITEMS = 40
_DEPTH = 6
_SHORT = 1_200
_TOO_SHORT = 6
"""The minimum number of characters of a value that is checked; shorter values cannot be secrets."""
_NAME = 80
_LONG_NAME = 16
_VALUE_KEYS = ("value", "default", "plaintext", "content")
_NAME_KEYS = ("name", "key")
# A private key is recognised by its first line.
_KEY_BEGINS = ("PRIVATE KEY", "Private-Lines:")
_KEY_LINE, _KEY_LENGTH = 60, 64 << 10
_ONLY_PRIVATE = "<private/>"
"""The replacement for a text that is completely private."""


def tidy_payload(payload: Mapping[str, Any], *, brief: bool = False) -> dict[str, Any]:
    """Return the parts of a hook event's payload that may be queued.

    Long texts are cut; if `brief` is True, to about 1,200 characters.
    """
    budget = [_BUDGET]
    most = _SHORT if brief else _HEAD + _TAIL
    kept = {name: payload[name] for name in _NAMES if isinstance(payload.get(name), str | bool | int | float)}
    named = {name: value[:4096] if isinstance(value, str) else value for name, value in kept.items()}
    return named | {name: _tidy(payload[name], budget, _DEPTH, name, most) for name in _TEXTS if name in payload}


def hash_cut_texts(payload: Mapping[str, Any], *, brief: bool = False) -> list[str]:
    """Return hashes of the texts in a payload if `tidy_payload` cuts them, or otherwise an empty list.

    The hashes make it possible to recognise a later repetition of a text of which only a part was queued. `brief` is
    True for a tool that reads content. If such a tool has read a file inside the project, no hashes are needed.
    """
    if brief and _reads_inside(payload):
        return []
    texts: list[str] = []
    for name in ("tool_response", "error", "prompt"):
        _collect_texts(payload.get(name), texts, _DEPTH)
    most = _SHORT if brief else _HEAD + _TAIL
    if sum(map(len, texts)) <= _BUDGET and all(len(text) <= most for text in texts):
        return []
    # Loaded here, because most results are short.
    from limpet.text.shingles import hash_blocks

    return hash_blocks(_load_redaction().strip_private("\n".join(texts))[0][:_HASHED])


def _reads_inside(payload: Mapping[str, Any]) -> bool:
    given, folder = payload.get("tool_input"), payload.get("cwd")
    path = given.get("file_path", given.get("path", "")) if isinstance(given, dict) else ""
    if not isinstance(path, str) or any(part in path for part in ("..", "node_modules", "site-packages")):
        return False
    return path[:1] not in ("/", "~") or (isinstance(folder, str) and path.startswith(f"{folder}/"))


def _collect_texts(value: Any, texts: list[str], depth: int) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict | list) and depth:
        for each in value.values() if isinstance(value, dict) else value:
            _collect_texts(each, texts, depth - 1)


def _tidy(value: Any, budget: list[int], depth: int, name: str, most: int) -> Any:
    if isinstance(value, str):
        text = _cut_middle(value, min(most, max(200, budget[0])))
        budget[0] -= len(text)
        return _redact_named(text, name)
    if isinstance(value, bool | int | float) or value is None:
        return value
    if depth == 0:
        return None
    if isinstance(value, dict):
        items = list(value.items())[:_ITEMS]
        return {
            _tidy_name(str(key)): _tidy(each, budget, depth - 1, _name_for(str(key), value, name), most)
            for key, each in items
        }
    if isinstance(value, list):
        return [_tidy(each, budget, depth - 1, name, most) for each in value[:_ITEMS]]
    return None


def _name_for(key: str, siblings: Mapping[str, Any], parent: str) -> str:
    """Return the name with which a value is checked for a secret, which is usually its key.

    For a key such as "value", it is the text of a sibling such as "name", or else the name of the whole object.
    """
    if not key.lower().endswith(_VALUE_KEYS):
        return key
    beside = (siblings[each] for each in siblings if isinstance(each, str) and each.lower().endswith(_NAME_KEYS))
    return next((text[:_NAME] for text in beside if isinstance(text, str) and text), parent)


def _tidy_name(name: str) -> str:
    """Return an object's key, redacted if it is long, because a program may print a secret as a key."""
    return name if len(name) < _LONG_NAME else _load_redaction().redact(name[: 8 * _NAME])[0][:_NAME]


def _cut_middle(text: str, most: int) -> str:
    """Shorten a text to about `most` characters by leaving out its middle.

    It is cut between words, because a part of a secret would not be recognised.
    """
    if len(text) > most:
        text = _load_redaction().strip_private(text)[0]
    if len(text) <= most:
        return text
    head, tail = text[: most * 2 // 3], _cut_last_part(text, most // 3)
    head = head[: max(head.rfind(" "), head.rfind("\n"), 0)]
    gaps = [place for place in (tail.find(" "), tail.find("\n")) if place >= 0]
    tail = tail[min(gaps, default=len(tail)) :]
    return f"{head}\n[… {len(text) - len(head) - len(tail)} characters left out …]\n{tail}"


def _cut_last_part(text: str, length: int) -> str:
    """Return the last `length` characters of a text. A private key at the cut is redacted."""
    start = len(text) - length
    first, last = max(0, start - _KEY_LENGTH), start + _KEY_LINE
    begun = max(text.rfind(mark, first, last) for mark in _KEY_BEGINS)
    return (text if begun < 0 else _load_redaction().redact(text[max(0, begun - _KEY_LINE) :])[0])[-length:]


def _redact_named(text: str, name: str) -> str:
    """Return a value without secrets and private passages. The value's name helps to recognise secrets."""
    if len(text) < _TOO_SHORT:
        return text
    public, private = _load_redaction().strip_private(text)
    # Without any text the prompt would be ignored, and the next work would count as part of the turn before.
    return _load_redaction().redact_named(name, public)[0] if public.strip() or not private else _ONLY_PRIVATE


def _load_redaction() -> ModuleType:
    # Loaded on first use, because the event of a session start has no text.
    from limpet.secrets import redact

    return redact
