"""Summarise a session so far, in the words of its user, its agent and its tools.

Notes are taken as things happen; a summary only arranges them: goal, decisions, finished work, problems and their
fixes, open work. Files and external sources are named in the summary, never quoted.
"""

from __future__ import annotations

from limpet.capture.candidate import Candidate
from limpet.capture.meaning import Meaning
from limpet.capture.tools.changes import short_path
from limpet.capture.tools.failures import has_passed
from limpet.capture.tools.observe import Observation
from limpet.capture.tools.pairs import Pending
from limpet.lean.record import record, replace
from limpet.model.event import Action
from limpet.model.memory import Concept, Draft, Impact, Kind, Origin, Scale, Source, Type
from limpet.text.excerpt import shorten_line
from limpet.text.gist import make_hint

EVERY = 10
LONGEST = 1200
_MOST = 6
_GOALS = 3
_LINE = 150
_LONGEST_HOST_SUMMARY, _READ, _SHORTEST_HOST_SUMMARY = 500, 20_000, 60
_SENTENCE_ENDS = ("…", "?", "!", "。", ":")
_SHORTEST = 40  # characters: a shorter line would say nothing


@record
class Notes:
    """The lines from which a summary is built."""

    goals: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    solved: tuple[str, ...] = ()
    learnt: tuple[str, ...] = ()
    todo: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """The files and pages that were read; they are named, never quoted."""
    told: str = ""
    """The key points of the summary that the host wrote when it compacted the conversation."""
    outside: bool = False
    """Whether anything external was read; the host's summary may then repeat it and is not used."""
    origins: tuple[str, ...] = ()
    edits: int = 0
    """The number of edits since the last milestone; passing tests are a milestone only after an edit."""


def note_observation(notes: Notes, seen: Observation, kept: list[Candidate]) -> Notes:
    """Return the notes with one more observation and the candidates that were kept from it."""
    if seen.origin is Origin.USER:
        stated = any(each.origin is Origin.USER for each in kept)
        if len(notes.goals) < _GOALS and not stated and _is_goal(notes, seen.text):
            notes = replace(
                notes, goals=(*notes.goals, shorten_line(seen.text, _LINE)), origins=_append_line(notes.origins, "user")
            )
    elif seen.action is Action.EDIT and not seen.failed:
        files = tuple(dict.fromkeys((*notes.files, *map(short_path, seen.files_modified))))[-12:]
        notes = replace(notes, files=files, edits=notes.edits + 1, origins=_append_line(notes.origins, "tool"))
    elif seen.action is Action.PLAN:
        notes = replace(notes, todo=_open_todos(seen))
    elif seen.action is not None and seen.origin in (Origin.EXTERNAL, Origin.FILE):
        outside = notes.outside or seen.origin is Origin.EXTERNAL
        notes = replace(notes, sources=_append_source(notes.sources, seen), outside=outside)
    for each in kept:
        if each.origin in (Origin.USER, Origin.AGENT, Origin.TOOL):
            notes = _note_candidate(notes, each)
    return notes


def _is_goal(notes: Notes, text: str) -> bool:
    """Tell whether a prompt names a goal: the first prompt does, a later question or thank-you does not."""
    return len(text) > 12 and (not notes.goals or (len(text) > 24 and not text.rstrip().endswith(("?", "？"))))


def note_host_summary(notes: Notes, said: str) -> Notes:
    """Return the notes with the key points of the host's summary."""
    plain = " ".join(said.split())
    if notes.outside or len(plain) < _SHORTEST_HOST_SUMMARY:
        return notes
    return replace(
        notes,
        told=shorten_line(make_hint(said[:_READ]), _LONGEST_HOST_SUMMARY),
        origins=_append_line(notes.origins, "tool"),
    )


def _note_candidate(notes: Notes, kept: Candidate) -> Notes:
    line = shorten_line(kept.title, _LINE)
    notes = replace(notes, origins=_append_line(notes.origins, kept.origin.value))
    if Meaning.SOLVED_FAILURE in kept.meanings:
        return replace(notes, solved=_append_line(notes.solved, line))
    if kept.type is Type.DECISION:
        return replace(notes, decided=_append_line(notes.decided, line))
    if kept.type is Type.DISCOVERY:
        return replace(notes, learnt=_append_line(notes.learnt, line))
    return replace(notes, done=_append_line(notes.done, line))


def _append_line(lines: tuple[str, ...], line: str) -> tuple[str, ...]:
    return lines if line in lines else (*lines, line)[-_MOST:]


def _append_source(sources: tuple[str, ...], seen: Observation) -> tuple[str, ...]:
    if seen.origin is Origin.EXTERNAL:
        address = seen.input.get("url")
        name = address if isinstance(address, str) else seen.tool or seen.command
        return _append_line(sources, shorten_line(name.split("?", 1)[0], 80))
    return _append_line(sources, short_path(seen.files_read[0])) if seen.files_read else sources


def _open_todos(seen: Observation) -> tuple[str, ...]:
    todos = seen.input.get("todos")
    if not isinstance(todos, list):
        return ()
    waiting = [todo for todo in todos if isinstance(todo, dict) and todo.get("status") != "completed"]
    return tuple(shorten_line(str(todo.get("content", "")), 100) for todo in waiting[:_MOST])


def find_milestone(notes: Notes, seen: Observation, observations: int, *, every: int = EVERY) -> str:
    """Return the reason for a checkpoint after this observation; empty if none is due."""
    run = seen.run
    if run is not None and run.kind == "commit" and not seen.failed:
        return "commit"
    if run is not None and run.kind == "test" and notes.edits and has_passed(run, seen.text, failed=seen.failed):
        return "tests pass"
    if seen.action is Action.PLAN and _all_done(seen):
        return "task completed"
    return f"every {every} observations" if every and observations and observations % every == 0 else ""


def _all_done(seen: Observation) -> bool:
    todos = seen.input.get("todos")
    if not isinstance(todos, list) or not todos:
        return seen.input.get("status") == "completed"
    return all(isinstance(todo, dict) and todo.get("status") == "completed" for todo in todos)


def draft_summary(
    notes: Notes, pending: tuple[Pending, ...], *, session: str, reason: str, line: int | None = None
) -> Draft | None:
    """Return a draft that summarises the session so far, or None if there is nothing to summarise."""
    if not (notes.decided or notes.done or notes.solved or notes.learnt or notes.files or notes.told):
        return None
    open_ = [*notes.todo, *(f"{each.name} fails: {each.errors[-1]}" for each in pending if each.errors)]
    parts = [
        _Part("Wanted", list(notes.goals), " / "),
        _Part("Decided", list(notes.decided)),
        _Part("Done", list(notes.done)),
        _Part("Problems and fixes", list(notes.solved)),
        _Part("Learnt", list(notes.learnt)),
        _Part("Files changed", list(notes.files), ", "),
        _Part("Open", [shorten_line(each, _LINE) for each in open_[:_MOST]]),
        _Part("In the agent's own words", [notes.told] if notes.told else []),
        _Part("Also drew on (not quoted)", list(notes.sources), ", "),
    ]
    text = _fit_parts([part for part in parts if part.lines])
    goal = (
        notes.goals[0]
        if notes.goals
        else (notes.done or notes.solved or notes.decided or notes.learnt or notes.files or (notes.told,))[0]
    )
    end = reason.startswith("session")
    return Draft(
        text=text,
        kind=Kind.ACHIEVEMENTS,
        type=Type.SESSION_SUMMARY,
        title=shorten_line(f"{'Session' if end else 'Checkpoint'}: {goal}", 100),
        subtitle=shorten_line("; ".join((*notes.done, *notes.solved, *notes.decided)), 140),
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
    """Return the least trusted origin among the notes, which is the origin of their mixture."""
    known = tuple(Origin(each) for each in notes.origins if each in Origin.__members__.values())
    return Origin.lowest((*known, Origin.TOOL))


class _Part:
    """A heading of the summary with its lines, the oldest first."""

    def __init__(self, name: str, lines: list[str], between: str = "; ") -> None:
        self.name, self.lines, self.between, self.cut = name, lines, between, False

    def __str__(self) -> str:
        more = ("…",) if self.cut else ()
        body = self.between.join((*more, *(line.rstrip(" .") for line in self.lines)))
        # Each part is a sentence, so that the parts can stand on one line.
        return f"{self.name}: {body}" if body.endswith(_SENTENCE_ENDS) else f"{self.name}: {body}."

    @property
    def can_shrink(self) -> bool:
        return len(self.lines) > 1 or len(self.lines[0]) > _SHORTEST

    def shorten(self) -> None:
        """Drop the oldest line, because the latest lines count most; cut the line if it is the only one."""
        if len(self.lines) > 1:
            del self.lines[0]
            self.cut = True
        else:
            self.lines[0] = shorten_line(self.lines[0], max(_SHORTEST, len(self.lines[0]) * 3 // 4))


def _fit_parts(parts: list[_Part]) -> str:
    """Return all parts as one text; the longest parts are shortened until everything fits."""
    while sum(len(str(part)) + 1 for part in parts) > LONGEST:
        loose = [part for part in parts if part.can_shrink]
        if not loose:
            break
        max(loose, key=lambda part: len(str(part))).shorten()
    return "\n".join(map(str, parts))
