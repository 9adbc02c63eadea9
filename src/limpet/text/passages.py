"""Find the passage of a source that a text was made from, and tell whether the text restates it in its own words.

A text may use only words of its source and still say something else: of "check the signature before you upload it, and
use the staging token" the words allow "upload the staging token". And no measure of words tells a faithful rewording
from a false one. So what a model writes of a source is told as the passage of the source, and only what
has nearly the same words, in the same order, counts as said by the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.claims import split_claims, split_sentences
from limpet.text.negation import FOREIGN_DENIALS, is_denial
from limpet.text.statements import USING
from limpet.text.vocabulary import OPPOSITES, stem
from limpet.text.words import STOP, split_words, word_set

_CONDITIONS = word_set(
    "if unless until till when whenever while before after only except without instead wenn falls bis bevor nachdem "
    "außer ohne nur statt si sauf avant après sans quand seulement solo sólo excepto antes después sin cuando hasta "
    "если кроме до после без когда только"
)
_DENIALS = FOREIGN_DENIALS | word_set("dont avoid stop skip")
_EXCLUDING = word_set("without except instead ohne außer statt sauf sans excepto sin кроме без")
"""The conditions that mean "not"."""
_FREE = (
    STOP
    | word_set("and but or so because since as und aber oder weil denn et mais ou parce car y pero o porque и но или")
    | word_set(
        "user users please always every each should must shall do does did also just prefer prefers want wants now "
        "project repository repo"
    )
) - _CONDITIONS
"""Words that may be added or left out, since they say nothing about what is done to what."""
_USING = frozenset(map(stem, USING))
_RESTATED, _COVERED = 4 / 5, 3 / 4
"""The least share of the words of a text that its source has, and of the words of those sentences that the text has."""
_LONGEST = 80
"""The number of different words of a sentence that are compared with those of another one."""
_END = lazy(r"[.!?;:](?=\s|$)|[\n。！？；]")


@record
class _Word:
    stem: str
    sentence: int
    fixed: str = ""
    """"not" for a negation, or the word itself if it opens a condition, so that it cannot be left out."""


def restates(text: str, source: str) -> bool:
    """Tell whether each sentence of a text says in nearly the same words what a sentence of its source says.

    Most of its words must be in that sentence, in the same order, and most words of those sentences in the text. The
    negations and conditions of both must be the same, and stand before the same words; only what they stand before may
    be mentioned elsewhere in the sentence. Whether the text adds a name is not examined here.
    """
    wanted, known = _split_sentences(text), _split_sentences(source)
    found = [[at for at, each in enumerate(known) if _is_within(words, each)] for words in wanted]
    if not wanted or not all(found):
        return False
    said = [word for words in wanted for word in words]
    near = [word for at in sorted({at for each in found for at in each}) for word in known[at]]
    stems, others = set(_list_stems(said)), _list_stems(near)
    return {word.fixed for word in said} == {word.fixed for word in near} and sum(
        each in stems for each in others
    ) >= _COVERED * len(others)


def _split_sentences(text: str) -> list[list[_Word]]:
    return [list(words) for _, words in groupby(_read_words(text), key=lambda word: word.sentence)]


def _list_stems(words: Iterable[_Word]) -> list[str]:
    """Return the different stems of words that are no negations or conditions, and do not only say "use"."""
    return [each for each in dict.fromkeys(word.stem for word in words if not word.fixed) if each not in _USING]


def _is_within(words: Sequence[_Word], others: Sequence[_Word]) -> bool:
    """Tell whether a sentence has most of its words from another one, in the same order."""
    stems, known = _list_stems(words)[:_LONGEST], _list_stems(others)[:_LONGEST]
    common = [each for each in stems if each in known]
    if len(common) < _RESTATED * max(1, len(stems)):
        return False
    bound, other = ([each for each in _find_bound(side) if each in common] for side in (words, others))
    free = [each for each in common if each not in bound]
    return bound == other and _count_in_order(free, known) == len(free)


def _find_bound(words: Sequence[_Word]) -> list[str]:
    """Return the words that negations and conditions are about, in their order: npm in "npm must not be used"."""
    told = [word for word in words if word.fixed or word.stem not in _USING]
    found = (
        (told[at + 1] if at + 1 < len(told) else told[at - 1]).stem for at, word in enumerate(told) if word.fixed and at
    )
    first = [told[1].stem] if len(told) > 1 and told[0].fixed else []
    return list(dict.fromkeys([*first, *found]))


def quote_passage(text: str, source: str, *, quote: str, most: int) -> str:
    """Return the part of a source that a text was made from, in the source's own words; at most `most` characters.

    It is the claim that has the quote, and those with further words of the text: at least two of them, or one in a
    claim beside a chosen one. If the claim of the quote is too long, only its sentences with the quote are returned,
    and an empty string if these are too long, too.
    """
    wanted = _normalise(quote)
    split = (" ".join(f"{each.under} {each.text.lstrip('-*+• ')}".split()) for each in split_claims(source))
    claims = list(dict.fromkeys(split))
    chosen = {at for at, each in enumerate(claims) if wanted in _normalise(each) and len(each) <= most}
    if not chosen:
        sentences = split_sentences(" ".join(source.split()))
        passage = " ".join(each for each in sentences if wanted in _normalise(each))
        return passage if len(passage) <= most else ""
    chosen = {min(chosen)}
    words = [frozenset(word.stem for word in _read_words(each)) for each in claims]
    missing = {word.stem for word in _read_words(text)}.difference(*(words[at] for at in chosen))
    # The claims with most of the missing words come first.
    for at in sorted(range(len(claims)), key=lambda at: -len(missing & words[at])):
        shared = len(missing & words[at])
        is_near = not chosen.isdisjoint((at - 1, at + 1))
        if shared > (not is_near) and sum(len(claims[each]) + 1 for each in {*chosen, at}) <= most:
            chosen.add(at)
            missing -= words[at]
    return " ".join(claims[at] for at in sorted(chosen))


def _normalise(text: str) -> str:
    return " ".join(text.replace("’", "'").replace("“", '"').replace("”", '"').split()).casefold()


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
    """Yield the words of a text that say something, each with the number of its sentence."""
    for sentence, part in enumerate(_END.split(text.replace("’", "'"))):
        for word in split_words(part):
            if word in _FREE:
                continue
            positive = OPPOSITES.get(word, "")
            denied = positive or word in _EXCLUDING or is_denial(word, _DENIALS)
            yield _Word(stem=stem(word), sentence=sentence, fixed="not" if denied else word * (word in _CONDITIONS))
            if positive:
                # "Disabled" is "not enabled".
                yield _Word(stem=stem(positive), sentence=sentence)
