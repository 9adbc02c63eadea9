"""Recognise the kind of work that a prompt asks for."""

from __future__ import annotations

from limpet.capture.meaning import Meaning
from limpet.capture.speech.statements import Statement, parse_statements
from limpet.capture.speech.turn import RequestedWork
from limpet.capture.tables import load_words
from limpet.lean.pattern import lazy

_ASKED_IN = 1500  # characters: a request stands at the beginning
_FAILURE = lazy(r"\w(?:Error|Exception)\b|\berror\b[:\[ (]|\bERROR\b|\bTraceback\b|\bfailed\b|\bfatal:")
FILLERS = load_words("fillers")
CORRECTS = load_words("corrections")
_POLITE = FILLERS | CORRECTS | load_words("polite openings")
_MAY = frozenset(("can", "could", "would", "will", "kannst", "könntest", "peux", "pourrais", "puedes", "podrías"))
_DOERS = frozenset(("you", "we", "i", "u", "du", "tu", "vous", "usted"))
_ASKED_BY_VERB = {
    **dict.fromkeys(load_words("mending verbs"), RequestedWork.MEND),
    **dict.fromkeys(load_words("learning verbs"), RequestedWork.LEARN),
    **dict.fromkeys(load_words("feature verbs"), RequestedWork.FEATURE),
    **dict.fromkeys(load_words("refactoring verbs"), RequestedWork.REFACTOR),
    **dict.fromkeys(load_words("changing verbs"), RequestedWork.CHANGE),
}


def is_request(text: str) -> bool:
    """Tell whether a text asks for something now: a question, "can you …", or a complaint that states no rule."""
    for each in parse_statements(text[:_ASKED_IN]):
        pairs = zip(each.words, each.words[1:], strict=False)
        if each.asks or any(first in _MAY and second in _DOERS for first, second in pairs):
            return True
        if Meaning.SYMPTOM in each.meanings and not each.meanings & {Meaning.RULE, Meaning.DECISION}:
            return True
    return False


def find_request(typed: str, before: str = "", *, pasted: str = "") -> str:
    """Return the kind of work that a prompt asks for, as a value of `RequestedWork`, or an empty string if unknown.

    For a short prompt that names no work, such as "yes, go on", the result is `before`, the kind of the previous
    prompt. If `pasted` shows a failure, such a prompt asks for a fix.
    """
    typed = typed[:_ASKED_IN]
    has_failure = _FAILURE.search(pasted) is not None
    return find_request_in(parse_statements(typed), typed, RequestedWork.MEND if has_failure else before)


def find_request_in(said: list[Statement], text: str, before: str = "") -> str:
    """Return the kind of work that a text asks for; `said` are its parsed sentences.

    For a short text that names no work, the result is `before`.
    """
    asks = False
    for each in said[:6]:
        wanted = _ASKED_BY_VERB.get(next((word for word in each.words if word not in _POLITE), ""), "")
        if wanted and not (wanted == RequestedWork.LEARN and Meaning.SYMPTOM in each.meanings):
            return wanted
        asks = asks or each.asks
    if any(Meaning.SYMPTOM in each.meanings for each in said) or _FAILURE.search(text) is not None:
        return RequestedWork.MEND
    if asks:
        return RequestedWork.LEARN
    return before if sum(each.content for each in said) <= 6 else ""
