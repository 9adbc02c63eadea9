"""Tell whether a message only expresses agreement, or only tells the agent to go on, as "looks good, ship it" does.

The words are compared with a list of phrases, so a message with any other word says more.
"""

from __future__ import annotations

from limpet.text.words import split_words, word_set

_WORDS = word_set(
    "absolutely agreed alright approved awesome continue cool correct definitely exactly excellent fine go good great "
    "k lgtm nice ok okay onwards perfect proceed resume right start sure works y yeah yep yes yup "
    "genau gut ja klar los passt perfekt weiter allez-y continuez d'accord oui parfait vas-y "
    "adelante claro continua continúa dale perfecto sigue si sí vale avanti certo perfetto procedi "
    "да давай конечно отлично продолжай хорошо 好 对 네 계속"
)
_TABLE = (
    "carry on|do it|do so|do that|go ahead|go for it|go on|keep at it|keep going|keep moving|keep it up|makes sense"
    "|merge it|merge that|merge this|move on|of course|ship it|ship that|ship this|you can|you may"
    "|in ordnung|los geht's|mach das|mach es|mach weiter|c'est bon|de acuerdo|va bene"
    "|可 以|好 的|是 的|继 续|は い|続 け て"
)
_ASSENT = _WORDS | frozenset(_TABLE.split("|"))
"""Words and phrases of assent. The words of a phrase are separated as by `split_words`."""
_LONGEST_PHRASE = 4
_FILLERS = word_set(
    "a all also and for i i'm it it's just let's like looks me now please pls really seems so sounds still thank "
    "thanks that that's then this to very we with you "
    "bitte danke merci gracias grazie por favor пожалуйста спасибо je il s'il vous te plaît plait"
)
"""Words that add nothing to an assent. Alone they are none."""
_FURTHER = frozenset({"where you left off", "where you were", "as is", "that is", "this is", "it is", "with the rest"})
"""Phrases that add nothing to an assent."""
_MOST_CHARACTERS = 200
_QUESTION_MARKS = frozenset("?？")
_OTHER_ANSWERS = word_set("both either instead nah neither never no nope not rather nein non não нет 不")
"""Words that begin an answer and express no assent."""


def begins_with_answer(text: str) -> bool:
    """Tell whether the first word of a message, or its first two, assent to or refuse something said before."""
    words = split_words(text[:_MOST_CHARACTERS].replace("’", "'"))[:2]
    return bool(words) and (words[0] in _OTHER_ANSWERS or not _ASSENT.isdisjoint((words[0], " ".join(words))))


def only_assents(text: str) -> bool:
    """Tell whether a message has a word or phrase of assent and says nothing else.

    A message with a question mark never only assents.
    """
    if len(text) > _MOST_CHARACTERS or not _QUESTION_MARKS.isdisjoint(text):
        return False
    words = split_words(text.replace("’", "'"))
    at, assents = 0, False
    while at < len(words):
        for length in range(min(_LONGEST_PHRASE, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + length])
            if phrase in _ASSENT:
                assents = True
                break
            if phrase in _FURTHER or phrase in _FILLERS:
                break
        else:
            return False
        at += length
    return assents
