"""What speaks for and against keeping what was typed or reported, and how much.

No single word tells a decision from a wish or a finding from an answer; many weak signs together do. Each is a number
between 0 and 1, worked out from the sentences; the points were fitted to marked messages of real sessions by
`scripts/fit_points.py` and are rounded, so that they can be read, doubted and changed by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from limpet.capture.meaning import Meaning
from limpet.capture.speech.statements import Statement
from limpet.capture.speech.turn import Asked, Turn
from limpet.model.memory import Type
from limpet.text.words import listed

_YOU = listed("you your you're you'll you've du dein ihr ihre vous votre tu ton tes usted ты вы тебе вам")
_MIGHT = listed("would could might can may könnte kannst pourrait peux podría puede можно может")
_PROBLEM = listed("issue issues problem problems bug bugs error errors cause reason problème erreur causa problema")
_WE = listed("we we're we'll we've our us wir uns nous notre nosotros nuestro мы наш")
_LIKES = listed("i'd like want wanted wish prefer möchte will veux voudrais quiero prefiero хочу")
_SHOULD = listed("should shouldn't must has have needs need sollte muss doit devrait debe должен нужно надо")
_ONLY = listed("only just nur seulement solo только")
_FORBIDS = listed("don't not no never without stop avoid nicht kein keine pas jamais no nunca не нельзя não")
_FOR_GOOD = listed("always never every each all any default future")
_NODS = listed(
    "yes yep yeah ok okay no nope sure good great perfect nice thanks continue go proceed done cool ja nein oui non "
    "sí да нет"
)
_ASKS = listed(
    "can could would will do does did is are what why how where which when who should kannst könntest ist warum wie "
    "was peux pourquoi comment puedes qué cómo можешь почему как что"
)
_LETS = listed("let's lets vamos давай lass")
_USES = listed("use using uses nutze verwende utilise usa используй")
_THIS_TIME = listed("now again next still today this")
_LOOKS = listed("see saw look looks seeing getting got get")


PROMPT: Mapping[str, float] = {
    "": -2.3, "says much": 1.8, "says little": -1.6, "rules": 2.3, "warns": 2.1, "reasons": 0.9, "for now": -0.7,
    "mostly rules": 1.8, "mostly explains": 1.2, "asks": -0.5, "ends with a question": -0.4,
    "opens with a question": -1.0, "nods": -0.8, "we": 0.9, "wishes": 0.8, "should": 0.3, "only": 0.6, "forbids": 0.9,
    "for good": 0.3, "let's": 0.4, "use": 0.6, "this time": -0.7, "looks": -0.8, "pasted": -0.5, "names things": -0.5,
    "wants nothing done": 1.0, "wants to learn": -0.3, "answers a question": 1.1,
}  # fmt: skip
REPORT: Mapping[str, float] = {
    "": -1.5, "names things": 2.3, "tells much": 1.1, "gives amounts": 1.5, "reports work": 1.2, "reports changes": 1.1,
    "reports a fix": 1.0, "opens with an end": 1.2, "opens with a cause": 1.3, "opens with a plan": -0.5,
    "names a problem": 0.4, "contrasts": 0.9, "warns": 0.9, "decides": 0.7, "addresses somebody": -0.8,
    "weighs what might be": -0.5, "begs": -1.8, "says now": 0.5, "lists": -0.3, "answers a learner": -1.0,
    "answers a complaint": -0.2, "follows an edit": 1.7,
}  # fmt: skip


def signs_of_report(said: Sequence[Statement], turn: Turn) -> dict[str, float]:
    """The signs of a message with which an agent ends its turn."""
    told = [each for each in said if not each.asks and Meaning.INTENT not in each.meanings]
    done = [each for each in told if each.first_done]
    words = {word for each in said for word in each.words}
    opening = frozenset[Meaning]().union(*(each.meanings for each in said[:2]))
    return {
        "names things": _share(sum(each.concrete for each in told), 15),
        "tells much": _share(len(told), 12),
        "gives amounts": _share(sum(each.amounts for each in told), 8),
        "reports work": float(bool(done)),
        "reports changes": _share(_count(told, Meaning.CHANGE), 3),
        "reports a fix": _share(_count(told, Meaning.FIX), 3),
        "opens with an end": float(Meaning.COMPLETION in opening),
        "opens with a cause": float(Meaning.CAUSE in opening),
        "opens with a plan": float(Meaning.INTENT in opening),
        "names a problem": float(bool(words & _PROBLEM) or _count(said, Meaning.SYMPTOM) > 0),
        "contrasts": _share(_count(told, Meaning.CONTRAST), 3),
        "warns": _share(_count(told, Meaning.GOTCHA), 3),
        "decides": _share(_count(told, Meaning.DECISION), 3),
        "addresses somebody": float(bool(words & _YOU)),
        "weighs what might be": float(bool(words & _MIGHT)),
        "begs": _share(_count(said, Meaning.REQUEST), 3),
        "says now": float("now" in words),
        "lists": sum(each.item for each in said) / max(1, len(said)),
        "answers a learner": float(turn.asked == Asked.LEARN),
        "answers a complaint": float(turn.asked == Asked.MEND),
        "follows an edit": float(turn.acted),
    }


def signs_of_prompt(
    said: Sequence[Statement], heard: Sequence[Type], asked: str, turn: Turn, *, pasted: bool
) -> dict[str, float]:
    """The signs of what a person typed; `heard` is what single sentences were taken for."""
    words = {word for each in said for word in each.words}
    first = said[0].words[0] if said and said[0].words else ""
    content = sum(each.content for each in said)
    explained = sum(kind is Type.DISCOVERY for kind in heard)
    return {
        "says much": _share(content, 60),
        "says little": float(content < 5 and not heard),
        "rules": _share(_count(said, Meaning.RULE), 2),
        "warns": _share(_count(said, Meaning.GOTCHA), 2),
        "reasons": _share(_count(said, Meaning.CAUSE), 2),
        "for now": _share(_count(said, Meaning.TEMPORARY), 2),
        "mostly rules": (len(heard) - explained) / max(1, len(said)),
        "mostly explains": explained / max(1, len(said)),
        "asks": sum(each.asks for each in said) / max(1, len(said)),
        "ends with a question": float(bool(said) and said[-1].asks),
        "opens with a question": float(first in _ASKS),
        "nods": float(first in _NODS and not heard),
        "we": float(bool(words & _WE)),
        "wishes": float(bool(words & _LIKES)),
        "should": float(bool(words & _SHOULD)),
        "only": float(bool(words & _ONLY)),
        "forbids": float(bool(words & _FORBIDS)),
        "for good": float(bool(words & _FOR_GOOD)),
        "let's": float(bool(words & _LETS)),
        "use": float(bool(words & _USES)),
        "this time": float(bool(words & _THIS_TIME)),
        "looks": float(bool(words & _LOOKS)),
        "pasted": float(pasted),
        "names things": _share(sum(each.concrete for each in said), 5),
        "wants nothing done": float(not asked),
        "wants to learn": float(asked == Asked.LEARN),
        "answers a question": float(turn.agent_asked),
    }


def telling(signs: Mapping[str, float], table: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """What each sign adds or takes, the weightiest first; what hardly counts is left out."""
    worth = ((name, round(table.get(name, 0.0) * value, 2)) for name, value in signs.items())
    return tuple(sorted((pair for pair in worth if abs(pair[1]) >= 0.1), key=lambda pair: -abs(pair[1])))


def points(signs: Mapping[str, float], table: Mapping[str, float]) -> float:
    """Above 0 it is worth keeping."""
    return table[""] + sum(table.get(name, 0.0) * value for name, value in signs.items())


def _count(said: Sequence[Statement], meaning: Meaning) -> int:
    return sum(meaning in each.meanings for each in said)


def _share(number: int, enough: int) -> float:
    """How much of enough there is; where more tells nothing more was read off the marked messages."""
    return min(1.0, number / enough)
