"""Compression: similar memories are merged into one summary; the members are superseded and can be restored.

Only memories of one scope, one origin and one sensitivity are merged. So a summary never gets more trust than its
members have, and no public memory is hidden by a private one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta

from limpet.doors.admit import Admission
from limpet.doors.fields import MAX_FILES, MAX_TAGS
from limpet.doors.token_budget import choose_roles
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Draft, Memory, Origin, Region, Type
from limpet.model.outcome import Admitted
from limpet.model.reach import SUMMARIES
from limpet.model.scope import Scope, Where
from limpet.store.protocol import DueQuery, Reading, Room
from limpet.text.gist import merge_texts
from limpet.upkeep.clusters import find_clusters
from limpet.upkeep.plan import Plan
from limpet.upkeep.summary_members import supersede_member

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

MAX_MEMBERS = 20
"""The maximum number of members of one summary; with more members the text would be too long to read."""


def compress(context: Context) -> Iterator[Plan]:
    """Yield a plan for each scope with similar memories to merge."""
    settings = context.settings.upkeep
    if not settings.compress_days:
        return
    reading = context.store.reading()
    for room in reading.rooms():
        found = []
        for group in _group_by_trust(_find_mergeable(context, reading, room, settings.compress_days)):
            texts = [memory.original_content for memory in group]
            for places in find_clusters(texts, alike=settings.compress_alike, least=settings.compress_least):
                found += _split([group[at] for at in places], settings.compress_least)
        plan = _plan(context, reading, room, found)
        if plan.parts:
            yield plan


def summarize_old(context: Context) -> Iterator[Plan]:
    """Yield a plan for each scope that merges old memories of one kind, similar or not; run only on request."""
    reading = context.store.reading()
    for room in reading.rooms():
        found = []
        for group in _group_by_trust(_find_mergeable(context, reading, room, context.settings.upkeep.summarize_days)):
            for kind in dict.fromkeys(memory.kind for memory in group):
                own = [memory for memory in group if memory.kind is kind]
                if len(own) >= context.settings.upkeep.compress_least:
                    found += _split(own, context.settings.upkeep.compress_least)
        plan = _plan(context, reading, room, found)
        if plan.parts:
            yield plan


def _find_mergeable(context: Context, reading: Reading, room: Room, days: float) -> list[Memory]:
    """Return the memories of a scope that are older than so many days and may be merged.

    Left out is what a person has confirmed or pinned, what is critical or expires, what contradicts a memory or is
    contradicted, what has a warning, summaries, and whatever a memory was made of before: it is in a summary already,
    or was taken out of one.
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


def _split(members: list[Memory], least: int) -> list[list[Memory]]:
    """Split a large group by date into parts, each with at least `least` members."""
    ordered = sorted(members, key=lambda memory: (memory.created_at, memory.id))
    count = max(1, min(-(-len(ordered) // MAX_MEMBERS), len(ordered) // least))
    return [ordered[len(ordered) * at // count : len(ordered) * (at + 1) // count] for at in range(count)]


def _plan(context: Context, reading: Reading, room: Room, groups: Sequence[Sequence[Memory]]) -> Plan:
    door = context.admission(where=Where(agent=room.agent, project=room.project), reading=reading)
    parts = [part for members in groups if (part := _merge(context, door, members, room))]
    # Each part is one write, the summary first: if the process is killed in between, the next round completes it.
    retired = sum(change.kind == ChangeKind.SUPERSEDE for part in parts for change in part)
    return Plan(parts=tuple(parts), room=room, retires=retired)


def _merge(context: Context, door: Admission, members: Sequence[Memory], room: Room) -> tuple[Change, ...]:
    before = len(door.changes)
    outcome = door.admit(_draft_summary(context, members, room))
    made = door.changes[before:]
    if not isinstance(outcome, Admitted):
        return ()
    return (*made, *(supersede_member(member, outcome.memory.id) for member in members))


def _draft_summary(context: Context, members: Sequence[Memory], room: Room) -> Draft:
    """Return the draft of a summary with the least trust and the strictest sensitivity of its members."""
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
        sensitivity=max((memory.sensitivity for memory in members), key=lambda each: each.level),
        origin=Origin.lowest(tuple(memory.origin for memory in members)),
        files_read=tuple(dict.fromkeys(path for memory in members for path in memory.files_read))[:MAX_FILES],
        files_modified=tuple(dict.fromkeys(path for memory in members for path in memory.files_modified))[:MAX_FILES],
        sources=tuple(members),
    )
