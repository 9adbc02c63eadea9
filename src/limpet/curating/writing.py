"""Write memories that were admitted, whichever verb, importer or shared file they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from limpet.errors import Refused
from limpet.lean.record import replace
from limpet.model.change import Change
from limpet.model.memory import Draft, Memory, Origin
from limpet.model.outcome import Admitted, Outcome, Rejected
from limpet.recall.questions import Answers
from limpet.runtime import Runtime
from limpet.upkeep.caps import enforce_caps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CLAIM_NOTE = (
    "it is kept for this folder alone, because nothing proves that this is the project it claims to be; "
    "the user can run `limpet confirm --project` here"
)


def run_many(runtime: Runtime, drafts: Iterable[Draft], *, replacing: Sequence[Memory] = ()) -> tuple[Outcome, ...]:
    """Store many drafts as memories with one write to disk, and return their outcomes.

    `replacing` contains the older memories that the only draft replaces.
    """
    door = runtime.admission()
    outcomes = tuple(door.admit(draft) for draft in _rate_difficulty(runtime, drafts))
    changes = door.changes
    if replacing and not isinstance(outcomes[0], Rejected):
        # Loaded here, because few callers say what a text replaces.
        from limpet.doors.replaced import replace_stated

        retired, notes = replace_stated(outcomes[0], replacing, actor=runtime.actor)
        changes = [*changes, *retired]
        outcomes = (replace(outcomes[0], notes=(*outcomes[0].notes, *notes)),)
    write_admitted(runtime, changes, outcomes)
    return tuple(_add_claim_note(runtime, outcome) for outcome in outcomes)


def write_admitted(
    runtime: Runtime, changes: Sequence[Change], outcomes: Iterable[Outcome], *, protect: bool = True
) -> None:
    """Write the changes of admitted memories; then, if there are too many memories, shorten those of lowest priority.

    If `protect` is set, the new memories are not shortened. An import is not protected, because thousands of new
    memories would cause all older ones to be shortened.
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
    """Yield the drafts. Inside a session, the first one without a difficulty gets the difficulty of the session so far.

    Imported drafts are not changed, because they are not a result of the session's work.
    """
    rest = iter(drafts)
    for draft in rest:
        if draft.difficulty is not None or not runtime.session or draft.origin is Origin.IMPORT:
            yield draft
            continue
        # Loaded here, because most commands are run outside a session.
        from limpet.capture.state import measure_difficulty
        from limpet.learning.effort import find_effort

        home, reading, scope = runtime.settings.home, runtime.reading(), runtime.scope()
        effort = find_effort(home, runtime.session, reading=reading, scope=scope, now=runtime.now())
        yield replace(draft, difficulty=measure_difficulty(effort))
        break
    yield from rest


def _add_claim_note(runtime: Runtime, outcome: Outcome) -> Outcome:
    """Add a note to the outcome if the memory applies to this folder only, because its project is not confirmed."""
    if runtime.claimed_project is None or isinstance(outcome, Rejected):
        return outcome
    return replace(outcome, notes=(*outcome.notes, _CLAIM_NOTE))


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
    """Return a draft with the given fields, and with the caller's origin unless a less trusted one is given.

    Raise Refused if the given origin is more trusted than the caller's.
    """
    most = runtime.caller.origin
    if origin is not None and origin.ceiling > most.ceiling:
        raise Refused(f"origin {origin.value!r} cannot be claimed here; the most trusted one allowed is {most.value!r}")
    return Draft(
        text=text,
        origin=origin or most,
        files_read=tuple(files or ()),
        tags=None if tags is None else tuple(tags),
        concepts=None if concepts is None else tuple(concepts),
        confidence=confidence,
        **fields,
    )
