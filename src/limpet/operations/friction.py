"""Measure friction (what went wrong between users and agents in recorded sessions) and write a report about it."""

from __future__ import annotations

import os
from datetime import datetime

from limpet.capture.speech.spans import split_message
from limpet.errors import UsageError, describe_error
from limpet.hosts import HOSTS
from limpet.hosts.sessions import RecordedSession, find_session_files, group_sessions
from limpet.insight.authorship import record_file
from limpet.insight.folder import CANDIDATES, FRICTION_FOLDER
from limpet.insight.friction.adherence import RuleAdherence, measure_adherence
from limpet.insight.friction.conversations import Examination, examine_sessions
from limpet.insight.friction.encode import encode_measures, encode_summary
from limpet.insight.friction.files import EarlierReport, find_earlier, write_report
from limpet.insight.friction.report import FrictionReport, make_report
from limpet.lean.record import pick, record
from limpet.learning.acts import ActFollower
from limpet.model.memory import Tier, Type
from limpet.model.query import Query
from limpet.model.reach import SUMMARIES
from limpet.operations.catalogue import Param, Verb, label, parse_moment
from limpet.operations.recordings import (
    check_session_path,
    find_session_folders,
    is_own_project,
    make_project_finder,
    name_project,
)
from limpet.runtime import Runtime
from limpet.runtime.project_folder import find_root, locate_folder, open_folder
from limpet.workspace.files import read_file

_MOST_RULES = 500


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
            _explain_no_sessions(places, others, found.failed, all_projects=all_projects, is_period=is_period)
        )
    compared = make_report(found.conversations, made_at=now, since=other[0], until=other[1]) if other else None
    root = None if all_projects else find_root(runtime)
    earlier = find_earlier(locate_folder(runtime, FRICTION_FOLDER, every_project=all_projects), root)
    folder = open_folder(runtime, FRICTION_FOLDER, every_project=all_projects)
    kept = _measure_rules(runtime, report) if (rules or html) and not all_projects else ()
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


def _measure_rules(runtime: Runtime, report: FrictionReport) -> tuple[RuleAdherence, ...]:
    """Return how often each kept rule of this project was followed in the conversations of a report."""
    query = Query(scope=runtime.scope(), tier=Tier.KEPT, now=runtime.now(), limit=_MOST_RULES)
    memories = [stored.memory for stored in runtime.reading().browse(query).items]
    rules = [
        (each.id, each.content, each.created_at) for each in memories if each.type not in (*SUMMARIES, Type.BUGFIX)
    ]
    return tuple(measure_adherence(rules, report.conversations))


def _parse_period(text: str) -> tuple[datetime | None, datetime | None]:
    first, dots, last = text.partition("..")
    if not dots or not (first or last):
        raise UsageError(f"compare is {text[:60]!r}; give two dates such as 2026-10-01..2026-11-01")
    start = parse_moment("compare", first) if first else None
    end = parse_moment("compare", last) if last else None
    if start is not None and end is not None and end <= start:
        raise UsageError(f"compare is {text[:60]!r}; the second date must be after the first")
    return start, end


def examine_recordings(
    runtime: Runtime,
    places: list[tuple[str, str]],
    *,
    earliest: datetime | None = None,
    all_projects: bool = False,
) -> tuple[Examination, int]:
    """Examine the recorded sessions of this project, or of all projects.

    `places` are pairs of a host and a folder or file that contains its sessions. Also return how many sessions were
    skipped, because they belong to another project or to none.
    """
    unreadable: list[tuple[str, str]] = []
    files = find_session_files(places, since=earliest)
    looked = iter(range(1, len(files) + 1))
    sessions = group_sessions(
        files,
        failed=lambda file, error: unreadable.append((file, describe_error(error))),
        tick=lambda: runtime.progress("looking for sessions", next(looked), len(files) + 1),
    )
    project_at = make_project_finder(runtime)
    projects = {recorded.session: project_at(recorded) for recorded in sessions}
    chosen: list[RecordedSession] = [
        recorded
        for recorded in sessions
        if (
            projects[recorded.session] is not None
            if all_projects
            else is_own_project(runtime, projects[recorded.session])
        )
    ]
    found = examine_sessions(
        chosen,
        own_words=lambda text: split_message(text).typed,
        follow=ActFollower,
        # Recordings may still contain purged texts in unknown places, so nothing older than the last purge is quoted.
        quotes_since=runtime.reading().last_purged(),
        project_of=lambda recorded: name_project(recorded, projects[recorded.session]),
        tick=lambda number: runtime.progress("reading sessions", number, len(chosen) + 1),
    )
    found.failed[:0] = unreadable
    return found, len(sessions) - len(chosen)


def _explain_no_sessions(
    places: list[tuple[str, str]],
    others: int,
    failed: list[tuple[str, str]],
    *,
    all_projects: bool,
    is_period: bool,
) -> str:
    if not places:
        return (
            "no folder with sessions of an agent was found, so nothing was written; name one: limpet friction <folder>"
        )
    where = ", ".join(dict.fromkeys(place for _, place in places))
    whose = "" if all_projects else " of this project"
    period = " in that period" if is_period else ""
    parts = [f"no recorded session{whose}{period} was found in {where}; nothing was written"]
    if others and not all_projects:
        parts.append(f"{others} of other projects were left out, --all-projects looks at all of them")
    if failed:
        path, problem = failed[0]
        parts.append(f"{len(failed)} file{'s' if len(failed) > 1 else ''} could not be read, such as {path}: {problem}")
    return "; ".join(parts)


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
