"""Compare the journal with the view, and repair the journal.

The view contains a second copy of every change. So a journal segment that has lost records is repaired from the view,
or from the backup.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.errors import StoreError
from limpet.store.context import StoreContext
from limpet.store.journal import line as lines
from limpet.store.known import describe_held
from limpet.store.protocol import CheckReport, Problem, Progress
from limpet.store.view import apply
from limpet.store.view.index_check import (
    STRAY,
    find_differences,
    find_suspicions,
    lacks_changes,
    rows_of,
    segment_agrees,
)
from limpet.store.view.open import View, load_cursors, save_cursor
from limpet.store.view.purged import ERASED, is_purged, purged_subjects, reopen_purges
from limpet.store.view.search_rows import find_wrong_search_rows

_SENTENCES = {"chain": apply.CHAIN, "edited": apply.EDITED, "erased": ERASED}


def verify(context: StoreContext, view: View, progress: Progress, *, is_private: bool) -> CheckReport:
    """Check the journal and the view, and return a report of all problems.

    A view that is a private copy (`is_private`) is not compared with the journal, because it was just built from it.
    """
    report = CheckReport(memories=view.count_memories())
    cursors, lacking = load_cursors(view), list[Problem]()
    for check in context.journal.verify(progress):
        report.records += check.records
        for start, subject, what in check.breaks:
            if what == "erased" and is_purged(view, subject):
                continue
            place = f"{check.name} at byte {start}"
            report.problems.append(Problem(what=_SENTENCES[what], where=place, subject=subject))
        if check.missing:
            sentence = f"by their running numbers, {check.missing} changes of this segment are missing"
            report.problems.append(Problem(what=sentence, where=check.name))
        if not is_private and not segment_agrees(view, context.journal, check.name):
            sentence = "the journal and the index disagree about this segment"
            report.problems.append(Problem(what=sentence, where=check.name, fixable=True))
        # Other processes may be writing to the segment, so only the records that were applied are counted.
        applied = min(check.records, cursors[check.name].records) if check.name in cursors else 0
        if not is_private and lacks_changes(view, context.journal, check.name, applied):
            sentence = "the index lacks changes of this segment"
            lacking.append(Problem(what=sentence, where=check.name, fixable=True))
    report.problems += [Problem(what=describe_held(device), where=device) for device in sorted(context.held)]
    known = {(problem.subject, problem.what) for problem in report.problems}
    report.problems += [each for each in find_suspicions(view) if (each.subject, each.what) not in known]
    report.problems += find_differences(view, progress)
    # Forged and repeated changes are missing from the index too, and were reported above.
    report.problems += lacking if not report.problems else []
    if not report.problems:
        # Search rows are compared with the memories, so this makes sense only if the memories are right.
        wrong = find_wrong_search_rows(view)
        report.problems += [Problem(what=STRAY, subject=memory_id or None, fixable=True) for memory_id in wrong]
    return report


def mend_segments(context: StoreContext, view: View, lost: Sequence[str]) -> None:
    """Rewrite damaged journal segments from the copies of their changes in the view.

    The user gets a notice about each segment. The caller must hold the lock.
    """
    if lost:
        # A file that is set aside may be an older copy that still contains purged texts.
        reopen_purges(view)
    for name in lost:
        with view.connection:
            saved = _mend_from_view(context, view, name)
        if saved is None:
            context.tell_in_use(name)
            continue
        context.accounted.add(name)
        context.notices.append(
            f"the journal segment {name} was damaged; set it aside and rewrote {saved} changes from the index"
        )


def _mend_from_view(context: StoreContext, view: View, name: str) -> int | None:
    """Rewrite a segment from the view; return the number of its records, or None if a process is writing to it."""
    rows = [row for _, row in rows_of(view, name)]
    cursor = context.journal.rewrite(name, rows)
    if cursor is None:
        return None
    save_cursor(view, cursor)
    start = 0
    for row in rows:
        change_id = lines.header_of(row)[0]["id"]
        view.run("UPDATE change SET start = ? WHERE id = ?", (start, change_id))
        start += len(row) + 1
    return len(rows)


def mend_disagreements(context: StoreContext, view: View) -> None:
    """Rewrite damaged segments from the view; raise StoreError if the lock is not free within ten seconds.

    This is done before the view is rebuilt, because a rebuild discards the records that only the view still has.
    """
    with context.lock.hold(10_000) as is_ours:
        if not is_ours:
            raise StoreError("the store is busy; try again")
        broken = [
            check.name
            for check in context.journal.verify()
            if check.breaks and not segment_agrees(view, context.journal, check.name)
        ]
        mend_segments(context, view, broken)


def mend_from_backup(context: StoreContext, view: View) -> list[str]:
    """Restore the records that only the backup still has; return a message about each restored segment."""
    subjects = purged_subjects(view)
    with context.lock.hold(10_000) as is_ours:
        if not is_ours:
            raise StoreError("the store is busy; try again")
        restored = context.open_backup().restore(purged=subjects)
    for name, saved in restored.items():
        if saved is None:
            raise StoreError(f"the journal segment {name} is in use; try again")
    return [f"{saved} changes of {name} came back from the backup" for name, saved in restored.items() if saved]
