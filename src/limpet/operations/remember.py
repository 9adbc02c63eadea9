"""Store a memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.errors import Refused
from limpet.lean.record import replace
from limpet.model.answers import encode_outcome
from limpet.model.memory import Draft, Origin, Region
from limpet.model.outcome import Admitted, Duplicate, Outcome, Rejected
from limpet.model.query import Stored
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import FIELDS
from limpet.operations.permissions import is_hidden
from limpet.runtime import Runtime
from limpet.upkeep.caps import enforce_caps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(runtime: Runtime, *, text: str, **fields: Any) -> Outcome:
    return run_many(runtime, [draft_from(runtime, text=text, **fields)])[0]


def run_many(runtime: Runtime, drafts: Iterable[Draft]) -> tuple[Outcome, ...]:
    """Admit many drafts and keep them with one sync; the whole batch is on disk when this returns."""
    door = runtime.admission()
    outcomes = tuple(door.admit(draft) for draft in drafts)
    runtime.write(door.changes)
    admitted = frozenset(outcome.memory.id for outcome in outcomes if isinstance(outcome, Admitted))
    if admitted:
        runtime.write(
            enforce_caps(
                runtime.reading(),
                runtime.where(),
                caps=runtime.settings.store,
                keep=admitted,
                resign=runtime.signed_again,
            )
        )
    return tuple(_told(runtime, outcome) for outcome in outcomes)


def _told(runtime: Runtime, outcome: Outcome) -> Outcome:
    """A model that says again what is private learns that it is known, and nothing else about it."""
    if not isinstance(outcome, Duplicate) or not is_hidden(runtime, Stored(memory=outcome.memory)):
        return outcome
    bare = replace(
        outcome.memory, title="", subtitle="", tags=(), concepts=(), files_read=(), files_modified=(), citations=()
    )
    return replace(
        outcome, memory=replace(bare, session=None, conversation=None, source=None, branch=None, commit=None)
    )


def draft_from(
    runtime: Runtime,
    *,
    text: str,
    files: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
    concepts: Sequence[Any] | None = None,
    origin: Origin | None = None,
    confidence: float | None = None,
    **fields: Any,
) -> Draft:
    """A draft with the most trust its caller may claim; a lower origin can be asked for, a higher one cannot."""
    most = runtime.caller.origin
    if origin is not None and origin.ceiling > most.ceiling:
        raise Refused(f"origin {origin.value!r} cannot be claimed here; the most is {most.value!r}")
    return Draft(
        text=text,
        origin=origin or most,
        files_read=tuple(files or ()),
        tags=None if tags is None else tuple(tags),
        concepts=None if concepts is None else tuple(concepts),
        confidence=1.0 if confidence is None else confidence,
        **fields,
    )


VERB = Verb(
    run=run,
    to_json=lambda outcome, now: encode_outcome(outcome),
    is_failure=lambda outcome: isinstance(outcome, Rejected),
    params=(
        Param(name="text", help="What to remember.", positional=True, required=True, free_text=True),
        Param(name="region", help="Across projects or in this one.", kind="choice", choices=Region, short="r"),
        *FIELDS,
        Param(name="origin", help="Where it comes from, if less trusted than you.", kind="choice", choices=Origin),
        Param(name="pinned", help="Never let it fade.", kind="flag"),
        Param(name="ttl_days", help="Forget it by itself after so many days.", kind="number"),
    ),
    examples=(
        'limpet remember "Migrations run with alembic, never by hand"',
        'limpet remember --kind EMOTIONAL --impact HIGH "Matt prefers short answers"',
        "git log -1 --format=%B | limpet remember -",
    ),
)
