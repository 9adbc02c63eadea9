"""Detect by rules whether the user objects to what the agent has just done.

The rules are narrow, because a false alarm costs more than a missed objection. An objection is at the beginning of a
message. It rejects or reverts what the agent did, which it calls "that", "it" or "the last change", or does not name at
all. "Undo that" is an objection. "Undo button: make it blue" is a title, "wrong answers are shown in red" a noun
phrase, and "that is wrong in the README" a remark about a file. A message is no objection if it praises or agrees ("no,
that is fine"), or if users correct themselves ("sorry, wrong repo"). A curse counts anywhere in the message, if it is
addressed to the agent. The caller must pass only words that the user typed, and only after the agent has done
something.
"""

from __future__ import annotations

from limpet.lean.enumeration import StrEnum
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.excerpt import clip

_NEAR = 40
"""How many characters before and after a curse are searched for words that address the agent."""
_SPEAKS = 300
"""How many characters at the beginning of a message are searched for praise and assent."""
_QUOTE = 300

_FILLERS = r"(?:(?:ok|okay|hey|hm+|oh|ah|wait|sorry|please|again|bitte|claude|codex|gemini)\b[\s,.!…-]*+){0,4}"

# What may follow a complete clause.
_END = (
    r"(?=\s*+(?:$|[,.!;…–—]|-(?!\w)|(?:again|now|at all|anymore|either|because|since|and|but|you|i|we|please|use|undo"
    r"|revert)\b))"
)
# What may follow a word that is an objection by itself. "Undo, redo and save buttons" is an enumeration.
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
    rf"(?:wrong|incorrect|falsch|faux|incorrecto|неверно|не то)\b{_ALONE}|(?:the )?wrong \w++\s*+(?:[,.!]|again\b|$)"
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
# A prohibition that refers to what the agent did ("don't do that"), and one that does so only if it names the command
# or the file ("never push").
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
_INSULT = r"(?:idiot|moron|imbecile|dumbass|dummkopf|imbécile|connard|idiota|imbécil|идиот|дурак)\b"
_CURSES = lazy(rf"\b(?:{_CURSE}|{_INSULT})")
# "A damn cold place" curses at nobody.
_OF_A_THING = lazy(r"\b(?:a|an|the|so|ein|eine|un|une) (?:damn|goddamn|bloody|verdammt|putain)\b")
_OUTRAGE = lazy(
    _FILLERS + r"(?:what the (?:hell|heck|fuck)(?:(?=[,.!?;:–—-])"
    r"| (?:is|are|was|were|did|do|does|have|has|now)\b)"
    r"|are you (?:kidding|serious|stupid|blind|insane|crazy|drunk)\b|how (?:dumb|stupid) \w|you suck\b"
    r"|fuck off\b|screw you\b|shut up\b"
    r"|you(?:'re| are) (?:such |so |really )?(?:an? )?(?:stupid|dumb|useless|terrible|hopeless|idiot|moron)\b"
    r"|(?:you |du |tu )?(?:stupid )?(?:idiot|moron|imbécile|idiota|идиот)(?:[,.!]|$)"
    r"|stupid (?:bot|machine|thing|ai|agent)\b|was zum teufel\b|spinnst du\b|bist du (?:blöd|dumm|verrückt)\b"
    r"|c'est quoi ce bordel\b|t'es (?:con|fou|sérieux)\b|qué (?:demonios|coño|diablos)\b|какого (?:ч[её]рта|хрена)\b"
    r"|ты (?:дурак|идиот|тупой|слепой)\b)"
)
# What opens a message before the objection itself. Alone, it may also be about the user's own mishap.
_EXCLAMATION = lazy(
    rf"(?:{_CURSE}(?: (?:it|this|that))?|god damn(?: it)?|oh (?:no|god|man|my god)(?: no)*+|crap|ugh+|argh+|grr+|omg"
    r"|hell|jesus(?: christ)?|(?:oh )?for \w+'s sake|what the (?:hell|heck|fuck)|what a mess|so ein mist|mist"
    r"|mince|блин|seriously)"
    r"(?:[\s,.!?…;:–—-]++|$)"
)
_BLAME = lazy(
    rf"(?:{_IT}(?:'s| is| was)? (?:the|not|my|our|wrong|prod\w*+|live|broken|dropped|deleted|removed|wiped"
    rf"|{_DAMAGED})\b"
    r"|not\b|wrong\b|you(?:'ve| have| just| already)* (?:\w+ed|did|broke|put|made|keep|lost|overwrote|wrote|ran)\b"
    r"|(?:i|we) (?:said|asked|told)\b|(?:again|now (?:the|it|my|our)|(?:the )?other)\b"
    r"|falsch\w*+|das (?:ist|war) die|mauvais\w*+|t'as|tu as|archivo equivocado|otra vez|eso es|не (?:тот|та|то)\b"
    r"|это же)"
)
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
    r" (?:repo|repository|window|terminal|chat|tab|project|branch name)|typo on my"
    r"|(?:damn|shit|crap|fuck|oops|sorry|argh|ugh)[\s,.!]+i (?:forgot|pushed|gave|broke|sent|typed|deleted|missed))\b"
)
# The dot in "cart.py" does not end a sentence.
_SENTENCE = lazy(r"(?:[^\n.!?…]|[.!?…](?=[^\s.!?…]))*+[.!?…]*+")


class ReactionKind(StrEnum):
    """The kinds of objection, by what the user asks for or does."""

    CORRECTION = "correction"
    """Something is wrong: "no, that is wrong"."""
    PROHIBITION = "prohibition"
    """Something must not be done: "don't do that", "never push"."""
    REVERT = "revert"
    """Something should be undone: "undo that"."""
    CURSE = "curse"
    """The user only curses at the agent."""
    INTERRUPT = "interrupt"
    """The user has stopped the agent without saying anything."""
    COMPLAINT = "complaint"
    """An objection that only the model in `objections` finds."""


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
    """A user's objection to what the agent did, as recognised in the text of a message."""

    kind: ReactionKind
    words: str
    """The sentence with the objection, as the user wrote it."""
    points: bool = False
    """Whether a prohibition or a revert refers to what the agent has just done: "undo that", "stop".

    Otherwise, it is an objection only if it names what the agent did.
    """
    is_curse: bool = False
    """Whether the message has a curse."""


def find_reaction(text: str, *, is_answer: bool = False) -> Reaction | None:
    """Return the objection in a message, or None if there is none.

    `text` contains only words that the user typed. `is_answer` is set if the message answers a question from the agent,
    so that "no" alone is an answer and not an objection.
    """
    plain = " ".join(text.split())[:2000].casefold().replace("’", "'")
    if not plain or _OWN_MISTAKE.search(plain) or _praises(plain):
        return None
    kind, points = _find_opening(plain, is_answer=is_answer)
    # "Undo that, thanks" is an objection; "you removed our last warning, thanks" is praise.
    if kind in (None, ReactionKind.CORRECTION) and _THANKS.search(plain[:_SPEAKS]):
        return None
    is_curse = _CURSES.search(plain) is not None if kind is not None else _curses(plain)
    if kind is None and not is_curse:
        return None
    return Reaction(kind=kind or ReactionKind.CURSE, words=quote_objection(text), points=points, is_curse=is_curse)


def _find_opening(plain: str, *, is_answer: bool) -> tuple[ReactionKind | None, bool]:
    """Return the kind of the objection at the beginning of a message, and whether it refers to what the agent did.

    The kind is None if there is no objection.
    """
    if _FRIENDLY_OPENING.match(plain):
        return None, False
    exclaimed = _EXCLAMATION.match(plain)
    if exclaimed is not None:
        rest = plain[exclaimed.end() :]
        kind, points = _find_opening(rest, is_answer=is_answer)
        return kind or (ReactionKind.CORRECTION if _BLAME.match(rest) else None), points
    no, rest, has_break = None, plain, False
    while len(plain) - len(rest) < _SPEAKS and (found := _NO_OPENING.match(rest)):
        no, has_break = found, _BREAK.match(rest, found.end()) is not None
        rest = rest[found.end() :].lstrip(" ,.!;:–—…-")
    title = _TITLE.match(rest)
    if title is not None and not _REFERS.search(title.group()):
        return None, False
    # The words after a "no" determine the kind: "no, don't force it" is a prohibition, "no, revert that" a revert.
    for kind, pattern in _OPENINGS:
        if pattern.match(rest):
            return kind, _POINTED_OPENING.match(rest) is not None
    if no is None or is_answer or not (has_break or _OTHER.match(rest)):
        return None, False
    return ReactionKind.CORRECTION, False


def _praises(plain: str) -> bool:
    """Tell whether a message praises the agent or agrees with it; "not great" and "don't go on" do not count."""
    return any(
        found.group() == "not bad" or not _NEGATES.search(plain, max(0, found.start() - 24), found.start())
        for found in _PRAISE.finditer(plain[:_SPEAKS])
    )


def _curses(plain: str) -> bool:
    """Tell whether a message curses at the agent: it has nothing but curses, or addresses the agent near a curse."""
    if _OUTRAGE.match(plain) is not None:
        return True
    only = _CURSES_ONLY.match(plain) is not None
    return any(
        only
        or (
            _ADDRESS.search(plain, max(0, found.start() - _NEAR), found.end() + _NEAR)
            and not _OF_A_THING.search(plain, max(0, found.start() - _NEAR), found.end())
        )
        for found in _CURSES.finditer(plain)
    )


def quote_objection(text: str) -> str:
    """Return the first sentence of an objection, or as many sentences as are needed for three words."""
    quote = ""
    for found in _SENTENCE.finditer(text.strip()):
        if found.group().strip():
            quote = f"{quote} {found.group().strip()}".strip()
            if len(quote.split()) > 2:
                break
    return clip(quote, _QUOTE)
