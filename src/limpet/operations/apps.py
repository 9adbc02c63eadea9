"""Keep the memories of apps: register one, record its conversations, end them, and read what is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from limpet.apps.compaction import restore_memory
from limpet.apps.context import Block, Point, write_context
from limpet.apps.conversation import Said, converse, end, find_conversation
from limpet.apps.creation import Settled, settle_conversations
from limpet.apps.energy import Energy, measure_energy
from limpet.apps.provenance import conversations_of, with_relatives
from limpet.apps.registry import actor_of, find_app, list_memories, register, uninstall
from limpet.doors.ledger import with_model_roles
from limpet.errors import InvalidId, UsageError
from limpet.lean.record import record
from limpet.learning.worker import keep_workers_out
from limpet.model.app import CONVERSATION_PREFIX, App, Conversation, Role
from limpet.model.change import Change, ChangeKind
from limpet.model.codec import format_time
from limpet.model.ids import is_prefix_of_id
from limpet.model.memory import Memory
from limpet.model.query import NO_LIMIT, Stored, query_everything
from limpet.model.scope import Scope
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import CODE, OFFSET, PRIVATE, YES, check_page, limit_param
from limpet.operations.permissions import require_person, visible_sensitivities
from limpet.runtime import Runtime
from limpet.store.protocol import AppCounts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.doors.context import Context

ACTIONS = (
    *("list", "register", "converse", "end", "context", "memories", "conversations", "energy", "work"),
    *("restore", "uninstall", "purge"),
)


@record
class AppMemory:
    """A memory of an app, with the conversations that it came from."""

    stored: Stored
    conversations: tuple[str, ...]

    @property
    def memory(self) -> Memory:
        return self.stored.memory


@record
class AppsAnswer:
    """The answer to an action; only the fields of that action are filled."""

    action: str
    app: App | None = None
    apps: tuple[tuple[App, AppCounts], ...] = ()
    said: Said | None = None
    conversation: Conversation | None = None
    conversations: tuple[Conversation, ...] = ()
    memories: tuple[AppMemory, ...] = ()
    hidden: int = 0
    """Memories that are not public and were not asked for."""
    total: int = 0
    block: Block | None = None
    energy: Energy | None = None
    settled: Settled | None = None
    restored: str = ""
    purged: tuple[str, ...] = ()
    """The ids of the memories that were erased."""
    purged_conversations: int = 0


def run(
    runtime: Runtime,
    *,
    action: str = "list",
    app: str | None = None,
    words: Sequence[str] = (),
    text: str | None = None,
    label: str | None = None,
    role: Role = Role.USER,
    conversation: str | None = None,
    point: Point = Point.ANSWER,
    energy: float | None = None,
    later: bool = False,
    poll: bool = False,
    purge: bool = False,
    private: bool = False,
    yes: bool = False,
    code: str | None = None,
    limit: int = 50,
    offset: int = 0,
) -> AppsAnswer:
    """Do one action for an app."""
    if action not in ACTIONS:
        raise UsageError(f"{action[:60]!r} is nothing that apps can do; choose from {', '.join(ACTIONS)}")
    if app is None and action not in ("list", "energy", "work"):
        raise UsageError(f"say which app: limpet apps {action} APP; limpet apps lists them")
    if energy is not None and not 0 <= energy <= 1:
        raise UsageError(f"energy is {energy!r}; give the share that is left, from 0 to 1")
    context = runtime.context()
    if action in ("end", "work") and not later:
        context = with_model_roles(context, timeout=context.settings.apps.timeout_seconds)
    chosen = app or ""
    match action:
        case "list":
            return _list(context)
        case "register":
            return AppsAnswer(action=action, app=register(context, chosen, name=label or ""))
        case "converse":
            said = converse(
                context, chosen, " ".join(words) if text is None else text, role=role, conversation=conversation
            )
            return AppsAnswer(action=action, app=find_app(context.reading(), chosen), said=said)
        case "end":
            return _end(context, chosen, _one(conversation, words, "conversation"), later=later, energy=energy)
        case "context":
            block = write_context(context, chosen, conversation=conversation, point=point)
            return AppsAnswer(action=action, app=find_app(context.reading(), chosen), block=block)
        case "memories":
            return _memories(runtime, context, chosen, private=private)
        case "conversations":
            return _conversations(context, chosen, limit=limit, offset=offset)
        case "energy":
            return _energy(context, app, poll=poll)
        case "work":
            known = None if app is None else find_app(context.reading(), app).id
            return AppsAnswer(action=action, settled=settle_conversations(context, app=known, energy=energy))
        case "restore":
            return _restore(context, chosen, _one(None, words, "memory"))
        case "uninstall" if not purge:
            return AppsAnswer(action=action, app=uninstall(context, chosen))
        case _:
            return _purge(runtime, context, chosen, words, removing=purge, yes=yes, code=code)


def _one(given: str | None, words: Sequence[str], what: str) -> str:
    named = [*([given] if given else []), *words]
    if len(named) != 1:
        raise UsageError(f"say which {what}: give one id")
    return named[0]


def _list(context: Context) -> AppsAnswer:
    reading = context.reading()
    counts = {each.app: each for each in reading.app_counts(since=context.now() - timedelta(days=1))}
    return AppsAnswer(action="list", apps=tuple((each, counts[each.id]) for each in reading.apps()))


def _end(context: Context, app: str, conversation: str, *, later: bool, energy: float | None) -> AppsAnswer:
    """End a conversation and, unless `later`, make its memory; the end is on disk whatever happens to the memory."""
    ended = end(context, app, conversation)
    settled = None if later else settle_conversations(context, app=ended.app, energy=energy)
    reading = context.reading()
    return AppsAnswer(
        action="end",
        app=find_app(reading, app),
        conversation=find_conversation(reading, ended.app, ended.id),
        settled=settled,
    )


def _memories(runtime: Runtime, context: Context, app: str, *, private: bool) -> AppsAnswer:
    reading = context.reading()
    found = find_app(reading, app)
    allowed = visible_sensitivities(runtime, private=private, sensitivity=None)
    everything = list_memories(context, found.id)
    shown = [each for each in everything if each.memory.sensitivity in allowed]
    memories = tuple(
        AppMemory(stored=each, conversations=conversations_of(reading, found.id, each.memory)) for each in shown
    )
    return AppsAnswer(
        action="memories", app=found, memories=memories, hidden=len(everything) - len(shown), total=len(shown)
    )


def _conversations(context: Context, app: str, *, limit: int, offset: int) -> AppsAnswer:
    check_page(limit, offset)
    reading = context.reading()
    found = find_app(reading, app)
    page = reading.conversations(found.id, limit=limit, offset=offset)
    return AppsAnswer(action="conversations", app=found, conversations=page.items, total=page.total)


def _energy(context: Context, app: str | None, *, poll: bool) -> AppsAnswer:
    found = find_app(context.reading(), app) if app is not None else None
    if poll and found is None:
        raise UsageError("say whose energy is polled: limpet apps energy APP --poll")
    measured = measure_energy(context, found)
    if poll and found is not None:
        subject = actor_of(found.id)
        context.write([Change(kind=ChangeKind.APP, subject=subject, actor=subject, payload={"polled": True})])
    return AppsAnswer(action="energy", app=found, energy=measured)


def _restore(context: Context, app: str, id: str) -> AppsAnswer:
    """Bring back a memory that made space for another; the oldest of the others goes if there are too many."""
    found = find_app(context.reading(), app)
    stored = _find_memory(context, found.id, id)
    restore_memory(context, found.id, stored)
    return AppsAnswer(action="restore", app=found, restored=stored.memory.id)


def _find_memory(context: Context, app: str, id: str) -> Stored:
    """Return a memory of an app, whatever its status; that of another app is not found either."""
    asked = id.strip().lower()
    reading = context.reading()
    scope = Scope(agent=context.scope.agent, app=app)
    if is_prefix_of_id(asked):
        prefix = asked if asked.startswith("mem_") else f"mem_{asked}"
        candidates = reading.ids_with_prefix(prefix, scope=scope, limit=2)
        stored = reading.get(candidates[0]) if len(candidates) == 1 else None
        if stored is not None:
            return stored
    raise InvalidId(f"the app {app!r} has no memory {id[:60]!r}; limpet apps memories {app} lists them")


def _purge(
    runtime: Runtime,
    context: Context,
    app: str,
    ids: Sequence[str],
    *,
    removing: bool,
    yes: bool,
    code: str | None,
) -> AppsAnswer:
    """Erase memories of an app and the conversations that they came from, or everything of the app."""
    proof = require_person(runtime, "apps", code=code, doing="purge the memories of an app") if yes else {}
    reading = context.reading()
    found = find_app(reading, app)
    everything = reading.browse(query_everything(Scope(agent=context.scope.agent, app=found.id), now=context.now()))
    if ids:
        chosen = with_relatives(reading, found.id, [_find_memory(context, found.id, id) for id in ids])
        talks = {name for each in chosen for name in conversations_of(reading, found.id, each.memory)}
    else:
        chosen = list(everything.items)
        talks = {each.id for each in reading.conversations(found.id, limit=NO_LIMIT).items}
    count = f"{len(chosen)} memories and {len(talks)} conversations"
    if not yes:
        raise UsageError(f"this erases {count} of {found.id} for good; add --yes to do it")
    actor = runtime.actor
    changes = [runtime.change(ChangeKind.PURGE, each.memory, proof) for each in chosen]
    changes += [
        Change(kind=ChangeKind.PURGE, subject=CONVERSATION_PREFIX + id, actor=actor, payload=proof)
        for id in sorted(talks)
    ]
    if changes:
        with keep_workers_out(runtime.settings.home):
            runtime.store.purge(changes)
    return AppsAnswer(
        action="uninstall" if removing else "purge",
        app=uninstall(context, found.id) if removing else found,
        purged=tuple(each.memory.id for each in chosen),
        purged_conversations=len(talks),
    )


def to_json(answer: AppsAnswer, now: datetime) -> dict[str, Any]:
    parts: dict[str, Any] = {"action": answer.action}
    if answer.app is not None:
        parts["app"] = _encode_app(answer.app)
    if answer.action == "list":
        parts["apps"] = [
            {**_encode_app(app), "memories": counts.memories, "conversations_today": counts.conversations}
            for app, counts in answer.apps
        ]
    if answer.said is not None:
        parts |= {"conversation": answer.said.conversation, "redacted": list(answer.said.redacted)}
        parts |= {"notes": list(answer.said.notes)}
    if answer.conversation is not None:
        parts["conversation"] = encode_conversation(answer.conversation)
    if answer.action == "conversations":
        parts["conversations"] = [encode_conversation(each) for each in answer.conversations]
        parts["total"] = answer.total
    if answer.action == "memories":
        parts |= {"memories": [encode_app_memory(each) for each in answer.memories], "total": answer.total}
        parts["hidden"] = answer.hidden
    if answer.block is not None:
        parts |= {"context": answer.block.text, "ids": list(answer.block.ids), "tokens": answer.block.tokens}
    if answer.energy is not None:
        energy = answer.energy
        parts["energy"] = {"since_poll": energy.since_poll, "today": energy.today, "left": energy.left}
    if answer.settled is not None:
        parts["settled"] = encode_settled(answer.settled)
    if answer.restored:
        parts["restored"] = answer.restored
    if answer.action in ("purge", "uninstall"):
        parts |= {"purged": list(answer.purged), "purged_conversations": answer.purged_conversations}
    return parts


def _encode_app(app: App) -> dict[str, Any]:
    return {
        "id": app.id,
        "name": app.name,
        "registered_at": format_time(app.registered_at),
        "installed": app.is_installed,
    }


def encode_conversation(each: Conversation) -> dict[str, Any]:
    """Return a conversation as JSON, without its messages."""
    return {
        "id": each.id,
        "started_at": format_time(each.started_at),
        "ended_at": format_time(each.ended_at) if each.ended_at else None,
        "messages": each.messages,
        "settled": bool(each.settled),
        "memory": each.memory,
        "reason": each.reason,
    }


def encode_app_memory(each: AppMemory) -> dict[str, Any]:
    """Return a memory of an app as JSON, with its importance from 0 to 1."""
    memory = each.memory
    return {
        "id": memory.id,
        "content": memory.content,
        "created_at": format_time(memory.created_at),
        "updated_at": format_time(memory.updated_at),
        "importance": memory.importance,
        "tags": list(memory.tags),
        "conversations": list(each.conversations),
        "sensitivity": memory.sensitivity.value,
    }


def encode_settled(settled: Settled) -> dict[str, Any]:
    """Return the result of making memories as JSON."""
    return {
        "created": [memory.id for memory in settled.created],
        "compactions": settled.compactions,
        "energy": settled.energy,
        "reasons": settled.reasons,
        "waiting": settled.waiting,
        "failures": settled.failures,
        "busy": settled.is_busy,
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(
        Param(name="action", help=f"What to do: {', '.join(ACTIONS)}.", positional=True, default="list"),
        Param(name="app", help="Id of the app.", positional=True),
        Param(
            name="words",
            help="The message; the id of the conversation to end; the ids of memories to purge or restore.",
            positional=True,
            many=True,
        ),
        Param(name="text", help="The message, instead of words."),
        Param(name="label", help="Name of the app for people."),
        Param(name="role", help="Who says the message.", kind="choice", choices=Role, default=Role.USER),
        Param(name="conversation", help="Id of the conversation; a message without one begins a new one."),
        Param(
            name="point",
            help="Where the context goes: with a conversation to answer or review, or with a choice among several.",
            kind="choice",
            choices=Point,
            default=Point.ANSWER,
        ),
        Param(
            name="energy",
            help="Share of the energy that is left, from 0 to 1; below 0.2 the work waits.",
            kind="number",
        ),
        Param(name="later", help="Only end the conversation; upkeep makes its memory.", kind="flag"),
        Param(name="poll", help="Start counting the energy anew.", kind="flag"),
        Param(name="purge", help="With uninstall: erase its memories and conversations too.", kind="flag"),
        PRIVATE,
        YES,
        CODE,
        limit_param(50, what="conversations"),
        OFFSET,
    ),
    details=(
        "An app is a program that talks with people. When one of its conversations ends, a memory of at most 200 "
        "characters is made of it; an app keeps ten, and no other app sees them."
    ),
    examples=(
        "limpet apps register calendar",
        'limpet apps converse calendar "I prefer meetings after 2pm."',
        "limpet apps end calendar conv_01jz4",
        "limpet apps context calendar",
        "limpet apps uninstall calendar --purge --yes",
    ),
)
