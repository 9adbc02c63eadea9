"""Manage apps: programs that talk with people and keep a few memories of the conversations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from limpet.apps.answer import AppMemory, AppsAnswer, shape
from limpet.apps.compaction import restore_memory
from limpet.apps.context import Point, write_context
from limpet.apps.conversation import converse, end, find_conversation
from limpet.apps.creation import apps_lock, settle_conversations
from limpet.apps.energy import measure_energy
from limpet.apps.files import find_file, list_versions, restore_file
from limpet.apps.memory_tool import answer_command
from limpet.apps.provenance import add_relatives, conversations_of
from limpet.apps.registry import app_change, find_app, list_memories, register, uninstall
from limpet.doors.token_budget import with_model_roles
from limpet.errors import InvalidId, Refused, UsageError
from limpet.learning.worker import keep_workers_out
from limpet.model.app import CONVERSATION_PREFIX, FILE_PREFIX, Role
from limpet.model.change import Change, ChangeKind
from limpet.model.query import NO_LIMIT, Stored, query_everything
from limpet.model.scope import Scope
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import CODE, OFFSET, PRIVATE, YES, check_page, limit_param
from limpet.runtime import Runtime
from limpet.runtime.permissions import complete_id, require_person, visible_sensitivities
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

ACTIONS = (
    *("list", "register", "converse", "end", "context", "memories", "conversations", "energy", "work"),
    *("memory", "files", "restore", "uninstall", "purge"),
)

_EXAMPLE_COMMAND = '{"command": "view", "path": "/memories"}'


class NeedsConsent(UsageError):
    """The user has not agreed yet that something is erased; `what` names it."""

    def __init__(self, what: str) -> None:
        super().__init__(f"this erases {what} for good; add --yes to do it")
        self.what = what


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
    """Carry out one of the `ACTIONS`. All except `list`, `energy` and `work` need an app."""
    _check_request(action, app, energy)
    context = runtime.context()
    if action in ("end", "work") and not later:
        context = with_model_roles(context, timeout=context.settings.apps.timeout_seconds)
    chosen, said = app or "", " ".join(words) if text is None else text
    match action:
        case "list":
            reading = context.reading()
            counts = {each.app: each for each in reading.app_counts(since=context.now() - timedelta(days=1))}
            return AppsAnswer(action=action, apps=tuple((each, counts[each.id]) for each in reading.apps()))
        case "register":
            return AppsAnswer(action=action, app=register(context, chosen, name=label or ""))
        case "converse":
            noted = converse(context, chosen, said, role=role, conversation=conversation)
            return AppsAnswer(action=action, app=find_app(context.reading(), chosen), said=noted)
        case "end":
            named = _require_one(conversation, words, "conversation")
            return _end_conversation(context, chosen, named, later=later, energy=energy)
        case "context":
            block = write_context(context, chosen, conversation=conversation, point=point)
            return AppsAnswer(action=action, app=find_app(context.reading(), chosen), block=block)
        case "memories":
            return _list_memories(runtime, context, chosen, private=private)
        case "conversations":
            check_page(limit, offset)
            found = find_app(context.reading(), chosen)
            page = context.reading().conversations(found.id, limit=limit, offset=offset)
            return AppsAnswer(action=action, app=found, conversations=page.items, total=page.total)
        case "energy":
            return _show_energy(context, app, poll=poll)
        case "work":
            known = None if app is None else find_app(context.reading(), app).id
            return AppsAnswer(action=action, settled=settle_conversations(context, app=known, energy=energy))
        case "memory":
            return _use_memory_tool(context, chosen, said)
        case "files":
            return _list_files(runtime, context, chosen, words)
        case "restore":
            return _restore(runtime, context, chosen, _require_one(None, words, "memory or file"))
        case "uninstall" if not purge:
            return AppsAnswer(action=action, app=uninstall(context, chosen))
        case _:
            return _purge(runtime, context, chosen, words, removing=purge, yes=yes, code=code)


def _check_request(action: str, app: str | None, energy: float | None) -> None:
    if action not in ACTIONS:
        raise UsageError(f"{action[:60]!r} is not an action of apps; choose from {', '.join(ACTIONS)}")
    if app is None and action not in ("list", "energy", "work"):
        raise UsageError(f"say which app: limpet apps {action} APP; limpet apps lists them")
    if energy is not None and not 0 <= energy <= 1:
        raise UsageError(f"energy is {energy!r}; give the share that is left, from 0 to 1")


def _require_one(given: str | None, words: Sequence[str], what: str) -> str:
    named = [*([given] if given else []), *words]
    if len(named) != 1:
        raise UsageError(f"say which {what}: give one id")
    return named[0]


def _end_conversation(
    context: Context, app: str, conversation: str, *, later: bool, energy: float | None
) -> AppsAnswer:
    """End a conversation and, unless `later` is set, create a memory from it.

    The end is recorded even if creating the memory fails.
    """
    ended = end(context, app, conversation)
    settled = None if later else settle_conversations(context, app=ended.app, energy=energy)
    reading = context.reading()
    return AppsAnswer(
        action="end",
        app=find_app(reading, app),
        conversation=find_conversation(reading, ended.app, ended.id),
        settled=settled,
    )


def _list_memories(runtime: Runtime, context: Context, app: str, *, private: bool) -> AppsAnswer:
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


def _show_energy(context: Context, app: str | None, *, poll: bool) -> AppsAnswer:
    found = find_app(context.reading(), app) if app is not None else None
    if poll and found is None:
        raise UsageError("say for which app: limpet apps energy APP --poll")
    measured = measure_energy(context, found)
    if poll and found is not None:
        context.write([app_change(found.id, {"polled": True})])
    return AppsAnswer(action="energy", app=found, energy=measured)


def _use_memory_tool(context: Context, app: str, text: str) -> AppsAnswer:
    """Carry out a command of Anthropic's memory tool, given as JSON, on an app's files."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"{text[:60]!r} is not JSON; give a command as {_EXAMPLE_COMMAND}") from None
    return AppsAnswer(action="memory", app=find_app(context.reading(), app), result=answer_command(context, app, given))


def _list_files(runtime: Runtime, context: Context, app: str, ids: Sequence[str]) -> AppsAnswer:
    """List all files of an app, including deleted ones or, if `ids` contains the id of a file, the file's versions."""
    _refuse_model(runtime, "read every version of an app's files")
    reading = context.reading()
    found = find_app(reading, app)
    if ids:
        versions = list_versions(reading, find_file(reading, found.id, _require_one(None, ids, "file")))
        return AppsAnswer(action="files", app=found, versions=versions)
    files = (*reading.files(found.id), *reading.files(found.id, deleted=True))
    return AppsAnswer(action="files", app=found, files=files, total=len(files))


def _refuse_model(runtime: Runtime, doing: str) -> None:
    if runtime.caller.is_agent:
        raise Refused(f"only a person can {doing}; ask the user to run limpet apps in a terminal")


def _restore(runtime: Runtime, context: Context, app: str, id: str) -> AppsAnswer:
    """Restore a deleted file, or a memory that was superseded to make room for others.

    If the app then has too many memories, the oldest of the others is superseded.
    """
    found = find_app(context.reading(), app)
    if id.strip().lower().startswith("file_"):
        _refuse_model(runtime, "bring back a deleted file")
        return AppsAnswer(action="restore", app=found, restored=restore_file(context, found.id, id).id)
    with apps_lock(context) as is_held:
        if not is_held:
            raise Refused("memories of apps are being made at this moment; try again in a minute")
        stored = _find_memory(context, found.id, id)
        restore_memory(context, found.id, stored)
    return AppsAnswer(action="restore", app=found, restored=stored.memory.id)


def _find_memory(context: Context, app: str, id: str) -> Stored:
    """Return a memory of an app, of any status, by its id or the beginning of its id.

    Raise InvalidId if the app has no such memory, and AmbiguousId if it has more than one.
    """
    reading = context.reading()
    list_ids = partial(reading.ids_with_prefix, scope=Scope(agent=context.scope.agent, app=app), limit=1000)
    found = complete_id(id, list_ids, noun="memory", shown_by=f"limpet apps memories {app}")
    stored = reading.get(found) if found is not None else None
    if stored is None:
        raise InvalidId(f"the app {app!r} has no memory {id[:60]!r}; limpet apps memories {app} lists them")
    return stored


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
    """Erase the given memories and files of an app, and the conversations that the memories came from.

    If `ids` is empty, erase all memories, files and conversations of the app. If `removing` is set, uninstall the app
    afterwards.
    """
    proof = require_person(runtime, "apps", code=code, doing="purge the memories of an app") if yes else {}
    reading = context.reading()
    found = find_app(reading, app)
    everything = reading.browse(query_everything(Scope(agent=context.scope.agent, app=found.id), now=context.now()))
    every_file = (*reading.files(found.id), *reading.files(found.id, deleted=True))
    files = [each.id for each in every_file]
    if ids:
        files = [find_file(reading, found.id, id).id for id in ids if id.strip().lower().startswith("file_")]
        named = [id for id in ids if not id.strip().lower().startswith("file_")]
        chosen = add_relatives(reading, found.id, [_find_memory(context, found.id, id) for id in named])
        conversations = {name for each in chosen for name in conversations_of(reading, found.id, each.memory)}
    else:
        chosen = list(everything.items)
        conversations = {each.id for each in reading.conversations(found.id, limit=NO_LIMIT).items}
    count = f"{plural(len(chosen), 'memory')} and {plural(len(conversations), 'conversation')}"
    count += f" and {plural(len(files), 'file')}" if files else ""
    if not yes:
        raise NeedsConsent(f"{count} of {found.id}")
    actor = runtime.actor
    changes = [runtime.change(ChangeKind.PURGE, each.memory, proof) for each in chosen]
    changes += [
        Change(kind=ChangeKind.PURGE, subject=subject, actor=actor, payload=proof)
        for subject in (
            *(CONVERSATION_PREFIX + id for id in sorted(conversations)),
            *(FILE_PREFIX + id for id in files),
        )
    ]
    if changes:
        with keep_workers_out(runtime.settings.home):
            runtime.store.purge(changes)
    return AppsAnswer(
        action="uninstall" if removing else "purge",
        app=uninstall(context, found.id) if removing else found,
        purged=tuple(each.memory.id for each in chosen),
        purged_conversations=len(conversations),
        purged_files=len(files),
    )


VERB = Verb(
    run=run,
    shape=shape,
    is_failure=lambda answer: answer.result is not None and answer.result.is_error,
    params=(
        Param(name="action", help=f"What to do: {', '.join(ACTIONS)}.", positional=True, default="list"),
        Param(name="app", help="Id of the app.", positional=True),
        Param(
            name="words",
            help=(
                "What the action needs: a message, a command of the memory tool, or ids of conversations, memories, "
                "files or versions."
            ),
            positional=True,
            many=True,
        ),
        Param(name="text", help="The message, instead of WORDS."),
        Param(name="label", help="Name of the app for people."),
        Param(name="role", help="Who says the message.", kind="choice", choices=Role, default=Role.USER),
        Param(name="conversation", help="Id of the conversation; a message without one begins a new one."),
        Param(
            name="point",
            help="What the context is for: to answer or review a conversation, or to select one of several.",
            kind="choice",
            choices=Point,
            default=Point.ANSWER,
        ),
        Param(
            name="energy",
            help="Share of the daily energy that is left, from 0 to 1; below 0.2 the work waits.",
            kind="number",
        ),
        Param(name="later", help="Only end the conversation; upkeep makes its memory.", kind="flag"),
        Param(name="poll", help="With energy: count from 0 again after this answer.", kind="flag"),
        Param(name="purge", help="With uninstall: erase its memories and conversations too.", kind="flag"),
        PRIVATE,
        YES,
        CODE,
        limit_param(50, what="conversations"),
        OFFSET,
    ),
    details=(
        "An app is a program that talks with people. When one of its conversations ends, a memory of at most 200 "
        "characters is made of it; an app keeps ten, and no other app sees them. Energy counts the work that this "
        "takes. `memory` carries out a command of Anthropic's memory tool on the files of an app, and `files` lists "
        "them with their versions."
    ),
    examples=(
        "limpet apps register calendar",
        'limpet apps converse calendar "I prefer meetings after 2pm."',
        "limpet apps end calendar conv_01jz4",
        "limpet apps context calendar",
        """limpet apps memory calendar '{"command": "view", "path": "/memories"}'""",
        "limpet apps uninstall calendar --purge --yes",
    ),
)
