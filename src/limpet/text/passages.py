"""Tell whether a text follows one passage of its source: the same words, in the same order.

A text may use only words of its source and still say something else: of "check the signature before you upload it, and
use the staging token" the words allow "upload the staging token". So the words of the text must be the words of one
contiguous passage in their order, from the beginning of a clause to the end of one. Only function words, forms of a
word, and few other words may differ. A condition that belongs to the passage ("if …", "before …") must be part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.negation import is_denial
from limpet.text.statements import USING
from limpet.text.vocabulary import stem
from limpet.text.words import STOP, split_words, word_set

__all__ = ["follows_passage", "restates"]

_CONDITIONS = word_set(
    "if unless until till when whenever while before after only except without instead wenn falls bis bevor nachdem "
    "außer ohne nur statt si sauf avant après sans quand seulement solo sólo excepto antes después sin cuando hasta "
    "если кроме до после без когда только"
)
_DENIALS = word_set(
    "dont nicht kein keine keinen nie niemals ne pas jamais aucun nunca jamás não mai non не нет никогда"
)
_FREE = (
    STOP
    | word_set("user users please always should must shall do does did also just prefer prefers want wants now project")
) - _CONDITIONS
"""Words that may be added or left out, since they say nothing about what is done to what."""
_USING = frozenset(map(stem, USING))
_RESTATED = 4 / 5
"""The least share of the words of a sentence that restates another one and are in that one."""
_LONGEST = 80
"""The number of different words of a sentence that are compared with those of another one."""
_LINKS = word_set(
    "and but or so because since as und aber oder weil denn et mais ou parce car y pero o porque и но или"
)
_END = lazy(r"[.!?;:](?=\s|$)|[\n。！？；]")
_PIECE = lazy(r"[,()–—，、]+|[^,()–—，、]+")


@record
class _Word:
    stem: str
    opens: bool
    """Whether the word is the first of a clause."""
    sentence: int
    is_fixed: bool
    """Whether the word is a negation or opens a condition, so that it cannot be left out."""
    is_condition: bool


def follows_passage(text: str, source: str) -> bool:
    """Tell whether a text has the words of one contiguous passage of its source, in their order."""
    wanted = [each.stem for each in _read_words(text)]
    words = list(_read_words(source))
    return bool(wanted) and any(
        _matches(wanted, words, start) for start, word in enumerate(words) if word.opens and not _is_bound(words, start)
    )


def restates(text: str, source: str) -> bool:
    """Tell whether each sentence of a text says, perhaps in other words, what a sentence of its source says.

    Most of its words must be in that sentence, and all but one in the same order: in another order they may say
    something else. What is denied there must not be another word. The text must have a negation or a condition if
    those sentences have one, and none otherwise. Whether the text adds a name is not examined here.
    """
    wanted, known = _split_sentences(text), _split_sentences(source)
    found = [[each for each in known if _share(words, each) >= _RESTATED] for words in wanted]
    is_fixed = any(word.is_fixed for each in wanted for word in each)
    return (
        bool(wanted)
        and all(found)
        and is_fixed == any(word.is_fixed for near in found for each in near for word in each)
    )


def _split_sentences(text: str) -> list[list[_Word]]:
    return [list(words) for _, words in groupby(_read_words(text), key=lambda word: word.sentence)]


def _share(words: Sequence[_Word], others: Sequence[_Word]) -> float:
    """Return the share of the different words of a sentence that another one has, 0 if it says something else."""
    stems, known = (
        list(dict.fromkeys(each.stem for each in side if not each.is_fixed))[:_LONGEST] for side in (words, others)
    )
    wanted = [each for each in stems if each not in _USING]
    common = [each for each in wanted if each in known]
    share = len(common) / max(1, len(wanted))
    if share < _RESTATED:
        return share
    denied, other = _find_denied(words), _find_denied(others)
    if _count_in_order(common, known) < len(common) - 1 or (denied and other and denied.isdisjoint(other)):
        return 0
    return share


def _find_denied(words: Sequence[_Word]) -> set[str]:
    """Return the words that stand directly behind a negation or the opening of a condition."""
    return {after.stem for word, after in pairwise(words) if word.is_fixed and not after.is_fixed} - _USING


def _count_in_order(words: Sequence[str], known: Sequence[str]) -> int:
    """Return the length of the longest sequence of words that both have."""
    row = [0] * (len(known) + 1)
    for word in words:
        last = row
        row = [0]
        for at, other in enumerate(known):
            row.append(last[at] + 1 if word == other else max(row[at], last[at + 1]))
    return row[-1]


def _read_words(text: str) -> Iterator[_Word]:
    """Yield the words of a text that say something, each with its place in its sentence."""
    for sentence, part in enumerate(_END.split(text.replace("’", "'"))):
        opens = True
        for piece in _PIECE.findall(part):
            found = split_words(piece)
            opens = opens or not found
            for word in found:
                condition = word in _CONDITIONS
                opens = opens or word in _LINKS or condition
                if word in _FREE or word in _LINKS:
                    continue
                yield _Word(
                    stem=stem(word),
                    opens=opens,
                    sentence=sentence,
                    is_fixed=condition or is_denial(word, _DENIALS),
                    is_condition=condition,
                )
                opens = False


def _is_bound(words: Sequence[_Word], start: int) -> bool:
    """Tell whether a condition stands before a word in its sentence."""
    before = start - 1
    while before >= 0 and words[before].sentence == words[start].sentence:
        if words[before].is_condition:
            return True
        before -= 1
    return False


def _matches(wanted: Sequence[str], words: Sequence[_Word], start: int) -> bool:
    """Tell whether the wanted words are those from `start` on, up to the end of a clause without a condition after."""
    at = start
    for each in wanted:
        if at > start and at < len(words) and words[at].stem != each and not words[at].is_fixed:
            # One word, such as an adjective, may be left out.
            at += 1
        if at >= len(words) or words[at].stem != each:
            return False
        at += 1
    return at == len(words) or (words[at].opens and not _continues(words, at))


def _continues(words: Sequence[_Word], end: int) -> bool:
    """Tell whether a condition follows in the sentence in which a passage ends."""
    sentence = words[end - 1].sentence
    return any(each.is_condition for each in words[end:] if each.sentence == sentence)
