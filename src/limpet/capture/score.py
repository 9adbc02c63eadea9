"""Score how much a text deserves to be remembered: a sum of points, mapped to a number between 0 and 1.

The points have four parts. Substance measures whether the text can be acted on, regardless of its length. Salience
measures whether it concerns a problem or the current task. Distinctiveness measures whether it is specific, and new
compared with the store. The type adds points if the text is a rule, an explanation or a fix. A logistic function maps
the sum to the memorability, and the text is stored as a note if its memorability reaches the gate.

Prompts and reports are scored by a few signals (`speech/signals.py`) and by their words (`text/grams.py`). The weights
were fitted to labelled messages, and the bias was chosen so that enough of the wanted messages reach the gate. In a
long prompt, many words speak for a rule. A short one has few, so it is also scored by other weights, and the higher
score counts. Tool output is scored by constants, because too little of it is labelled.
"""

from __future__ import annotations

from math import log

from limpet.capture.boundaries import rank_keywords
from limpet.capture.candidate import GATE, Candidate, Memorability
from limpet.capture.meaning import Meaning
from limpet.capture.tables import load_table
from limpet.lean.record import record
from limpet.model.memory import Origin, Type
from limpet.text.grams import find_grams, weigh_grams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PROMPTS, SHORT, REPORTS = "prompt_signals", "short_signals", "report_signals"
"""The names of the tables with the signal weights for prompts, for short prompts, and for reports."""
GRAMS = "capture/grams.bin"
"""The file with the word weights: one table for each table of signals."""
BIAS = "bias"
"""The name of the row in a signal table whose weight is added to every sum."""

_PARTS = {
    "names things": "specificity",
    "names a problem": "salience",
    "contrasts": "type_weight",
    "warns": "type_weight",
    "decides": "type_weight",
    "mostly rules": "type_weight",
    "mostly explains": "type_weight",
}
"""The part of the score to which a signal adds points. Words and all other signals add to the substance."""
_FAMILIAR = 2.0
"""The points that a message loses if a text that says the same is already stored."""
_LEAST_SHOWN = 0.1

# The points of a tool's output for each full part; the gate is at 0.30 of their sum.
_SUBSTANCE, _SALIENCE, _SPECIFICITY, _TYPE = 2.5, 2.5, 3.0, 2.0
_TOOL_BIAS = log(GATE / (1 - GATE)) - 10 * GATE

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
    """What the session is working on: words of the latest prompts, and the files in use."""

    focus: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def score_candidate(candidate: Candidate, *, context: TaskContext | None = None) -> Memorability:
    """Return the memorability score of a candidate that says something new."""
    if candidate.message is not None:
        return candidate.message
    # Names, numbers and paths count most. Plain words add at most 0.35.
    specificity = _SPECIFICITY * min(1.0, min(0.35, 0.06 * candidate.content) + min(0.65, 0.16 * candidate.concrete))
    worth = sum(_ACTIONABLE.get(meaning, 0.0) for meaning in candidate.meanings)
    worth += 0.1 * bool(candidate.amounts) + 0.1 * (candidate.concrete > 0) + 0.1 * (candidate.concrete > 2)
    return Memorability(
        bias=_TOOL_BIAS,
        substance=_SUBSTANCE * min(1.0, worth),
        salience=_SALIENCE * _measure_salience(candidate, context or TaskContext()),
        specificity=specificity,
        type_weight=_TYPE * TYPE_WEIGHTS.get(candidate.type, 0.3),
        familiarity=specificity,
    )


def score_message(table: str, signals: Mapping[str, float], sentences: Iterable[Sequence[str]]) -> Memorability:
    """Return the memorability score of a prompt or report.

    `table` is the name of the signal table, `signals` maps signal names to values, and `sentences` contains the words
    of each sentence.
    """
    rows = load_table(table)
    signs = [(name, rows[name].weight * value) for name, value in signals.items()]
    words = weigh_grams(GRAMS, table, find_grams(sentences))
    parts = {"substance": sum(points for _, points in words)}
    for name, points in signs:
        part = _PARTS.get(name, "substance")
        parts[part] = parts.get(part, 0.0) + points
    shown = [(_format_gram(gram), points) for gram, points in words if abs(points) >= _LEAST_SHOWN]
    shown += [pair for pair in signs if abs(pair[1]) >= _LEAST_SHOWN]
    return Memorability(
        bias=rows[BIAS].weight,
        familiarity=_FAMILIAR,
        reasons=tuple(sorted(shown, key=lambda pair: -abs(pair[1]))),
        **parts,
    )


def _format_gram(gram: str) -> str:
    """Return an n-gram in quotation marks, with "first" or "last" if it begins or ends a sentence."""
    if gram.startswith("^ "):
        return f'first "{gram[2:]}"'
    return f'last "{gram[:-2]}"' if gram.endswith(" $") else f'"{gram}"'


def score_routine(kind: Type) -> Memorability:
    """Return the memorability score of routine work, such as a listing or a passing build. Only the type matters."""
    return Memorability(bias=_TOOL_BIAS, type_weight=_TYPE * TYPE_WEIGHTS.get(kind, 0.3))


def _measure_salience(candidate: Candidate, context: TaskContext) -> float:
    found = _CLOSENESS.get(candidate.origin, 0.1) + 0.4 * candidate.real_error
    if context.focus:
        shared = set(rank_keywords(candidate.text, 24)) & set(context.focus)
        found += 0.1 * min(4, len(shared))
    if context.files and set(candidate.files_modified or candidate.files_read) & set(context.files):
        found += 0.2
    return min(1.0, found)
