"""Make a memory from each conversation that has ended: one paragraph of facts, preferences, decisions and lessons.

To settle a conversation means to make its memory, or to record that it gets none. The memory, the changes that make
room for it, and the mark that the conversation is settled are written together. So a killed process leaves either all
of them or none, and an app never has too many memories.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from limpet import clock, system
from limpet.apps.compaction import make_space
from limpet.apps.conversation import settle_change
from limpet.apps.energy import RESERVE, conversation_tokens, creation_units, energy_left
from limpet.apps.registry import actor_of, list_memories
from limpet.doors.admit import Admission
from limpet.doors.context import Context
from limpet.doors.origin import says_what_was_typed
from limpet.doors.token_budget import is_short_of_tokens
from limpet.errors import StoreError
from limpet.lean.record import field, mutable
from limpet.llm.extractive import ExtractiveRoles
from limpet.llm.protocol import TokenRoom
from limpet.model.app import Conversation, Role
from limpet.model.change import Change, ChangeKind, change_memory
from limpet.model.memory import Draft, Impact, Memory, Origin, Tier
from limpet.model.outcome import Admitted, Duplicate, Outcome
from limpet.model.query import Stored
from limpet.model.scope import Where
from limpet.model.taint import Taint

DAYS = 7
"""The maximum age in days of an ended conversation from which a memory is made automatically."""
SHORTEST = 10
"""The minimum length of a memory, in characters."""
SAID_IN = "said in"
"""The name of the link from a memory to another conversation with the same content."""
EARNED = "made of a conversation"
_MOST_MESSAGES = 400
_LOCK_MS = 5000


@mutable
class SettlementReport:
    """The result of settling conversations: the memories made, the energy spent, and what was left for later."""

    created: list[Memory] = field(default_factory=list)
    compactions: int = 0
    energy: int = 0
    reasons: dict[str, str] = field(default_factory=dict)
    """By conversation id, the reason why no memory was made, or why another memory was removed to make room."""
    waiting: int = 0
    """The number of conversations left for later, because energy or tokens ran short or the store was not writable."""
    failures: list[str] = field(default_factory=list)
    is_busy: bool = False
    """Whether nothing was done because another process was making memories."""


@contextmanager
def apps_lock(context: Context) -> Iterator[bool]:
    """Hold the lock for changing the memories of apps; yield False if another process holds it, else True."""
    path = os.path.join(context.home, "locks", "apps")
    with system.lock(path, clock.attempts(_LOCK_MS), doing="change the memories of apps") as is_held:
        yield is_held


def settle_conversations(
    context: Context, *, app: str | None = None, most: int = 20, energy: float | None = None
) -> SettlementReport:
    """Make memories from up to `most` ended conversations, in the order in which they ended.

    The work stops when less than a fifth is left of the daily energy, of the model's daily tokens, or of the caller's
    own energy (`energy`, a share from 0 to 1). A failure is logged, and the conversation is tried again in the next
    call.
    """
    report = SettlementReport()
    with apps_lock(context) as is_held:
        if not is_held:
            report.is_busy = True
            return report
        since = context.now() - timedelta(days=DAYS)
        ended = context.reading().conversations_to_settle(since=since, limit=most, app=app)
        for number, each in enumerate(ended):
            left = min(energy_left(context), 1.0 if energy is None else energy)
            if left < RESERVE or is_short_of_tokens(context):
                report.waiting = len(ended) - number
                break
            _settle(context, each, report)
        _enforce_caps(context, app)
    for sentence in report.failures:
        context.log(f"apps: {sentence}")
    return report


def _settle(context: Context, conversation: Conversation, report: SettlementReport) -> None:
    messages = context.reading().messages(conversation)
    said = [each for each in messages if each.role is not Role.TOOL][-_MOST_MESSAGES:]
    characters = sum(len(each.text) for each in said)
    pairs = [(each.role is Role.USER, each.text) for each in said]
    settings = context.settings.apps
    room = TokenRoom(left=int(settings.model_share * conversation_tokens(messages)))
    made = context.roles().summarise_conversation(pairs, most=settings.characters, room=room)
    text = " ".join(made.text.split())
    energy = creation_units(characters) if said else 0
    if len(text) < SHORTEST:
        reason = "nothing in it is worth remembering"
        _write(context, conversation, [], {"reason": reason, "energy": energy}, report, reason)
        return
    actor = actor_of(conversation.app)
    door = context.admission(where=Where(agent=context.scope.agent), actor=actor, taint=Taint)
    # The words of an assistant are trusted less than the user's, because they may repeat a web page.
    typed = (each.text for each in said if each.role is Role.USER)
    outcome = door.admit(
        Draft(
            text=text,
            app=conversation.app,
            conversation=conversation.id,
            origin=Origin.AGENT if any(says_what_was_typed(text, each) for each in typed) else Origin.TOOL,
            impact=Impact.MEDIUM,
            importance=None if made.importance is None else min(made.importance, Impact.MEDIUM.importance),
            tags=made.tags or None,
            tier=Tier.KEPT,
            earned=EARNED,
        )
    )
    _finish(context, conversation, door, outcome, energy, room, report)


def _finish(
    context: Context,
    conversation: Conversation,
    door: Admission,
    outcome: Outcome,
    energy: int,
    room: TokenRoom,
    report: SettlementReport,
) -> None:
    """Settle a conversation whose memory was admitted, already known or rejected, and make room for a new memory."""
    actor = actor_of(conversation.app)
    match outcome:
        case Admitted(memory=memory):
            replaced = {change.subject for change in door.changes if change.kind == ChangeKind.SUPERSEDE}
            others = [each for each in list_memories(context, conversation.app) if each.memory.id not in replaced]
            newest = context.judge(Stored(memory=memory))
            settings = context.settings.apps
            space = make_space(door, others, newest, settings=settings, roles=context.roles(), actor=actor, room=room)
            payload = {"memory": memory.id, "created": True, "energy": energy + space.energy}
            changes = [*door.changes, *space.changes]
            if _write(
                context, conversation, changes, {**payload, "compactions": space.decisions}, report, space.reason
            ):
                report.created.append(memory)
                report.compactions += space.decisions
        case Duplicate(memory=known):
            link = {"relation": SAID_IN, "to": conversation.id}
            changes = [*door.changes, change_memory(ChangeKind.LINK, known, link, actor=actor)]
            reason = "it was known already"
            _write(
                context, conversation, changes, {"memory": known.id, "reason": reason, "energy": energy}, report, reason
            )
        case rejected:
            reason = "it cannot be stored"
            _write(context, conversation, [], {"reason": reason, "energy": energy}, report, rejected.reason)


def _write(
    context: Context,
    conversation: Conversation,
    changes: Sequence[Change],
    payload: dict[str, object],
    report: SettlementReport,
    reason: str,
) -> bool:
    """Write the changes and mark the conversation as settled; return False if the store fails twice."""
    settled = settle_change(conversation.app, conversation.id, payload)
    for is_last in (False, True):
        try:
            context.write([*changes, settled])
        except StoreError as error:
            if is_last:
                report.failures.append(f"{conversation.id}: {error}")
                report.waiting += 1
                return False
        else:
            break
    report.energy += int(str(payload["energy"]))
    if reason:
        report.reasons[conversation.id] = reason
    return True


def _enforce_caps(context: Context, app: str | None) -> None:
    """Remove the oldest memories of each app, or of one app, that has more than it may keep.

    An app can have too many after the journals of two machines were joined, a memory was restored, or the maximum
    number was lowered.
    """
    for each in context.reading().app_counts(since=context.now()):
        if each.memories <= context.settings.apps.memories or app not in (None, each.app):
            continue
        door = context.admission(where=Where(agent=context.scope.agent), actor=actor_of(each.app), taint=Taint)
        found = list_memories(context, each.app)
        space = make_space(
            door, found, None, settings=context.settings.apps, roles=ExtractiveRoles(), actor=actor_of(each.app)
        )
        if space.changes:
            context.write(space.changes)
