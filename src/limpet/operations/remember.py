"""Store a memory."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.curating.writing import build_draft, run_many
from limpet.errors import UsageError
from limpet.model.change import Status
from limpet.model.memory import Memory, Origin
from limpet.model.outcome import Outcome, Rejected
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import FIELDS, REGION
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible, require_visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_MOST_REPLACED = 20


def run(runtime: Runtime, *, text: str, replaces: Sequence[str] | None = None, **fields: Any) -> Outcome:
    older = _find_replaced(runtime, replaces) if replaces else ()
    draft = build_draft(runtime, text=text, replaces=tuple(each.id for each in older), **fields)
    return run_many(runtime, [draft], replacing=older)[0]


def _find_replaced(runtime: Runtime, ids: Sequence[str]) -> tuple[Memory, ...]:
    """Return the live memories with these ids, or their newest versions; raise UsageError if there are too many."""
    if len(ids) > _MOST_REPLACED:
        raise UsageError(f"{len(ids)} memories are to be replaced; one text replaces at most {_MOST_REPLACED}")
    # Loaded here, because few callers say what a text replaces.
    from limpet.curating.versions import find_newest_version, separate_from_summary

    found = [find_newest_version(runtime, separate_from_summary(runtime, find_visible(runtime, id)))[0] for id in ids]
    live = {each.memory.id: require_visible(runtime, each).memory for each in found if each.status is Status.LIVE}
    return tuple(live.values())


VERB = Verb(
    run=run,
    is_failure=lambda outcome: isinstance(outcome, Rejected),
    params=(
        Param(name="text", help="What to remember.", positional=True, required=True, free_text=True),
        REGION,
        *FIELDS,
        Param(name="replaces", help="Ids of older memories that it makes untrue; they are hidden.", many=True),
        Param(name="origin", help="Who said it, if that is less trusted than you.", kind="choice", choices=Origin),
        Param(name="pinned", help="Keep it from fading.", kind="flag"),
        Param(name="ttl_days", help="Let it expire after this many days.", kind="number"),
    ),
    examples=(
        'limpet remember "Migrations run with alembic, never by hand"',
        'limpet remember --kind EMOTIONAL --impact HIGH "Matt prefers short answers"',
        "git log -1 --format=%B | limpet remember -",
    ),
)
