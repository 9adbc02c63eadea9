"""Parameters that several verbs share, and how a request becomes a query."""

from __future__ import annotations

from datetime import datetime

from limpet.errors import Refused, UsageError
from limpet.model.change import Status
from limpet.model.memory import Concept, Impact, Kind, Origin, Phase, Sensitivity, Type
from limpet.model.query import OPEN, Query, Stored
from limpet.operations.catalogue import Param
from limpet.runtime import Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ID = Param(name="id", help="Id of the memory, or its first letters.", positional=True, required=True)
IDS = Param(name="ids", help="Ids of memories, or their first letters.", positional=True, many=True)
ALL_PROJECTS = Param(name="all_projects", help="Look at every project of the agent.", kind="flag")
YES = Param(name="yes", help="Do not ask.", kind="flag", short="y")
PRIVATE = Param(name="private", help="Include private and secret memories.", kind="flag")
AT = Param(name="at", help="As it was at this date or moment.", kind="moment")

FIELDS = (
    Param(name="kind", help="What it is about.", kind="choice", choices=Kind, short="k"),
    Param(name="type", help="What happened.", kind="choice", choices=Type),
    Param(name="impact", help="How much it matters.", kind="choice", choices=Impact, short="i"),
    Param(name="title", help="A title; otherwise made of the text."),
    Param(name="subtitle", help="A second line."),
    Param(name="tags", help="Tags, separated by commas.", many=True, short="t"),
    Param(name="concepts", help="Concepts, separated by commas.", kind="choice", choices=Concept, many=True),
    Param(name="importance", help="The impact as a number from 0 to 1.", kind="number"),
    Param(name="difficulty", help="How hard it was to learn, 0 to 1.", kind="number"),
    Param(name="confidence", help="How sure it is, 0 to 1.", kind="number"),
    Param(name="sensitivity", help="Who may see it; otherwise classified.", kind="choice", choices=Sensitivity),
    Param(name="files", help="Files it is about, separated by commas.", many=True),
)
FILTERS = (
    Param(name="kind", help="Only this kind.", kind="choice", choices=Kind, short="k"),
    Param(name="type", help="Only this type.", kind="choice", choices=Type),
    Param(name="impact", help="Only this impact.", kind="choice", choices=Impact, short="i"),
    Param(name="concept", help="Only with this concept.", kind="choice", choices=Concept),
    Param(name="tag", help="Only with this tag.", short="t"),
    Param(name="file", help="Only about this file."),
    Param(name="session", help="Only from this session."),
    Param(name="since", help="Not older than this date.", kind="moment"),
    Param(name="until", help="Older than this date.", kind="moment"),
    Param(name="phase", help="Only in this phase (0 full … 3 archived).", kind="integer"),
    Param(name="origin", help="Only from this origin.", kind="choice", choices=Origin),
    Param(name="branch", help="Only from this git branch."),
    Param(
        name="sensitivity", help="Only of this sensitivity; `unknown` needs this.", kind="choice", choices=Sensitivity
    ),
    PRIVATE,
    ALL_PROJECTS,
    AT,
    Param(name="limit", help="How many.", kind="integer", short="n"),
    Param(name="offset", help="How many to skip.", kind="integer", default=0),
)


def query_from(
    runtime: Runtime,
    *,
    limit: int,
    text: str = "",
    private: bool = False,
    all_projects: bool = False,
    at: datetime | None = None,
    sensitivity: Sensitivity | None = None,
    session: str | None = None,
    phase: int | None = None,
    offset: int = 0,
    statuses: tuple[Status, ...] = (Status.LIVE,),
    **filters: Any,
) -> Query:
    if not 1 <= limit <= 1000:
        raise UsageError(f"limit is {limit}; give a number from 1 to 1000")
    if offset < 0:
        raise UsageError(f"offset is {offset}; give 0 or more")
    if phase is not None and phase not in set(Phase):
        raise UsageError(f"phase is {phase}; give 0 (full), 1 (hint), 2 (abstract) or 3 (archived)")
    filters = {name: whole(value) if type(value) is str else value for name, value in filters.items()}
    return Query(
        scope=runtime.scope(every_project=all_projects),
        text=text,
        sensitivity=levels(runtime, private=private, sensitivity=sensitivity),
        session=whole(session),
        phase=None if phase is None else Phase(phase),
        now=at or runtime.now(),
        limit=limit,
        offset=offset,
        statuses=statuses,
        **filters,
    )


def whole(text: str | None) -> str | None:
    """A name to look for, as the store can hold one: an argument that is no UTF-8 has halves of characters in it."""
    return None if text is None else text.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace")


def levels(runtime: Runtime, *, private: bool, sensitivity: Sensitivity | None) -> tuple[Sensitivity, ...]:
    """The sensitivities this caller may see: public ones, and more only if the owner asks for them."""
    if not private and sensitivity in (None, Sensitivity.PUBLIC):
        return OPEN
    if runtime.caller.is_agent:
        raise Refused("private memories are shown to their owner only; ask the user to run this in a terminal")
    if sensitivity is not None:
        return (sensitivity,)
    return (Sensitivity.PUBLIC, Sensitivity.PRIVATE, Sensitivity.SECRET)


def is_hidden(runtime: Runtime, stored: Stored) -> bool:
    """Whether this caller may not see the memory: a model sees public ones only."""
    return runtime.caller.is_agent and stored.memory.sensitivity is not Sensitivity.PUBLIC


def refuse_if_hidden(runtime: Runtime, stored: Stored) -> Stored:
    """A model may not open by its id what it may not find by searching."""
    if is_hidden(runtime, stored):
        raise Refused("private memories are shown to their owner only; ask the user to run this in a terminal")
    return stored


def ask_owner(runtime: Runtime, *, yes: bool, doing: str) -> None:
    """For what only a person may decide: refused to a model, and without a terminal it must be said with --yes."""
    if runtime.caller.is_agent:
        raise Refused(f"only a person can {doing}; ask the user to run this in a terminal outside the agent")
    if not yes and not runtime.caller.has_terminal:
        raise Refused(f"to {doing} without a terminal, add --yes")
