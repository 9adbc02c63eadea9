"""What is brought up when a session starts, when it goes on after a compaction, and to a sub-agent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from limpet.doors.governor import Way
from limpet.inject.budget import Budget
from limpet.inject.candidate import Candidate, Judge, candidate
from limpet.inject.injection import Injection, held, injection, shown_in
from limpet.inject.overrides import settled
from limpet.inject.render import block, line
from limpet.lean.record import record
from limpet.model.memory import Kind
from limpet.model.query import Stored
from limpet.model.scope import Scope
from limpet.model.standing import priority
from limpet.settings import InjectSettings
from limpet.store.protocol import Reading

_KINDS = (Kind.EMOTIONAL, Kind.ARCHITECTURAL, Kind.LEARNINGS, Kind.ACHIEVEMENTS)
_LOOKED_AT = 2
_SUBAGENT = 0.5
_SPARE = 4


@record
class Setting:
    """Who a session is of, and where."""

    scope: Scope
    agent: str
    project: str | None = None
    session: str | None = None
    root: str | None = None


def at_start(
    setting: Setting,
    *,
    source: str,
    reading: Reading,
    settings: InjectSettings,
    judge: Judge,
    now: datetime,
    working: str = "",
) -> Injection | None:
    """The block of the most important memories; on resume only what is new, after a compaction all of it again."""
    way = {"compact": "compact", "subagent": "subagent"}.get(source, "start")
    shown, _ = shown_in(reading, setting.session) if source in ("resume", "startup") else (frozenset(), 0)
    lines = settings.start_lines
    tokens = settings.start_tokens
    if way == "subagent":
        lines, tokens = int(lines * _SUBAGENT), int(tokens * _SUBAGENT)
    found = reading.for_start(setting.scope, now=now, limit=_LOOKED_AT * lines)
    waiting = [stored for stored in sorted(found, key=_order) if stored.memory.id not in shown]
    around = _whole(setting, ("",), working=working, left_out=len(waiting) + 1)
    budget = Budget.of(settings, items=lines, tokens=tokens, frame=around)
    chosen: list[tuple[Candidate, str]] = []
    kept: list[Candidate] = []
    left_out = 0
    while waiting and budget.items:
        # Only those that may find a place are looked at closely, since a host is waiting.
        near, waiting = waiting[: budget.items + _SPARE], waiting[budget.items + _SPARE :]
        fit = [candidate(judge(stored), way=Way.START, root=setting.root, settings=settings) for stored in near]
        given, back = held(settled([each for each in fit if each is not None]), settings)
        kept += back
        for each in given:
            text = line(each, settings.line_characters)
            if budget.takes(text):
                chosen.append((each, text))
            else:
                left_out += 1
    left_out += len(waiting)
    if not chosen and not working:
        return None
    text = _whole(setting, [text for _, text in chosen], working=working, left_out=left_out)
    return injection(
        text,
        [each for each, _ in chosen],
        way=way,
        session=setting.session,
        tokens=budget.spent,
        left_out=left_out,
        held_back=kept,
    )


def _order(stored: Stored) -> tuple[float | str, ...]:
    memory = stored.memory
    return (
        -memory.impact.rank,
        _KINDS.index(memory.kind),
        -priority(memory, stored.standing),
        -memory.created_at.timestamp(),
        memory.id,
    )


def _whole(setting: Setting, lines: Sequence[str], *, working: str, left_out: int) -> str:
    memories = block(setting.agent, setting.project, lines, left_out=left_out) if lines else ""
    return "\n".join(each for each in (working, memories) if each)
