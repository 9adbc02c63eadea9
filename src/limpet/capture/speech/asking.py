"""What a prompt asks for, and which part of it was typed."""

from __future__ import annotations

from limpet.capture.meaning import Meaning
from limpet.capture.speech.statements import Statement, is_machine, statements
from limpet.capture.speech.turn import Asked
from limpet.lean.pattern import lazy
from limpet.text.words import listed

__all__ = ["CORRECTS", "FILLERS", "asked", "asked_for", "typed_part"]

_A_LOG = 2
_ASKED_IN = 1500  # characters: whoever wants something says so early
_PERSONAL = listed("i im you we us our my me lets please don dont can ich wir du je nous yo nosotros я мы ты")
_FAILURE = lazy(r"\w(?:Error|Exception)\b|\berror\b[:\[ (]|\bERROR\b|\bTraceback\b|\bfailed\b|\bfatal:")
FILLERS = listed(
    "please and also but so ok okay yes well hmm oh just then bitte und s'il te plaît por favor пожалуйста , : ; — – !"
)
CORRECTS = listed("no nope nah actually wrong nein falsch non faux incorrecto нет неверно")
_POLITE = (FILLERS | CORRECTS) | listed(
    "can could would will you i i'd i'll like want need to let's we should us go ahead and now then also just try "
    "help me next first kannst du könntest ich möchte peux tu pourrais puedes можешь"
)
_ASKED_BY_VERB = {
    **dict.fromkeys(
        listed("fix debug repair solve resolve behebe korrigiere corrige arregla исправь почини"), Asked.MEND
    ),
    **dict.fromkeys(
        listed(
            "explain why how what where which who does investigate find check review analyze analyse compare "
            "look diagnose understand tell show read examine warum wieso wie erkläre pourquoi comment explique por "
            "qué cómo explica почему как объясни"
        ),
        Asked.LEARN,
    ),
    **dict.fromkeys(
        listed(
            "add implement create build write generate make support introduce integrate design füge erstelle "
            "baue schreibe implementiere ajoute crée implémente añade agrega crea implementa добавь создай сделай "
            "напиши реализуй"
        ),
        Asked.FEATURE,
    ),
    **dict.fromkeys(listed("refactor extract split simplify clean deduplicate restructure rename"), Asked.REFACTOR),
    **dict.fromkeys(
        listed("change update remove delete replace move set use bump upgrade switch convert migrate adjust commit"),
        Asked.CHANGE,
    ),
}


def typed_part(text: str) -> str:
    """The prompt without what was pasted into it: of a log the person wrote neither a line nor what is between."""
    lines = text.splitlines()
    printed = [number for number, line in enumerate(lines) if is_machine(line)]
    if len(printed) < _A_LOG:
        return text
    after = [line for line in lines[printed[-1] + 1 :] if _PERSONAL & set(line.lower().replace("'", " ").split())]
    return "\n".join((*lines[: printed[0]], *after))


def asked_for(text: str, before: str = "") -> str:
    """What a prompt wants done, in a word that reports are sorted by; a nod wants what was wanted before."""
    typed = typed_part(text)[:_ASKED_IN]
    return asked(statements(typed), typed, before)


def asked(said: list[Statement], text: str, before: str = "") -> str:
    """The same of a text whose sentences are known."""
    asks = False
    for each in said[:6]:
        wanted = _ASKED_BY_VERB.get(next((word for word in each.words if word not in _POLITE), ""), "")
        if wanted and not (wanted == Asked.LEARN and Meaning.SYMPTOM in each.meanings):
            return wanted
        asks = asks or each.asks
    if any(Meaning.SYMPTOM in each.meanings for each in said) or _FAILURE.search(text) is not None:
        return Asked.MEND
    if asks:
        return Asked.LEARN
    return before if sum(each.content for each in said) <= 6 else ""
