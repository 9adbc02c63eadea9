"""Prepare texts for the full-text index, and parse questions into search terms.

The index splits texts at all characters except letters and digits, and stems English words; `stem_text` does the same
with a text that is not indexed. This module does what the index cannot do, for texts and questions alike. Identifiers
are also given in parts, so that "user name" and `get_user_name` find `getUserName`. Scripts without spaces are split
into pairs of characters, so that two characters are enough for a search. Emoji and names such as C++ become words. A
short commit hash finds the long one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.words import STOP, word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The ranges of text/words.py, and Thai, Lao, Burmese, Khmer and Korean. If they change, all indexes must be rebuilt.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUN = lazy(rf"[{_UNSPACED}\U00020000-\U0002fa1f]+")
_PICTURE = lazy("[\u2190-\u21ff\u2300-\u23ff\u2460-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff]")
_CAMEL = lazy(r"\b\w*[a-z0-9][A-Z]\w*")
_HUMP = lazy(r"[a-z0-9][A-Z]")
_PARTS = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_SPECIAL = lazy(r"(?i)(?<!\w)(c\+\+|c#|f#|\.net)(?!\w)")
_NAMES = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", ".net": "dotnet"}

# A chunk of a question: a path, an identifier or a word, with the punctuation inside it.
_CHUNK = lazy(r"[^\W_]+(?:[-._/\\:'@]+[^\W_]+)*")
_BETWEEN = lazy(r"[^0-9a-z\u0080-\U0010ffff]+")
_HEX = lazy(r"[0-9a-f]{7,40}")
_ASKING = word_set(
    "about actually again also am any anybody anyone anything can cannot could did do does doing done ever every get "
    "give gets getting got how just know let like many may maybe me might mine much must no not now off ok okay one "
    "only other please really remember remind say should show some something somewhere still such take tell than "
    "thanks too use used uses using very want wants was way well went were what when where whether which while whom "
    "whose why would yes yet"
)
TOKENIZER = ("porter", "unicode61", "remove_diacritics", "2")
"""How the full-text index splits and stems a text. `store/view/schema.sql` says the same."""
_MOST_TERMS = 32
_LONGEST_QUESTION = 8000


@record
class Term:
    """A word, name or path of a question, and how to find it in the full-text index."""

    text: str
    ways: tuple[str, ...]
    """Full-text search expressions, one for each spelling; the term is found if one of them matches."""
    parts: tuple[str, ...] = ()
    """The pairs of characters of a run, which is a sequence of characters in a script without spaces."""

    @property
    def stems(self) -> list[str]:
        """Return the words of the first spelling as the full-text index holds them."""
        return list_stems(self.ways[0])

    def share_in(self, haystack: str) -> float:
        """Return how much of the term a text contains, from 0 to 1; `haystack` is the result of `stem_text`."""
        if not self.parts or _is_found(self.ways[0], haystack):
            return float(any(_is_found(way, haystack) for way in self.ways))
        return sum(_is_found(_quote(part), haystack) for part in self.parts) / len(self.parts)


def match_terms(terms: Iterable[Term], text: str) -> list[float]:
    """Return how much of each term the text contains, from 0 to 1."""
    stems = stem_text(text)
    return [term.share_in(stems) for term in terms]


def stem_text(text: str) -> str:
    """Return the stems of the words of a text, with a space before and after each, for `Term.share_in`."""
    return f" {' '.join(list_stems(expand_for_index(text)))} "


def _is_found(way: str, haystack: str) -> bool:
    wanted = _stem_way(way)
    return bool(wanted) and wanted in haystack


# Cached, because each term of a question is looked for in dozens of memories.
@lru_cache(maxsize=256)
def _stem_way(way: str) -> str:
    """Convert a full-text search expression to a text that `stem_text` contains if the expression matches.

    The result is an empty string if the expression has no letters or digits.
    """
    quoted, _, star = way.rpartition('"')
    stems = " ".join(list_stems(quoted))
    return stems and (f" {stems}" if star else f" {stems} ")


def list_stems(text: str) -> list[str]:
    """Return the words of a text as the full-text index holds them."""
    tokenize, document = _load_tokenizer()
    found: list[str] = tokenize(
        text.encode("utf-8", "replace"), document, None, include_offsets=False, include_colocated=False
    )
    return found


@lru_cache(maxsize=1)
def _load_tokenizer() -> tuple[Callable[..., Any], int]:
    # Loaded here, because a hook that only notes an event needs no database.
    import apsw

    return apsw.Connection("").fts5_tokenizer(TOKENIZER[0], list(TOKENIZER[1:])), apsw.FTS5_TOKENIZE_DOCUMENT


def expand_for_index(text: str) -> str:
    """Return a text in the form in which it is indexed: scripts without spaces are split, other spellings are added."""
    extra: list[str] = []
    # Most texts have no such name, and searching for two letters is faster than searching for a whole word.
    if _HUMP.search(text):
        extra += (" ".join(_PARTS.findall(found.group())) for found in _CAMEL.finditer(text))
    if "+" in text or "#" in text or ".n" in text or ".N" in text:
        extra += (_NAMES[found.group(1).lower()] for found in _SPECIAL.finditer(text))
    if not text.isascii():
        text = _RUN.sub(lambda found: f" {_split_pairs(found.group())} ", text)
        text = _PICTURE.sub(lambda found: f" emoji{ord(found.group()):x} ", text)
    return f"{text}\n{' '.join(extra)}" if extra else text


def _split_pairs(run: str) -> str:
    return run if len(run) < 3 else " ".join(run[at : at + 2] for at in range(len(run) - 1))


def parse_terms(question: str, *, even_common: bool = True) -> list[Term]:
    """Return up to 32 search terms for a question, which may be any text.

    Common words such as "what" become terms only if there are no other words. If `even_common` is False, they never
    become terms, so the list may be empty.
    """
    question = question[:_LONGEST_QUESTION]
    found: dict[str, Term] = {}
    ascii_only = question.isascii()
    for special in _SPECIAL.findall(question):
        found.setdefault(special.lower(), Term(text=special.lower(), ways=(_quote(_NAMES[special.lower()]),)))
    for picture in () if ascii_only else _PICTURE.findall(question):
        found.setdefault(picture, Term(text=picture, ways=(_quote(f"emoji{ord(picture):x}"),)))
    for run in () if ascii_only else _RUN.findall(question):
        way = f"{_quote(run)} *" if len(run) == 1 else _quote(_split_pairs(run))
        parts = tuple(run[at : at + 2] for at in range(0, len(run) - 1, 2)) or (run,)
        found.setdefault(run, Term(text=run, ways=(way, *(map(_quote, parts) if len(run) > 3 else ())), parts=parts))
    rest = _SPECIAL.sub(" ", question)
    if not ascii_only:
        rest = _RUN.sub(" ", rest)
    for chunk in _CHUNK.findall(rest):
        for term in _parse_chunk(chunk):
            found.setdefault(term.text, term)
    uncommon = [term for term in found.values() if term.text not in STOP and term.text not in _ASKING]
    chosen = uncommon or (list(found.values()) if even_common else [])
    if len(chosen) > _MOST_TERMS:
        # Long words are kept, because they tend to be rare, and rare words distinguish texts best.
        longest = {term.text for term in sorted(chosen, key=lambda term: -len(term.text))[:_MOST_TERMS]}
        chosen = [term for term in chosen if term.text in longest]
    return chosen


def _parse_chunk(chunk: str) -> list[Term]:
    lower = chunk.lower()
    parts = [part.lower() for part in _PARTS.findall(chunk)] if _CAMEL.search(chunk) else []
    pieces = [piece for piece in _BETWEEN.split(lower) if piece]
    if len(parts) < 2 and len(pieces) < 2:
        return [_make_term(lower)]
    ways = [_quote(" ".join(pieces))]
    if len(parts) > 1:
        ways.append(_quote(" ".join(parts)))
    if len(pieces) > 1 and all(piece.isalnum() for piece in pieces) and "/" not in chunk:
        ways.append(_quote("".join(pieces)))
    whole = Term(text=lower, ways=tuple(dict.fromkeys(ways)))
    worth = [piece for piece in dict.fromkeys((*pieces, *parts)) if len(piece) > 2 and not piece.isdigit()]
    return [whole, *(_make_term(piece) for piece in worth if piece != lower)]


def _make_term(word: str) -> Term:
    ways = [_quote(word)]
    if _HEX.fullmatch(word) and any(letter.isdigit() for letter in word):
        ways.append(f"{_quote(word)} *")
    elif not word.isascii() and word.isalpha() and len(word) > 4:
        # The stemmer knows only English. For other languages, the last two letters may be an ending.
        ways.append(f"{_quote(word[:-2])} *")
    return Term(text=word, ways=tuple(ways))


def _quote(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
