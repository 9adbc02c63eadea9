"""Find a memory by its id, and check what a caller may see and do.

The caller is a person or a model. A model sees public memories only, and some decisions can only be made by a person.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from limpet.errors import AmbiguousId, InvalidId, Refused
from limpet.model.ids import SHORTEST, is_prefix_of_id
from limpet.model.memory import Sensitivity
from limpet.model.query import OPEN, Stored
from limpet.runtime import Runtime
from limpet.runtime.codes import NEW_CODE, use_code
from limpet.runtime.identity import CODE
from limpet.store.protocol import Reading

_OWNER_ONLY = "private memories are shown to their owner only; ask the user to run this in a terminal"


def visible_sensitivities(
    runtime: Runtime, *, private: bool, sensitivity: Sensitivity | None
) -> tuple[Sensitivity, ...]:
    """Return the sensitivities of the memories to show: only public ones, unless the caller asks for others.

    Raise Refused if a model asks for others.
    """
    if not private and sensitivity in (None, Sensitivity.PUBLIC):
        return OPEN
    if runtime.caller.is_agent:
        raise Refused(_OWNER_ONLY)
    if sensitivity is not None:
        return (sensitivity,)
    return (Sensitivity.PUBLIC, Sensitivity.PRIVATE, Sensitivity.SECRET)


def is_hidden(runtime: Runtime, stored: Stored) -> bool:
    """Tell whether a memory must be hidden from the caller: the caller is a model, and the memory is not public."""
    return runtime.caller.is_agent and stored.memory.sensitivity is not Sensitivity.PUBLIC


def require_visible(runtime: Runtime, stored: Stored) -> Stored:
    """Return the given memory, or raise Refused if the caller may not see it.

    Without this check, a model could open by its id a memory that no search shows to it.
    """
    if is_hidden(runtime, stored):
        raise Refused(_OWNER_ONLY)
    return stored


def complete_id(
    text: str, list_ids: Callable[[str], Sequence[str]], *, noun: str, shown_by: str, prefix: str = "mem"
) -> str | None:
    """Return the only id that is `text` or begins with it, or None if there is none.

    `list_ids` returns the ids that begin with a given text. Raise InvalidId if `text` cannot be the beginning of an id
    or is too short, and AmbiguousId if several ids begin with it.
    """
    asked = text.strip().lower()
    if not is_prefix_of_id(asked, prefix):
        raise InvalidId(
            f"{text[:60]!r} is not a {noun} id; ids look like {prefix}_01jz…, give at least {SHORTEST} characters "
            f"after {prefix}_; `{shown_by}` shows them"
        )
    found = list_ids(asked if asked.startswith(f"{prefix}_") else f"{prefix}_{asked}")
    if len(found) > 1:
        raise AmbiguousId(text, tuple(found))
    return found[0] if found else None


def find_memory(runtime: Runtime, text: str, *, every_project: bool = False, reading: Reading | None = None) -> Stored:
    """Return the memory in the caller's scope with the id `text`, or whose id begins with `text`.

    Raise InvalidId if there is none, and AmbiguousId if there are several.
    """
    reading = reading or runtime.reading()
    list_ids = partial(reading.ids_with_prefix, scope=runtime.scope(every_project=every_project), limit=1000)
    id = complete_id(text, list_ids, noun="memory", shown_by="limpet list")
    stored = reading.get(id) if id is not None else None
    if stored is None:
        raise InvalidId(f"no memory here has the id {text[:60]!r}; `limpet list --all` shows those of this project")
    return runtime.signer.judge(stored)


def find_visible(runtime: Runtime, id: str, *, every_project: bool = False, reading: Reading | None = None) -> Stored:
    """Return the memory with this id, or whose id begins with it; raise Refused if the caller may not see it."""
    return require_visible(runtime, find_memory(runtime, id, every_project=every_project, reading=reading))


def require_person(runtime: Runtime, verb: str, *, code: str | None, doing: str) -> dict[str, object]:
    """Return the proof that the caller is a person, to be added to the payload of a change.

    Raise Refused if there is no proof. A one-time code is accepted from any caller, because it was shown to a person on
    a terminal. `doing` names the action in the error message.
    """
    if code is not None:
        use_code(runtime.settings.home, verb, code, now_ms=runtime.now_ms())
        return {"proof": CODE}
    otherwise = f"or give a code: `limpet {verb} --code {NEW_CODE}` shows one on a terminal"
    if runtime.caller.is_agent:
        raise Refused(
            f"only a person can {doing}; ask the user to run this in a terminal outside the agent, {otherwise}"
        )
    if not runtime.caller.proof:
        raise Refused(f"only a person can {doing}; run this on a terminal, not in a pipe or a script, {otherwise}")
    return {"proof": runtime.caller.proof}
