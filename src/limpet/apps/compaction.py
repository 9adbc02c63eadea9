"""Make room when an app has more memories than it may keep: supersede one, or merge two.

A model or a simple rule decides, and code checks the decision. A model is shown temporary ids, so it can only choose
memories of this app. The newest memory is never deleted. If there is no valid decision, the oldest memory is
superseded. A superseded memory can be restored.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.apps.energy import compaction_units
from limpet.apps.registry import actor_of, list_memories
from limpet.doors.admit import Admission
from limpet.doors.context import Context
from limpet.doors.governor import Passed, Way, govern
from limpet.lean.record import mutable
from limpet.llm.extractive import ExtractiveRoles
from limpet.llm.protocol import Decision, DecisionKind, Roles, TokenRoom
from limpet.model.change import Change, ChangeKind, change_memory
from limpet.model.memory import Draft, Memory, Origin
from limpet.model.outcome import Admitted
from limpet.model.query import Stored
from limpet.model.scope import Where
from limpet.model.taint import Taint
from limpet.settings import AppsSettings

OLDEST, _CHOSEN = "it was the oldest", "a decision of the app's memory"
_LONGEST_REASON = 120


@mutable
class Compaction:
    """The changes that make room, the number of decisions, the energy spent, and the reason for the last decision.

    A model's reason is not written to the journal, because it may quote a memory and would survive that memory's purge.
    """

    changes: list[Change]
    decisions: int = 0
    energy: int = 0
    reason: str = ""


def make_space(
    door: Admission,
    memories: Sequence[Stored],
    newest: Stored | None,
    *,
    settings: AppsSettings,
    roles: Roles,
    actor: str,
    room: TokenRoom | None = None,
) -> Compaction:
    """Return the changes that reduce the memories of an app, including `newest`, to the maximum number.

    `roles`, a model or its replacement in code, makes one decision. If that is not enough, for example after the
    journals of two machines were joined, the oldest memories are superseded.
    """
    made = Compaction(changes=[])
    most = settings.memories
    kept = sorted(memories, key=lambda each: (each.memory.updated_at, each.memory.id))
    newest_id = newest.memory.id if newest else ""
    decider = roles
    while len(kept) + (newest is not None) > most and kept:
        everything = [*kept, *([newest] if newest else [])]
        made.energy += compaction_units(sum(len(each.memory.content) for each in everything))
        made.decisions += 1
        decision = _decide(decider, everything, newest_id, settings.characters, room)
        gone = _apply(door, decision, everything, actor, made) if decision else None
        if gone is None:
            oldest = kept[0].memory
            made.reason = OLDEST
            made.changes.append(_supersede(oldest, newest_id or kept[-1].memory.id, OLDEST, actor))
            gone = {oldest.id}
        if len(gone) == 2:
            # The merged memory takes one place, and must not be removed by a later decision.
            most -= 1
        if newest_id in gone:
            newest, newest_id = None, ""
        kept = [each for each in kept if each.memory.id not in gone]
        decider = ExtractiveRoles()
    return made


def _decide(
    roles: Roles, memories: Sequence[Stored], newest: str, characters: int, room: TokenRoom | None
) -> Decision | None:
    """Let `roles` choose among the memories that a model may see; return None if the choice is not valid.

    The returned decision contains the real ids of the memories.
    """
    names: dict[str, str] = {}
    shown: list[tuple[str, str]] = []
    for stored in memories:
        passed = govern(stored, way=Way.ASKED)
        if isinstance(passed, Passed):
            name = f"m{len(names) + 1}"
            names[name] = stored.memory.id
            shown.append((name, passed.text))
    new_name = next((name for name, id in names.items() if id == newest), "")
    if len(shown) < 2 or (newest and not new_name):
        return None
    decision = roles.decide(shown, newest=new_name, most=characters, room=room)
    target, other = names.get(decision.id), names.get(decision.other or new_name)
    if target is None or (decision.other and decision.other not in names):
        return None
    match decision.kind:
        case DecisionKind.DELETE:
            is_valid = target != newest
        case DecisionKind.EDIT:
            is_valid = other is not None and other != target and bool(decision.text.strip())
    if not is_valid:
        return None
    return Decision(
        kind=decision.kind, id=target, other=other or "", reason=decision.reason[:_LONGEST_REASON], text=decision.text
    )


def _apply(
    door: Admission, decision: Decision, memories: Sequence[Stored], actor: str, made: Compaction
) -> set[str] | None:
    """Add the changes of a decision to `made` and return the ids of the memories that it removes.

    Return None if the merged memory is rejected.
    """
    by_id = {stored.memory.id: stored.memory for stored in memories}
    target = by_id[decision.id]
    if decision.kind is DecisionKind.DELETE:
        made.reason = decision.reason
        made.changes.append(_supersede(target, memories[-1].memory.id, _CHOSEN, actor))
        return {target.id}
    pair = (target, by_id[decision.other])
    merged = _merge(door, pair, decision.text)
    if merged is None:
        return None
    made.reason = decision.reason
    made.changes += [_supersede(each, merged.id, _CHOSEN, actor) for each in pair]
    return {each.id for each in pair}


def _merge(door: Admission, pair: tuple[Memory, Memory], text: str) -> Memory | None:
    """Admit a merged memory with the lower trust and the stricter sensitivity of `pair`; None if it is rejected."""
    start = len(door.changes)
    outcome = door.admit(
        Draft(
            text=text,
            app=pair[0].app,
            origin=Origin.lowest(tuple(each.origin for each in pair)),
            importance=max(each.importance for each in pair),
            impact=max((each.impact for each in pair), key=lambda impact: impact.rank),
            tags=tuple(dict.fromkeys(tag for each in pair for tag in each.tags))[:16],
            conversation=pair[1].conversation or pair[0].conversation,
            sources=pair,
        )
    )
    if isinstance(outcome, Admitted):
        return outcome.memory
    del door.changes[start:]
    return None


def _supersede(memory: Memory, by: str, reason: str, actor: str) -> Change:
    payload = {"by": by, "reason": reason}
    return change_memory(ChangeKind.SUPERSEDE, memory, payload, actor=actor)


def restore_memory(context: Context, app: str, stored: Stored) -> None:
    """Restore a memory that was superseded, and make room for it in the same write."""
    actor = actor_of(app)
    others = [each for each in list_memories(context, app) if each.memory.id != stored.memory.id]
    door = context.admission(where=Where(agent=context.scope.agent), actor=actor, taint=Taint)
    space = make_space(door, others, stored, settings=context.settings.apps, roles=ExtractiveRoles(), actor=actor)
    context.write([change_memory(ChangeKind.RESTORE, stored.memory, actor=actor), *space.changes])
