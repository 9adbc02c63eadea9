"""Hide memories; `restore` brings them back."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.doors.fields import clean_words
from limpet.doors.replaced import encode_replaced, find_replaced_alone, restore_replaced
from limpet.errors import Refused, Unfit, UsageError
from limpet.lean.record import record, replace
from limpet.model.change import ChangeKind, Status
from limpet.model.memory import Memory, Origin, Sensitivity, Type
from limpet.model.query import Query, Stored
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible, is_hidden
from limpet.store.protocol import Reading
from limpet.text.excerpt import quote, replace_surrogates
from limpet.upkeep.summary_members import release_members, summary_of


@record
class ForgetAnswer:
    """The memories that were forgotten, or that would be if this was a dry run (`done` is False)."""

    memories: tuple[Stored, ...]
    done: bool = True
    restored: tuple[Stored, ...] = ()
    """Memories that are live again, because only forgotten memories had replaced them."""


def forget(
    runtime: Runtime,
    *,
    ids: Sequence[str] = (),
    source: str | None = None,
    reason: str | None = None,
    dry_run: bool = False,
    all_projects: bool = False,
    is_hurried: bool = False,
) -> ForgetAnswer:
    """Forget memories: hide them until they are restored.

    `is_hurried` is set for a hook, which must not wait for other processes.
    """
    if bool(ids) == bool(source):
        raise UsageError("say what to forget; give one or more ids, or --source session:ID, file:PATH or origin:NAME")
    if source:
        stored = find_from_source(runtime, source, every_project=all_projects)
        if runtime.caller.is_agent and any(
            each.memory.origin is Origin.USER or each.memory.confirmed for each in stored
        ):
            raise Refused(
                "some of these are the user's own or confirmed, and only a person can forget those by source; "
                "name single ids, or ask the user to run this in a terminal"
            )
    else:
        found = (find_visible(runtime, id, every_project=all_projects) for id in ids)
        stored = tuple({each.memory.id: each for each in found}.values())
    restored: tuple[Stored, ...] = ()
    if not dry_run:
        payload = _clean_reason(reason)
        live = [each for each in stored if each.status is not Status.FORGOTTEN]
        # If memories are chosen by source, older versions stay, because they may come from another source.
        versions = [(each.memory,) if source else _add_first_version(runtime, each) for each in live]
        gone = {memory.id: memory for group in versions for memory in group}
        # Loaded here, because a dry run does not need it.
        from limpet.learning.worker import erase_from_queue, keep_workers_out

        with keep_workers_out(runtime.settings.home, is_hurried=is_hurried):
            reading = runtime.reading()
            replaced = find_replaced_alone(reading, live)
            back = restore_replaced(replaced, actor=runtime.actor)
            payload |= encode_replaced(replaced)
            changes = [runtime.change(ChangeKind.FORGET, memory, payload) for memory in gone.values()]
            runtime.write([*changes, *release_members(reading, gone), *back])
            # Events in the queue may contain the text, and would bring it back as a memory or in a summary.
            erase_from_queue(runtime.settings.home, runtime.reading(), gone.values())
        stored = tuple(replace(each, status=Status.FORGOTTEN) for each in stored)
        reloaded = (runtime.reload(Stored(memory=each)) for each in replaced)
        restored = tuple(each for each in reloaded if not is_hidden(runtime, each))
    return ForgetAnswer(memories=stored, done=not dry_run, restored=restored)


def _clean_reason(reason: str | None) -> dict[str, object]:
    try:
        said, _ = clean_words("reason", reason or "")
    except Unfit as unfit:
        raise UsageError(str(unfit)) from None
    return {"reason": said} if said else {}


def _add_first_version(runtime: Runtime, stored: Stored) -> tuple[Memory, ...]:
    """Return a memory and its first version, because forgetting the first version hides all versions.

    If another version is live and is not a correction of this memory, return the memory alone.
    """
    memory = stored.memory
    versions = {each.memory.id: each for each in runtime.reading().versions(memory.id)}
    others = (each for each in versions.values() if memory.id not in (each.memory.id, *each.memory.lineage))
    first = versions.get(memory.root)
    if first is None or first.memory.id == memory.id or any(each.status is Status.LIVE for each in others):
        return (memory,)
    return memory, first.memory


def find_from_source(runtime: Runtime, source: str, *, every_project: bool) -> tuple[Stored, ...]:
    """Return all memories from one session, file or origin that the caller may see.

    `source` is `session:ID`, `file:PATH` or `origin:NAME`.
    """
    kind, colon, value = source.partition(":")
    if not colon or not value or kind not in ("session", "file", "origin"):
        raise UsageError(f"--source is {quote(source)}; give session:ID, file:PATH or origin:NAME")
    query = Query(
        scope=runtime.scope(every_project=every_project),
        sensitivity=tuple(Sensitivity),
        statuses=(Status.LIVE, Status.SUPERSEDED),
        expired=True,
        archived=True,
        now=runtime.now(),
        limit=100_000,
    )
    if kind == "session":
        query = replace(query, session=replace_surrogates(value))
    elif kind == "file":
        query = replace(query, file=replace_surrogates(value))
    elif value not in set(Origin):
        raise UsageError(f"no origin is called {value!r}; they are {', '.join(Origin)}")
    else:
        query = replace(query, origin=Origin(value))
    reading = runtime.reading()
    found = (stored for stored in reading.browse(query).items if not is_hidden(runtime, stored))
    return tuple(stored for stored in found if _comes_from_source(reading, stored))


def _comes_from_source(reading: Reading, stored: Stored) -> bool:
    """Tell whether a memory that was found by its source is to be selected.

    A superseded memory is selected only if it was merged into a summary. The summary itself is not selected.
    """
    memory = stored.memory
    if stored.status is Status.SUPERSEDED:
        return summary_of(reading, stored) is not None
    return memory.type is not Type.COMPRESSED_SUMMARY or not memory.made_of or memory.corrects is not None
