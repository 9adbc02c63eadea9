"""Admit the new lines of MEMORY.md as memories, and refuse lines that must not be stored or shown.

A line is also refused if its memory would replace a memory that has answered a question or was used.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import datetime

from limpet.doors.admit import Admission
from limpet.doors.governor import Passed, Way, govern
from limpet.insight.distil.lines import statement_key
from limpet.insight.distil.plan import DISTILLED, EPISODE, UNPROVEN, DistilPlan, LineDraft, list_statements
from limpet.insight.distil.sources import STASHES
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import FOR_ITS_TOPIC, Draft, Memory, Origin, Phase, Region, Sensitivity, Source, Tier
from limpet.model.outcome import Admitted, Rejected
from limpet.model.query import Stored
from limpet.model.receipt import InjectionOutcome
from limpet.store.protocol import Reading

_HIDING = (ChangeKind.SUPERSEDE, ChangeKind.FORGET, ChangeKind.DROP)
_ASKED = ("recall", "show")


class LineAdmission:
    """An object that admits the lines of one run as memories. It collects the changes but does not write them.

    Call `check` for each line while the plan is made; it adds no changes. Call `admit_lines` when the plan is complete.
    If lines were admitted earlier, a memory could refer to the memory of a line that the plan drops later.

    `stored` are the memories of the project and of the agent. A line that is a whole sentence of one of them gets no
    memory of its own.
    """

    def __init__(self, admission: Admission, reading: Reading, stored: Sequence[Stored] = ()) -> None:
        self._admission = admission
        self._reading = reading
        self._stored = stored
        self._said: set[str] | None = None
        self._checked: dict[str, Draft] = {}
        self._unproven: dict[str, Draft] = {}

    @property
    def changes(self) -> list[Change]:
        return self._admission.changes

    def check(self, line: LineDraft) -> str | None:
        """Return why a line cannot be a line of MEMORY.md; None if it can.

        If the only reason is that it is neither the user's nor the agent's word, it is stored all the same.
        """
        draft = _make_draft(line)
        outcome = self._admission.admit(draft)
        if isinstance(outcome, Rejected):
            return outcome.reason
        reason = _find_refusal(outcome.memory, self.changes, self._reading)
        self._admission.withdraw(outcome, start=0)
        if reason is not None:
            return reason
        if not outcome.memory.effective_origin.is_own:
            self._unproven.setdefault(line.text, draft)
            return UNPROVEN
        if not (isinstance(outcome, Admitted) and self._is_said(line, outcome.memory.created_at)):
            self._checked.setdefault(line.text, draft)
        return None

    def _is_said(self, line: LineDraft, now: datetime) -> bool:
        """Tell whether a line is a whole sentence of a live public memory of the user or the agent.

        A text in other words is not compared.
        """
        if line.sort == EPISODE or line.source is not None:
            return False
        if self._said is None:
            live = (each.memory for each in self._stored if each.status is Status.LIVE)
            found = (each for each in live if each.phase is not Phase.ARCHIVED and not each.is_expired(now))
            public = (each for each in found if each.sensitivity is Sensitivity.PUBLIC)
            own = (each for each in public if each.effective_origin.is_own)
            self._said = {statement_key(text) for each in own for text in list_statements(each)}
        return statement_key(line.text) in self._said

    def admit_lines(self, plan: DistilPlan) -> list[str]:
        """Admit the lines that the plan adds, and return the ids of their memories.

        The lines that are left out because nobody is known to have said them are admitted too, as text of a file.
        """
        said = (*(each.text for each in plan.episodes), *(each.text for each in plan.preferences))
        lines = (*(fact.text for fact in plan.facts.added), *said)
        drafts = [self._checked[line] for line in lines if line in self._checked]
        outcomes = [self._admission.admit(draft) for draft in drafts]
        for draft in self._unproven.values():
            self._admission.admit(draft)
        return [outcome.memory.id for outcome in outcomes if not isinstance(outcome, Rejected)]


def _find_refusal(memory: Memory, changes: Sequence[Change], reading: Reading) -> str | None:
    """Return why a memory must not become a line of MEMORY.md; None if it may.

    `changes` are the changes that its admission would make.
    """
    if memory.sensitivity is not Sensitivity.PUBLIC:
        return "it holds something private or a secret"
    passed = govern(Stored(memory=memory), way=Way.ASKED)
    if not isinstance(passed, Passed) or (passed.reasons and memory.effective_origin is not Origin.USER):
        return "it reads like an order to a model"
    hidden = find_hidden_answer(changes, reading)
    if hidden is not None:
        return f"it would hide {hidden}, which has answered a question; to replace that: limpet correct {hidden}"
    return None


def find_hidden_answer(changes: Iterable[Change], reading: Reading) -> str | None:
    """Return the id of a memory that the changes would hide although it has answered a question or was used.

    Return None if there is no such memory.
    """
    for change in changes:
        if change.kind not in _HIDING:
            continue
        for receipt in reading.receipts(memory=change.subject):
            if receipt.way in _ASKED or receipt.outcomes.get(change.subject) == InjectionOutcome.USED:
                return change.subject
    return None


def _make_draft(line: LineDraft) -> Draft:
    stash = os.path.join(STASHES, f"{line.stash}.md").replace(os.sep, "/") if line.stash else None
    return Draft(
        text=line.text,
        title=line.title,
        type=line.type,
        kind=line.kind,
        region=Region.PROJECT,
        tags=(line.sort,),
        origin=line.origin,
        sources=(line.source,) if line.source else (),
        tier=Tier.KEPT if line.is_kept else Tier.NOTED,
        # An episode is told with a prompt that it answers; at a start there would soon be too many.
        earned=f"{DISTILLED}{FOR_ITS_TOPIC}" if line.sort == EPISODE else DISTILLED,
        source=Source(file=stash) if stash else None,
    )
