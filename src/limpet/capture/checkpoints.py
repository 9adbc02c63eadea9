"""Summarise a session so far, in the words of the user, the agent and its tools.

A summary lists the goals, the finished work, the decisions, the open work, the problems with their fixes, and the
lessons. Only a commit proves that work is finished. Work that the agent ticked off or reported as done is listed
separately, because a report may claim too much. Files and outside sources are only named, in a paragraph at the end, to
help find the session later.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.capture.notes import Notes, open_checks
from limpet.capture.speech.statements import end_sentence
from limpet.capture.tasks import Tasks, all_finished, open_tasks
from limpet.capture.tools.failures import has_passed
from limpet.capture.tools.observe import Observation
from limpet.capture.tools.pairs import Pending
from limpet.model.event import Action
from limpet.model.memory import Concept, Draft, Impact, Kind, Origin, Scale, Type
from limpet.text.excerpt import shorten_line

_EVERY = 10
LONGEST = 1200
_MOST = 6
_NAMES = 5
_SHORTEST = 40  # characters: a shorter line would say nothing


def find_milestone(notes: Notes, tasks: Tasks, seen: Observation, observations: int) -> str:
    """Return why a summary of the session should be stored now, such as "commit", or an empty string if none should be.

    Apart from milestones in the work, a summary is due after every ten observations. `observations` is their number so
    far.
    """
    run = seen.run
    if run is not None and run.kind == "commit" and not seen.failed:
        return "commit"
    if run is not None and run.kind == "test" and notes.edits and has_passed(run, seen.text, failed=seen.failed):
        return "tests pass"
    if seen.action is Action.PLAN and all_finished(tasks):
        return "task completed"
    return f"every {_EVERY} observations" if observations and observations % _EVERY == 0 else ""


def draft_summary(
    notes: Notes,
    pending: tuple[Pending, ...],
    *,
    session: str,
    reason: str,
    tasks: Tasks | None = None,
) -> Draft | None:
    """Return a draft memory that summarises the session so far, or None if there is nothing to summarise."""
    tasks = tasks or Tasks()
    done = (*tasks.finished, *(each for each in notes.done if each not in tasks.finished))
    if not done and not notes.solved and notes.reported:
        done = (notes.reported,)
    if not (notes.decided or done or notes.solved or notes.learnt or notes.files or notes.told):
        return None
    parts = [
        _Section("Wanted", notes.goals),
        _Section("Done", [line for line in done if line in notes.committed][-_MOST:]),
        _Section("Reported done", [line for line in done if line not in notes.committed][-_MOST:]),
        _Section("Decided", notes.decided),
        _Section("Open", (*open_tasks(tasks), *open_checks(notes, pending))[:_MOST]),
        _Section("Problems and fixes", notes.solved),
        _Section("Learnt", notes.learnt),
        _Section("In the agent's own words", (notes.told,) if notes.told else ()),
    ]
    read = [each for each in notes.sources if each not in notes.files]
    names = [
        _Section("Files changed", notes.files[-_NAMES:], are_names=True),
        _Section("Also drew on (not quoted)", read[-_NAMES:], are_names=True),
    ]
    text = _fit_sections([part for part in parts if part.lines], [part for part in names if part.lines])
    goal = (
        notes.goals[0]
        if notes.goals
        else (done or notes.solved or notes.decided or notes.learnt or notes.files or (notes.told,))[0]
    )
    end = reason.startswith("session")
    # A summary combines all notes, so it cannot be trusted more than the least trusted one.
    known = tuple(Origin(each) for each in notes.origins if each in Origin.__members__.values())
    return Draft(
        text=text,
        kind=Kind.ACHIEVEMENTS,
        type=Type.SESSION_SUMMARY,
        title=shorten_line(f"{'Session' if end else 'Checkpoint'}: {goal}", 100),
        subtitle=shorten_line("; ".join((*done, *notes.solved, *notes.decided)), 140),
        concepts=(Concept.WHAT_CHANGED,),
        tags=("session" if end else "checkpoint", reason.replace(" ", "-")),
        impact=Impact.MEDIUM,
        importance=0.6 if end else 0.4,
        origin=Origin.lowest((*known, Origin.TOOL)),
        scale=Scale.SESSION,
        session=session,
        files_modified=(),
    )


class _Section:
    """A section of a summary: a heading and its lines, oldest first."""

    def __init__(self, heading: str, lines: Sequence[str], *, are_names: bool = False) -> None:
        self.heading, self.lines, self.are_names, self.is_cut = heading, list(lines), are_names, False

    def __str__(self) -> str:
        more = "… " if self.is_cut else ""
        if self.are_names:
            return f"{self.heading}: {more}{', '.join(self.lines)}."
        return f"{self.heading}: {more}{' '.join(end_sentence(line.rstrip(' ;')) for line in self.lines)}"

    @property
    def can_shrink(self) -> bool:
        return len(self.lines) > 1 or len(self.lines[0]) > _SHORTEST

    def shorten(self) -> None:
        """Drop the oldest line, or shorten the line if it is the only one. The latest lines matter most."""
        if len(self.lines) > 1:
            del self.lines[0]
            self.is_cut = True
        else:
            self.lines[0] = shorten_line(self.lines[0], max(_SHORTEST, len(self.lines[0]) * 3 // 4))


def _fit_sections(parts: list[_Section], names: list[_Section]) -> str:
    """Return the text of a summary: its sections, then an empty line, then its lists of names.

    The longest section is shortened until the text has at most `LONGEST` characters.
    """
    every = [*parts, *names]
    while sum(len(str(part)) + 1 for part in every) + 1 > LONGEST:
        loose = [part for part in every if part.can_shrink]
        if not loose:
            break
        max(loose, key=lambda part: len(str(part))).shorten()
    return "\n\n".join("\n".join(map(str, each)) for each in (parts, names) if each)
