"""Recognise in the words of a person that they object to what the agent has just done.

An objection stands at the beginning of a message, and its form is narrow, because an objection that nobody made costs
more than one that is missed. It denies or reverts, and what it denies is what the agent did: "that", "it", "the last
change", or nothing at all before the clause ends. "Undo that" is one; "Undo button: make it blue" is a title, "wrong
answers are shown in red" a noun phrase, "that is wrong in the README" a remark on a file. A message that praises or
agrees ("no, that is fine", "never change, great work") or corrects its own author ("sorry, wrong repo") is none. A
curse counts anywhere, if it is meant for the agent. The caller passes only words that the person typed, and only after
the agent has done something.
"""

from __future__ import annotations

from limpet.lean.enumeration import StrEnum
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.excerpt import clip

__all__ = ["Reaction", "ReactionKind", "find_reaction", "quote_objection"]

_NEAR = 40  # characters around a curse in which an address is looked for
_SPEAKS = 300  # characters at the beginning of a message in which praise or assent is looked for
_QUOTE = 300

_FILLERS = r"(?:(?:ok|okay|hey|hm+|oh|ah|wait|sorry|please|again|bitte|claude|codex|gemini)\b[\s,.!…-]*+){0,4}"

# What may follow a clause that is complete.
_END = (
    r"(?=\s*+(?:$|[,.!;…–—]|-(?!\w)|(?:again|now|at all|anymore|either|because|since|and|but|you|i|we|please|use|undo"
    r"|revert)\b))"
)
# What may follow a word that objects alone; "undo, redo and save buttons" is an enumeration.
_ALONE = (
    r"(?=\s*+(?:$|[.!;…–—]|-(?!\w)|now\b|please\b|,\s*+(?:it|it's|that|that's|this|you|i|we|don't|do|use|not|never|please"
    r"|the|no|why|stop|undo|revert)\b))"
)
_IT = r"(?:that|this|it)"
_IS = r"(?:'s| is|s| was)?(?: just| still| completely| totally| all| so)?"
_THOSE = r"(?:it|that|this|them|those|these|everything|all of (?:it|that|this|them)|das|es|ça|cela|eso)\b"
_CHANGE = r"(?:changes?|edits?|commits?|steps?|commands?|modifications?|push|merge)"
_DAMAGED = r"(?:broke|ignored|misunderstood|ruined|messed up|screwed up)"
_DAMAGE = (
    r"(?:touch|delete|remove|overwrite|break|ignore|disable|drop|wipe|kill|reset|rewrite|push|revert|force)(?:-\w++)?"
)
_DAMAGING = (
    r"(?:breaking|ignoring|forgetting|deleting|removing|doing (?:that|this|it)|touching|overwriting|messing|undoing"
    r"|repeating|making the same|adding the same|getting (?:it|that|this) wrong)"
)

_CORRECTION = (
    rf"(?:wrong|incorrect|falsch|faux|incorrecto|неверно|не то)\b{_ALONE}|wrong \w++\s*+(?:[.!]|$)"
    rf"|{_IT}{_IS} (?:wrong|incorrect|broken|worse)\b{_END}|{_IT}{_IS} the wrong\b"
    rf"|{_IT}(?:'s| is|s| was)? (?:still )?(?:not|isn't|wasn't) (?:(?:right|correct|working|good|fixed|true|it)\b{_END}"
    r"|(?:what|how) (?:i|we|you|it)\b|the (?:right|correct|same|one)\b|like that\b)"
    rf"|(?:{_IT} )?(?:didn't|did not) (?:work|help|fix|compile|run)\b"
    rf"|(?:{_IT} )?(?:still )?(?:doesn't|does not) (?:work|help|compile|run|fix (?:it|that|this|anything))\b{_END}"
    rf"|{_IT} still (?:fails|breaks|crashes)\b"
    rf"|not (?:like )?(?:that|this|there)(?: (?:one|file|way))?\b{_END}|not what (?:i|we)\b|not the (?:\w++ )?\w++[,!]"
    r"|still (?:broken|failing|fails|wrong|crashing|crashes|not working|doesn't work"
    r"|the same (?:error|problem|issue|bug))\b"
    rf"|you (?:just |again |have )?(?:{_DAMAGED}\b(?! nothing)"
    r"|(?:deleted|removed|overwrote|dropped|lost|wiped) (?:my|our|everything|too|the wrong)\b"
    rf"|(?:forgot|missed) (?:that|the point|what i)\b|were(?:n't| not)? supposed\b|keep {_DAMAGING}\b)"
    r"|you(?:'re| are) (?:wrong|ignoring|breaking|not (?:listening|supposed|allowed)|missing the point)\b"
    rf"|why (?:did|would|have) you (?:just |again )?{_DAMAGE}\b"
    r"|i (?:already )?(?:said|told you)(?: already| twice| before)?[\s,:]++(?:no|not|never|don't|use|stop|leave|only"
    r"|without|we)\b|i (?:already )?told you to\b"
    r"|i asked you (?:not )?to\b|i asked for [^.!?;]{0,80}\bnot\b|i (?:didn't|did not) ask\b|i never (?:said|asked)\b"
    r"|i meant (?:the|to use|not|that)\b|we (?:don't|do not) do (?:that|this|it)\b"
    r"|das (?:ist|war) (?:falsch|nicht (?:richtig|was|gut|das))\b|so nicht\b|ce n'est pas (?:ça|bon|correct|ce que)\b"
    rf"|eso no\b{_END}|no es (?:eso|lo que|así|correcto)\b"
)
_DO = r"(?:do|run|use|touch|edit|delete|remove|commit|push|change|add|call|write|force)"
# A prohibition that points at what was done, and one that is about that only if it names the command or the edit.
_POINTED_PROHIBITION = (
    rf"(?:(?:don't|do not|dont) (?:ever )?(?:\w++ )?|never (?:ever |again )?{_DO} )(?:that|this|it|those|these|them)\b"
    rf"|(?:don't|do not|dont){_ALONE}|(?:stop|quit)(?:{_ALONE}| (?:it|that|this|right now|right there)\b"
    r"| \w+ing (?:that|this|it|them|those)\b)"
    rf"|(?:hör auf|lass das|arrête|basta|стоп)\b{_ALONE}"
)
_PROHIBITION = (
    rf"(?:don't|do not|dont) (?!(?:you|we|i|they)\b)\w|never (?:ever |again )?{_DO}\b"
    r"|(?:stop|quit) \w+ing\b|no (?:uses|hagas)\b"
)
_REVERT = (
    rf"(?:revert|undo|roll ?back|back ?out|annule|deshaz)\b(?:{_ALONE}| {_THOSE}"
    rf"| (?:the|your|all|all the|all your) (?:(?:last|latest|previous|recent) )?{_CHANGE}\b{_END}"
    r"| what you (?:did|changed|wrote)\b)"
    rf"|roll {_THOSE} back\b|(?:put|change|take) (?:it|that|this|them) (?:back|out)\b{_END}"
    r"|mach (?:das|es) (?:wieder )?rückgängig\b"
)
_FRIENDLY = (
    r"(?:don't|do not|dont) (?:worry|forget|hesitate|mind|bother|be afraid|be shy|need to|have to|know|care)\b"
    r"|(?:no|nope|nah)\b[\s,.!;:–—-]*+(?:thanks|thank you|nothing|i'm good|we're good|not yet)\b|no\.\s*+\d"
)
_NO = r"(?:no+|nope|nah|nein|non|нет)\b"
_BREAK = lazy(r"\s*+(?:$|[,.!;:–—…]|-(?!\w))")  # "no-op" is a word
_OTHER = lazy(r"(?:use|the other|wrong|please (?:use|don't))\b")
_TITLE = lazy(r"(?:[^\W_][\w'-]*+ ){1,5}[^\W_][\w'-]*+:\s")
_REFERS = lazy(r"\b(?:that|this|it|those|these|them|you|your|i|we)\b")
_CURSE = (
    r"(?:fuck\w*+|wtf|ffs|shit|shitty|bullshit|damn|damnit|dammit|goddamn\w*+|bloody hell|scheiß\w*+|scheiss\w*+"
    r"|verdammt\w*+|merde|putain|mierda|joder|блять|чёрт|черт)\b"
)
_CURSES = lazy(rf"\b{_CURSE}")
_CURSES_ONLY = lazy(rf"(?:(?:{_CURSE}|what|the|oh|no|again|it|this|man|sake|for)[\s,.!?…]*+){{1,8}}$")
_ADDRESS = lazy(
    r"(?<!can )(?<!could )(?<!would )(?<!will )(?<!thank )(?<!if )\b(?:you|your|you're|stop|quit|du|dein|ты)\b"
    rf"|\b{_IT}(?:'s| is| was) (?:\w++ )?{_CURSE}"
)
_PRAISE = lazy(
    r"(?:\b(?:great|awesome|amazing|nice|perfect|perfectly|excellent|brilliant|impressive|beautiful|wonderful|fantastic"
    r"|superb|lovely|genius|genial|parfait|perfekt|perfecto|klasse|отлично|lgtm|bravo|congrats|kudos|well done"
    r"|(?:i |really )?love (?:it|that|this|how)|nailed it|you did it|not bad|made my day"
    r"|(?:good|solid|fine|clever|smart) (?:job|work|one|stuff|catch|fix|idea|call|thinking|point|enough|now|to go)"
    r"|(?:all|looks?|sounds?|seems?|works?|worked|feels?|damn|so|very|really|pretty) (?:good|fine|well|ok|okay|right)"
    r"|yes|yeah|yep|yup|approved|i agree|you(?:'re| are| were) right|go ahead|go on|carry on"
    r"|continue|keep going|proceed|ship it|merge it|keep (?:it|that|this|them)(?: \w+)?(?=\s*+(?:$|[.,!;]))"
    r"|leave it(?: as| like|$)|it works|that works|works now|that worked|all set|we're done|(?:for|enough for) "
    r"(?:today|now|the day))\b"
    r"|(?:'s| is| was| are| were| looks?)(?: (?:all|actually|really|very|so|just|now|absolutely|exactly|quite|totally"
    r"|already))? (?:fine|good|ok|okay|right|correct|cool|what i (?:wanted|meant|needed))\b)"
    r"(?! (?:before|until|yesterday|earlier|without)\b)"
)
_THANKS = lazy(r"\b(?:thanks|thank you|thx|merci|danke|gracias)\b")
_NEGATES = lazy(r"(?:\bnot|n't|\bnever|\bdont|\bno|\bstop)\s++(?:\w++\s++)?$")
_OWN_MISTAKE = lazy(
    r"\b(?:my bad|my mistake|my fault|never ?mind|i was wrong|i misread|i misspoke|i mistyped|i pasted|wrong"
    r" (?:repo|repository|window|terminal|chat|tab|project|branch name)|typo on my)\b"
)
_SENTENCE = lazy(r"(?:[^\n.!?…]|[.!?…](?=[^\s.!?…]))*+[.!?…]*+")  # the dot of "cart.py" ends none


class ReactionKind(StrEnum):
    """What an objection asks for: another way, a prohibition, a revert; or it is only a curse or an interruption."""

    CORRECTION = "correction"
    PROHIBITION = "prohibition"
    REVERT = "revert"
    CURSE = "curse"
    INTERRUPT = "interrupt"
    """Not found in words: the user has stopped the agent."""
    COMPLAINT = "complaint"
    """Something is wrong, in a form that the rules here do not know; `objections` finds it."""


_OPENINGS = tuple(
    (kind, lazy(_FILLERS + f"(?:{pattern})"))
    for kind, pattern in (
        (ReactionKind.REVERT, _REVERT),
        (ReactionKind.PROHIBITION, f"{_POINTED_PROHIBITION}|{_PROHIBITION}"),
        (ReactionKind.CORRECTION, _CORRECTION),
    )
)
_FRIENDLY_OPENING = lazy(_FILLERS + f"(?:{_FRIENDLY})")
_NO_OPENING = lazy(_FILLERS + _NO)
_POINTED_OPENING = lazy(_FILLERS + f"(?:{_REVERT}|{_POINTED_PROHIBITION})")


@record
class Reaction:
    """An objection of the user."""

    kind: ReactionKind
    words: str
    """The sentence that objects."""
    points: bool = False
    """Whether a prohibition or a revert points at what was done: "undo that", "stop". Otherwise it must name it."""
    is_curse: bool = False
    """Whether the message also curses."""


def find_reaction(text: str, *, is_answer: bool = False) -> Reaction | None:
    """Return the objection in a message; None if there is none.

    `text` holds only words that the person typed. `is_answer` means that the agent has asked a question before, so that
    "no" alone may be the answer.
    """
    plain = " ".join(text.split())[:2000].casefold().replace("’", "'")
    if not plain or _OWN_MISTAKE.search(plain) or _praises(plain):
        return None
    kind, points = _find_opening(plain, is_answer=is_answer)
    # "Undo that, thanks" is polite; "you removed our last warning, thanks" is content.
    if kind in (None, ReactionKind.CORRECTION) and _THANKS.search(plain[:_SPEAKS]):
        return None
    is_curse = _CURSES.search(plain) is not None if kind is not None else _curses(plain)
    if kind is None and not is_curse:
        return None
    return Reaction(kind=kind or ReactionKind.CURSE, words=quote_objection(text), points=points, is_curse=is_curse)


def _find_opening(plain: str, *, is_answer: bool) -> tuple[ReactionKind | None, bool]:
    """Return what the beginning of a message asks for, and whether it points at what was done."""
    if _FRIENDLY_OPENING.match(plain):
        return None, False
    no, rest, has_break = None, plain, False
    while len(plain) - len(rest) < _SPEAKS and (found := _NO_OPENING.match(rest)):
        no, has_break = found, _BREAK.match(rest, found.end()) is not None
        rest = rest[found.end() :].lstrip(" ,.!;:–—…-")
    title = _TITLE.match(rest)
    if title is not None and not _REFERS.search(title.group()):
        return None, False
    # What follows a "no" says what is wanted: "no, don't force it" forbids, "no, revert that" wants the state before.
    for kind, pattern in _OPENINGS:
        if pattern.match(rest):
            return kind, _POINTED_OPENING.match(rest) is not None
    if no is None or is_answer or not (has_break or _OTHER.match(rest)):
        return None, False
    return ReactionKind.CORRECTION, False


def _praises(plain: str) -> bool:
    """Tell whether a message praises or agrees; "not great" and "don't go on" do neither."""
    return any(
        found.group() == "not bad" or not _NEGATES.search(plain, max(0, found.start() - 24), found.start())
        for found in _PRAISE.finditer(plain[:_SPEAKS])
    )


def _curses(plain: str) -> bool:
    """Tell whether a message curses at the agent: it only curses, or the agent is addressed beside the curse."""
    only = _CURSES_ONLY.match(plain) is not None
    return any(
        only or _ADDRESS.search(plain, max(0, found.start() - _NEAR), found.end() + _NEAR)
        for found in _CURSES.finditer(plain)
    )


def quote_objection(text: str) -> str:
    """Return the first sentences of an objection, until they have three words: "No." alone does not say enough."""
    quote = ""
    for found in _SENTENCE.finditer(text.strip()):
        if found.group().strip():
            quote = f"{quote} {found.group().strip()}".strip()
            if len(quote.split()) > 2:
                break
    return clip(quote, _QUOTE)
