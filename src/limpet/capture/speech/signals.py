"""The weak signals for and against keeping a message, each a number between 0 and 1.

No single word distinguishes a decision from a wish or a finding from an answer; many weak signals together do. They are
computed here from the sentences. Their weights are in the signal tables beside `score.py`.
"""

from __future__ import annotations

from limpet.capture.meaning import Meaning
from limpet.capture.score import PROMPTS, REPORTS
from limpet.capture.speech.statements import Statement
from limpet.capture.speech.turn import Asked, Turn
from limpet.capture.tables import word_list
from limpet.model.memory import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["prompt_signals", "report_signals"]


def report_signals(said: Sequence[Statement], turn: Turn) -> dict[str, float]:
    """Return the signals of an agent's message at the end of its turn."""
    assertions = [each for each in said if not each.asks and Meaning.INTENT not in each.meanings]
    done = [each for each in assertions if each.first_done]
    words = {word for each in said for word in each.words}
    opening = frozenset[Meaning]().union(*(each.meanings for each in said[:2]))
    return {
        "names things": _share(sum(each.concrete for each in assertions), 15),
        "tells much": _share(len(assertions), 12),
        "gives amounts": _share(sum(each.amounts for each in assertions), 8),
        "reports work": float(bool(done)),
        "reports changes": _share(_count(assertions, Meaning.CHANGE), 3),
        "reports a fix": _share(_count(assertions, Meaning.FIX), 3),
        "opens with an end": float(Meaning.COMPLETION in opening),
        "opens with a cause": float(Meaning.CAUSE in opening),
        "opens with a plan": float(Meaning.INTENT in opening),
        "names a problem": float(_has_word(REPORTS, "names a problem", words) or _count(said, Meaning.SYMPTOM) > 0),
        "contrasts": _share(_count(assertions, Meaning.CONTRAST), 3),
        "warns": _share(_count(assertions, Meaning.GOTCHA), 3),
        "decides": _share(_count(assertions, Meaning.DECISION), 3),
        "addresses somebody": float(_has_word(REPORTS, "addresses somebody", words)),
        "weighs what might be": float(_has_word(REPORTS, "weighs what might be", words)),
        "begs": _share(_count(said, Meaning.REQUEST), 3),
        "says now": float(_has_word(REPORTS, "says now", words)),
        "lists": sum(each.item for each in said) / max(1, len(said)),
        "answers a learner": float(turn.asked == Asked.LEARN),
        "answers a complaint": float(turn.asked == Asked.MEND),
        "follows an edit": float(turn.acted),
    }


def prompt_signals(
    said: Sequence[Statement], types: Sequence[Type], asked: str, turn: Turn, *, pasted: bool
) -> dict[str, float]:
    """Return the signals of a typed prompt; `types` are the types of its single sentences."""
    words = {word for each in said for word in each.words}
    first = said[0].words[0] if said and said[0].words else ""
    content = sum(each.content for each in said)
    explained = sum(kind is Type.DISCOVERY for kind in types)
    return {
        "says much": _share(content, 60),
        "says little": float(content < 5 and not types),
        "rules": _share(_count(said, Meaning.RULE), 2),
        "warns": _share(_count(said, Meaning.GOTCHA), 2),
        "reasons": _share(_count(said, Meaning.CAUSE), 2),
        "for now": _share(_count(said, Meaning.TEMPORARY), 2),
        "mostly rules": (len(types) - explained) / max(1, len(said)),
        "mostly explains": explained / max(1, len(said)),
        "asks": sum(each.asks for each in said) / max(1, len(said)),
        "ends with a question": float(bool(said) and said[-1].asks),
        "opens with a question": float(_has_word(PROMPTS, "opens with a question", {first})),
        "nods": float(_has_word(PROMPTS, "nods", {first}) and not types),
        "we": float(_has_word(PROMPTS, "we", words)),
        "wishes": float(_has_word(PROMPTS, "wishes", words)),
        "should": float(_has_word(PROMPTS, "should", words)),
        "only": float(_has_word(PROMPTS, "only", words)),
        "forbids": float(_has_word(PROMPTS, "forbids", words)),
        "for good": float(_has_word(PROMPTS, "for good", words)),
        "let's": float(_has_word(PROMPTS, "let's", words)),
        "use": float(_has_word(PROMPTS, "use", words)),
        "this time": float(_has_word(PROMPTS, "this time", words)),
        "looks": float(_has_word(PROMPTS, "looks", words)),
        "pasted": float(pasted),
        "names things": _share(sum(each.concrete for each in said), 5),
        "wants nothing done": float(not asked),
        "wants to learn": float(asked == Asked.LEARN),
        "answers a question": float(turn.agent_asked),
    }


def _count(said: Sequence[Statement], meaning: Meaning) -> int:
    return sum(meaning in each.meanings for each in said)


def _has_word(table: str, signal: str, words: set[str]) -> bool:
    return not words.isdisjoint(word_list(table, signal))


def _share(number: int, enough: int) -> float:
    """Return `number` as a share of `enough`, at most 1: in the labelled messages, more made no difference."""
    return min(1.0, number / enough)
