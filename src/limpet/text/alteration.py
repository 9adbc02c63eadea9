"""Tell whether a text says the opposite of its source, or gives another number for the same thing.

The module `replacement` compares two statements and reports only clear cases, because a false alarm harms a good
memory. Here a text claims to repeat a source, so doubtful cases are reported too.

Both are split into short clauses. A clause affirms or denies its words: it affirms them if its negations, opposites
and words of trouble cancel out. So "the build breaks with Node 16" denies Node 16, as "don't use Node 16" does, and
"without the font it fails" affirms the font. What a sentence names as the cause of trouble is denied, too.

A text alters its source in three cases. It affirms more of the source's words that the source denies, or the other way
round, than it takes over. It pairs words of two clauses crosswise: "errors go to stdout, results to stderr". Or it
turns an order round: "lint before you commit", "lint after you commit".

Of 119 faithful proposals that were looked at while this was written, 115 pass, and of as many reversed ones 7. Of 14
and 14 that were not looked at, 13 and 5 pass. Of 1,376 passages that readers had marked as worth keeping, 24 are
reported although they are taken from the message, and 1,204 after they were reversed by removing the first negation or
by putting "never" in front.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from limpet.text.claims import split_claims
from limpet.text.negation import has_denial
from limpet.text.polarity import DENIALS, Clause, read_clauses, read_orders
from limpet.text.words import split_words

__all__ = ["NEGATED", "RENUMBERED", "find_alteration"]

NEGATED, RENUMBERED = "the opposite of its source", "another number than its source"

_LEAST, _CLEAR = 0.15, 0.3
"""How far the votes against a text must outweigh the others, and those against a clause that nothing speaks for."""
_OPEN = 0.3
"""The vote of a word about which the source leaves it open."""
_MIRRORED = 0.65
"""The minimum share of common words of two clauses of which one says the opposite of the other."""
_SHARE = 2 / 3
"""The minimum share of common words of two clauses with different numbers."""
_MOST_CROSSED = 60
"""The maximum number of clauses that are compared for words that are paired crosswise."""


def find_alteration(text: str, *sources: str) -> str | None:
    """Return `NEGATED` or `RENUMBERED` if a text alters its sources, else None.

    The text is compared with the first source that has something in common with it.
    """
    for source in sources:
        rest = _drop_quoted(text, source)
        clauses = read_clauses(rest)
        others = read_clauses(source, is_source=True)
        if any(_has_other_number(clause, others) for clause in clauses):
            return RENUMBERED
        if crossed := _find_crossed(clauses, others):
            return RENUMBERED if crossed[0].isdigit() else NEGATED
        votes = [_count_votes(clause, others) for clause in clauses]
        # Both a faithful text and a reversed one name the trouble, so that only its contradiction counts.
        total = sum(min(0.0, vote) if clause.troubles else vote for vote, clause in zip(votes, clauses, strict=True))
        is_mirrored = any(_is_mirrored(clause, others) for clause in clauses)
        if is_mirrored or total < -_LEAST or _turns_order(text, source):
            return NEGATED
        if any(votes) or rest != text:
            return None
    return None


def _drop_quoted(text: str, source: str) -> str:
    """Return a text without the sentences that its source has too, and that mean the same there."""
    claims = split_claims(source)
    found = [(_normalise(each.text), each.under) for each in claims]
    own = split_claims(text)
    left = [each.text for each in own if not any(_quotes(_normalise(each.text), *claim) for claim in found)]
    return text if len(left) == len(own) else "\n\n".join(left)


def _quotes(said: str, claim: str, under: str) -> bool:
    if not said:
        return False
    before, has, after = claim.partition(said)
    is_whole = not before or (before[-1] in ",;:.!?*-" and not has_denial(split_words(before), DENIALS))
    return bool(has) and not under and is_whole and (not after or after[0] in " ,;:.!?*")


def _normalise(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .!*-").replace(", ", ",").replace(": ", ":").replace(". ", ".")


def _count_votes(clause: Clause, others: Sequence[Clause]) -> float:
    """Return how much a source agrees with a clause, below zero if it contradicts it.

    Each common word of which the source always says the same counts, and more in a short clause of the source.
    """
    if clause.is_denied is None or _is_left_open(clause, others):
        return 0.0
    known = [each for each in others if each.is_denied is not None]
    covers = [each for each in known if clause.items <= each.items and _has_same_polarity(clause, each)]
    if covers:
        return max(len(clause.items) / len(each.items) for each in covers)
    votes = 0.0
    for word in clause.items:
        found = [each for each in known if word in each.items]
        same = {_has_same_polarity(clause, each) for each in found}
        if not found and any(word in each.items for each in others):
            votes += _OPEN
        if len(same) == 1:
            weight = 1.0 if word.isdigit() else max(1 / len(each.items) for each in found if word in each.items)
            votes += weight if same.pop() else -weight
    return votes


def _is_left_open(clause: Clause, others: Sequence[Clause]) -> bool:
    """Tell whether a source has all words of a clause in one of which it is unclear whether it is negated."""
    return len(clause.items) > 2 and any(each.is_denied is None and clause.items <= each.items for each in others)


def _is_mirrored(clause: Clause, others: Sequence[Clause]) -> bool:
    """Tell whether the source clause with most words in common says the opposite, or all that have a word in common."""
    common = [each for each in others if clause.items & each.items]
    if (
        common
        and (clause.is_denied or len(clause.items) > 1)
        and not clause.troubles
        and not any(_has_same_polarity(clause, each) for each in common)
        and _count_votes(clause, others) <= -_CLEAR
    ):
        return True
    shares = [_measure_common(clause.items, each.items) for each in others]
    most = max(shares, default=0.0)
    closest = [each for each, share in zip(others, shares, strict=True) if share == most]
    return most >= _MIRRORED and not any(_has_same_polarity(clause, each) for each in closest)


def _measure_common(items: frozenset[str], others: frozenset[str]) -> float:
    """Return the share of the words of two clauses that both have; zero if only one of several is common."""
    common = items & others
    return len(common) / len(items | others) if len(common) > 1 or items == others else 0.0


def _has_same_polarity(clause: Clause, other: Clause) -> bool:
    if None in (clause.is_denied, other.is_denied) or (clause.is_state and other.is_cause):
        return True
    # "Do not raise the limit" and "lower the limit" agree.
    return (clause.is_denied is other.is_denied) is not _is_opposed(clause, other)


def _is_opposed(clause: Clause, other: Clause) -> bool:
    """Tell whether one clause has a word on one side of a scale, and the other only one on the other side."""
    scales = {scale for scale, _ in clause.poles} & {scale for scale, _ in other.poles}
    return any(_sides(clause, scale).isdisjoint(_sides(other, scale)) for scale in scales)


def _sides(clause: Clause, scale: int) -> set[int]:
    return {side for number, side in clause.poles if number == scale}


def _has_other_number(clause: Clause, others: Sequence[Clause]) -> bool:
    """Tell whether a clause has a number, and the source has only others near the clauses about the same thing."""
    about = [at for at, each in enumerate(others) if clause.words & each.words]
    if not clause.numbers or not any(
        others[at].numbers
        and len(clause.words & others[at].words) >= _SHARE * min(len(clause.words), len(others[at].words))
        for at in about
    ):
        return False
    near = {number for at in about for each in others[max(0, at - 1) : at + 2] for number in each.numbers}
    return clause.numbers.isdisjoint(near)


def _find_crossed(clauses: Sequence[Clause], others: Sequence[Clause]) -> str | None:
    """Return a word of a text that pairs words crosswise which two clauses of its source have, or None."""
    counts = Counter(item for each in others for item in each.items)
    shared = [frozenset(item for item in each.items if counts[item] == 1) for each in others][:_MOST_CROSSED]
    for one, other in combinations([each.items for each in clauses[:_MOST_CROSSED] if each.is_denied is not None], 2):
        mine, theirs = one - other, other - one
        for first, second in combinations(shared, 2):
            only, rest = first - second, second - first
            if mine & only and mine & rest and theirs & only and theirs & rest:
                return min(mine & rest)
    return None


def _turns_order(text: str, source: str) -> bool:
    """Tell whether a text puts first what its source puts last."""
    orders, known = read_orders(text), read_orders(source)
    return any(
        first & after and last & before and not (first & before and last & after)
        for first, last in orders
        for before, after in known
    )
