"""Find what is worth keeping in an agent's report or in another text.

Reasons and mechanisms count more than statements that work is finished. Guesses and announcements are never kept,
because it is better to store nothing than a wrong guess.
"""

from __future__ import annotations

from limpet.capture.candidate import TYPE_OF_WORK, Candidate, Memorability, format_title
from limpet.capture.meaning import EXPLANATIONS, Meaning
from limpet.capture.score import REPORTS, score_message
from limpet.capture.speech.signals import report_signals
from limpet.capture.speech.standalone import fit_with_context, needs_subject
from limpet.capture.speech.statements import ABOUT_NOW, STATES, Statement, candidate_from_statements, parse_statements
from limpet.capture.speech.turn import RequestedWork, Turn
from limpet.capture.tables import load_words
from limpet.lean.record import replace
from limpet.model.memory import Origin, Type
from limpet.text.references import points_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_REPORT = 500
_LEAST_SAID = 6  # words that mean something, and names: "I've fixed the errors" says too little
_CONCRETE_REPORT = 3  # names in a report that only says what was done
_DID = load_words("irregular past tenses")
_CHOOSERS = load_words("choosers")
_TYPE_ASKED_FOR: dict[str, Type] = {
    RequestedWork.FEATURE: Type.FEATURE,
    RequestedWork.REFACTOR: Type.REFACTOR,
    RequestedWork.CHANGE: Type.CHANGE,
}
_WORTH = {
    Meaning.DECISION: 3,
    Meaning.CAUSE: 3,
    Meaning.GOTCHA: 2,
    Meaning.FIX: 2,
    Meaning.CONTRAST: 2,
    Meaning.MECHANISM: 2,
    Meaning.FEATURE: 1,
    Meaning.REFACTOR: 1,
    Meaning.CHANGE: 1,
}


def report_candidate(text: str, origin: Origin, turn: Turn | None = None) -> Candidate | None:
    """Return a memory candidate for the work or findings that an agent reports at the end of its turn, or None."""
    turn = turn or Turn()
    said = parse_statements(text)
    assertions = [each for each in said if not each.asks and Meaning.INTENT not in each.meanings]
    enough = sum(each.content + each.concrete for each in assertions) >= _LEAST_SAID
    if not enough:
        return None
    spoken = [each for each in said if not each.heading] or said
    reasons = _choose_reasons(spoken, least=1)
    chosen, title = reasons or _rank_work_sentences([each for each in assertions if each in spoken] or assertions)
    kind = _choose_report_type(assertions, turn, _choose_reasons_type(said, chosen) if reasons else Type.CHANGE)
    opening = _find_opening(assertions)
    if opening is not None:
        # The opening of a report says what the rest is about.
        title = format_title(opening.text)
        chosen = [opening, *(each for each in chosen if each is not opening)]
    chosen = fit_with_context(_LONGEST_REPORT, chosen, said, subject=turn.request)
    if not chosen:
        return None
    made = candidate_from_statements(chosen, type=kind, origin=origin, title=title, why=f"a report of a {kind.value}")
    text = f"{turn.request} → {made.text}" if needs_subject(said, chosen[0]) else made.text
    return replace(made, text=text, message=score_report(said))


def score_report(said: Sequence[Statement]) -> Memorability:
    """Return the memorability score of an agent's report; `said` are its sentences."""
    return score_message(REPORTS, report_signals(said), (each.words for each in said))


def text_candidate(text: str, origin: Origin, *, least: int = 1) -> Candidate | None:
    """Return a memory candidate made of the sentences that explain a reason or a mechanism, or None if there are none.

    `least` is the minimum score of a sentence.
    """
    said = parse_statements(text)
    reasons = _choose_reasons([each for each in said if not each.heading], least=least)
    if reasons is None:
        return None
    chosen, title = reasons
    kind = _choose_reasons_type(said, chosen)
    chosen = fit_with_context(_LONGEST_REPORT, chosen, said)
    if not chosen:
        return None
    return candidate_from_statements(chosen, type=kind, origin=origin, title=title, why=f"a report of a {kind.value}")


def _find_opening(assertions: list[Statement]) -> Statement | None:
    """Return the first meaningful sentence at the beginning of a report.

    Return None if the report begins with a list or with sentences that say nothing specific.
    """
    for each in assertions[:3]:
        if each.item:
            return None
        if each.heading or points_back(each.text):
            continue
        pointed = (
            each.first_done
            or each.concrete
            or each.meanings & {Meaning.CAUSE, Meaning.FIX, Meaning.GOTCHA, Meaning.CONTRAST}
        )
        if each.content > 2 and len(each.text) > 15 and pointed:
            return each
    return None


def _choose_reasons(said: list[Statement], *, least: int) -> tuple[list[Statement], str] | None:
    """Return the sentences that explain a reason or a mechanism, best first, and a title.

    Return None if they say too little. `least` is the minimum score of a sentence.
    """
    scored = [(_score_sentence(each), each) for each in said]
    best = sorted((pair for pair in scored if pair[0] >= least), key=lambda pair: -pair[0])
    if not best or (best[0][0] < 2 and sum(each.concrete for _, each in best) < _CONCRETE_REPORT):
        return None
    ranked = [each for _, each in best]
    alone = (each for each in ranked if not points_back(each.text) and not each.text.endswith((":", "：")))
    return ranked, format_title(next(alone, ranked[0]).text)


def _rank_work_sentences(assertions: list[Statement]) -> tuple[list[Statement], str]:
    """Return the sentences, best first, and a title.

    Sentences that report finished work come first, then those that name the most specific things.
    """
    ranked = sorted(assertions, key=lambda each: (not each.first_done, -each.concrete))
    top = max(assertions, key=lambda each: (each.content > 2, bool(each.first_done), each.concrete))
    return ranked, format_title(top.text)


def _choose_reasons_type(said: list[Statement], chosen: list[Statement]) -> Type:
    repaired = any(
        Meaning.FIX in each.meanings and not each.asks and Meaning.INTENT not in each.meanings for each in said
    )
    opening = next(
        (each.first_done for each in said if each.first_done and not each.asks and Meaning.INTENT not in each.meanings),
        None,
    )
    return _find_type(chosen, repaired=repaired, opening=opening, acted=any(map(_reports_action, said)))


def _choose_report_type(assertions: list[Statement], turn: Turn, usual: Type) -> Type:
    """Return the type of a report, taking into account what the user asked for.

    Agents often describe only the result, so the request shows the type better than the words. `usual` is the type that
    the reasons in the report suggest.
    """
    done = [each.first_done for each in assertions if each.first_done]
    finds = any(each.meanings & EXPLANATIONS for each in assertions)
    ends = any(Meaning.COMPLETION in each.meanings for each in assertions[:3]) and not (
        finds and turn.asked in (RequestedWork.LEARN, "")
    )
    if not (done or ends or turn.acted):
        if turn.asked in _TYPE_ASKED_FOR:
            return _TYPE_ASKED_FOR[turn.asked]
        decides = usual is Type.DECISION and any(
            Meaning.DECISION in each.meanings and _is_own_choice(each) for each in assertions
        )
        mends = usual is Type.BUGFIX and any(Meaning.FIX in each.meanings for each in assertions)
        return usual if decides or mends else Type.DISCOVERY
    mended = (
        done[:1] == [Meaning.FIX]
        and done.count(Meaning.FIX) >= done.count(Meaning.CHANGE)
        and turn.asked != RequestedWork.CHANGE
    )
    if mended or (turn.asked == RequestedWork.MEND and (done or turn.acted)):
        return Type.BUGFIX
    if turn.asked == RequestedWork.LEARN and len(done) < 2 and finds:
        return Type.DISCOVERY
    if turn.asked in _TYPE_ASKED_FOR:
        return _TYPE_ASKED_FOR[turn.asked]
    if usual is Type.BUGFIX and Meaning.FIX in done:
        return usual
    return TYPE_OF_WORK[max(done, key=done.count)] if done else Type.CHANGE


def _score_sentence(said: Statement) -> int:
    if said.asks or Meaning.INTENT in said.meanings or said.content < 3:
        return 0
    worth = sum(_WORTH.get(meaning, 0) for meaning in said.meanings)
    if (
        Meaning.DECISION in said.meanings
        and not said.concrete
        and not said.meanings & {Meaning.CAUSE, Meaning.CONTRAST}
        and said.content < 6
    ):
        worth -= _WORTH[Meaning.DECISION]
    if Meaning.MEASUREMENT in said.meanings and said.amounts:
        worth += 2
    if (
        not worth
        and said.concrete > 3
        and said.words[0] not in ABOUT_NOW
        and any(word in STATES for word in said.words)
    ):
        # A plain sentence with that many names explains something, whatever its words.
        worth = 1
    if Meaning.FIX in said.meanings and worth < 4 and said.concrete < 2:
        # That something is fixed does not help without what, where or why.
        worth = 1
    counted = said.meanings & _WORTH.keys()
    vague = (
        not said.concrete and Meaning.SYMPTOM not in said.meanings and (said.words[0] in ABOUT_NOW or said.content < 6)
    )
    if (counted == {Meaning.CAUSE} and vague) or (counted == {Meaning.MECHANISM} and said.concrete < 2):
        worth = 0
    if worth == 1 and not said.concrete:
        return 0
    return worth


def _is_own_choice(said: Statement) -> bool:
    """Tell whether a sentence reports the speaker's decision: "I settled on X", but not "the request was rejected"."""
    return not said.text.isascii() or bool(_CHOOSERS & set(said.words))


def _reports_action(said: Statement) -> bool:
    """Tell whether a sentence reports that the agent did something, as in "I renamed the module"."""
    pairs = zip(said.words, said.words[1:], strict=False)
    if "now" in said.words and said.concrete:
        return True
    return any(who in ("i", "i've", "now") and (did.endswith("ed") or did in _DID) for who, did in pairs)


def _find_type(
    said: list[Statement], *, repaired: bool = False, opening: Meaning | None = None, acted: bool = False
) -> Type:
    """Return the type of memory for the given sentences of a message.

    `opening` is the first kind of finished work that the message reports. `repaired` tells whether the message mentions
    a repair, and `acted` whether it reports any action.
    """
    meanings = frozenset[Meaning]().union(*(each.meanings for each in said))
    done = next((each.first_done for each in said if each.first_done), None)
    decided = any(Meaning.DECISION in each.meanings and _is_own_choice(each) for each in said)
    fixed = any(Meaning.FIX in each.meanings for each in said)
    if opening == Meaning.FIX and not decided:
        return Type.BUGFIX
    if fixed and (done == Meaning.FIX or not decided):
        return Type.BUGFIX if done in (Meaning.FIX, None) or Meaning.CAUSE in meanings else TYPE_OF_WORK[done]
    if decided or (not done and any(Meaning.CONTRAST in each.meanings and _is_own_choice(each) for each in said)):
        return Type.DECISION
    if opening and opening != Meaning.FIX and not (repaired and Meaning.CAUSE in meanings):
        return TYPE_OF_WORK[opening]
    if done:
        return TYPE_OF_WORK[done]
    if not meanings & {Meaning.CAUSE, Meaning.GOTCHA} and any("now" in each.words for each in said):
        return Type.CHANGE
    blamed = any({Meaning.CAUSE, Meaning.SYMPTOM} <= each.meanings for each in said)
    return Type.BUGFIX if Meaning.CAUSE in meanings and (repaired or (blamed and acted)) else Type.DISCOVERY
