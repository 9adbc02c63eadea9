"""Write the files of a friction report, and read the summary of the previous report."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from limpet.clock import to_local
from limpet.insight.folder import CANDIDATES, OTHER_FRICTION, Folder, open_private_folder, write_file
from limpet.insight.friction.adherence import RuleAdherence
from limpet.insight.friction.encode import ANALYSIS, RAW, SUMMARY, encode_files
from limpet.insight.friction.page import PAGE, write_page
from limpet.insight.friction.report import FrictionReport
from limpet.insight.friction.review import REVIEW, write_review
from limpet.lean.record import record
from limpet.workspace.files import read_file

REPORTS = "reports"
FILES = (ANALYSIS, RAW, CANDIDATES, REVIEW, SUMMARY)
"""The names of the files of a report, without the web page and the copy of the summary in the folder `reports`."""
_LARGEST = 4 << 20


@record
class EarlierReport:
    """The numbers of an earlier report."""

    analyzed_at: str
    sessions: int
    interactive: int
    bad: int
    path: str


def write_report(
    folder: Folder,
    report: FrictionReport,
    *,
    compared: FrictionReport | None,
    html: bool,
    rules: Sequence[RuleAdherence] = (),
) -> list[str]:
    """Write the files of a report, and a copy of its summary with the date in its name; return the paths of all files.

    If `html` is True, also write a web page, which includes a comparison with `compared` and the adherence to `rules`.
    """
    made = encode_files(report)
    summary = made.pop(SUMMARY)
    made[REVIEW] = write_review(report)
    if html:
        made[PAGE] = write_page(report, compared=compared, rules=rules)
    # The summary is written last, so that a reader of a new summary finds the other files new too.
    reports = open_private_folder(folder.path, REPORTS)
    paths = [write_file(folder, name, text) for name, text in made.items()]
    paths.append(write_file(folder, SUMMARY, summary))
    paths.append(write_file(reports, _find_free_name(reports.path, report), summary))
    return paths


def _find_free_name(folder: str, report: FrictionReport) -> str:
    stem = f"friction_{to_local(report.made_at):%Y-%m-%d_%H%M%S}"
    names = (f"{stem}{f'-{number}' if number else ''}.json" for number in range(1000))
    return next(name for name in names if not os.path.lexists(os.path.join(folder, name)))


def find_earlier(folder: str, root: str | None) -> EarlierReport | None:
    """Return the numbers of the last report in a folder, or else those of another tool's report in the repository.

    `root` is the root of the repository; None if there is none. Return None if there is no report.
    """
    try:
        names = sorted(
            (name for name in os.listdir(os.path.join(folder, REPORTS)) if name.endswith(".json")), reverse=True
        )
    except OSError:
        names = []
    places = [os.path.join(folder, REPORTS, name) for name in names[:1]]
    if root is not None:
        places.append(os.path.join(root, OTHER_FRICTION, SUMMARY))
    return next((found for found in map(_read_summary, places) if found is not None), None)


def _read_summary(path: str) -> EarlierReport | None:
    """Read the numbers in a summary; return None if the file is missing or has another form."""
    try:
        found = json.loads(read_file(path, _LARGEST) or b"")
        overall = found["overall"]
        return EarlierReport(
            analyzed_at=str(found["analyzed_at"])[:40],
            sessions=_count(overall, "total_sessions"),
            interactive=_count(overall, "interactive_sessions"),
            bad=_count(overall, "bad_sessions"),
            path=path,
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _count(values: Any, name: str) -> int:
    return max(0, int(values[name]))
