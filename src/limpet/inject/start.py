"""Inject memories when a session starts, when it continues after a compaction, and into a sub-agent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from limpet.doors.governor import Way
from limpet.inject.budget import Budget
from limpet.inject.host_block import read_host_block
from limpet.inject.receipt import Injection, make_injection, shown_in
from limpet.inject.recipient import Recipient
from limpet.inject.render import BlockFrame, block_frame, render_block, render_line, render_paragraph
from limpet.inject.select import Judge, SelectedMemory, drop_overridden, hold_back, select_item
from limpet.inject.waiting import WAITING, describe_waiting, find_owner_id
from limpet.model.memory import ON_PURPOSE, Impact, Kind, Type
from limpet.model.query import Query, Stored
from limpet.model.standing import priority
from limpet.settings import InjectSettings
from limpet.store.protocol import Reading

_KINDS = (Kind.EMOTIONAL, Kind.ARCHITECTURAL, Kind.LEARNINGS, Kind.ACHIEVEMENTS)
_READ_PER_LINE = 2
"""How many memories are read from the store for each line of the block, because some may not be shown."""
_MOST_TOLD = 200
"""The maximum number of additional memories that are read because the host may already tell that many."""
_SUBAGENT_SHARE = 0.5
_PARAGRAPH = 600
"""The maximum number of characters of the paragraph about the last session."""
_SPARE = 4
"""How many memories are examined beyond the lines that are left."""
_MOST_MISSES = 5
"""After this many memories in a row for which there is no room, no more are tried."""


def inject_at_start(
    recipient: Recipient,
    *,
    source: str,
    reading: Reading,
    settings: InjectSettings,
    judge: Judge,
    now: datetime,
    working: str = "",
    host_notes: str = "",
) -> Injection | None:
    """Return the block of the most important memories; on resume only new ones, after a compaction all of them.

    `working` is the rendered working context, which comes before the block. `host_notes` is what the host tells its
    model from its own notes: what stands there is not told again.
    """
    way = {"compact": "compact", "subagent": "subagent"}.get(source, "start")
    shown, _ = shown_in(reading, recipient.session) if source in ("resume", "startup") else (frozenset(), 0)
    share = _SUBAGENT_SHARE if way == "subagent" else 1.0
    lines, tokens = int(share * settings.start_lines), int(share * settings.start_tokens)
    notes = _split_notes("\n".join(filter(None, (host_notes, read_host_block(recipient.root, recipient.host)))))
    room = _READ_PER_LINE * lines + min(len(notes), _MOST_TOLD)
    found = reading.for_start(recipient.scope, now=now, limit=room)
    order = {stored.memory.id: _importance_order(stored) for stored in found}
    new = [stored for stored in sorted(found, key=lambda each: order[each.memory.id]) if stored.memory.id not in shown]
    waiting = _choose_by_room(_drop_noted(new, notes), lines)
    frame = block_frame(recipient.agent, recipient.project)
    around = _render(frame, ("",), working=working, left_out=len(waiting) + 1)
    budget = Budget.of(settings, items=lines, tokens=tokens, frame=around)
    chosen: list[tuple[SelectedMemory, str]] = []
    last = _find_last_summary(recipient, reading, now) if way == "start" else None
    if last is not None and last.memory.id not in shown:
        item = select_item(judge(last), way=Way.LAST, root=recipient.root, settings=settings)
        text = render_paragraph(item, _PARAGRAPH) if item else ""
        if item and budget.take(text):
            chosen.append((item, text))
            order[last.memory.id] = _importance_order(last)
    given, held_back, left_out = _fill_lines(waiting, budget, root=recipient.root, settings=settings, judge=judge)
    chosen += given
    chosen.sort(key=lambda each: order[each[0].stored.memory.id])
    due = describe_waiting(recipient, reading=reading, settings=settings, now=now) if source == "startup" else ""
    ending = due if due and budget.take_remark(due) else ""
    if not (chosen or working or ending):
        return None
    return make_injection(
        _render(frame, [text for _, text in chosen], working=working, left_out=left_out, ending=ending),
        [each for each, _ in chosen],
        way=way,
        session=recipient.session,
        tokens=budget.spent,
        left_out=left_out,
        held_back=held_back,
        remarks={WAITING: find_owner_id(recipient)} if ending else {},
    )


def _fill_lines(
    waiting: list[Stored], budget: Budget, *, root: str | None, settings: InjectSettings, judge: Judge
) -> tuple[list[tuple[SelectedMemory, str]], list[SelectedMemory], int]:
    """Return the memories that get a line of the budget with their lines, those held back, and how many are left."""
    chosen: list[tuple[SelectedMemory, str]] = []
    held_back: list[SelectedMemory] = []
    left_out = misses = 0
    while waiting and budget.items and misses < _MOST_MISSES:
        # Signatures and citations are checked only for memories that may get a line, because a host is waiting.
        near, waiting = waiting[: budget.items + _SPARE], waiting[budget.items + _SPARE :]
        fit = [select_item(judge(stored), way=Way.START, root=root, settings=settings) for stored in near]
        given, held = hold_back(drop_overridden([each for each in fit if each is not None]), settings)
        held_back += held
        for each in given:
            text = render_line(each, settings.line_characters)
            if misses < _MOST_MISSES and budget.take(text):
                chosen.append((each, text))
                misses = 0
            else:
                left_out += 1
                misses += 1
    return chosen, held_back, left_out + len(waiting)


def _split_notes(text: str) -> list[frozenset[str]]:
    if not text:
        return []
    # Loaded here, because most hosts have no notes.
    from limpet.inject.host_notes import split_notes

    return split_notes(text)


def _drop_noted(found: Iterable[Stored], notes: Sequence[frozenset[str]]) -> list[Stored]:
    """Return the memories without those that are in the host's own notes."""
    if not notes:
        return list(found)
    from limpet.inject.host_notes import is_noted

    return [stored for stored in found if not is_noted(stored.memory.content, notes)]


def _choose_by_room(found: Sequence[Stored], lines: int) -> list[Stored]:
    """Return memories, given by importance, in the order in which they get a line.

    Rules have half of the lines, proven facts the rest. If one half has too few memories, the other uses its lines;
    memories that belong to neither come last.
    """
    rules = [stored for stored in found if _is_rule(stored)]
    facts = [stored for stored in found if not _is_rule(stored) and _is_proven(stored)]
    others = [stored for stored in found if not _is_rule(stored) and not _is_proven(stored)]
    half = max(1, lines // 2)
    return [*rules[:half], *facts[: lines - half], *rules[half:], *facts[lines - half :], *others]


def _is_proven(stored: Stored) -> bool:
    """Tell whether a memory was used, is kept for more than being stored, or has the impact HIGH or CRITICAL."""
    memory = stored.memory
    chosen = memory.earned not in ("", ON_PURPOSE)
    return stored.standing.access_count > 0 or chosen or memory.impact.rank >= Impact.HIGH.rank


def _is_rule(stored: Stored) -> bool:
    memory = stored.memory
    return memory.kind in (Kind.EMOTIONAL, Kind.ARCHITECTURAL) or memory.type is Type.DECISION


def _find_last_summary(recipient: Recipient, reading: Reading, now: datetime) -> Stored | None:
    """Return the newest summary of another session of the project, whatever its tier; None if there is none."""
    last = reading.last_summarised_session(recipient.scope.project, besides=recipient.session)
    if last is None:
        return None
    query = Query(scope=recipient.scope, session=last, type=Type.SESSION_SUMMARY, now=now, limit=1)
    return next(iter(reading.browse(query).items), None)


def _importance_order(stored: Stored) -> tuple[float | str, ...]:
    memory = stored.memory
    return (
        -memory.impact.rank,
        _KINDS.index(memory.kind),
        -priority(memory, stored.standing),
        -memory.created_at.timestamp(),
        memory.id,
    )


def _render(frame: BlockFrame, lines: Sequence[str], *, working: str, left_out: int, ending: str = "") -> str:
    block = render_block(frame, lines, left_out=left_out) if lines else ""
    return "\n".join(each for each in (working, block, ending) if each)
