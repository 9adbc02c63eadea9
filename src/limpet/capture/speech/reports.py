"""What is worth keeping of what an agent reports, or another source tells.

What counts is why and how, not that it is done; what is only guessed or announced is never kept, because a wrong guess
stored as a fact is worse than nothing.
"""

from __future__ import annotations

from limpet.capture.candidate import DONE, Candidate, headline
from limpet.capture.speech.points import REPORT, points, signs_of_report
from limpet.capture.speech.statements import ABOUT_NOW, STATES, Statement, of_statements, statements
from limpet.capture.speech.turn import WORK, Asked, Turn
from limpet.model.memory import Origin, Type
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
    enough = sum(each.content + each.concrete for each in told) >= _LEAST_SAID
    if not enough or points(signs_of_report(said, turn), REPORT) <= 0:
        return None
    reasons = _reasons(said, least=1)
    chosen, title = reasons or _account(told)
    kind = _kind(told, turn, _type_of_reasons(said, chosen) if reasons else Type.CHANGE)
    opening = _opening(told)
    if opening is not None:
        # What a report begins with says what all the rest is about.
        title = headline(opening.text)
        chosen = chosen if opening in chosen else [opening, *chosen]
    return of_statements(chosen, type=kind, origin=origin, title=title, why=f"a report of a {kind.value}")


def from_words(text: str, origin: Origin, *, least: int = 1) -> Candidate | None:
    """What a text says about why and how, in its own sentences; None if it says nothing of the kind."""
    said = statements(text)
    reasons = _reasons(said, least=least)
    if reasons is None:
        return None
    chosen, title = reasons
    kind = _type_of_reasons(said, chosen)
    return of_statements(chosen, type=kind, origin=origin, title=title, why=f"a report of a {kind.value}")


def _opening(told: list[Statement]) -> Statement | None:
    """The sentence with which a report gets to the point; none where it begins with a list or with mere noise."""
    for each in told[:3]:
        if each.item:
            return None
        pointed = each.first_done or each.concrete or each.says & {"cause", "fixed", "gotcha", "contrast"}
        if each.content > 2 and len(each.text) > 15 and pointed:
            return each
    return None


def _reasons(said: list[Statement], *, least: int) -> tuple[list[Statement], str] | None:
    """The sentences that say why and how, and a title; None if there are none."""
    weighed = [(_worth(each), each) for each in said]
    best = sorted((pair for pair in weighed if pair[0] >= least), key=lambda pair: -pair[0])
    if not best or (best[0][0] < 2 and sum(each.concrete for _, each in best) < _CONCRETE_REPORT):
        return None
    return _within(_LONGEST_REPORT, [each for _, each in best], said), headline(best[0][1].text)


def _account(told: list[Statement]) -> tuple[list[Statement], str]:
    """The sentences that tell of finished work and name most, and a title."""
    ranked = sorted(told, key=lambda each: (not each.first_done, -each.concrete))
    top = max(told, key=lambda each: (each.content > 2, bool(each.first_done), each.concrete))
    return _within(_LONGEST_REPORT, ranked, told), headline(top.text)


def _within(length: int, ranked: list[Statement], order: list[Statement]) -> list[Statement]:
    """The first of the ranked that fit into the length, in the order in which they were said."""
    chosen: list[Statement] = []
    for each in ranked:
        length -= len(each.text)
        if chosen and length < 0:
            break
        chosen.append(each)
    return [each for each in order if any(each is one for one in chosen)]


def _type_of_reasons(said: list[Statement], chosen: list[Statement]) -> Type:
    repaired = any("fixed" in each.says and not each.asks and "intent" not in each.says for each in said)
    opening = next(
        (each.first_done for each in said if each.first_done and not each.says & {"intent"} and not each.asks), ""
    )
    return type_of(chosen, repaired=repaired, opening=opening, acted=any(map(_acts, said)))


def _kind(told: list[Statement], turn: Turn, usual: Type) -> Type:
    """What a turn came to: mended, found out, or made; what was asked for tells it best, if it is known.

    A report that names no deed is still of the work that was asked for: agents often tell how the thing is now.
    """
    done = [each.first_done for each in told if each.first_done]
    finds = any(each.says & {"cause", "gotcha", "how"} for each in told)
    ends = any("finished" in each.says for each in told[:3]) and not (finds and turn.asked in (Asked.LEARN, ""))
    if not (done or ends or turn.acted):
        if turn.asked in WORK:
            return DONE[turn.asked]
        decides = usual is Type.DECISION and any("decided" in each.says and _is_own_choice(each) for each in told)
        mends = usual is Type.BUGFIX and any("fixed" in each.says for each in told)
        return usual if decides or mends else Type.DISCOVERY
    mended = done[:1] == ["fixed"] and done.count("fixed") >= done.count("change") and turn.asked != Asked.CHANGE
    if mended or (turn.asked == Asked.MEND and (done or turn.acted)):
        return Type.BUGFIX
    if turn.asked == Asked.LEARN and len(done) < 2 and finds:
        return Type.DISCOVERY
    if turn.asked in WORK:
        return DONE[turn.asked]
    if usual is Type.BUGFIX and "fixed" in done:
        return usual
    return DONE[max(done, key=done.count)] if done else Type.CHANGE


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
