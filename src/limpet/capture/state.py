"""The state that capture keeps for a session between events, and its JSON encoding.

The state is immutable, and every function that changes it returns a new one. So replaying the same events gives the
same state and results. The encoded state is stored, so the names of the fields are part of the storage format.

The difficulty of learning something is estimated from the failures, the amount of work, and whether the conversation
was compacted. The counters are reset whenever a memory is stored, so that a lesson learnt in an easy hour does not
count as hard because of the hour before it.
"""

from __future__ import annotations

from limpet.capture.boundaries import Window
from limpet.capture.notes import Notes
from limpet.capture.reactions import AgentTurn
from limpet.capture.speech.turn import Turn
from limpet.capture.tasks import Tasks
from limpet.capture.tools.pairs import Pending
from limpet.lean.record import field, fields, record, replace
from limpet.model.taint import Taint, decode_taint, encode_taint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UNKNOWN = 0.5
_MUCH_WORK = 50


@record
class Effort:
    """Counts of tool calls and failures since a memory was last stored."""

    tools: int = 0
    failures: int = 0
    compacted: bool = False
    since_ms: int = 0
    """The time at which a memory was last stored and the counters were reset, in milliseconds."""

    def after_tool(self, *, failed: bool) -> Effort:
        """Return the counters with one more tool call added."""
        return replace(self, tools=self.tools + 1, failures=self.failures + failed)


def measure_difficulty(effort: Effort) -> float:
    """Return an estimate of the difficulty of the work, from 0 to 1.

    The estimate is 0.5 × failure rate + 0.3 × min(1, tools / 50), plus 0.2 if the conversation was compacted. It is
    `UNKNOWN` if there was neither a tool call nor a compaction.
    """
    if not effort.tools and not effort.compacted:
        return UNKNOWN
    rate = effort.failures / effort.tools if effort.tools else 0.0
    return 0.5 * rate + 0.3 * min(1.0, effort.tools / _MUCH_WORK) + 0.2 * effort.compacted


@record
class SegmentState:
    """The capture state of a session: everything that the judgement of its next event depends on."""

    observations: int = 0
    focus: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    taint: Taint = field(default_factory=Taint)
    """A record of what the session has read from outside, kept until the session ends."""
    turn: Turn = field(default_factory=Turn)
    effort: Effort = field(default_factory=Effort)
    window: Window = field(default_factory=Window)
    pending: tuple[Pending, ...] = ()
    notes: Notes = field(default_factory=Notes)
    tasks: Tasks = field(default_factory=Tasks)
    last: AgentTurn = field(default_factory=AgentTurn)
    """The agent's latest turn, to which the user may object."""
    forbidden: tuple[str, ...] = ()
    """The prohibitions that resulted from the user's objections in this session, oldest first."""


_PARTS: dict[str, type[Any]] = {
    "turn": Turn,
    "effort": Effort,
    "window": Window,
    "notes": Notes,
    "tasks": Tasks,
    "last": AgentTurn,
}


_FIELDS = {kind: fields(kind) for kind in (SegmentState, Pending, *_PARTS.values())}


def encode_segment_state(state: SegmentState) -> dict[str, Any]:
    """Return the state as plain values that can be encoded as JSON."""
    found = _encode_fields(state)
    found |= {name: _encode_fields(getattr(state, name)) for name in _PARTS}
    found["taint"] = encode_taint(state.taint)
    found["pending"] = [_encode_fields(each) for each in state.pending]
    return found


def decode_segment_state(found: object) -> SegmentState:
    """Return the state that plain values encode. A value that is missing or has the wrong type gets its default."""
    if not isinstance(found, dict):
        return SegmentState()
    values = _decode_fields(SegmentState, found)
    for name, kind in _PARTS.items():
        part = found.get(name)
        values[name] = kind(**_decode_fields(kind, part)) if isinstance(part, dict) else kind()
    values["taint"] = decode_taint(found.get("taint"))
    pending = found.get("pending")
    waiting = pending if isinstance(pending, list) else []
    values["pending"] = tuple(Pending(**each) for each in map(_decode_pending, waiting) if each)
    return SegmentState(**values)


def _decode_pending(found: object) -> dict[str, Any]:
    values = _decode_fields(Pending, found) if isinstance(found, dict) else {}
    return values if {"name", "kind", "command"} <= values.keys() else {}


def _encode_fields(value: Any) -> dict[str, Any]:
    return {each.name: _to_lists(getattr(value, each.name)) for each in _FIELDS[type(value)]}


def _to_lists(value: Any) -> Any:
    return [_to_lists(each) for each in value] if isinstance(value, tuple) else value


def _decode_fields(kind: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Return the values in `found` that belong to fields of `kind` and have the type of the field's default."""
    values = {}
    for each in _FIELDS[kind]:
        if each.name not in found or each.name in (*_PARTS, "taint", "pending"):
            continue
        value = _to_tuples(found[each.name])
        default = each.default
        known = isinstance(default, (str, int, tuple, bool))
        if not known or (isinstance(value, type(default)) and _is_plain(value)):
            values[each.name] = value
    return values


def _is_plain(value: Any) -> bool:
    """Return False if a value is a tuple of anything but strings, and tuples of strings and numbers, else True."""
    if not isinstance(value, tuple):
        return True
    return all(isinstance(each, str) or (isinstance(each, tuple) and _is_counted(each)) for each in value)


def _is_counted(value: tuple[Any, ...]) -> bool:
    return all(isinstance(each, (str, int)) or (isinstance(each, tuple) and _is_counted(each)) for each in value)


def _to_tuples(value: Any) -> Any:
    return tuple(_to_tuples(each) for each in value) if isinstance(value, list) else value
