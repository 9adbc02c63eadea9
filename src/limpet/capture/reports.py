"""What is worth keeping of what an agent reports, or another source tells.

What counts is why and how, not that it is done; what is only guessed or announced is never kept, because a wrong guess
stored as a fact is worse than nothing.
"""

from __future__ import annotations

from limpet.capture.candidate import DONE, Candidate, concepts, headline, of_statements
from limpet.capture.points import REPORT, Turn, of_report, points
from limpet.capture.statements import ABOUT_NOW, STATES, Statement, statements
from limpet.model.memory import Origin, Type
from limpet.record import replace
from limpet.text.words import listed

_LONGEST_REPORT = 700
_LEAST_SAID = 6  # words that mean something, and names: "I've fixed the errors" helps nobody
_CONCRETE_REPORT = 3  # names in a report that only says what was done
_DID = listed("made put set wrote kept gave took built rewrote split moved")
_CHOOSERS = listed("i i've i'm i'll we we've we'll we're let's decision chosen decided agreed ich wir je nous on")
_WORTH = {
    "decided": 3,
    "cause": 3,
    "gotcha": 2,
    "fixed": 2,
    "contrast": 2,
    "how": 2,
    "feature": 1,
    "refactor": 1,
    "change": 1,
}


def from_report(text: str, origin: Origin, turn: Turn | None = None) -> Candidate | None:
    """What the agent says at the end of its turn: the account of work that was done, or what was found out."""
    turn = turn or Turn()
    said = statements(text)
    told = [each for each in said if not each.asks and "intent" not in each.says]
    if sum(each.content + each.concrete for each in told) < _LEAST_SAID or points(of_report(said, turn), REPORT) <= 0:
        return None
    done = [each for each in told if each.first_done]
    found = _from(said, origin, least=1) or _account(told, done, origin)
    kind = _kind(told, done, turn, found.type)
    return replace(found, type=kind, concepts=concepts(found.says, kind), why=f"a report of a {kind.value}")


def _account(told: list[Statement], done: list[Statement], origin: Origin) -> Candidate:
    """The sentences that name most, in their order."""
    ranked = sorted(told, key=lambda each: (not each.first_done, -each.concrete))
    chosen: list[Statement] = []
    length = 0
    for each in ranked:
        length += len(each.text)
        if chosen and length > _LONGEST_REPORT:
            break
        chosen.append(each)
    kept = [each for each in told if each in chosen]
    top = max(done or kept, key=lambda each: (each.content > 2, each.concrete))
    return of_statements(kept, type=Type.CHANGE, origin=origin, title=headline(top.text))


def _kind(told: list[Statement], done: list[Statement], turn: Turn, usual: Type) -> Type:
    """What a turn came to: mended, found out, or made; what was asked for tells it best, if it is known."""
    finds = any(each.says & {"cause", "gotcha", "how"} for each in told)
    finished = any("finished" in each.says for each in told[:3]) and not (finds and turn.asked in ("learn", ""))
    if not (done or finished or turn.acted) and turn.asked in ("feature", "refactor", "change"):
        return DONE[turn.asked]
    if not (done or finished or turn.acted):
        decides = usual is Type.DECISION and any("decided" in each.says and _is_own_choice(each) for each in told)
        mends = usual is Type.BUGFIX and any("fixed" in each.says for each in told)
        return usual if decides or mends else Type.DISCOVERY
    counted = {kind: sum(each.first_done == kind for each in done) for kind in DONE}
    opening = done[0].first_done if done else ""
    mended = opening == "fixed" and counted["fixed"] >= counted["change"] and turn.asked != "change"
    if mended or (turn.asked == "mend" and (done or turn.acted)):
        return Type.BUGFIX
    if turn.asked == "learn" and len(done) < 2 and finds:
        return Type.DISCOVERY
    if turn.asked in ("feature", "refactor", "change"):
        return DONE[turn.asked]
    if usual is Type.BUGFIX and counted["fixed"]:
        return usual
    if not done:
        return Type.CHANGE
    return DONE[max(counted, key=lambda kind: (counted[kind], kind == opening))]


def from_words(text: str, origin: Origin, *, least: int = 1) -> Candidate | None:
    """What a report says about why and how, in its own sentences; None if it says nothing of the kind."""
    return _from(statements(text), origin, least=least)


def _from(said: list[Statement], origin: Origin, *, least: int) -> Candidate | None:
    weighed = [(_worth(each), number) for number, each in enumerate(said)]
    best = sorted((pair for pair in weighed if pair[0] >= least), key=lambda pair: (-pair[0], pair[1]))
    if not best or (best[0][0] < 2 and sum(said[number].concrete for _, number in best) < _CONCRETE_REPORT):
        return None
    chosen: list[int] = []
    length = 0
    for _, number in best:
        length += len(said[number].text)
        if chosen and length > _LONGEST_REPORT:
            break
        chosen.append(number)
    kept = [said[number] for number in sorted(chosen)]
    repaired = any("fixed" in each.says and not each.asks and "intent" not in each.says for each in said)
    opening = next(
        (each.first_done for each in said if each.first_done and not each.says & {"intent"} and not each.asks), ""
    )
    kind = type_of(kept, repaired=repaired, opening=opening, acted=any(map(_acts, said)))
    top = said[best[0][1]]
    return of_statements(kept, type=kind, origin=origin, title=headline(top.text), why=f"a report of a {kind.value}")


def _worth(said: Statement) -> int:
    if said.asks or "intent" in said.says or said.content < 3:
        return 0
    worth = sum(_WORTH.get(meaning, 0) for meaning in said.says)
    if "decided" in said.says and not said.concrete and not said.says & {"cause", "contrast"} and said.content < 6:
        worth -= _WORTH["decided"]
    if "measured" in said.says and said.amounts:
        worth += 2
    if (
        not worth
        and said.concrete > 3
        and said.words[0] not in ABOUT_NOW
        and any(word in STATES for word in said.words)
    ):
        # So many names in one plain sentence tell how something is, whatever the words.
        worth = 1
    if "fixed" in said.says and worth < 4 and said.concrete < 2:
        # That something is fixed helps nobody who does not learn what, where or why.
        worth = 1
    telling = said.says & _WORTH.keys()
    vague = not said.concrete and "symptom" not in said.says and (said.words[0] in ABOUT_NOW or said.content < 6)
    if (telling == {"cause"} and vague) or (telling == {"how"} and said.concrete < 2):
        worth = 0
    if worth == 1 and not said.concrete:
        return 0
    return worth


def _is_own_choice(said: Statement) -> bool:
    """ "I settled on X" decides; "the request was rejected" only uses such a word."""
    return not said.text.isascii() or bool(_CHOOSERS & set(said.words))


def _acts(said: Statement) -> bool:
    """Does the agent say that it has done something, whatever the verb?"""
    pairs = zip(said.words, said.words[1:], strict=False)
    if "now" in said.words and said.concrete:
        return True
    return any(who in ("i", "i've", "now") and (did.endswith("ed") or did in _DID) for who, did in pairs)


def type_of(said: list[Statement], *, repaired: bool = False, opening: str = "", acted: bool = False) -> Type:
    """What happened, by the weightiest thing that is said; of finished work, by what is named first."""
    says = frozenset[str]().union(*(each.says for each in said))
    done = next((each.first_done for each in said if each.first_done), "")
    decided = any("decided" in each.says and _is_own_choice(each) for each in said)
    fixed = any("fixed" in each.says for each in said)
    if opening == "fixed" and not decided:
        return Type.BUGFIX
    if fixed and (done == "fixed" or not decided):
        return Type.BUGFIX if done in ("fixed", "") or "cause" in says else DONE[done]
    if decided or (not done and any("contrast" in each.says and _is_own_choice(each) for each in said)):
        return Type.DECISION
    if opening and opening != "fixed" and not (repaired and "cause" in says):
        return DONE[opening]
    if done:
        return DONE[done]
    if not says & {"cause", "gotcha"} and any("now" in each.words for each in said):
        return Type.CHANGE
    blamed = any({"cause", "symptom"} <= each.says for each in said)
    return Type.BUGFIX if "cause" in says and (repaired or (blamed and acted)) else Type.DISCOVERY
