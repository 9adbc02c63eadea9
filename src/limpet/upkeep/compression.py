"""Merge similar memories into a summary. The merged memories, called its members, are superseded but can be restored.

Only memories with the same scope, origin and sensitivity are merged. So a summary is not trusted more than its members,
and no public memory disappears into a private summary.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import chain

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
from limpet.text.similarity import distinct_words
from limpet.upkeep.job import Plan
from limpet.upkeep.summary_members import supersede_member

_ALIKE = 0.5
"""Share of words that memories must have in common to be merged."""
_LEAST = 3
"""Number of similar memories from which they are merged."""
_MOST_SHARED = 3
"""The number of rare words that two sets must share to be compared, called k below. It is lower for small sets."""
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


def find_clusters(texts: Sequence[str], *, alike: float, least: int) -> list[list[int]]:
    """Return groups of at least `least` similar texts, each as a list of indexes into `texts`.

    Two texts belong to the same group if the Jaccard similarity of their word sets (the size of the intersection
    divided by the size of the union) is at least `alike`, or if a chain of such pairs links them.

    Not every pair is compared. If the similarity of two texts is at least t, their k rarest common words are among the
    n - ceil(t n) + k rarest words of each set of n words. So only texts that share k of these words are compared. No
    similar pair is missed, and even ten thousand texts can be compared.
    """
    sets = [distinct_words(text) for text in texts]
    frequency = Counter(word for each in sets for word in each)
    rarest = [sorted(each, key=lambda word: (frequency[word], word)) for each in sets]
    met = [max(1, min(_MOST_SHARED, _count_least(alike, each))) for each in sets]
    group = _Groups(len(sets))
    holders: dict[str, list[int]] = defaultdict(list)
    for one in sorted(range(len(sets)), key=lambda at: (len(sets[at]), at)):
        own, needed = sets[one], met[one]
        seen = rarest[one][: len(own) - _count_least(alike, own) + needed]
        counted = Counter(chain.from_iterable([holders[word] for word in seen]))
        for other in [other for other, count in counted.items() if count >= needed or count >= met[other]]:
            theirs = sets[other]
            if len(theirs) < alike * len(own) or group.find(one) == group.find(other):
                continue
            if len(own & theirs) >= alike * len(own | theirs):
                group.join(one, other)
        # Later sets are at least as large, so similar ones share more words, and fewer words have to be indexed.
        for word in rarest[one][: len(own) - _count_least(2 * alike / (1 + alike), own) + needed]:
            holders[word].append(one)
    found: dict[int, list[int]] = defaultdict(list)
    for at in range(len(sets)):
        found[group.find(at)].append(at)
    return [members for members in found.values() if len(members) >= least]


def _count_least(share: float, own: frozenset[str]) -> int:
    """Return the number of words that make up `share` of a set, rounded up."""
    # A rounding error must not add one.
    return math.ceil(share * len(own) - 1e-9)


class _Groups:
    """Disjoint sets of indexes (union-find). A set is identified by its smallest member."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def find(self, at: int) -> int:
        """Return the smallest member of the set that contains an index."""
        while self._above[at] != at:
            self._above[at] = self._above[self._above[at]]
            at = self._above[at]
        return at

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.find(one), self.find(other)))
        self._above[second] = first
