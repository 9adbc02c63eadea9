"""Merge similar memories into a summary. The merged memories, called its members, are superseded but can be restored.

Only memories with the same scope, origin and sensitivity are merged. So a summary is not trusted more than its members,
and no public memory disappears into a private summary.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta

from limpet.doors.admit import Admission
from limpet.doors.context import Context
from limpet.doors.fields import MAX_FILES, MAX_TAGS
from limpet.doors.token_budget import choose_roles
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Draft, Memory, Origin, Region, Sensitivity, Type
from limpet.model.outcome import Admitted
from limpet.model.reach import SUMMARIES
from limpet.model.scope import Scope, Where
from limpet.store.protocol import DueQuery, Reading, Room
from limpet.text.gist import merge_texts
from limpet.upkeep.clusters import find_clusters
from limpet.upkeep.plan import Plan
from limpet.upkeep.summary_members import supersede_member

_ALIKE = 0.5
"""Share of words that memories must have in common to be merged."""
_LEAST = 3
"""Number of similar memories from which they are merged."""
MAX_MEMBERS = 20
"""The maximum number of members of a summary; the text of a larger one would be too long."""


def compress(context: Context) -> Iterator[Plan]:
    """Yield a plan for each scope that has similar memories to merge."""
    settings = context.settings.upkeep
    if not settings.compress_days:
        return
    reading = context.store.reading()
    for room in reading.rooms():
        found = []
        for group in _group_by_trust(_find_mergeable(context, reading, room, settings.compress_days)):
            texts = [memory.original_content for memory in group]
            for places in find_clusters(texts, alike=_ALIKE, least=_LEAST):
                found += _split_by_date([group[at] for at in places], _LEAST)
        plan = _plan_merges(context, reading, room, found)
        if plan.parts:
            yield plan


def summarize_old(context: Context) -> Iterator[Plan]:
    """Yield a plan for each scope that has old memories to merge. They are grouped by kind and need not be similar.

    This job runs only on request.
    """
    reading = context.store.reading()
    for room in reading.rooms():
        found = []
        for group in _group_by_trust(_find_mergeable(context, reading, room, context.settings.upkeep.summarize_days)):
            for kind in dict.fromkeys(memory.kind for memory in group):
                own = [memory for memory in group if memory.kind is kind]
                if len(own) >= _LEAST:
                    found += _split_by_date(own, _LEAST)
        plan = _plan_merges(context, reading, room, found)
        if plan.parts:
            yield plan


def _find_mergeable(context: Context, reading: Reading, room: Room, days: float) -> list[Memory]:
    """Return the memories of a scope that are more than `days` old and may be merged.

    The following are left out: confirmed, pinned and critical memories, memories with an expiry date, a contradiction
    or a warning, summaries, and memories that are or were members of a summary.
    """
    old = reading.due(
        DueQuery(token=room.token, made_before=context.now() - timedelta(days=days), spare=True, endless=True)
    )
    scope = Scope(agent=room.agent, project=room.project)
    opposed = {
        name
        for source, relation, target in reading.links(scope)
        if relation == "contradicts"
        for name in (source, target)
    }
    return [
        stored.memory
        for stored in old
        if stored.memory.type not in SUMMARIES
        and not stored.memory.confirmed
        and stored.memory.id not in opposed
        and not context.judge(stored).warned
        and not reading.descendants(stored.memory.id)
    ]


def _group_by_trust(memories: Sequence[Memory]) -> list[list[Memory]]:
    found: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for memory in memories:
        found[memory.origin, memory.sensitivity].append(memory)
    return list(found.values())


def _split_by_date(members: list[Memory], least: int) -> list[list[Memory]]:
    """Split a large group by date into parts of at least `least` members, and at most MAX_MEMBERS if possible."""
    ordered = sorted(members, key=lambda memory: (memory.created_at, memory.id))
    count = max(1, min(-(-len(ordered) // MAX_MEMBERS), len(ordered) // least))
    return [ordered[len(ordered) * at // count : len(ordered) * (at + 1) // count] for at in range(count)]


def _plan_merges(context: Context, reading: Reading, room: Room, groups: Sequence[Sequence[Memory]]) -> Plan:
    door = context.admission(where=Where(agent=room.agent, project=room.project), reading=reading)
    parts = [part for members in groups if (part := _merge_members(context, door, members, room))]
    # A part has the summary first, so if it is written only partly, the job `repair` completes it in the next round.
    retired = sum(change.kind == ChangeKind.SUPERSEDE for part in parts for change in part)
    return Plan(parts=tuple(parts), room=room, retires=retired)


def _merge_members(context: Context, door: Admission, members: Sequence[Memory], room: Room) -> tuple[Change, ...]:
    before = len(door.changes)
    outcome = door.admit(_draft_summary(context, members, room))
    made = door.changes[before:]
    if not isinstance(outcome, Admitted):
        return ()
    return (*made, *(supersede_member(member, outcome.memory.id) for member in members))


def _draft_summary(context: Context, members: Sequence[Memory], room: Room) -> Draft:
    """Return a draft that merges memories, with their least trusted origin and their strictest sensitivity."""
    central = max(members, key=lambda memory: (memory.importance, memory.created_at, memory.id))
    texts = [(f"{memory.created_at:%Y-%m-%d}", memory.original_content) for memory in members]
    text = choose_roles(context, members).merge(texts)
    return Draft(
        text=text if text.strip() else merge_texts(texts),
        region=Region.AGENT if room.project is None else Region.PROJECT,
        kind=Counter(memory.kind for memory in members).most_common(1)[0][0],
        type=Type.COMPRESSED_SUMMARY,
        concepts=tuple(dict.fromkeys(concept for memory in members for concept in memory.concepts)),
        tags=tuple(dict.fromkeys(tag for memory in members for tag in memory.tags))[:MAX_TAGS],
        title=central.title,
        subtitle=f"{len(members)} memories in one",
        impact=max((memory.impact for memory in members), key=lambda impact: impact.rank),
        importance=max(memory.importance for memory in members),
        difficulty=max(memory.difficulty for memory in members),
        sensitivity=Sensitivity.strictest(memory.sensitivity for memory in members),
        origin=Origin.lowest(tuple(memory.origin for memory in members)),
        files_read=tuple(dict.fromkeys(path for memory in members for path in memory.files_read))[:MAX_FILES],
        files_modified=tuple(dict.fromkeys(path for memory in members for path in memory.files_modified))[:MAX_FILES],
        sources=tuple(members),
    )
