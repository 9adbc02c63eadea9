"""Receipts: records of the memories that were shown, with the reasons, the tokens and the outcomes.

Only this module knows how a receipt is encoded as the payload of a change. Old receipts are replaced by a tally, a
payload that contains their sums for each memory.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from datetime import datetime

from limpet.clock import from_ms
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import field, record
from limpet.model.ids import ms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TRIAL = "on trial"
"""The note that a receipt has about a memory which a session start told although nobody has decided about it."""
NUDGE = "nudge"
"""The value of `way` in the receipt of a line that asks the model to store what a prompt states. It lists no memory."""
UNASKED = ("start", "prompt", "fix", "antigen", "subagent", "compact")
"""The occasions on which memories are shown without a request. Other receipts answer a request or record an outcome."""
TALLY = "tally"
"""The value of `way` in a tally, which contains the sums of old receipts."""
_MOST_USES = 2**53
_LAST_MS = 253_402_300_799_000
"""The end of the year 9999, the last date that Python can represent, in milliseconds since 1970."""


class InjectionOutcome(StrEnum):
    """What came of a memory that was shown to the model."""

    USED = "used"
    IGNORED = "ignored"
    CONTRADICTED = "contradicted"
    MET_AGAIN = "error met again"


@record
class Receipt:
    """A record of memories that were shown, or of what came of memories that were shown before.

    `way` is the occasion: one of `UNASKED`, nudge, recall or show. In a record of what came of memories, it is
    `outcome`.
    """

    id: str
    way: str
    ids: tuple[str, ...] = ()
    session: str | None = None
    tokens: int = 0
    parts: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """The components of each memory's score, by memory id."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """The note shown with each memory, such as "stale", by memory id. Remarks about no memory have fixed names."""
    left_out: int = 0
    held_back: tuple[str, ...] = ()
    outcomes: Mapping[str, str] = field(default_factory=dict)
    counts: bool = False
    """Whether this receipt counts as a use of each memory that it lists."""

    @property
    def at(self) -> datetime:
        return from_ms(ms_of(self.id))

    def encode(self) -> dict[str, Any]:
        """Return the receipt as the payload of a change, without empty fields."""
        body: dict[str, Any] = {"ids": list(self.ids), "way": self.way}
        if not self.counts:
            body["counts"] = False
        values = (self.session, self.tokens, self.parts, self.notes, self.left_out, self.held_back, self.outcomes)
        names = ("session", "tokens", "parts", "notes", "left_out", "held_back", "outcomes")
        body.update((name, value) for name, value in zip(names, values, strict=True) if value)
        return body

    @classmethod
    def decode(cls, id: str, body: Mapping[str, Any]) -> Receipt:
        """Return the receipt that a payload describes. Receipts are not signed, so malformed entries are skipped."""
        tokens, left_out = body.get("tokens"), body.get("left_out")
        return cls(
            id=id,
            way=str(body.get("way", "")),
            ids=_texts(body.get("ids")),
            session=session_of(body),
            tokens=tokens if isinstance(tokens, int) else 0,
            parts={
                key: {name: float(each) for name, each in _mapping(value).items() if isinstance(each, int | float)}
                for key, value in _mapping(body.get("parts")).items()
            },
            notes={key: str(value) for key, value in _mapping(body.get("notes")).items()},
            left_out=left_out if isinstance(left_out, int) else 0,
            held_back=_texts(body.get("held_back")),
            outcomes={key: str(value) for key, value in _mapping(body.get("outcomes")).items()},
            counts=bool(body.get("counts", True)),
        )


@record
class Use:
    """How often a memory was used, and when last.

    `session` is the latest known session in which it was used.
    """

    count: int
    last: int
    session: str | None
    named: str
    """The id of the receipt that named `session`; an empty string if there is none."""

    def __add__(self, other: Use) -> Use:
        latest = max(self, other, key=lambda each: each.named)
        return Use(
            count=self.count + other.count,
            last=max(self.last, other.last),
            session=latest.session,
            named=latest.named,
        )


def is_tally(payload: Mapping[str, Any]) -> bool:
    """Tell whether a payload is a tally, the sum of several receipts."""
    return payload.get("way") == TALLY


def session_of(payload: Mapping[str, Any]) -> str | None:
    """Return the session id in the payload of a receipt, or None if there is none."""
    session = payload.get("session")
    return session if isinstance(session, str) else None


def decode_uses(id: str, payload: Mapping[str, Any]) -> dict[str, Use]:
    """Return the uses of each memory in a receipt or a tally, by memory id. Malformed entries are skipped.

    A memory that was shown without a request counts as used only if a later receipt records that outcome.
    """
    if is_tally(payload):
        return _decode_tally(payload.get(TALLY))
    last = ms_of(id)
    if last >= _LAST_MS:
        return {}
    session = session_of(payload)
    use = Use(count=1, last=last, session=session, named=id if session else "")
    outcomes = _mapping(payload.get("outcomes")).items()
    used = [name for name, outcome in outcomes if outcome == InjectionOutcome.USED]
    return dict.fromkeys((*(shown_ids(payload) if payload.get("counts", True) else ()), *used), use)


def shown_ids(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids of the memories that a receipt lists as shown."""
    return _texts(payload.get("ids"))


def encode_tally(uses: Mapping[str, Use]) -> dict[str, Any]:
    """Return the payload of a tally, which replaces several receipts by the sums of their uses."""
    return {
        "way": TALLY,
        TALLY: {id: [use.count, use.last, use.session, use.named] for id, use in uses.items()},
    }


def _decode_tally(body: object) -> dict[str, Use]:
    found: dict[str, Use] = {}
    for id, value in (body if isinstance(body, dict) else {}).items():
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            count, last, session, named = value
            use = Use(count=int(count), last=int(last), session=str(session) if session else None, named=str(named))
            if 0 <= use.count < _MOST_USES and 0 <= use.last < _LAST_MS:
                found[id] = use
    return found


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list | tuple) else ()
