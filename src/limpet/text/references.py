"""Tell whether a sentence needs the one before it to be understood.

Two questions are asked. What is stored of a conversation must not point at something outside of it ("It should follow
this", "option 2"), so `points_back` looks for words that certainly do. When a text is shortened, taking a neighbour
along costs little, so `leans_on` also counts what may lose its subject: a conjunction, a missing subject, or a thing
that the sentence before has introduced ("Redis connections are pooled. Each pool holds 12 sockets.").
"""

from __future__ import annotations

from functools import lru_cache

from limpet.lean.pattern import lazy
from limpet.text.chatter import strip_chatter
from limpet.text.words import STOP, split_words, word_set

_READ = 160
"""Characters of a sentence that are read: a reference to the sentence before stands at the beginning."""

_PRONOUNS = word_set(
    "it it's its they they're theyre them their he she that's thats likewise otherwise same theirs his her"
)
_DEMONSTRATIVES = word_set("this that these those such")
# Demonstratives before these words point at what the reader has in front of them, or open a general statement.
_AT_HAND = word_set(
    "project repo repository codebase code app application package workspace machine computer team company product "
    "folder directory library service website site tests way"
)
_OBJECTS = word_set("it this that them these those one so")
_FEW = 2
"""A sentence with at most this many meaningful words, and a pronoun at its end, says nothing alone."""
# "It is important to …" points at nothing.
_EXPLETIVE = lazy(
    r"it(?:'s| is| was| would be) (?:not |very |really |always |more |most |strictly )?(?:allowed|best|better|crucial"
    r"|dangerous|easier|easy|enough|essential|fine|forbidden|hard|important|impossible|mandatory|necessary|nice|ok|okay"
    r"|possible|recommended|required|safe|unsafe|useful|worth|wrong)\b"
)
_AFTER_THAT = lazy(
    r"(?i)(?:for|after|with|without|besides|before|like) (?:that|this|it|those|them)"
    r"(?:,| (?:we|i|you|let's|lets|please|can|could|should|there)\b)"
)
# "2 sounds right", "3 but on this branch": an answer to a list of options.
_LABEL = lazy(
    r"(?i)(?:option |number |#)?[1-9](?: ?[-–—,)]\s| (?:does|seems?|is|but|and|sounds?|looks?|please)\b)"
    r"|option [a-e1-9]\b"
)

_CONJUNCTIONS = word_set(
    "but however except unless otherwise instead although though yet still nevertheless nonetheless conversely also "
    "which then so therefore hence thus and or nor not only even if because since until without apart besides rather "
    "both neither either"
)
_CONJUNCTIONS_UNSPACED = ("否则", "但", "不过", "除非", "然而", "しかし", "ただし", "でも", "それ", "它", "这")
_OF_SOMETHING = word_set(
    "fix cause reason solution workaround remedy exception problem catch downside result consequence"
)
_OWNERS = word_set("the a one my our")
_DETERMINERS = word_set("the each every any another other all most some no one a an")
_COUNTS = word_set("one two three four both all most some many few none half each several others")
_OF_THEM = word_set("of are is have has were was must may can need needs")
# A sentence that begins with one of these verbs has left its subject behind.
_VERBS = word_set(
    "is are was were has have had does can will must should needs requires returns fails works means happens depends "
    "uses runs takes holds breaks stops allows"
)
_STEM = 4


@lru_cache(maxsize=64)
def points_back(sentence: str) -> bool:
    """Tell whether a sentence certainly points at something that was said before it.

    Several stages ask this about the same sentences.
    """
    plain = strip_chatter(sentence[:_READ])
    if _LABEL.match(plain) is not None or _AFTER_THAT.match(plain) is not None:
        return True
    words = split_words(plain)
    if not words:
        return False
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first in _PRONOUNS:
        return _EXPLETIVE.match(" ".join(words[:5])) is None
    if first in _DEMONSTRATIVES:
        return second not in _AT_HAND
    is_whole = len(sentence) <= _READ
    return is_whole and words[-1] in _OBJECTS and len({*words} - STOP - _OBJECTS) <= _FEW


def leans_on(sentence: str, previous: str) -> bool:
    """Tell whether a sentence may lose its subject or change its meaning without the one before it."""
    if sentence.startswith(_CONJUNCTIONS_UNSPACED):
        return True
    raw, plain = split_words(sentence[:_READ]), split_words(strip_chatter(sentence[:_READ]))
    first, second, third = (*plain[:3], "", "", "")[:3]
    if _EXPLETIVE.match(" ".join(plain[:5])) is not None:
        return False
    if {*raw[:1], first} & _CONJUNCTIONS or first in _PRONOUNS or first in _DEMONSTRATIVES:
        return True
    if first in _OWNERS and second in _OF_SOMETHING:
        return True
    if first in _VERBS or (first in _COUNTS and second in _OF_THEM):
        return True
    return _repeats_thing(first, second, third, previous)


def _repeats_thing(first: str, second: str, third: str, previous: str) -> bool:
    """Tell whether a sentence begins with a thing of the one before, in fewer words: "the job", "each pool".

    A thing that opens both sentences in the same words stands alone: "The nightly job …. The nightly job ….".
    """
    before = split_words(previous)
    stems = {word[:_STEM] for word in before if word not in STOP}
    if first not in _DETERMINERS:
        # What the sentence before said happens is now a thing: "Logs are shipped. Shipping stops …".
        return first.endswith("ing") and first not in before and first[:_STEM] in stems
    if before[:2] == [first, second]:
        return False
    return any(word not in STOP and word[:_STEM] in stems for word in (second, third) if word)
