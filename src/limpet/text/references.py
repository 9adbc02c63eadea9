"""Tell whether a sentence needs the sentence before it to be understood.

There are a strict and a generous test. `points_back` is for sentences of a conversation that are stored alone. It finds
only words that certainly refer to something before ("It should follow this", "option 2"). `depends_on` is for texts
that are shortened, where keeping one sentence too many costs little. It also finds sentences that begin with a
conjunction, have no subject, or speak of something that the sentence before has introduced ("Redis connections are
pooled. Each pool holds 12 sockets.").
"""

from __future__ import annotations

from functools import lru_cache

from limpet.lean.pattern import lazy
from limpet.text.chatter import strip_chatter
from limpet.text.words import STOP, split_words, word_set

_READ = 160
"""How many characters of a sentence are read; references to the sentence before are at the beginning."""

_PRONOUNS = word_set(
    "it it's its they they're theyre them their he she that's thats likewise otherwise same theirs his her"
)
_DEMONSTRATIVES = word_set("this that these those such")
# After "this" or "that", these words refer to something that any reader knows: "this project".
_AT_HAND = word_set(
    "project repo repository codebase code app application package workspace machine computer team company product "
    "folder directory library service website site tests way"
)
_OBJECTS = word_set("it this that them these those one so")
_FEW = 2
"""A sentence that ends with a pronoun refers back if it has at most this many meaningful words."""
# In "it is important to …", "it" refers to nothing.
_EXPLETIVE = lazy(
    r"it(?:'s| is| was| would be) (?:not |very |really |always |more |most |strictly )?(?:allowed|best|better|crucial"
    r"|dangerous|easier|easy|enough|essential|fine|forbidden|hard|important|impossible|mandatory|necessary|nice|ok|okay"
    r"|possible|recommended|required|safe|unsafe|useful|worth|wrong)\b"
)
_AFTER_THAT = lazy(
    r"(?i)(?:for|after|with|without|besides|before|like) (?:that|this|it|those|them)"
    r"(?:,| (?:we|i|you|let's|lets|please|can|could|should|there)\b)"
)
# An answer to a list of options: "2 sounds right", "3 but on this branch".
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
# A sentence that begins with one of these verbs has no subject.
_VERBS = word_set(
    "is are was were has have had does can will must should needs requires returns fails works means happens depends "
    "uses runs takes holds breaks stops allows"
)
_STEM = 4


# Cached, because several stages call it for the same sentences.
@lru_cache(maxsize=64)
def points_back(sentence: str) -> bool:
    """Tell whether a sentence certainly refers to something that was said before it."""
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


def depends_on(sentence: str, previous: str) -> bool:
    """Tell whether a sentence may have no subject or another meaning without the sentence before it, `previous`."""
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
    """Tell whether the first words of a sentence refer to a thing in the sentence before: "the job", "each pool".

    If both sentences begin with the same words, there is no reference: "The nightly job …. The nightly job …."
    """
    before = split_words(previous)
    stems = {word[:_STEM] for word in before if word not in STOP}
    if first not in _DETERMINERS:
        # A verb of the sentence before is now a noun: "Logs are shipped. Shipping stops …".
        return first.endswith("ing") and first not in before and first[:_STEM] in stems
    if before[:2] == [first, second]:
        return False
    return any(word not in STOP and word[:_STEM] in stems for word in (second, third) if word)
