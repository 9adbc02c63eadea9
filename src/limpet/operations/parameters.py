"""Define the parameters that several verbs share, check their values, and build a query from them."""

from __future__ import annotations

import os
from datetime import datetime

from limpet.environment import LONGEST_PATH
from limpet.errors import UsageError
from limpet.model.change import Status
from limpet.model.memory import Concept, Impact, Kind, Origin, Phase, Region, Sensitivity, Tier, Type
from limpet.model.query import Query, check_page
from limpet.operations.catalogue import Param
from limpet.runtime import Runtime
from limpet.runtime.permissions import visible_sensitivities
from limpet.text.excerpt import quote, replace_surrogates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ID = Param(name="id", help="Id of the memory, or its first characters.", positional=True, required=True)
IDS = Param(name="ids", help="Ids of memories, or their first characters.", positional=True, many=True)
SOURCE = Param(name="source", help="All memories that came from session:ID, file:PATH or origin:NAME.")
ALL_PROJECTS = Param(name="all_projects", help="Look in every project of the agent.", kind="flag")
YES = Param(name="yes", help="Do not ask for confirmation.", kind="flag", short="y")
CODE = Param(
    name="code",
    help="A one-time code that proves without a terminal that you are a person; `--code new` shows one on a terminal.",
)
PRIVATE = Param(name="private", help="Include private and secret memories.", kind="flag")
AT = Param(name="at", help="Answer as of this date or moment.", kind="moment")
OFFSET = Param(name="offset", help="How many to skip.", kind="integer", default=0)

REGION = Param(
    name="region",
    help="Where it applies: AGENT in all projects, PROJECT in this one.",
    kind="choice",
    choices=Region,
    short="r",
)

FIELDS = (
    Param(name="kind", help="What it is about.", kind="choice", choices=Kind, short="k"),
    Param(name="type", help="What happened.", kind="choice", choices=Type),
    Param(name="impact", help="How much it matters.", kind="choice", choices=Impact, short="i"),
    Param(name="title", help="A title; made from the text if not given."),
    Param(name="subtitle", help="A second line below the title."),
    Param(name="tags", help="Tags; made from the text if not given.", many=True, short="t"),
    Param(name="cues", help="Other words by which somebody would look for it; they are searched, not shown."),
    Param(name="concepts", help="What kind of knowledge it is.", kind="choice", choices=Concept, many=True),
    Param(name="importance", help="The impact as a number from 0 to 1.", kind="number"),
    Param(name="difficulty", help="How hard it was to learn, from 0 to 1.", kind="number"),
    Param(name="confidence", help="How certain it is, from 0 to 1.", kind="number"),
    Param(
        name="sensitivity",
        help="Who may see it; decided from the text if not given.",
        kind="choice",
        choices=Sensitivity,
    ),
    Param(name="files", help="Files it is about.", many=True),
)
FILTERS = (
    Param(name="kind", help="Only this kind.", kind="choice", choices=Kind, short="k"),
    Param(name="type", help="Only this type.", kind="choice", choices=Type),
    Param(name="impact", help="Only this impact.", kind="choice", choices=Impact, short="i"),
    Param(name="concept", help="Only with this concept.", kind="choice", choices=Concept),
    Param(name="tag", help="Only with this tag.", short="t"),
    Param(name="file", help="Only about this file."),
    Param(name="session", help="Only from this session."),
    Param(name="since", help="Only from this date on.", kind="moment"),
    Param(name="until", help="Only from before this date.", kind="moment"),
    Param(
        name="phase",
        help="Only in this phase, which says how much of the text is left: 0 full, 1 hint, 2 abstract, 3 archived.",
        kind="integer",
    ),
    Param(name="tier", help="Only of this tier: what capture has noted, or what is kept.", kind="choice", choices=Tier),
    Param(name="origin", help="Only from this origin: who said it.", kind="choice", choices=Origin),
    Param(name="branch", help="Only from this git branch."),
    Param(
        name="sensitivity",
        help="Only of this sensitivity; the one way to see `unknown` ones.",
        kind="choice",
        choices=Sensitivity,
    ),
    PRIVATE,
    ALL_PROJECTS,
    AT,
)


def limit_param(default: int | None, *, what: str = "memories", setting: str = "") -> Param:
    """Return the parameter `limit` of a verb. `what` names the rows in the help, such as `facts`."""
    return Param(
        name="limit", help=f"How many {what}, at most.", kind="integer", default=default, setting=setting, short="n"
    )


def build_query(
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
    """Build a query from the values of the parameters in `FILTERS`.

    `filters` holds the values that are copied into fields of `Query` with the same names. Raise Refused if a model asks
    for memories that are not public.
    """
    check_page(limit, offset)
    if phase is not None and phase not in set(Phase):
        raise UsageError(f"phase is {phase}; give 0 (full), 1 (hint), 2 (abstract) or 3 (archived)")
    filters = {name: replace_surrogates(value) if type(value) is str else value for name, value in filters.items()}
    return Query(
        scope=runtime.scope(every_project=all_projects),
        text=text,
        sensitivity=visible_sensitivities(runtime, private=private, sensitivity=sensitivity),
        session=replace_surrogates(session),
        phase=None if phase is None else Phase(phase),
        now=at or runtime.now(),
        limit=limit,
        offset=offset,
        statuses=statuses,
        **filters,
    )


def check_path(path: str, *, what: str = "file") -> None:
    """Raise UsageError if a text cannot be a path on this system. `what` names the expected thing in the message."""
    try:
        is_path = 0 < len(os.fsencode(path)) <= LONGEST_PATH and "\0" not in path
    except UnicodeEncodeError:
        is_path = False
    if not is_path:
        raise UsageError(f"{quote(path)} is not the name of a {what}; give one")
