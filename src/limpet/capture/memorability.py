"""How much a candidate deserves to be remembered: four parts, each between 0 and 1, and their weighted sum.

Substance asks whether it can be acted on (a decision, a cause, a number, a path, a fix), never how long it is. Salience
asks whether it bears on what is being done, or on an error that was real. Distinctiveness is what is new about it times
how specific it is, 0 for routine. The type adds what experience says of its like. What is routine or already known is
not kept, however grave it sounds: without distinctiveness nothing passes.
"""

from __future__ import annotations

from limpet.capture.boundaries import keywords
from limpet.capture.candidate import Candidate
from limpet.capture.meaning import Meaning
from limpet.lean.record import record
from limpet.model.memory import Origin, Type

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


@record
class TaskContext:
    """What is being worked on: words of the latest prompts, and the files in hand."""

    focus: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@record
class Memorability:
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
        weighed = (
            SUBSTANCE * self.substance
            + SALIENCE * self.salience
            + DISTINCTIVENESS * self.distinctiveness
            + TYPE * self.type_weight
        )
        return round(min(1.0, max(0.0, weighed)), 4)

    def passes(self, gate: float = GATE) -> bool:
        return self.total >= gate and self.distinctiveness > _NOTHING_NEW


def score(candidate: Candidate, *, novelty: float = 1.0, context: TaskContext | None = None) -> Memorability:
    """Weigh a candidate; `novelty` is 1 less its likeness to the nearest memory in the store."""
    return Memorability(
        substance=_substance(candidate),
        salience=_salience(candidate, context or TaskContext()),
        novelty=min(1.0, max(0.0, novelty)),
        specificity=_specificity(candidate),
        type_weight=TYPE_WEIGHTS.get(candidate.type, 0.3),
    )


def routine(kind: Type) -> Memorability:
    """What a listing, a search or a passing build is worth: only what its type adds."""
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
    """Names, numbers and paths make a text specific; words alone only so far."""
    return min(1.0, min(0.35, 0.06 * candidate.content) + min(0.65, 0.16 * candidate.concrete))
