"""Make memories of the notes that Claude Code keeps for a project; the notes stay as they are."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.errors import Refused, UsageError
from limpet.hosts.native import NativeNote, read_notes
from limpet.lean.pattern import lazy
from limpet.model.memory import Draft, Origin, Source
from limpet.model.outcome import Admitted, Duplicate, Outcome
from limpet.operations.remember import run_many
from limpet.runtime import Runtime

_LEAST_WORDS = 4
_LINK = lazy(r"\[[^\]\n]{0,200}\]\([^)\n]{0,300}\.md\)")
_BULLET = lazy(r"\s*+[-*+]\s++(\S[^\n]*)")


def admit_notes(runtime: Runtime, *, dry_run: bool) -> tuple[Outcome, ...]:
    """Admit the notes for the project of the caller; with `dry_run` nothing is written.

    A model wrote them without being asked, so they have the origin `import`.
    """
    runtime.scope()  # refuses a folder whose claim is not accepted
    root = runtime.where().root
    if root is None or runtime.project is None:
        raise Refused("notes belong to a folder: run this in the project's folder, without --project")
    drafts = [draft for note in read_notes(root) for draft in _make_drafts(note)]
    if not drafts:
        raise UsageError(f"Claude Code has no notes for {root}; nothing was imported")
    if dry_run:
        door = runtime.admission()
        return tuple(door.admit(draft) for draft in drafts)
    return run_many(runtime, drafts)


def count_outcomes(outcomes: tuple[Outcome, ...]) -> tuple[int, int, list[str]]:
    """Return how many notes were added, how many were known, and why the others were not taken."""
    added = sum(isinstance(outcome, Admitted) for outcome in outcomes)
    known = sum(isinstance(outcome, Duplicate) for outcome in outcomes)
    return added, known, [each.reason for each in outcomes if not isinstance(each, Admitted | Duplicate)]


def _make_drafts(note: NativeNote) -> Iterator[Draft]:
    """Yield one draft a note; of the index, one a line that says something itself and not only names a note."""
    if not note.is_index:
        yield Draft(text=note.text, title=note.title[:200], origin=Origin.IMPORT, source=Source(file=note.path))
        return
    for line in note.text.splitlines():
        bullet = _BULLET.match(line)
        if bullet is not None and len(bullet[1].split()) >= _LEAST_WORDS and not _LINK.search(bullet[1]):
            yield Draft(text=bullet[1].strip(), origin=Origin.IMPORT, source=Source(file=note.path))
