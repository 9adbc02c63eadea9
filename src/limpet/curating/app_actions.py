"""Carry out what a person or a program asks of apps: programs that talk with people and keep a few memories."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from limpet.apps.answer import AppMemory, AppsAnswer
from limpet.apps.compaction import restore_memory
from limpet.apps.context import Point, write_context
from limpet.apps.conversation import converse, end, find_conversation
from limpet.apps.creation import apps_lock, settle_conversations
from limpet.apps.energy import measure_energy
from limpet.apps.files import find_file, list_versions, restore_file
from limpet.apps.memory_commands import answer_command
from limpet.apps.provenance import add_relatives, conversations_of
from limpet.apps.registry import app_change, find_app, list_memories, register, uninstall
from limpet.doors.token_budget import with_model_roles
from limpet.errors import InvalidId, Refused, UsageError
from limpet.learning.worker import keep_workers_out
from limpet.model.app import CONVERSATION_PREFIX, FILE_PREFIX, Role
from limpet.model.change import Change, ChangeKind
from limpet.model.query import NO_LIMIT, Stored, check_page, query_everything
from limpet.model.scope import Scope
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


def carry_out(
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
            # The end is recorded even if creating the memory fails.
            ended = end(context, chosen, _require_one(conversation, words, "conversation"))
            settled = None if later else settle_conversations(context, app=ended.app, energy=energy)
            return AppsAnswer(
                action=action,
                app=find_app(context.reading(), chosen),
                conversation=find_conversation(context.reading(), ended.app, ended.id),
                settled=settled,
            )
        case "context":
            block = write_context(context, chosen, conversation=conversation, point=point)
            return AppsAnswer(action=action, app=find_app(context.reading(), chosen), block=block)
        case "memories":
            found = find_app(context.reading(), chosen)
            allowed = visible_sensitivities(runtime, private=private, sensitivity=None)
            everything = list_memories(context, found.id)
            shown = tuple(
                AppMemory(stored=each, conversations=conversations_of(context.reading(), found.id, each.memory))
                for each in everything
                if each.memory.sensitivity in allowed
            )
            hidden = len(everything) - len(shown)
            return AppsAnswer(action=action, app=found, memories=shown, hidden=hidden, total=len(shown))
        case "conversations":
            check_page(limit, offset)
            found = find_app(context.reading(), chosen)
            page = context.reading().conversations(found.id, limit=limit, offset=offset)
            return AppsAnswer(action=action, app=found, conversations=page.items, total=page.total)
        case "energy":
            asked = find_app(context.reading(), app) if app is not None else None
            if poll and asked is None:
                raise UsageError("say for which app: limpet apps energy APP --poll")
            measured = measure_energy(context, asked)
            if poll and asked is not None:
                context.write([app_change(asked.id, {"polled": True})])
            return AppsAnswer(action=action, app=asked, energy=measured)
        case "work":
            known = None if app is None else find_app(context.reading(), app).id
            return AppsAnswer(action=action, settled=settle_conversations(context, app=known, energy=energy))
        case "memory":
            try:
                command = json.loads(said)
            except (ValueError, RecursionError):
                raise UsageError(f"{said[:60]!r} is not JSON; give a command as {_EXAMPLE_COMMAND}") from None
            found = find_app(context.reading(), chosen)
            return AppsAnswer(action=action, app=found, result=answer_command(context, chosen, command))
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
