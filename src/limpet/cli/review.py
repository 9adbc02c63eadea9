"""Show notes one after the other, and let the user decide about each with a single key."""

from __future__ import annotations

import contextlib

from limpet.cli.keys import QUIT, read_letter
from limpet.forms.terminal import Output
from limpet.forms.views import format_day, format_time_of_day, show_headline
from limpet.forms.views.inbox import show_confirmable
from limpet.forms.views.memories import show_older
from limpet.model.change import ChangeKind
from limpet.model.memory import Origin
from limpet.model.outcome import Admitted, Rejected
from limpet.operations.inbox import Review, list_notes
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.model.memory import Memory
    from limpet.model.query import Stored
    from limpet.operations.inbox import InboxAnswer
    from limpet.runtime import Runtime

_KEYS = "k keep   e edit   d drop   n next   u undo   a all the rest   q quit"
_SPEAKERS = {
    Origin.USER: "you said it",
    Origin.AGENT: "the agent said it",
    Origin.TOOL: "seen in the agent's work",
    Origin.FILE: "read in a file",
    Origin.IMPORT: "imported",
    Origin.EXTERNAL: "read outside, not your words",
}
_DONE = {ChangeKind.CONFIRM: "kept", ChangeKind.CORRECT: "edited", ChangeKind.DROP: "dropped"}


def review_inbox(
    runtime: Runtime, answer: InboxAnswer, out: Output, *, every_project: bool = False, private: bool = False
) -> None:
    """Let the user decide about each note in the inbox, then print what else waits for a decision."""
    if answer.notes.items:
        notes, projects = answer.notes.items, answer.projects
        review_notes(runtime, notes, out, projects=projects, every_project=every_project, private=private)
    else:
        out.remark("no notes wait for a decision")
    show_confirmable(answer, out)


def review_notes(
    runtime: Runtime,
    notes: Sequence[Stored],
    out: Output,
    *,
    projects: dict[str, str],
    every_project: bool = False,
    private: bool = False,
) -> None:
    """Show notes one by one until the user quits; save each decision before the next note is shown.

    `every_project` and `private` tell which notes were listed, so that the remaining ones can be counted at the end.
    """
    review = Review(runtime)
    # The user may press Ctrl-C at any moment, not only while the program waits for a key.
    with contextlib.suppress(KeyboardInterrupt):
        out.line(_KEYS, style="dim")
        _go_through(review, list(notes), out, home=runtime.settings.home, projects=projects)
    waiting = list_notes(runtime, limit=1, every_project=every_project, private=private).total
    _show_summary(review, out, waiting=waiting)


def _go_through(review: Review, notes: list[Stored], out: Output, *, home: str, projects: dict[str, str]) -> None:
    at = 0
    decided: list[int] = []
    while at < len(notes):
        stored = review.refresh(notes[at])
        if stored is None:
            at += 1
            continue
        _show_note(stored, out, place=f"{at + 1} of {len(notes)}", projects=projects)
        match _decide(review, stored, out, home=home):
            case "decided":
                decided.append(at)
                at += 1
            case "next":
                at += 1
            case "all":
                if _decide_rest(review, notes[at:], out):
                    break
            case "undo":
                note = _undo(review, out)
                if note is not None:
                    at = decided.pop()
                    notes[at] = note
            case _:
                break


def _decide(review: Review, stored: Stored, out: Output, *, home: str) -> str:
    """Let the user decide about one note; return "decided", or the command: next, all, undo or quit."""
    is_vouched = False
    while True:
        out.stream.flush()
        key = read_letter()
        if key in "kde" and review.refresh(stored) is None:
            out.line("this note was decided elsewhere meanwhile", style="yellow")
            return "next"
        match key:
            case "k" if _needs_care(stored) and not is_vouched:
                out.line("these are not your words; press k again to vouch for them", style="yellow")
                is_vouched = True
            case "k":
                older = review.keep(stored)
                out.line("kept", style="green")
                show_older(stored.memory, older, out)
                return "decided"
            case "d":
                review.drop(stored)
                out.line("dropped", style="red")
                return "decided"
            case "e":
                if _edit(review, stored, out, home=home):
                    return "decided"
            case "n":
                return "next"
            case "a":
                return "all"
            case "u" if review.decisions:
                return "undo"
            case "u":
                out.line("there is nothing to undo", style="dim")
            case _ if key == QUIT:
                return "quit"
            case _:
                out.line(_KEYS, style="dim")


def _decide_rest(review: Review, notes: Sequence[Stored], out: Output) -> bool:
    """List the remaining notes, and keep or drop them all after one key; return False if the user goes back."""
    rest = [current for each in notes if (current := review.refresh(each)) is not None]
    out.line()
    for each in rest:
        show_headline("  ", each.memory, out)
    out.line(f"k keep all {len(rest)}   d drop all {len(rest)}   any other key: back", style="dim")
    out.stream.flush()
    key = read_letter()
    if key not in "kd":
        return False
    for each in rest:
        if key == "d":
            review.drop(each)
        elif not _needs_care(each):
            review.keep(each)
    if key == "k" and any(map(_needs_care, rest)):
        out.line("those that are not your words wait: they are kept one by one", style="yellow")
    return True


def _undo(review: Review, out: Output) -> Stored | None:
    """Undo the last decision and return its note, or None if undoing is refused."""
    note = review.undo()
    if isinstance(note, Rejected):
        out.line(f"not undone: {note.reason}", style="yellow")
        return None
    out.line("undone")
    return note


def _needs_care(stored: Stored) -> bool:
    return stored.memory.origin.is_outside or stored.warned


def _edit(review: Review, stored: Stored, out: Output, *, home: str) -> bool:
    """Let the user change the text of a note and store it; return False if the note was not changed."""
    # Loaded here, because only an edit needs it.
    from limpet.cli.editor import edit_text

    out.stream.flush()
    text = edit_text(stored.memory.original_content, home=home)
    outcome = None if text is None else review.edit(stored, text)
    match outcome:
        case Admitted():
            out.line(f"kept as: {' '.join(outcome.memory.content.split())}", style="green")
            return True
        case Rejected():
            out.line(f"not stored: {outcome.reason}", style="yellow")
        case _:
            out.line("not changed", style="dim")
    return False


def _show_note(stored: Stored, out: Output, *, place: str, projects: dict[str, str]) -> None:
    memory = stored.memory
    out.line()
    out.line(f"{place}   {memory.label}   {_describe_source(memory, projects)}", style="cyan")
    for warning in stored.warnings:
        out.line(f"⚠ {warning}", style="red")
    for row in memory.content.splitlines():
        out.line(f"  {row}")


def _describe_source(memory: Memory, projects: dict[str, str]) -> str:
    """Describe where a memory comes from: who said it, when, and in which session, commit or file."""
    parts = [_SPEAKERS[memory.origin], f"{format_day(memory.created_at)} {format_time_of_day(memory.created_at)}"]
    if memory.project in projects and len(projects) > 1:
        parts.append(f"in {projects[memory.project]}")
    if memory.session:
        parts.append(f"session {memory.session[:8]}")
    source = memory.source
    if source is not None and (source.commit or source.file):
        parts.append(f"commit {source.commit[:10]}" if source.commit else str(source.file))
    return ", ".join(parts)


def _show_summary(review: Review, out: Output, *, waiting: int) -> None:
    counts = [(word, sum(each.kind is kind for each in review.decisions)) for kind, word in _DONE.items()]
    said = ", ".join(f"{count} {word}" for word, count in counts if count)
    left = f"{plural(waiting, 'note')} left" if waiting else "no notes left"
    out.line()
    out.line(f"{said or 'nothing was decided'}; {left}", style="bold")
    if waiting:
        out.line("Notes that are not used fade by themselves, so you need not decide about all.", style="dim")
