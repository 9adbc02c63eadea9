"""Compute weak signals for and against storing a message, each a number between 0 and 1.

No single word distinguishes a decision from a wish, or a finding from an answer, so signals and word weights are
combined. The signals are computed from the sentences. Their weights are in the signal tables beside `score.py`. Signals
that did not improve on word weights alone were removed (decision 20).
"""

from __future__ import annotations

from limpet.capture.meaning import Meaning
from limpet.capture.score import REPORTS
from limpet.capture.speech.statements import Statement
from limpet.capture.tables import word_list
from limpet.model.memory import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def report_signals(said: Sequence[Statement]) -> dict[str, float]:
    """Return the signals of an agent's report by name; `said` are its sentences."""
    assertions = [each for each in said if not each.asks and Meaning.INTENT not in each.meanings]
    words = {word for each in said for word in each.words}
    opening = frozenset[Meaning]().union(*(each.meanings for each in said[:2]))
    return {
        "names things": _limit_share(sum(each.concrete for each in assertions), 15),
        "lists": sum(each.item for each in said) / max(1, len(said)),
        "opens with a cause": float(Meaning.CAUSE in opening),
        "opens with a plan": float(Meaning.INTENT in opening),
        "names a problem": float(_has_word("names a problem", words) or _count(said, Meaning.SYMPTOM) > 0),
        "contrasts": _limit_share(_count(assertions, Meaning.CONTRAST), 3),
        "warns": _limit_share(_count(assertions, Meaning.GOTCHA), 3),
        "decides": _limit_share(_count(assertions, Meaning.DECISION), 3),
        "weighs what might be": float(_has_word("weighs what might be", words)),
        "says now": float(_has_word("says now", words)),
    }


def prompt_signals(said: Sequence[Statement], types: Sequence[Type]) -> dict[str, float]:
    """Return the signals of a prompt by name; `types` are the types of the sentences worth keeping."""
    content = sum(each.content for each in said)
    explained = sum(kind is Type.DISCOVERY for kind in types)
    return {
        "says much": _limit_share(content, 60),
        "says little": float(content < 5 and not types),
        "asks": sum(each.asks for each in said) / max(1, len(said)),
        "mostly rules": (len(types) - explained) / max(1, len(said)),
        "mostly explains": explained / max(1, len(said)),
    }


def _count(said: Sequence[Statement], meaning: Meaning) -> int:
    return sum(meaning in each.meanings for each in said)


def _has_word(signal: str, words: set[str]) -> bool:
    return not words.isdisjoint(word_list(REPORTS, signal))


def _limit_share(number: int, enough: int) -> float:
    """Return `number` divided by `enough`, at most 1. In the labelled messages, higher numbers made no difference."""
    return min(1.0, number / enough)
