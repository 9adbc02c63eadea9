"""Check the journal and the view against each other."""

from __future__ import annotations

from limpet.store.context import Context
from limpet.store.protocol import Problem, Progress, Report
from limpet.store.view import apply
from limpet.store.view.check import agrees, find_differences, find_suspicions
from limpet.store.view.open import View
from limpet.store.view.purged import ERASED, is_purged

_SENTENCES = {"chain": apply.CHAIN, "edited": apply.EDITED, "erased": ERASED}


def verify(context: Context, view: View, progress: Progress, *, is_private: bool) -> Report:
    """Return everything that is wrong; a private copy is not compared with the journal it was just made from."""
    report = Report(memories=view.count_memories())
    for check in context.journal.verify(progress):
        report.records += check.records
        for start, subject, what in check.breaks:
            if what == "erased" and is_purged(view, subject):
                continue
            place = f"{check.name} at byte {start}"
            report.problems.append(Problem(what=_SENTENCES[what], where=place, subject=subject))
        if not is_private and not agrees(view, context.journal, check.name):
            sentence = "the journal and the index disagree about this segment"
            report.problems.append(Problem(what=sentence, where=check.name, fixable=True))
    known = {(problem.subject, problem.what) for problem in report.problems}
    report.problems += [each for each in find_suspicions(view) if (each.subject, each.what) not in known]
    report.problems += find_differences(view, progress)
    return report
