"""Show how recorded sessions went: the verdict, a chart by day, the signals of friction, the worst and best session."""

from __future__ import annotations

import os

from limpet.forms.terminal import Output, print_notice
from limpet.insight.friction.report import compare_reports
from limpet.insight.friction.signals import Quality
from limpet.text.excerpt import clip
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.insight.friction.adherence import Counts
    from limpet.insight.friction.report import FrictionReport
    from limpet.operations.friction import FrictionAnswer

_STYLES = {"HEALTHY": "green", "WARNING": "yellow", "CRITICAL": "red"}
_BLOCKS = {Quality.BAD: "█", Quality.FRICTION: "▓", Quality.ROUGH: "▒", Quality.OK: "░"}
_MOST_ROWS = 31
_WIDTH = 40


def show_friction(answer: FrictionAnswer, out: Output) -> None:
    report = answer.report
    for path, problem in answer.failed[:10]:
        print_notice(f"{path}: {problem}")
    verdict = report.verdict
    out.line(f"{verdict.status}: {'; '.join(verdict.reasons)}", style=_STYLES.get(verdict.status, "bold"))
    counts = ", ".join(f"{count} {quality}" for quality, count in report.qualities.items())
    out.line(f"{plural(len(report.conversations), 'conversation')}: {counts}")
    _show_apart(answer, out)
    if report.conversations:
        out.line()
        _show_trend(report, out)
        signals = [
            (signal.value, str(count), f"{signal.weight:g}", signal.meaning) for signal, count in report.signals.items()
        ]
        if signals:
            out.table(("signal", "count", "weight", "meaning"), signals)
        for name, each in (("worst", report.worst), ("best", report.best)):
            if each is not None:
                numbers = f"{plural(each.turns, 'prompt')}, {plural(each.errors, 'error')}, score {each.score:g}"
                out.line(f"{name:<6} {each.name}  {each.quality}  {numbers}")
    if answer.rules:
        rows = [
            (clip(each.text, 120), _describe_counts(each.before), _describe_counts(each.since)) for each in answer.rules
        ]
        out.table(("standing rule", "before it was learnt", "since"), rows, wide=0)
    if answer.compared is not None:
        out.line()
        rows = compare_reports(report, answer.compared)
        out.table(("", "this period", "compared with"), rows, wide=0)
    elif answer.earlier is not None:
        before = answer.earlier
        out.line(f"the last report, {before.analyzed_at[:10]}: {before.bad} of {before.interactive} BAD", style="dim")
    if answer.is_new:
        out.line(f"made {answer.folder}; a .gitignore in it keeps it out of git")
    names = ", ".join(os.path.relpath(path, answer.folder) for path in answer.files)
    out.line(f"written to {answer.folder}, {plural(len(answer.files), 'file')}: {names}")


def _describe_counts(counts: Counts) -> str:
    return f"{counts.followed} followed, {counts.broken} broken, {counts.unknown} unclear"


def _show_apart(answer: FrictionAnswer, out: Output) -> None:
    report = answer.report
    refused = sum(each.refused for each in report.conversations)
    copies = sum(each.copies for each in report.conversations)
    checkpoints = sum(each.checkpoints for each in report.conversations)
    copied = "is a copy of a conversation and was" if copies == 1 else "are copies of a conversation and were"
    for count, noun, what in (
        (len(report.scripted), "session", "by a program (SDK or headless), counted apart"),
        (answer.others, "session", "of other projects, left out"),
        (copies, "recording", f"{copied} counted with it"),
        (refused, "call", "refused by a guard, which is no error"),
        (checkpoints, "stash", "without an objection before, which is a checkpoint"),
        (answer.unread, "line", "could not be read"),
    ):
        if count:
            out.line(f"{plural(count, noun)} {what}", style="dim")


def _show_trend(report: FrictionReport, out: Output) -> None:
    spans = report.find_trend(_MOST_ROWS)
    most = max(span.total for span in spans)
    for span in spans:
        bar = "".join(_BLOCKS[quality] * _length(span.qualities[quality], most) for quality in Quality)
        bad = f"  {span.bad} BAD" if span.bad else ""
        out.line(f"  {span.label:<10}  {bar} {span.total}{bad}")
    out.line("  " + "  ".join(f"{block} {quality}" for quality, block in _BLOCKS.items()), style="dim")
    out.line()


def _length(count: int, most: int) -> int:
    return count if most <= _WIDTH else max(1, round(count * _WIDTH / most)) if count else 0
