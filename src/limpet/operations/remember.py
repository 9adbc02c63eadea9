"""Store a memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from limpet.errors import Refused
from limpet.lean.record import replace
from limpet.model.answers import encode_outcome
from limpet.model.change import Change
from limpet.model.memory import Draft, Origin, Region
from limpet.model.outcome import Admitted, Outcome, Rejected
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import FIELDS
from limpet.recall.questions import Answers
from limpet.runtime import Runtime
from limpet.upkeep.caps import enforce_caps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HELD = (
    "it is kept for this folder alone, because nothing proves that this is the project it claims to be; "
    "the user can run `limpet confirm --project` here"
)


def run(runtime: Runtime, *, text: str, **fields: Any) -> Outcome:
    return run_many(runtime, [build_draft(runtime, text=text, **fields)])[0]


def run_many(runtime: Runtime, drafts: Iterable[Draft]) -> tuple[Outcome, ...]:
    """Admit many drafts and write them with one sync; all are on disk when this function returns."""
    door = runtime.admission()
    outcomes = tuple(door.admit(draft) for draft in _rate_difficulty(runtime, drafts))
    write_admitted(runtime, door.changes, outcomes)
    return tuple(_describe_hold(runtime, outcome) for outcome in outcomes)


def write_admitted(
    runtime: Runtime, changes: Sequence[Change], outcomes: Iterable[Outcome], *, protect: bool = True
) -> None:
    """Write the changes of an admission; if something was admitted, bring the store back under its caps.

    With `protect`, the new memories do not step down in phase. An import does without it, because thousands of
    protected memories would push out everything that was here before.
    """
    runtime.write(changes)
    admitted = frozenset(outcome.memory.id for outcome in outcomes if isinstance(outcome, Admitted))
    if admitted:
        runtime.write(
            enforce_caps(
                runtime.recent(),
                runtime.where(),
                caps=runtime.settings.store,
                keep=admitted if protect else frozenset(),
                sign_again=runtime.signer.sign_again,
                answers=Answers(runtime.settings.home, most=runtime.settings.recall.questions),
            )
        )


def _rate_difficulty(runtime: Runtime, drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Yield the drafts; the first one without a difficulty gets the session's, whose counters are then reset.

    An imported draft is not a result of the session's work.
    """
    rest = iter(drafts)
    for draft in rest:
        if draft.difficulty is not None or not runtime.session or draft.origin is Origin.IMPORT:
            yield draft
            continue
        # Loaded here, because most commands run outside of a session.
        from limpet.capture.state import measure_difficulty
        from limpet.learning.effort import find_effort

        home, reading, scope = runtime.settings.home, runtime.reading(), runtime.scope()
        effort = find_effort(home, runtime.session, reading=reading, scope=scope, now=runtime.now())
        yield replace(draft, difficulty=measure_difficulty(effort))
        break
    yield from rest


def _describe_hold(runtime: Runtime, outcome: Outcome) -> Outcome:
    """Add a note if the memory is stored for this folder alone, because its claim to be a project is not accepted."""
    if runtime.claimed_project is None or isinstance(outcome, Rejected):
        return outcome
    return replace(outcome, notes=(*outcome.notes, _HELD))


def build_draft(
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
    """Return a draft with the most trusted origin that its caller may claim; a less trusted one can be given."""
    most = runtime.caller.origin
    if origin is not None and origin.ceiling > most.ceiling:
        raise Refused(f"origin {origin.value!r} cannot be claimed here; the most trusted one allowed is {most.value!r}")
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
        Param(
            name="region",
            help="Where it applies: AGENT in all projects, PROJECT in this one.",
            kind="choice",
            choices=Region,
            short="r",
        ),
        *FIELDS,
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
