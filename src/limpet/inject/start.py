"""Choose the memories that are shown to a model when a session or a sub-agent starts, and after a compaction.

A compaction replaces the conversation in a session with a summary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial

from limpet.doors.governor import Way
from limpet.inject.budget import Budget
from limpet.inject.host_block import read_host_block
from limpet.inject.notice import describe_start
from limpet.inject.receipt import Injection, find_shown, make_injection
from limpet.inject.recipient import Recipient
from limpet.inject.render import BlockFrame, block_frame, render_block, render_line, render_paragraph
from limpet.inject.select import Judge, SelectedMemory, drop_overridden, hold_back, is_rule, select_item
from limpet.inject.trial import choose_for_trial, render_trial
from limpet.model.memory import ON_PURPOSE, Impact, Kind, Origin, Type
from limpet.model.query import Query, Stored
from limpet.model.standing import priority
from limpet.settings import InjectSettings
from limpet.store.protocol import Reading

_KINDS = (Kind.EMOTIONAL, Kind.ARCHITECTURAL, Kind.LEARNINGS, Kind.ACHIEVEMENTS)
_READ_PER_LINE = 2
"""The number of memories that are read from the store for each line in the block, because some may not be shown."""
_MOST_NOTED = 200
"""The maximum number of further memories that are read because the host's own notes may already say the same."""
_SUBAGENT_SHARE = 0.5
_PARAGRAPH = 600
"""The maximum length of the paragraph about the last session, in characters."""
_SPARE = 4
"""How many more memories are examined at once than there are lines left."""
_MOST_MISSES = 5
"""The number of consecutive memories that do not fit after which no further memory is tried."""


def inject_at_start(
    recipient: Recipient,
    *,
    source: str,
    reading: Reading,
    settings: InjectSettings,
    judge: Judge,
    now: datetime,
    working: str = "",
    offer: str = "",
    host_notes: str = "",
) -> Injection | None:
    """Format the most important memories for the model, and create the receipt; return None if nothing is to be shown.

    `source` tells how the session started, such as "startup" or "resume"; memories that a resumed session has already
    seen are left out. `working` describes the current work and is put before the memories, and `offer` after
    them if there is room. Memories that repeat
    `host_notes`, the notes that the host itself gives to its model, are left out.
    """
    way = {"compact": "compact", "subagent": "subagent"}.get(source, "start")
    shown, _ = find_shown(reading, recipient.session) if source in ("resume", "startup") else (frozenset(), 0)
    share = _SUBAGENT_SHARE if way == "subagent" else 1.0
    lines, tokens = int(share * settings.start_lines), int(share * settings.start_tokens)
    noted = "\n".join(filter(None, (host_notes, read_host_block(recipient.root, recipient.host))))
    notes = _split_notes(noted)
    room = _READ_PER_LINE * lines + min(len(notes), _MOST_NOTED)
    found = reading.for_start(recipient.scope, now=now, limit=room)
    order = {stored.memory.id: _rank_by_importance(stored) for stored in found}
    new = [stored for stored in sorted(found, key=lambda each: order[each.memory.id]) if stored.memory.id not in shown]
    new = _drop_outdated(_drop_in_notes(new, notes, noted), reading, judge)
    waiting = _order_for_lines(new, lines)
    frame = block_frame(recipient.agent, recipient.project)
    around = _render(frame, ("",), working=working, left_out=len(waiting) + 1)
    budget = Budget.of(settings, items=lines, tokens=tokens, frame=around)
    last = _find_last_summary(recipient, reading, now) if way == "start" else None
    paragraph: tuple[SelectedMemory, str] | None = None
    if last is not None and last.memory.id not in shown:
        item = select_item(judge(last), way=Way.LAST, root=recipient.root, settings=settings)
        # Its place is reserved first and filled last, because the lines may say the same.
        if item and budget.take(text := render_paragraph(item, _PARAGRAPH)):
            paragraph = item, text
            order[last.memory.id] = _rank_by_importance(last)
            waiting = [stored for stored in waiting if stored.memory.id != last.memory.id]
    summaries = [stored for stored in waiting if stored.memory.type is Type.SESSION_SUMMARY]
    waiting = [stored for stored in waiting if stored.memory.type is not Type.SESSION_SUMMARY]
    fill = partial(_fill_lines, budget=budget, root=recipient.root, settings=settings, judge=judge)
    chosen, held_back, left_out = fill(waiting)
    on_trial: list[SelectedMemory] = []
    if source in ("startup", "clear"):
        on_trial = choose_for_trial(
            recipient,
            reading=reading,
            settings=settings,
            judge=judge,
            now=now,
            shown={*shown, *(each.stored.memory.id for each, _ in chosen)},
        )
    while on_trial and not budget.take_remark(render_trial(on_trial)):
        on_trial.pop()
    offer = offer if offer and budget.take_remark(offer) else ""
    if paragraph or summaries:
        # Loaded here, because a new project has no summary.
        from limpet.inject.repeats import Told, shorten_summary

        earlier = (stored.memory.content for stored in found if stored.memory.id in shown)
        told = Told((*(text for _, text in chosen), render_trial(on_trial), *earlier), notes)
        if paragraph:
            item = shorten_summary(paragraph[0], told)
            text = render_paragraph(item, _PARAGRAPH) if item else ""
            budget.exchange(paragraph[1], text)
            if item:
                chosen.append((item, text))
                told.add(text)
        given, held, missed = fill(summaries, edit=partial(shorten_summary, told=told))
        chosen, held_back, left_out = [*chosen, *given], [*held_back, *held], left_out + missed
    chosen.sort(key=lambda each: order[each[0].stored.memory.id])
    block = _render(frame, [text for _, text in chosen], working=working, left_out=left_out)
    text = "\n".join(filter(None, (block, render_trial(on_trial), offer)))
    notice = ""
    if settings.seen and source in ("startup", "clear"):
        notice = describe_start(
            len(chosen),
            len(on_trial),
            reading.count_notes(recipient.scope, now=now),
            reading.taken_back(recipient.scope, besides=recipient.session),
        )
    if not text:
        return Injection(text="", receipt=None, notice=notice) if notice else None
    return make_injection(
        text,
        [*(each for each, _ in chosen), *on_trial],
        way=way,
        session=recipient.session,
        tokens=budget.spent,
        left_out=left_out,
        held_back=held_back,
        notice=notice,
    )


def _fill_lines(
    waiting: list[Stored],
    budget: Budget,
    *,
    root: str | None,
    settings: InjectSettings,
    judge: Judge,
    edit: Callable[[SelectedMemory], SelectedMemory | None] = lambda item: item,
) -> tuple[list[tuple[SelectedMemory, str]], list[SelectedMemory], int]:
    """Return the memories that get a line, each with its line; the memories held back; and the number left out.

    `edit` returns what is to be told of a memory, or None if that is nothing.
    """
    chosen: list[tuple[SelectedMemory, str]] = []
    held_back: list[SelectedMemory] = []
    left_out = misses = 0
    while waiting and budget.items and misses < _MOST_MISSES:
        # Signatures and citations are only checked for memories that may get a line, because a host is waiting.
        near, waiting = waiting[: budget.items + _SPARE], waiting[budget.items + _SPARE :]
        fit = [select_item(judge(stored), way=Way.START, root=root, settings=settings) for stored in near]
        given, held = hold_back(drop_overridden([each for each in fit if each is not None]), settings)
        held_back += held
        for each in filter(None, map(edit, given)):
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


def _drop_in_notes(found: Iterable[Stored], notes: Sequence[frozenset[str]], text: str) -> list[Stored]:
    """Return the memories that are not in the host's own notes, whose `text` was split into `notes`.

    The user's words are left out only if a note has the same words in the same order: anybody may have written a note
    that merely uses them, to deny them.
    """
    if not notes:
        return list(found)
    from limpet.inject.host_notes import is_in_notes, split_statements, to_statement

    stated = split_statements(text)
    return [
        stored
        for stored in found
        if not (
            to_statement(stored.memory.content) in stated
            if stored.memory.effective_origin is Origin.USER
            else is_in_notes(stored.memory.content, notes)
        )
    ]


def _drop_outdated(found: list[Stored], reading: Reading, judge: Judge) -> list[Stored]:
    """Leave out the older of two memories that contradict each other, unless it is trusted more or pinned."""
    # A contradiction lowers the confidence of one of the two.
    doubted = [stored.memory.id for stored in found if stored.memory.confidence < 1]
    by_id = {stored.memory.id: stored for stored in found}
    linked = reading.contradictions(doubted) if doubted else ()
    pairs = ((by_id.get(newer), by_id.get(older)) for newer, older in linked)
    outdated = {
        older.memory.id
        for newer, older in pairs
        if newer is not None and older is not None and _makes_outdated(newer, older) and not judge(newer).warned
    }
    return [stored for stored in found if stored.memory.id not in outdated]


def _makes_outdated(newer: Stored, older: Stored) -> bool:
    one, other = newer.memory, older.memory
    is_trusted = one.effective_origin.ceiling >= other.effective_origin.ceiling
    return is_trusted and not other.pinned and one.created_at >= other.created_at


def _order_for_lines(found: Sequence[Stored], lines: int) -> list[Stored]:
    """Return memories, which are sorted by importance, in the order in which they get the lines of the block.

    Half of the lines are for rules, and the other half for proven facts. If there are too few of one sort, more of the
    other sort follow. Other memories come last. What the user said or confirmed comes before the rules of an agent,
    whatever importance the agent claims for them.
    """
    rules = sorted(filter(is_rule, found), key=lambda stored: stored.memory.effective_origin is not Origin.USER)
    facts = [stored for stored in found if not is_rule(stored) and _is_proven(stored)]
    others = [stored for stored in found if not is_rule(stored) and not _is_proven(stored)]
    half = max(1, lines // 2)
    return [*rules[:half], *facts[: lines - half], *rules[half:], *facts[lines - half :], *others]


def _is_proven(stored: Stored) -> bool:
    """Tell whether a memory was used, has a high impact, or is kept for another reason than being stored on purpose."""
    memory = stored.memory
    chosen = memory.earned not in ("", ON_PURPOSE)
    return stored.standing.access_count > 0 or chosen or memory.impact.rank >= Impact.HIGH.rank


def _find_last_summary(recipient: Recipient, reading: Reading, now: datetime) -> Stored | None:
    """Return the summary of the project's most recent other session that has one; None if there is none."""
    last = reading.last_summarised_session(recipient.scope.project, besides=recipient.session)
    if last is None:
        return None
    query = Query(scope=recipient.scope, session=last, type=Type.SESSION_SUMMARY, now=now, limit=1)
    return next(iter(reading.browse(query).items), None)


def _rank_by_importance(stored: Stored) -> tuple[float | str, ...]:
    memory = stored.memory
    return (
        -memory.impact.rank,
        _KINDS.index(memory.kind),
        -priority(memory, stored.standing),
        -memory.created_at.timestamp(),
        memory.id,
    )


def _render(frame: BlockFrame, lines: Sequence[str], *, working: str, left_out: int) -> str:
    block = render_block(frame, lines, left_out=left_out) if lines else ""
    return "\n".join(each for each in (working, block) if each)
