"""Show what was learnt, or would be, from recorded sessions, a text, the history of a repository or a diff."""

from __future__ import annotations

import os

from limpet.forms.terminal import Output, print_notice
from limpet.forms.views import format_day, format_moment, show_headline
from limpet.text.excerpt import clip
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.insight.distil.distilling import DistilAnswer
    from limpet.insight.drift.comparison import CheckAnswer
    from limpet.operations.achievements import AchievementsAnswer
    from limpet.operations.backfill import BackfillAnswer
    from limpet.operations.capture import CaptureAnswer
    from limpet.operations.stash import StashAnswer

_MOST_PROBLEMS = 10
_MOST_DAMAGED = 3
_MOST_ADDED = 10
_MOST_REASONS = 6
_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def show_backfill(answer: BackfillAnswer, out: Output) -> None:
    filled = answer.filled
    for path, problem in filled.failed[:_MOST_PROBLEMS]:
        print_notice(f"{path}: {problem}")
    if len(filled.failed) > _MOST_PROBLEMS:
        print_notice(f"{len(filled.failed) - _MOST_PROBLEMS} more could not be read")
    if not filled.found and not filled.stopped:
        where = ", ".join(answer.places)
        if where and answer.since is not None:
            out.remark(f"no session in {where} was active since {format_moment(answer.since)}")
            return
        out.remark(f"no sessions found in {where}" if where else "no folder with sessions of an agent was found")
        out.hint("name the folder with the sessions: limpet backfill <folder>")
        return
    # A dry run stores nothing, so it cannot see that a later text repeats an earlier one: its numbers are upper limits.
    most, would = ("up to ", "would be ") if filled.dry else ("", "")
    if filled.sessions:
        read = f"{plural(filled.sessions, 'session')} with {plural(filled.events, 'event')}"
        noted = f"{most}{plural(filled.kept, 'memory')} and {plural(filled.summaries, 'summary')} {would}noted"
        if not (filled.kept or filled.summaries):
            noted = f"nothing {would or 'was '}noted"
        out.line(f"{read}: {noted}", style="bold")
    elif not (filled.failed or filled.stopped or filled.busy or filled.nowhere or filled.off):
        out.line("nothing new: all sessions on disk have been read")
    for count, noun, what in (
        (filled.live, "session", "learnt already, by the hooks"),
        (filled.nowhere, "session", "skipped: their folder is not recorded"),
        (filled.off, "session", "skipped: capture is off there"),
        (filled.unread, "line", f"could not be read and {'was' if filled.unread == 1 else 'were'} skipped"),
    ):
        if count:
            out.line(f"{plural(count, noun)} {what}", style="dim")
    for memory in filled.examples:
        show_headline(f"  {format_day(memory.created_at)}  {memory.type.value:<10}  ", memory, out)
    done = f"{filled.done} of {filled.found} sessions are done; run it again to continue"
    if filled.stopped:
        print_notice(f"stopped: {done}")
    elif filled.busy:
        print_notice(f"another Limpet process is learning: {done}")
    elif filled.dry and filled.sessions:
        out.hint(f"nothing was stored; to store it: {answer.command}")


def show_capture(answer: CaptureAnswer, out: Output) -> None:
    from limpet.operations.capture import memorability_parts

    if not answer.found:
        out.remark("nothing in this text could become a memory")
    for each in answer.found:
        verdict = f"would be {each.tier}" if each.tier else "would be dropped"
        score = each.memorability
        # The score does not decide about a text that is known, that says nothing, or that the user asked to remember.
        is_measured = bool(each.text) and not score.is_known and each.tier != "kept"
        compared = f" {score.total:.2f} (gate {each.gate:.2f})," if is_measured else ""
        out.line(f"{verdict}:{compared} {each.type}, {each.why}", style="bold")
        if each.title:
            out.line(f"  {each.title}")
        parts = memorability_parts(each).items()
        out.line("  " + ", ".join(f"{name} {points:+.1f}" for name, points in parts), style="dim")
        for label, sign in (("for", 1), ("against", -1)):
            shown = [f"{name} {points:+.1f}" for name, points in score.reasons if points * sign > 0]
            if shown:
                out.line(f"  {label}: " + ", ".join(shown[:_MOST_REASONS]), style="dim")


def show_stash(answer: StashAnswer, out: Output) -> None:
    if answer.is_new:
        out.line(f"made {os.path.dirname(answer.path)}; a .gitignore in it keeps it out of git")
    out.line(f"stashed {answer.path}", style="bold")
    if answer.waiting:
        out.remark(f"{answer.waiting} stashes wait to be distilled: limpet distil", style="dim")


def show_achievements(answer: AchievementsAnswer, out: Output) -> None:
    rows = [(format_day(each.at), each.kind.value, each.title, each.commit[:10]) for each, _ in answer.found]
    if rows:
        out.table(("date", "what", "achievement", "commit"), rows, wide=2)
    if answer.dry_run:
        out.line(f"{plural(len(answer.found), 'achievement')} would be remembered", style="bold")
    else:
        added = f"{plural(answer.added, 'achievement')} remembered"
        out.line(f"{added}, from {plural(answer.commits, 'commit')}", style="bold")
    if answer.known:
        out.line(f"{answer.known} remembered before", style="dim")
    if answer.left_out:
        out.remark(f"{answer.left_out} older ones are left; run it again, or raise --limit", style="dim")
    for id in answer.damaged[:_MOST_DAMAGED]:
        end = f"the history ends at commit {id[:10]}, which is missing or damaged"
        out.remark(f"{end}: git fsck says more", style="yellow")
    if answer.shallow:
        out.remark("this clone is shallow, so older commits are missing: git fetch --unshallow", style="yellow")


def show_distil(answer: DistilAnswer, out: Output, *, is_question: bool = False) -> None:
    """Print the changes, or a summary of what was written.

    `is_question` means that the caller then asks for consent.
    """
    if answer.gathered or answer.waiting:
        for each in answer.gathered:
            out.line(f"## {each.id} ({each.sort})", style="cyan")
            out.line(each.text)
        if answer.waiting:
            out.remark(f"{plural(answer.waiting, 'more stash')} after these")
    elif answer.has_changes:
        _show_changes(answer, out, is_question=is_question)
    else:
        marked = f"; wrote {', '.join(answer.bookkeeping)}" if answer.done and answer.bookkeeping else ""
        out.remark(f"there is nothing to distil that is not written already{marked}")
    if answer.model and answer.has_changes:
        out.remark(f"extracted by {answer.model}", style="dim")
    for note in answer.notes:
        out.remark(note, style="yellow")
    for path, problem in answer.failed:
        out.remark(f"{path} was not read: {problem}", style="yellow")


def _show_changes(answer: DistilAnswer, out: Output, *, is_question: bool) -> None:
    counts = (
        (answer.facts, "new fact"),
        (answer.removed, "removed line"),
        (answer.episodes, "new episode"),
        (answer.preferences, "changed preference"),
    )
    changed = ", ".join(plural(count, name) for count, name in counts if count) or "the same lines"
    if answer.done:
        out.line(f"wrote {', '.join((*answer.files, *answer.bookkeeping))}: {changed}", style="green")
    else:
        for line in answer.diff.splitlines():
            style = "bold" if line.startswith(("+++", "---")) else _STYLES.get(line[:1], "")
            # A line after a break would look like an unchanged line of the file.
            out.line(line, style=style, wraps=False)
        written = "" if is_question else f"; nothing was written{'' if answer.checked else ', --yes writes it'}"
        out.remark(f"{changed}{written}")
    sizes = ", ".join(f"{name} {count:,}" for name, count in answer.tokens.items())
    out.remark(f"tokens at each start: {sizes}", style="dim")


def show_check(answer: CheckAnswer, out: Output) -> None:
    from limpet.insight.drift.report import name_place

    if answer.report:
        for line in answer.report.splitlines():
            out.line(line)
        return
    for each in answer.findings:
        out.line(f"{name_place(each)}: {each.falsehood.why}", style="yellow")
        out.line(f"  {clip(' '.join(each.text.split()), 160)}", style="dim")
    compared = f"{answer.base[:10]}...{answer.head[:10]}, {plural(answer.files, 'changed file')}"
    what = plural(len(answer.findings), "statement")
    out.line(f"{what} made false by {compared}" if answer.findings else f"nothing is made false by {compared}")
    for addition in answer.added[:_MOST_ADDED]:
        out.line(f"adds {name_place(addition)}: {clip(' '.join(addition.text.split()), 120)}", style="dim")
    if len(answer.added) > _MOST_ADDED:
        out.hint(f"{len(answer.added) - _MOST_ADDED} more are added; --json lists them all")
