"""Show notes one after the other, and let the user decide about each with a single key."""

from __future__ import annotations

import contextlib

from limpet.cli.keypress import QUIT, read_letter
from limpet.curating.decisions import Sitting
from limpet.curating.waiting import InboxAnswer, list_notes
from limpet.errors import Refused
from limpet.forms.terminal import Output
from limpet.forms.views import format_day, format_time_of_day, show_headline
from limpet.forms.views.inbox import show_confirmable, show_told
from limpet.forms.views.memories import show_older
from limpet.model.memory import Origin
from limpet.model.outcome import Admitted, Rejected
from limpet.runtime.permissions import require_person, visible_sensitivities
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.curating.waiting import InboxAnswer
    from limpet.model.memory import Memory
    from limpet.model.query import Stored
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
_WORDS = ("kept", "edited", "dropped")


def review_inbox(
    runtime: Runtime, answer: InboxAnswer, out: Output, *, every_project: bool = False, private: bool = False
) -> None:
    """Let the user decide about each note in the inbox, then print what else waits for a decision."""
    if answer.notes.items:
        sitting = review_notes(runtime, answer, out, every_project=every_project, private=private)
        show_told(sitting.find_newly_told() if sitting.decisions else (), out)
    else:
        out.remark("no notes wait for a decision")
    show_confirmable(answer, out)


def review_notes(
    runtime: Runtime, answer: InboxAnswer, out: Output, *, every_project: bool = False, private: bool = False
) -> Sitting:
    """Show notes one by one until the user quits; save each decision before the next note is shown.

    `every_project` and `private` tell which notes were listed, so that the remaining ones can be counted at the end.
    """
    sitting = Sitting(runtime, require_person(runtime, "inbox", code=None, doing="decide about a note"))
    # The user may press Ctrl-C at any moment, not only while the program waits for a key.
    with contextlib.suppress(KeyboardInterrupt):
        out.line(_KEYS, style="dim")
        _go_through(sitting, answer, out, home=runtime.settings.home)
    sensitivity = visible_sensitivities(runtime, private=private, sensitivity=None)
    waiting = list_notes(runtime, limit=1, sensitivity=sensitivity, every_project=every_project).total
    _show_summary(sitting, out, waiting=waiting)
    return sitting


def _go_through(sitting: Sitting, answer: InboxAnswer, out: Output, *, home: str) -> None:
    notes, at = list(answer.notes.items), 0
    decided: list[int] = []
    while at < len(notes):
        stored = sitting.refresh(notes[at])
        if stored is None:
            at += 1
            continue
        _show_note(stored, answer, out, place=f"{at + 1} of {len(notes)}")
        command = _decide(sitting, stored, out, home=home)
        if command == "all" and _decide_rest(sitting, notes[at:], out):
            decided.append(at)
            out.line("u undo   any other key: done", style="dim")
            out.stream.flush()
            command = "undo" if read_letter() == "u" else "quit"
        match command:
            case "decided":
                decided.append(at)
                at += 1
            case "next":
                at += 1
            case "undo":
                try:
                    undone = sitting.undo()
                except Refused as refused:
                    out.line(f"not undone: {refused}", style="yellow")
                    continue
                out.line("undone")
                at = decided.pop()
                if undone[0].memory.id not in {each.memory.id for each in notes}:
                    # A note that was edited is a new version.
                    notes[at] = undone[0]
            case "quit":
                break


def _decide(sitting: Sitting, stored: Stored, out: Output, *, home: str) -> str:
    """Let the user decide about one note; return "decided", or the command: next, all, undo or quit."""
    is_vouched = False
    while True:
        out.stream.flush()
        key = read_letter()
        if key in "kde" and sitting.refresh(stored) is None:
            out.line("this note was decided elsewhere meanwhile", style="yellow")
            return "next"
        match key:
            case "k" if _needs_care(stored) and not is_vouched:
                out.line("these are not your words; press k again to vouch for them", style="yellow")
                is_vouched = True
            case "k":
                sitting.decide(keep=[stored])
                out.line("kept", style="green")
                show_older(stored.memory, sitting.find_older(stored), out)
                return "decided"
            case "d":
                sitting.decide(drop=[stored])
                out.line("dropped", style="red")
                return "decided"
            case "e":
                if _edit(sitting, stored, out, home=home):
                    return "decided"
            case "n":
                return "next"
            case "a":
                return "all"
            case "u":
                return "undo"
            case _ if key == QUIT:
                return "quit"
            case _:
                out.line(_KEYS, style="dim")


def _decide_rest(sitting: Sitting, notes: Sequence[Stored], out: Output) -> bool:
    """List the remaining notes, and keep or drop them all after one key; return False if nothing was decided."""
    rest = [current for each in notes if (current := sitting.refresh(each)) is not None]
    out.line()
    for each in rest:
        show_headline("  ", each.memory, out)
    out.line(f"k keep all {len(rest)}   d drop all {len(rest)}   any other key: back", style="dim")
    out.stream.flush()
    key = read_letter()
    chosen = [each for each in rest if key == "d" or (key == "k" and not _needs_care(each))]
    if chosen:
        sitting.decide(**{"drop" if key == "d" else "keep": chosen})
    if key == "k" and len(chosen) < len(rest):
        out.line("those that are not your words wait: they are kept one by one", style="yellow")
    return bool(chosen)


def _needs_care(stored: Stored) -> bool:
    return stored.memory.origin.is_outside or stored.warned


def _edit(sitting: Sitting, stored: Stored, out: Output, *, home: str) -> bool:
    """Let the user change the text of a note and store it; return False if the note was not changed."""
    # Loaded here, because only an edit needs it.
    from limpet.cli.editor import edit_text

    out.stream.flush()
    text = edit_text(stored.memory.original_content, home=home)
    outcome = None if text is None else sitting.edit(stored, text)
    match outcome:
        case Admitted():
            out.line(f"kept as: {' '.join(outcome.memory.content.split())}", style="green")
            return True
        case Rejected():
            out.line(f"not stored: {outcome.reason}", style="yellow")
        case _:
            out.line("not changed", style="dim")
    return False


def _show_note(stored: Stored, answer: InboxAnswer, out: Output, *, place: str) -> None:
    memory = stored.memory
    out.line()
    out.line(f"{place}   {memory.label}   {_describe_source(memory, answer.projects)}", style="cyan")
    for warning in stored.warnings:
        out.line(f"⚠ {warning}", style="red")
    if (before := answer.answered.get(memory.id)) is not None:
        speaker = "your request: " if before.is_request else "the agent: "
        # Words are wrapped, so two lines hold a little less than twice their width.
        out.line(f"  {speaker}{before.shorten(2 * out.width_left(8) - len(speaker))}", style="dim")
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


def _show_summary(sitting: Sitting, out: Output, *, waiting: int) -> None:
    counts = {word: sum(len(each.changes) for each in sitting.decisions if each.word == word) for word in _WORDS}
    said = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    left = f"{plural(waiting, 'note')} left" if waiting else "no notes left"
    out.line()
    out.line(f"{said or 'nothing was decided'}; {left}", style="bold")
    if said:
        out.hint("To take that back: limpet inbox undo")
    if waiting:
        out.line("Notes that are not used fade by themselves, so you need not decide about all.", style="dim")
