"""What a caller may see and do: a model sees public memories only, and some decisions are for a person alone."""

from __future__ import annotations

from limpet.errors import Refused
from limpet.model.memory import Sensitivity
from limpet.model.query import OPEN, Stored
from limpet.runtime import Runtime
from limpet.store.protocol import Reading

_OWNER_ONLY = "private memories are shown to their owner only; ask the user to run this in a terminal"


def visible_sensitivities(
    runtime: Runtime, *, private: bool, sensitivity: Sensitivity | None
) -> tuple[Sensitivity, ...]:
    """Return the sensitivities to show: public, and more only if a person asks for them."""
    if not private and sensitivity in (None, Sensitivity.PUBLIC):
        return OPEN
    if runtime.caller.is_agent:
        raise Refused(_OWNER_ONLY)
    if sensitivity is not None:
        return (sensitivity,)
    return (Sensitivity.PUBLIC, Sensitivity.PRIVATE, Sensitivity.SECRET)


def is_hidden(runtime: Runtime, stored: Stored) -> bool:
    """Tell whether this caller may not see the memory."""
    return runtime.caller.is_agent and stored.memory.sensitivity is not Sensitivity.PUBLIC


def require_visible(runtime: Runtime, stored: Stored) -> Stored:
    """Return the memory, or refuse: a model may not open by id what it cannot find by searching."""
    if is_hidden(runtime, stored):
        raise Refused(_OWNER_ONLY)
    return stored


def find_visible(runtime: Runtime, id: str, *, every_project: bool = False, reading: Reading | None = None) -> Stored:
    """Return the memory with this id, or refuse if this caller may not see it."""
    return require_visible(runtime, runtime.find(id, every_project=every_project, reading=reading))


def require_owner(runtime: Runtime, *, yes: bool, doing: str) -> None:
    """Refuse a model what only a person may decide; without a terminal, demand --yes of a person."""
    if runtime.caller.is_agent:
        raise Refused(f"only a person can {doing}; ask the user to run this in a terminal outside the agent")
    if not yes and not runtime.caller.has_terminal:
        raise Refused(f"to {doing} without a terminal, add --yes")
