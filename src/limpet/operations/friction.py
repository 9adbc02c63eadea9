"""Measure friction (what went wrong between users and agents in recorded sessions) and write a report about it."""

from __future__ import annotations

import os
from datetime import datetime

from limpet.errors import UsageError
from limpet.hosts import HOSTS
from limpet.insight.authorship import record_file
from limpet.insight.folder import CANDIDATES, FRICTION_FOLDER
from limpet.insight.friction.adherence import RuleAdherence, measure_rules
from limpet.insight.friction.encode import encode_measures, encode_summary
from limpet.insight.friction.files import EarlierReport, find_earlier, write_report
from limpet.insight.friction.report import FrictionReport, explain_no_sessions, make_report
from limpet.lean.record import pick, record
from limpet.operations.catalogue import Param, Verb, label, parse_moment
from limpet.runtime import Runtime
from limpet.runtime.project_folder import find_root, locate_folder, open_folder
from limpet.runtime.recordings import (
    check_session_path,
    examine_recordings,
    find_session_folders,
)
from limpet.workspace.files import read_file


@record
class FrictionAnswer:
    """The report, the reports that it can be compared with, and the paths of the files that were written."""

    report: FrictionReport
    compared: FrictionReport | None
    """The report on the period to compare with; None if the user did not ask for a comparison."""
    earlier: EarlierReport | None
    """The numbers of the previous report, if there is one."""
    folder: str
    """The folder that the report was written to."""
    is_new: bool
    """Whether the folder was newly created in the repository."""
    files: tuple[str, ...]
    others: int
    """How many sessions of other projects were left out."""
    unread: int
    """How many lines of the recordings could not be read."""
    failed: tuple[tuple[str, str], ...]
    rules: tuple[RuleAdherence, ...] = ()
    """How often each standing rule of this project was followed, if the user asked for that."""


def run(
    runtime: Runtime,
    *,
    path: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    compare: str | None = None,
    html: bool = False,
    rules: bool = False,
    all_projects: bool = False,
) -> FrictionAnswer:
    # Raises an error if the caller may not see these projects.
    runtime.scope(every_project=all_projects)
    if since is not None and until is not None and until <= since:
        raise UsageError("--until is not after --since; swap the two dates")
    other = _parse_period(compare) if compare is not None else None
    places = find_session_folders(HOSTS) if path is None else check_session_path(runtime, path, HOSTS)
    starts = (since, other[0]) if other else (since,)
    earliest = None if None in starts else min(start for start in starts if start is not None)
    found, others = examine_recordings(runtime, places, earliest=earliest, all_projects=all_projects)
    now = runtime.now()
    report = make_report(found.conversations, made_at=now, since=since, until=until)
    if not report.conversations and not report.scripted:
        is_period = since is not None or until is not None
        raise UsageError(
            explain_no_sessions(places, others, found.failed, all_projects=all_projects, is_period=is_period)
        )
    compared = make_report(found.conversations, made_at=now, since=other[0], until=other[1]) if other else None
    root = None if all_projects else find_root(runtime)
    earlier = find_earlier(locate_folder(runtime, FRICTION_FOLDER, every_project=all_projects), root)
    folder = open_folder(runtime, FRICTION_FOLDER, every_project=all_projects)
    kept = measure_rules(runtime.context(), report) if (rules or html) and not all_projects else ()
    written = write_report(folder, report, compared=compared, html=html, rules=kept)
    if path is None:
        # `distil` counts only objections that a host has recorded.
        candidates = next(each for each in written if os.path.basename(each) == CANDIDATES)
        record_file(runtime.settings.home, read_file(candidates, 1 << 30) or b"")
    return FrictionAnswer(
        report=report,
        compared=compared,
        earlier=earlier,
        folder=folder.path,
        is_new=folder.is_new and root is not None,
        files=tuple(written),
        others=others,
        unread=found.unread,
        failed=tuple(found.failed),
        rules=kept if rules else (),
    )


def _parse_period(text: str) -> tuple[datetime | None, datetime | None]:
    first, dots, last = text.partition("..")
    if not dots or not (first or last):
        raise UsageError(f"compare is {text[:60]!r}; give two dates such as 2026-10-01..2026-11-01")
    start = parse_moment("compare", first) if first else None
    end = parse_moment("compare", last) if last else None
    if start is not None and end is not None and end <= start:
        raise UsageError(f"compare is {text[:60]!r}; the second date must be after the first")
    return start, end


def shape(answer: FrictionAnswer) -> dict[str, object]:
    return {
        "summary": encode_summary(answer.report),
        "compared": encode_summary(answer.compared) if answer.compared else None,
        "sessions": [encode_measures(each) for each in answer.report.conversations],
        **pick(answer, "earlier", "rules", "folder", "files", "others", "unread"),
        "failed": label(answer.failed, "path", "problem"),
    }


VERB = Verb(
    run=run,
    shape=shape,
    params=(
        Param(
            name="path", help="A folder or file of sessions; all agents on this machine if not given.", positional=True
        ),
        Param(name="since", help="Only sessions that began on this date or later.", kind="moment"),
        Param(name="until", help="Only sessions that began before this date.", kind="moment"),
        Param(name="compare", help="Compare with the sessions of another period, given as FROM..TO."),
        Param(name="html", help="Also draw the report as a page, friction.html.", kind="flag"),
        Param(
            name="rules",
            help="Show whether the standing rules were followed, before and after they were learnt.",
            kind="flag",
        ),
        Param(name="all_projects", help="Measure the sessions of every project.", kind="flag"),
    ),
    details=(
        "Reads every session of this project that Claude Code, Codex and Gemini CLI recorded, and counts objections, "
        "interruptions, errors, loops and false claims of success. No model is asked. The report is written to "
        ".claude/friction/, which git is told to ignore; with --all-projects to ~/.limpet/friction/."
    ),
    examples=(
        "limpet friction",
        "limpet friction --since 2026-11-01 --compare 2026-10-01..2026-11-01",
        "limpet friction --html",
        "limpet friction --rules",
        "limpet friction --all-projects",
    ),
)
