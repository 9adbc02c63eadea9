"""The record of one injection or one answer: what was handed out, why, how many tokens it took, what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from limpet.clock import from_ms
from limpet.lean.record import field, record
from limpet.model.ids import ms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UNASKED = ("start", "prompt", "fix", "subagent", "compact")
"""The ways in which memories are brought up by themselves; the others answer somebody, or tell what came of it."""


class InjectionOutcome(StrEnum):
    """What came of a memory that was brought up."""

    USED = "used"
    IGNORED = "ignored"
    CONTRADICTED = "contradicted"
    MET_AGAIN = "error met again"


@record
class Receipt:
    """`way` is how the memories were handed out: start, prompt, fix, subagent, compact, recall, show, outcome."""

    id: str
    way: str
    ids: tuple[str, ...] = ()
    session: str | None = None
    tokens: int = 0
    parts: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """The parts of each memory's score, where it was found by a search."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """What was said of a memory when it was handed out, such as that it is stale."""
    left_out: int = 0
    held_back: tuple[str, ...] = ()
    outcomes: Mapping[str, str] = field(default_factory=dict)

    @property
    def at(self) -> datetime:
        return from_ms(ms_of(self.id))

    def encoded(self) -> dict[str, Any]:
        """As the payload of a change; what is empty is left out."""
        body: dict[str, Any] = {"ids": list(self.ids), "way": self.way, "counts": False}
        values = (self.session, self.tokens, self.parts, self.notes, self.left_out, self.held_back, self.outcomes)
        names = ("session", "tokens", "parts", "notes", "left_out", "held_back", "outcomes")
        body.update((name, value) for name, value in zip(names, values, strict=True) if value)
        return body

    @classmethod
    def decoded(cls, id: str, body: Mapping[str, Any]) -> Receipt:
        """Receipts are not vouched for by anything: what does not fit is passed over."""
        session = body.get("session")
        tokens, left_out = body.get("tokens"), body.get("left_out")
        return cls(
            id=id,
            way=str(body.get("way", "")),
            ids=_texts(body.get("ids")),
            session=session if isinstance(session, str) else None,
            tokens=tokens if isinstance(tokens, int) else 0,
            parts={key: _numbers(value) for key, value in _mapping(body.get("parts")).items()},
            notes={key: str(value) for key, value in _mapping(body.get("notes")).items()},
            left_out=left_out if isinstance(left_out, int) else 0,
            held_back=_texts(body.get("held_back")),
            outcomes={key: str(value) for key, value in _mapping(body.get("outcomes")).items()},
        )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list | tuple) else ()


def _numbers(value: object) -> dict[str, float]:
    return {key: float(number) for key, number in _mapping(value).items() if isinstance(number, int | float)}
