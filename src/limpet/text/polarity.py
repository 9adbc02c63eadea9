"""Read the clauses of a text: their words and numbers, whether they are affirmed or denied, and their order in time.

Two texts are compared by them in the module `alteration`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from limpet.lean.pattern import lazy
from limpet.lean.record import record, replace
from limpet.text.claims import split_claims
from limpet.text.negation import is_denial
from limpet.text.objections import find_any_reaction
from limpet.text.statements import LIGHT, USING, WORDS
from limpet.text.vocabulary import NUMERALS, OPPOSITES, stem
from limpet.text.words import split_words, word_set

__all__ = ["DENIALS", "Clause", "read_clauses", "read_orders"]

_TROUBLES = word_set(
    "break breaks broke broken breaking fail fails failed failing fault crash crashes crashed hang hangs hung "
    "deadlock deadlocks deadlocked leak leaks leaked flaky blank block blocks blocked stuck timeout twice froze "
    "freezes frozen stale slow slower loses lose lost reject rejects rejected refuse refuses refused duplicate "
    "duplicates diverge diverges diverged differ differs differed missing empty wrong wrongly worse loop race wiped "
    "bug unset loops races corrupts corrupted conflict conflicts overwrite overwrites overwritten"
)
DENIALS = WORDS["avoiding"] | word_set(
    "dont stop unless instead rather over skip forget omit off outside otherwise nicht kein keine keinen nie niemals "
    "ohne statt vermeide dropped gone away ne pas jamais sans nunca sin vez non mai senza не нет никогда без"
)
_NEEDED = {"instead": ("of",), "rather": ("than",), "en": ("vez",)}
"""Words that deny only if one of these follows."""
_CONCORD = word_set("ne pas jamais non mai no nunca не нет никогда")
"""Negations of which two in one clause count as one, because the language repeats them: "ne … jamais", "non … mai"."""
_LIGHT = LIGHT | USING | WORDS["wanting"] | word_set("user users wanted preferred prefer yes ok okay also leave")
_STATE = lazy(r"(?i)\b(?:is|are|was|were)\b(?!\s(?:allowed|required|fine|ok)\b)")
_COLON = lazy(r":\s")
_SENTENCE = lazy(r"(?<=[.;!?])\s+")
_BREAK = lazy(
    r"[.;!?]++(?=\s|$)|[,\n()–—]++"
    r"|\s(?=(?:but|because|since|so (?:the|it|that|we|i|they|you|this|there)"
    r"|if|when|unless|until|while|before|after(?!\s\d)|instead|rather"
    r"|over|as the|as it|came from"
    r"|caused by|due to|otherwise|aber|weil|wenn|statt|en vez|y)\s)"
    rf"|\s(?=(?:and|or|und|oder)\s(?!(?:{'|'.join(sorted(_TROUBLES))})\b))"
)
_CAUSE = lazy(r"(?i)\s*(?:because|since|as the|as it|when|if|came from|caused by|due to|weil|wenn)\s")
_WAS, _SO = lazy(r"(?i)\b(?:was|were)\b"), lazy(r"(?i)\s*so\s")
_REASON = lazy(r"(?i)\s*(?:because|since|weil)\s")
_FOUND = lazy(r"(?i)\b(?:turned out|root cause|the cause was)\b")
_WHEN = lazy(r"(?i)\s*(?:after(?!\s\d)|before|while|until)\s")
_OTHERWISE = lazy(r"(?i)^\s*or\s|\botherwise\b|\bwith(?:out)? (?:it|that|this|them)\b")
_UNABLE = lazy(r"(?i)\b(?:was|were|did|does|is|are|could|has|had)(?:n't|\snot)\b")
_AND_NOT = lazy(r"(?i)\s*(?:and|or)\s(?:must|may|should|can|is|are)\s(?:not|never)\s")
_INSTEAD = lazy(r"(?i)\s*(?:instead of|rather than|not)\s")
_AS = lazy(r"(?i)\s*as (?:the|it)\s")
_UNLESS = lazy(r"(?i)\s*unless\s")
_ONLY = lazy(r"(?i)\bonly\s+(?:when|if|on|after)\b")
_POINT = lazy(r"\s*\d{1,3}[.)]\s")
_RAN_OUT = lazy(r"(?i)\b(?:run|runs|ran|running|time|times|timed|timing) out\b")
_DIGITS = lazy(r"\d+(?:[.,:]\d+)*+")
_REPROACH = lazy(r"(?i)^(?:why|did|have)\s|^you\s(?:just\s|again\s|\w+ly\s)?\w+ed\b")
_CONTRAST = lazy(r"(?i)\b(\w++)\s++not\s")
_AUXILIARIES = word_set(
    "do does did is are was were be am has have had can could may might must shall should will would need needs "
    "it that this why or and but if"
)
_POLES: dict[str, set[tuple[int, int]]] = {}
"""Words on one of the two sides of a scale, with the number of the scale and the side."""
for _number, _pair in enumerate(
    (
        "add adds added / remove removes removed",
        "keep keeps / remove removes removed drop drops",
        "increase increases raise raises raised / decrease decreases lower lowers lowered",
        "install installs installed installing / remove removes removed uninstall",
        "most / least",
        "maximum max / minimum min",
        "newest newer / oldest older",
        "open / closed",
        "allow allows / deny denies",
        "accept accepts accepted / reject rejects rejected",
        "above higher / below lower",
        "more / fewer less",
        "earlier / later",
        "small smaller / large larger",
    )
):
    for _side, _words in enumerate(_pair.split("/")):
        for _word in _words.split():
            _POLES.setdefault(_word, set()).add((_number, _side))
_END = lazy(r"[,;:.](?:\s|$)")
_SIDES = lazy(r"(?i)(?P<after>\bafter\b(?!\s\d))|\bbefore\b|,? then |(?P<first>\bfirst\b)")


@record
class Clause:
    words: frozenset[str]
    numbers: frozenset[str]
    is_denied: bool | None
    """Whether the clause is negated; None if that is unclear, as for a reproach or below a negated line."""
    poles: frozenset[tuple[int, int]] = frozenset()
    """The words on a side of a scale, each as the number of the scale and the side."""
    troubles: bool = False
    """Whether the clause has a word of trouble, so that a following clause may name its cause."""

    is_cause: bool = False
    """Whether the clause names the cause of trouble."""
    is_state: bool = False
    """Whether the clause describes something, so that it may repeat a cause without recommending it."""
    negates: bool = False
    """Whether the clause has a negation or a word of trouble."""

    @property
    def items(self) -> frozenset[str]:
        return self.words | self.numbers


@lru_cache(maxsize=8)
def read_orders(text: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Return what a text puts first and what last, for each sentence with "before", "after" or "first"."""
    found = []
    for claim in split_claims(text):
        is_troubled = False
        for part in _SENTENCE.split(claim.text):
            match = _SIDES.search(part)
            if match is None:
                continue
            is_troubled = _read_clause(part[: match.start()], False).is_denied is True
            left, right = part[: match.start()].rpartition(": ")[2], part[match.end() :]
            if not left.strip(" ,"):
                left, _, right = right.partition(",")
                left, right = right, left
                left = left.lstrip(" ,")
            elif not match["first"]:
                right = _END.split(right, maxsplit=1)[0]
            before, after = (_read_clause(each, False).items for each in (left, right))
            common = before & after
            pair = (before - common, after - common)
            found.append(pair[::-1] if bool(match["after"]) is not is_troubled else pair)
    return tuple(found)


@lru_cache(maxsize=8)
def read_clauses(text: str, is_source: bool = False) -> tuple[Clause, ...]:
    """Return the clauses of a text. Results are cached, because several texts are compared with the same sources."""
    return tuple(_find_clauses(text, is_source))


def _find_clauses(text: str, is_source: bool) -> Iterator[Clause]:
    """Yield the clauses of a text that have meaningful words."""
    # "On Mondays not Fridays": what follows is a clause.
    marked = _CONTRAST.sub(
        lambda found: found[0] if found[1].lower() in _AUXILIARIES else f"{found[1]}, not ", text.replace("’", "'")
    )
    for claim in split_claims(marked):
        above = _read_clause(claim.under, False) if claim.under else None
        is_reproach = is_source and (bool(_REPROACH.search(claim.text)) or find_any_reaction(claim.text) is not None)
        for sentence in _SENTENCE.split(claim.text):
            was_denied = is_cause = is_reason = has_words = False
            is_troubled = bool(_FOUND.search(sentence))
            plain = _RAN_OUT.sub("fails", _POINT.sub("", sentence)).replace(", which ", " which ")
            parts = [part for part in _BREAK.split(plain) if part.strip()]
            for part, following in zip(parts, [*parts[1:], ""], strict=False):
                is_cause = is_troubled and bool(
                    _CAUSE.match(part) or _FOUND.search(part) or (is_cause and _INSTEAD.match(part))
                )
                is_vague = is_source and bool(_REASON.match(part) and not is_cause)
                is_effect = is_source and bool(_CAUSE.match(following))
                # "HOST was set to localhost, so the server was not reached" may tell what to avoid.
                is_vague = is_vague or (is_source and bool(_WAS.search(part) and _SO.match(following)))
                is_vague = (
                    is_vague
                    or bool(_AND_NOT.match(following))
                    or (not is_cause and bool(_AS.match(part)))
                    or (is_cause and bool(_WHEN.match(following)))
                    or bool(
                        _WHEN.match(part) or _ONLY.search(f"{part} {following}") or (_UNLESS.match(part) and was_denied)
                    )
                )
                denied = above.is_denied if above and not above.words else False
                for at, piece in enumerate(_COLON.split(part)):
                    clause = replace(
                        _read_clause(piece, denied is not is_cause),
                        is_cause=is_cause,
                        is_state=_STATE.search(piece) is not None,
                    )
                    if clause.troubles and _OTHERWISE.search(part):
                        # "Pin it, or the build fails" says what happens otherwise.
                        clause = replace(clause, is_denied=None)
                    is_reason = (bool(at) and has_words and not clause.negates) or (
                        is_reason and bool(_INSTEAD.match(part))
                    )
                    if is_reason and not is_source:
                        # "Don't set HOST: the server then listens on loopback" tells a reason.
                        clause = replace(clause, is_denied=None)
                    has_words = bool(clause.items)
                    # "Never do this: …" denies what follows; "Not now: …" says something of its own.
                    denied = clause.is_denied if not clause.words else False
                    is_open = (
                        is_vague
                        or (is_effect and clause.troubles)
                        or (above and above.words and above.is_denied)
                        or (is_reproach and not (clause.negates or clause.is_denied))
                    )
                    is_troubled = is_troubled or clause.troubles or bool(_UNABLE.search(piece))
                    was_denied = clause.is_denied is True
                    if clause.items:
                        yield replace(clause, is_denied=None) if is_open else clause


def _shorten(word: str) -> str:
    """Return the beginning of the stem of a word, which its other forms have in common with it."""
    return stem(word).removesuffix("er")[:7]


def _read_clause(text: str, denied: bool | None) -> Clause:
    words = split_words(text)
    kept, numbers = set[str](), set(_DIGITS.findall(text))
    poles = set[tuple[int, int]]()
    has_concord = troubles = False
    negations = 0
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        if is_denial(word, DENIALS) and following in _NEEDED.get(word, (following,)):
            negations += 1
            is_repeated = has_concord and word in _CONCORD
            has_concord = has_concord or word in _CONCORD
            denied = denied if is_repeated or following in WORDS["less than a denial"] else not denied
        elif word in _TROUBLES or (word == "too" and following):
            denied = not denied
            troubles = True
            negations += 1
        elif at and words[at - 1] == "too":
            continue  # "too short" and "too long" both deny
        elif word in OPPOSITES:
            denied = not denied
            kept.add(_shorten(OPPOSITES[word]))
        elif word in NUMERALS:
            numbers.add(NUMERALS[word])
        elif not _DIGITS.fullmatch(word):
            poles |= _POLES.get(word, set())
            if word not in _LIGHT:
                kept.add(_shorten(word))
    return Clause(
        words=frozenset(kept),
        numbers=frozenset(numbers),
        is_denied=denied,
        poles=frozenset(poles),
        troubles=troubles,
        negates=negations > 0,
    )
