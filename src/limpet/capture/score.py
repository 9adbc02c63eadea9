"""Weigh what could be remembered: first a message by its signals, then each candidate by four parts.

A message that was typed or reported has many weak signals (`speech/signals.py`); their weighted sum decides whether the
message is worth keeping at all. The weights are fitted and are in tables beside this module, with the figures they
reached.

A candidate has a memorability between 0 and 1. Substance measures whether it can be acted on (a decision, a cause, a
number, a path, a fix), never how long it is. Salience measures whether it concerns the current task or a real error.
Distinctiveness is its novelty times its specificity, 0 for routine. The type adds a value for candidates of its kind.
Without distinctiveness nothing passes, so routine and known texts are never kept.
"""

from __future__ import annotations

from limpet.capture.boundaries import keywords
from limpet.capture.candidate import Candidate
from limpet.capture.meaning import Meaning
from limpet.capture.tables import load_table
from limpet.lean.record import record
from limpet.model.memory import Origin, Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PROMPTS, REPORTS = "prompt_signals", "report_signals"
"""The tables of the signals of a prompt and of a report."""
BIAS = "bias"
"""The row of a signal table that is added to every sum."""
_LEAST_SHOWN = 0.1

SUBSTANCE, SALIENCE, DISTINCTIVENESS, TYPE = 0.25, 0.25, 0.30, 0.20
GATE = 0.30
_NOTHING_NEW = 0.03

TYPE_WEIGHTS = {
    Type.DECISION: 0.8,
    Type.DISCOVERY: 0.7,
    Type.BUGFIX: 0.5,
    Type.FEATURE: 0.5,
    Type.REFACTOR: 0.3,
    Type.CHANGE: 0.3,
}
_ACTIONABLE = {
    Meaning.SOLVED_FAILURE: 0.7,
    Meaning.RULE: 0.6,
    Meaning.DECISION: 0.5,
    Meaning.CONTRAST: 0.3,
    Meaning.CAUSE: 0.4,
    Meaning.GOTCHA: 0.35,
    Meaning.FIX: 0.3,
    Meaning.FINDING: 0.4,
    Meaning.MECHANISM: 0.25,
    Meaning.COMMIT: 0.2,
    Meaning.FEATURE: 0.15,
    Meaning.REFACTOR: 0.15,
    Meaning.CHANGE: 0.1,
}
_CLOSENESS = {Origin.USER: 0.6, Origin.AGENT: 0.25, Origin.TOOL: 0.25, Origin.FILE: 0.1, Origin.EXTERNAL: 0.1}


def is_worth_keeping(signals: Mapping[str, float], table: str) -> bool:
    """Tell whether the weighted sum of a message's signals is above 0."""
    return sum_signals(signals, table) > 0


def sum_signals(signals: Mapping[str, float], table: str) -> float:
    """Return the weighted sum of a message's signals, with the bias."""
    rows = load_table(table)
    return rows[BIAS].weight + sum(rows[name].weight * value for name, value in signals.items())


def rank_signals(signals: Mapping[str, float], table: str) -> tuple[tuple[str, float], ...]:
    """Return the contribution of each signal, the largest first; negligible ones are left out."""
    rows = load_table(table)
    worth = ((name, round(rows[name].weight * value, 2)) for name, value in signals.items())
    return tuple(sorted((pair for pair in worth if abs(pair[1]) >= _LEAST_SHOWN), key=lambda pair: -abs(pair[1])))


@record
class TaskContext:
    """The current task: words of the latest prompts, and the files in use."""

    focus: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@record
class Memorability:
    """How much a candidate deserves to be remembered, and the parts of this measure."""

    substance: float
    salience: float
    novelty: float
    specificity: float
    type_weight: float

    @property
    def distinctiveness(self) -> float:
        return self.novelty * self.specificity

    @property
    def total(self) -> float:
        """Return the weighted sum of the parts, between 0 and 1."""
        parts = (
            SUBSTANCE * self.substance
            + SALIENCE * self.salience
            + DISTINCTIVENESS * self.distinctiveness
            + TYPE * self.type_weight
        )
        return round(min(1.0, max(0.0, parts)), 4)

    def passes(self, gate: float = GATE) -> bool:
        """Tell whether the candidate passes the gate and is kept."""
        return self.total >= gate and self.distinctiveness > _NOTHING_NEW


def score_candidate(candidate: Candidate, *, novelty: float = 1.0, context: TaskContext | None = None) -> Memorability:
    """Return the memorability of a candidate; `novelty` is 1 less its similarity to the nearest memory."""
    return Memorability(
        substance=_substance(candidate),
        salience=_salience(candidate, context or TaskContext()),
        novelty=min(1.0, max(0.0, novelty)),
        specificity=_specificity(candidate),
        type_weight=TYPE_WEIGHTS.get(candidate.type, 0.3),
    )


def score_routine(kind: Type) -> Memorability:
    """Return the memorability of a listing, a search or a passing build, which is only the part of its type."""
    weight = TYPE_WEIGHTS.get(kind, 0.3)
    return Memorability(substance=0.0, salience=0.1, novelty=1.0, specificity=0.0, type_weight=weight)


def _substance(candidate: Candidate) -> float:
    worth = sum(_ACTIONABLE.get(meaning, 0.0) for meaning in candidate.meanings)
    worth += 0.1 * bool(candidate.amounts) + 0.1 * (candidate.concrete > 0) + 0.1 * (candidate.concrete > 2)
    return min(1.0, worth)


def _salience(candidate: Candidate, context: TaskContext) -> float:
    found = _CLOSENESS.get(candidate.origin, 0.1) + 0.4 * candidate.real_error
    if context.focus:
        shared = set(keywords(candidate.text, 24)) & set(context.focus)
        found += 0.1 * min(4, len(shared))
    if context.files and set(candidate.files_modified or candidate.files_read) & set(context.files):
        found += 0.2
    return min(1.0, found)


def _specificity(candidate: Candidate) -> float:
    """Return how specific a candidate is: names, numbers and paths count, plain words only up to a limit."""
    return min(1.0, min(0.35, 0.06 * candidate.content) + min(0.65, 0.16 * candidate.concrete))
