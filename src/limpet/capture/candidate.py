"""The memory candidate: a text that could be stored, and the score that decides whether it is."""

from __future__ import annotations

from math import exp

from limpet.capture.meaning import Meaning
from limpet.lean.record import record
from limpet.model.memory import Concept, Origin, Type
from limpet.text.chatter import capitalise, strip_chatter
from limpet.text.excerpt import shorten_line

TITLE = 110
"""The maximum length of a memory's title. A candidate's title may be longer, because session summaries use it."""
_HEADLINE = 240
GATE = 0.30
_KNOWN = 0.1
"""A text with a lower novelty counts as already known and is not stored."""
_SAME_SUBJECT = 0.4
"""A text with at least this novelty counts as new information, even if its subject is already in the store."""
_SHARING = 0.7
"""The power of a text's share of its message by which the odds of its importance fall, fitted to marked messages."""
_HIGHEST = 0.999


TYPE_OF_WORK = {
    Meaning.FIX: Type.BUGFIX,
    Meaning.FEATURE: Type.FEATURE,
    Meaning.REFACTOR: Type.REFACTOR,
    Meaning.CHANGE: Type.CHANGE,
}


@record
class Memorability:
    """A score of how much a text deserves to be remembered, with the points of each part and the reasons."""

    bias: float
    substance: float = 0.0
    salience: float = 0.0
    specificity: float = 0.0
    type_weight: float = 0.0
    familiarity: float = 0.0
    """The points that are subtracted if a text that says the same is already stored."""
    novelty: float = 1.0
    share: float = 1.0
    """The share of the message that the text makes up."""
    reasons: tuple[tuple[str, float], ...] = ()
    """The signals and words of a message with their points, strongest first. Negligible ones are left out."""

    @property
    def distinctiveness(self) -> float:
        """Return the points for specific content, minus the points for similarity to a stored memory.

        A text that only shares its subject with a memory loses no points.
        """
        return self.specificity - self.familiarity * max(0.0, 1 - self.novelty / _SAME_SUBJECT)

    @property
    def total(self) -> float:
        """Return the sum of all points, mapped to a number between 0 and 1."""
        points = self.bias + self.substance + self.salience + self.distinctiveness + self.type_weight
        return round(1 / (1 + exp(-points)), 4)

    @property
    def importance(self) -> float:
        """Return the importance of the text, from 0.3 to 0.9: the score, less for a small part of a long message.

        A long message scores high whatever is kept of it.
        """
        odds: float = self.share**_SHARING * self.total / (1 - min(self.total, _HIGHEST))
        return round(min(0.9, max(0.3, odds / (1 + odds))), 2)

    @property
    def is_known(self) -> bool:
        return self.novelty < _KNOWN

    def passes(self, gate: float = GATE) -> bool:
        """Tell whether the text is new and its score reaches `gate`, the threshold for storing it."""
        return self.total >= gate and not self.is_known


@record
class Candidate:
    """A text that could be stored as a memory, with the properties that its score is computed from."""

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
    """The words of the text that its author chose freely; an empty string if that is all of them.

    Only these words are checked for repeating an outside source. The other words come from the output of a command or
    from a path.
    """
    on_purpose: bool = False
    """Whether the user explicitly asked to remember the text."""
    why: str = ""
    """Why the text is a candidate, in a few words."""
    message: Memorability | None = None
    """The score of the message that contains the text; None if the text is scored without its message."""
    drawn_from: tuple[str, ...] = ()
    """The names of the outside sources whose words the text repeats."""


def find_concepts(meanings: frozenset[Meaning], type: Type) -> tuple[Concept, ...]:
    """Return up to three concepts that classify a text with this type and these meanings, most important first."""
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
    """Return a sentence as a title: without filler words at the beginning, capitalised, and shortened if it is long."""
    plain = " ".join(strip_chatter(text).replace("`", "").split()).rstrip(".。:： ")
    return shorten_line(capitalise(plain), _HEADLINE)
