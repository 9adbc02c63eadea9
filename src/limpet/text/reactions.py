"""Recognise in the words of a person that they object to what the agent has just done.

An objection stands at the beginning of a message: "no, use the other file", "that's not what I asked for", "revert
that". A curse counts anywhere, if it is meant for the agent: the message is short, or an address is near. A message
that is friendly ("no problem", "no, go ahead") or corrects its own author ("sorry, wrong repo") is no objection. The
caller passes only words that the person typed, and only after the agent has done something.
"""

from __future__ import annotations

from enum import StrEnum

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.excerpt import clip

__all__ = ["Reaction", "ReactionKind", "find_reaction"]

_SHORT = 120  # characters: a curse in a longer message needs an address beside it
_NEAR = 40  # characters around a curse in which an address or praise is looked for
_QUOTE = 300

_FILLERS = r"(?:(?:ok|okay|hey|hm+|oh|ah|wait|sorry|please|again|bitte|claude|codex|gemini)\b[\s,.!…-]*+){0,4}"
_FRIENDLY = (
    r"no (?:problem|problems|worries|worry|need|rush|hurry|thanks|thank you|idea|matter|doubt|biggie|stress|prob|pb)\b"
    r"|no\b[\s,.!;:–—-]*+(?:that|this|it)(?:'s| is| looks?| seems?)?(?: \w+)? (?:fine|ok|okay|good|great|perfect|right"
    r"|correct|all)\b"
    r"|no\b[\s,.!;:–—-]*+(?:go ahead|go on|continue|carry on|all good|thanks|thank you|i'm good|we're good"
    r"|i think (?:it|that|this|we)(?:'s|'re)? (?:is |are )?(?:fine|good|ok|all)|nothing)"
    r"|(?:don't|do not|dont) (?:worry|forget|hesitate|mind|bother|be afraid|be shy|need to|have to|know|care)\b"
)
_NO = (
    r"(?:no+|nope|nah|nein|non|нет)(?:\s*+[,.!;:–—…-]|\s*+$|(?=\s++(?:no|not|you|that|this|it|it's|that's|i|we|he|they|use"
    r"|do|don't|the other|wrong|stop|please|why|das|du|nicht|ich|es|esa|eso|tu|ce)\b))"
    r"|no\s++(?:es|era|uses|hagas)\b"
)
_CORRECTION = (
    r"wrong\b|incorrect\b|falsch\b|faux\b|incorrecto\b|неверно\b|не то\b"
    r"|(?:that|this|it)(?:'s| is|s| was)? (?:just |still |completely |totally )?(?:wrong|incorrect|broken|worse)\b"
    r"|(?:that|this|it)(?:'s| is|s| was)? (?:still )?(?:not|isn't|wasn't) (?:what|right|correct"
    r"|working|how|it|the|good|fixed|true|done)\b"
    r"|(?:that|this|it) (?:didn't|doesn't|does not|did not) (?:work|help|fix|compile|run|do)\b"
    r"|(?:that|this|it) still (?:fails|doesn't|isn't|breaks|crashes)\b"
    r"|not (?:what|like|that|this|there|the)\b|(?:didn't|doesn't|did not|does not) work\b"
    r"|still (?:broken|failing|fails|wrong|not|doesn't|crashing|the same)\b"
    r"|you (?:broke|forgot|ignored|missed|deleted|removed|misunderstood|were supposed|weren't supposed|keep|again)\b"
    r"|you(?:'re| are) (?:wrong|not|ignoring|missing|still)\b|why (?:did|would|have) you\b"
    r"|i (?:said|told you|asked|didn't ask|did not ask|never (?:said|asked)|meant|already (?:said|told))\b"
    r"|we don't do (?:that|this|it)\b|das (?:ist|war) (?:falsch|nicht)|so nicht\b|ce n'est pas\b|eso no\b"
)
_PROHIBITION = (
    r"(?:don't|do not|dont) (?!you\b)\w|never (?:ever |again )?(?:do|run|use|touch|edit|delete|remove"
    r"|commit|push|change|add|call|write|force)\b"
    r"|(?:stop|quit)(?:\s*+[,.!;:–—…-]|\s*+$|\s++(?:it|that|this|right|now|doing|\w+ing)\b)"
    r"|hör auf\b|lass das\b|arrête\b|basta\b|стоп\b"
)
_REVERT = (
    r"(?:revert|undo|roll (?:it |that |this )?back|rollback|back ?out|put (?:it|that|this|them) back"
    r"|change (?:it|that|this|them) back|take (?:it|that|this) (?:back|out)|mach (?:das|es) rückgängig|annule|deshaz)\b"
)
_CURSES = lazy(
    r"\b(?:fuck\w*+|wtf|ffs|shit|shitty|bullshit|damn|damnit|dammit|goddamn\w*+|bloody hell|scheiß\w*+|scheiss\w*+"
    r"|verdammt\w*+|merde|putain|mierda|joder|блять|чёрт|черт)\b"
)
_ADDRESS = lazy(r"\b(?:you|your|you're|stop|quit|keep|again|why|du|dein|tu|ты)\b")
_PRAISE = lazy(
    r"\b(?:great|good|awesome|amazing|nice|perfect|love|cool|brilliant|impressive|beautiful|fast|yes|works|worked|thanks"
    r"|genial|super)\b"
)
_OWN_MISTAKE = lazy(
    r"\b(?:my bad|my mistake|my fault|never ?mind|i was wrong|i misread|i misspoke|i mistyped|i pasted|wrong"
    r" (?:repo|repository|window|terminal|chat|tab|project|branch name)|typo on my)\b"
)
_SENTENCE = lazy(r"[^\n.!?…]*+[.!?…]*+")


class ReactionKind(StrEnum):
    """What an objection asks for: another way, a prohibition, a revert; or it is only a curse or an interruption."""

    CORRECTION = "correction"
    PROHIBITION = "prohibition"
    REVERT = "revert"
    CURSE = "curse"
    INTERRUPT = "interrupt"
    """Not found in words: the user has stopped the agent."""


_OPENINGS = tuple(
    (kind, lazy(_FILLERS + f"(?:{pattern})"))
    for kind, pattern in (
        (ReactionKind.REVERT, _REVERT),
        (ReactionKind.PROHIBITION, _PROHIBITION),
        (ReactionKind.CORRECTION, _CORRECTION),
    )
)
_FRIENDLY_OPENING = lazy(_FILLERS + f"(?:{_FRIENDLY})")
_NO_OPENING = lazy(_FILLERS + f"(?:{_NO})")


@record
class Reaction:
    """An objection of the user."""

    kind: ReactionKind
    words: str
    """The sentence that objects."""
    is_curse: bool = False
    """Whether the message also curses."""


def find_reaction(text: str, *, is_answer: bool = False) -> Reaction | None:
    """Return the objection in a message; None if there is none.

    `text` holds only words that the person typed. `is_answer` means that the agent has asked a question before, so that
    "no" alone may be the answer.
    """
    plain = " ".join(text.split())[:2000].casefold().replace("’", "'")
    if not plain or _OWN_MISTAKE.search(plain):
        return None
    is_curse = _curses(plain)
    kind = _find_opening(plain, is_answer=is_answer)
    if kind is None:
        if not is_curse:
            return None
        kind = ReactionKind.CURSE
    return Reaction(kind=kind, words=_quote(text), is_curse=is_curse)


def _find_opening(plain: str, *, is_answer: bool) -> ReactionKind | None:
    if _FRIENDLY_OPENING.match(plain):
        return None
    for kind, pattern in _OPENINGS:
        if pattern.match(plain):
            return kind
    no = _NO_OPENING.match(plain)
    if no is None:
        return None
    # What follows the "no" says what is wanted: "no, don't force it" forbids, "no, revert that" wants the state before.
    rest = plain[no.end() :].lstrip(" ,.!;:–—…-")
    following = next((kind for kind, pattern in _OPENINGS if pattern.match(rest)), None)
    return following or (None if is_answer else ReactionKind.CORRECTION)


def _curses(plain: str) -> bool:
    for found in _CURSES.finditer(plain):
        around = plain[max(0, found.start() - _NEAR) : found.end() + _NEAR]
        if not _PRAISE.search(around) and (len(plain) <= _SHORT or _ADDRESS.search(around)):
            return True
    return False


def _quote(text: str) -> str:
    """Return the first sentence, with the next one if the first is a single word such as "No."."""
    quote = ""
    for found in _SENTENCE.finditer(text.strip()):
        if found.group().strip():
            quote = f"{quote} {found.group().strip()}".strip()
            if len(quote.split()) > 2:
                break
    return clip(quote, _QUOTE)
