"""The candidate: a text that capture could store, and how much it deserves to be remembered."""

from __future__ import annotations

from math import exp

from limpet.capture.meaning import Meaning
from limpet.lean.record import record
from limpet.model.memory import Concept, Origin, Type
from limpet.text.chatter import capitalise, strip_chatter
from limpet.text.excerpt import shorten_line

TITLE = 110
"""The maximum number of characters of a memory's title; a candidate's may be longer, for a summary of the session."""
_HEADLINE = 240
GATE = 0.30
_KNOWN = 0.1
"""A text that is less new than this is known already, whatever else speaks for it."""
_SAME_SUBJECT = 0.4
"""How new a text is that speaks of a known subject and says something else about it."""


TYPE_OF_WORK = {
    Meaning.FIX: Type.BUGFIX,
    Meaning.FEATURE: Type.FEATURE,
    Meaning.REFACTOR: Type.REFACTOR,
    Meaning.CHANGE: Type.CHANGE,
}


@record
class Memorability:
    """How much a text deserves to be remembered: the points of each part, and what they consist of."""

    bias: float
    substance: float = 0.0
    salience: float = 0.0
    specificity: float = 0.0
    type_weight: float = 0.0
    familiarity: float = 0.0
    """The points that the text loses if the store says the same."""
    novelty: float = 1.0
    reasons: tuple[tuple[str, float], ...] = ()
    """The signals and words of a message with their points, the strongest first; negligible ones are left out."""

    @property
    def distinctiveness(self) -> float:
        """Return the points for being specific, less the points for being similar to a stored memory.

        A text that only shares its subject with a memory loses no points.
        """
        return self.specificity - self.familiarity * max(0.0, 1 - self.novelty / _SAME_SUBJECT)

    @property
    def total(self) -> float:
        """Return the sum of the parts as a number between 0 and 1."""
        points = self.bias + self.substance + self.salience + self.distinctiveness + self.type_weight
        return round(1 / (1 + exp(-points)), 4)

    @property
    def is_known(self) -> bool:
        return self.novelty < _KNOWN

    def passes(self, gate: float = GATE) -> bool:
        """Tell whether the text passes the gate and is noted."""
        return self.total >= gate and not self.is_known


@record
class Candidate:
    """A text that could be stored, with the properties that its score is computed from."""

    text: str
    type: Type
    origin: Origin
    title: str
    subtitle: str = ""
    concepts: tuple[Concept, ...] = ()
    tags: tuple[str, ...] = ()
    meanings: frozenset[Meaning] = frozenset()
    content: int = 0
    concrete: int = 0
    amounts: int = 0
    real_error: bool = False
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    commit: str | None = None
    written: str = ""
    """The part of the text that the agent wrote, if a command printed the rest.

    Only this part may repeat what was read.
    """
    on_purpose: bool = False
    """Whether the user asked to remember the text."""
    why: str = ""
    """The reason for considering the text, in a few words."""
    message: Memorability | None = None
    """The memorability of the message that the text was said in; None for the output of a tool."""
    drawn_from: tuple[str, ...] = ()
    """The names of the outside sources that the text repeats."""


def find_concepts(meanings: frozenset[Meaning], type: Type) -> tuple[Concept, ...]:
    """Return at most three concepts for a text of this type with these meanings, the most important first."""
    found = []
    if Meaning.SOLVED_FAILURE in meanings or (type is Type.BUGFIX and Meaning.CAUSE in meanings):
        found.append(Concept.PROBLEM_SOLUTION)
    if Meaning.GOTCHA in meanings and type is not Type.DECISION:
        found.append(Concept.GOTCHA)
    if Meaning.CONTRAST in meanings or (Meaning.DECISION in meanings and Meaning.CAUSE in meanings):
        found.append(Concept.TRADE_OFF)
    if Meaning.RULE in meanings and type is Type.DECISION:
        found.append(Concept.PATTERN)
    if Meaning.CAUSE in meanings:
        found.append(Concept.WHY_IT_EXISTS)
    if Meaning.MECHANISM in meanings:
        found.append(Concept.HOW_IT_WORKS)
    if type in (Type.FEATURE, Type.REFACTOR, Type.CHANGE) or meanings & {
        Meaning.FEATURE,
        Meaning.REFACTOR,
        Meaning.CHANGE,
    }:
        found.append(Concept.WHAT_CHANGED)
    return tuple(found[:3])


def format_title(text: str) -> str:
    """Return a sentence as a title: without filler words in front, capitalised, cut between words."""
    plain = " ".join(strip_chatter(text).replace("`", "").split()).rstrip(".。:： ")
    return shorten_line(capitalise(plain), _HEADLINE)
