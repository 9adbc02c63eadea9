"""Summarise a session so far, in the words of its user, its agent and its tools.

A summary arranges the notes: what was wanted, what was done, what was decided and what is open, then problems with
their fixes and what was learnt. Only a commit shows that something was done; a task that the agent has ticked off, or
its report, is named as such, because a report may say more than was done. Files and external sources are named in a
paragraph below, never quoted: they help to find the session, and a reader who is only told what happened can do without
them.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.capture.notes import Notes, open_checks
from limpet.capture.tasks import Tasks, all_finished, open_tasks
from limpet.capture.tools.failures import has_passed
from limpet.capture.tools.observe import Observation
from limpet.capture.tools.pairs import Pending
from limpet.model.event import Action
from limpet.model.memory import Concept, Draft, Impact, Kind, Origin, Scale, Source, Type
from limpet.text.excerpt import shorten_line

EVERY = 10
LONGEST = 1200
_MOST = 6
_NAMES = 5
_SENTENCE_ENDS = (".", "…", "?", "!", "。", "！", "？", ":", "”")
_SHORTEST = 40  # characters: a shorter line would say nothing


def find_milestone(notes: Notes, tasks: Tasks, seen: Observation, observations: int, *, every: int = EVERY) -> str:
    """Return the reason for a checkpoint after this observation; empty if none is due."""
    run = seen.run
    if run is not None and run.kind == "commit" and not seen.failed:
        return "commit"
    if run is not None and run.kind == "test" and notes.edits and has_passed(run, seen.text, failed=seen.failed):
        return "tests pass"
    if seen.action is Action.PLAN and all_finished(tasks):
        return "task completed"
    return f"every {every} observations" if every and observations and observations % every == 0 else ""


def draft_summary(
    notes: Notes,
    pending: tuple[Pending, ...],
    *,
    session: str,
    reason: str,
    tasks: Tasks | None = None,
    line: int | None = None,
) -> Draft | None:
    """Return a draft that summarises the session so far, or None if there is nothing to summarise."""
    tasks = tasks or Tasks()
    done = (*tasks.finished, *(each for each in notes.done if each not in tasks.finished))
    if not done and not notes.solved and notes.reported:
        done = (notes.reported,)
    if not (notes.decided or done or notes.solved or notes.learnt or notes.files or notes.told):
        return None
    parts = [
        _Part("Wanted", notes.goals),
        _Part("Done", [line for line in done if line in notes.committed][-_MOST:]),
        _Part("Reported done", [line for line in done if line not in notes.committed][-_MOST:]),
        _Part("Decided", notes.decided),
        _Part("Open", (*open_tasks(tasks), *open_checks(notes, pending))[:_MOST]),
        _Part("Problems and fixes", notes.solved),
        _Part("Learnt", notes.learnt),
        _Part("In the agent's own words", (notes.told,) if notes.told else ()),
    ]
    read = [each for each in notes.sources if each not in notes.files]
    names = [
        _Part("Files changed", notes.files[-_NAMES:], are_names=True),
        _Part("Also drew on (not quoted)", read[-_NAMES:], are_names=True),
    ]
    text = _fit_parts([part for part in parts if part.lines], [part for part in names if part.lines])
    goal = (
        notes.goals[0]
        if notes.goals
        else (done or notes.solved or notes.decided or notes.learnt or notes.files or (notes.told,))[0]
    )
    end = reason.startswith("session")
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
        origin=_least_trusted_origin(notes),
        scale=Scale.SESSION,
        session=session,
        source=Source(line=line) if line is not None else None,
        files_modified=(),
    )


def _least_trusted_origin(notes: Notes) -> Origin:
    """Return the least trusted origin among the notes: a text made of all of them has this origin."""
    known = tuple(Origin(each) for each in notes.origins if each in Origin.__members__.values())
    return Origin.lowest((*known, Origin.TOOL))


class _Part:
    """A heading of the summary with its lines, the oldest first."""

    def __init__(self, heading: str, lines: Sequence[str], *, are_names: bool = False) -> None:
        self.heading, self.lines, self.are_names, self.is_cut = heading, list(lines), are_names, False

    def __str__(self) -> str:
        more = "… " if self.is_cut else ""
        if self.are_names:
            return f"{self.heading}: {more}{', '.join(self.lines)}."
        return f"{self.heading}: {more}{' '.join(map(_end_sentence, self.lines))}"

    @property
    def can_shrink(self) -> bool:
        return len(self.lines) > 1 or len(self.lines[0]) > _SHORTEST

    def shorten(self) -> None:
        """Drop the oldest line, because the latest lines count most; cut the line if it is the only one."""
        if len(self.lines) > 1:
            del self.lines[0]
            self.is_cut = True
        else:
            self.lines[0] = shorten_line(self.lines[0], max(_SHORTEST, len(self.lines[0]) * 3 // 4))


def _end_sentence(line: str) -> str:
    """Return a line as a sentence, so that lines and parts can stand one after the other."""
    line = line.rstrip(" ;")
    return line if line.endswith(_SENTENCE_ENDS) else f"{line}."


def _fit_parts(parts: list[_Part], names: list[_Part]) -> str:
    """Return the parts as one paragraph and the names as a second one; shorten the longest of them until all fit."""
    every = [*parts, *names]
    while sum(len(str(part)) + 1 for part in every) + 1 > LONGEST:
        loose = [part for part in every if part.can_shrink]
        if not loose:
            break
        max(loose, key=lambda part: len(str(part))).shorten()
    return "\n\n".join("\n".join(map(str, each)) for each in (parts, names) if each)
