"""Make what is kept of a message understandable alone: whole sentences, with what they refer to.

A sentence that refers back ("It should follow this") is kept with the sentence before it, a line that announces others
("Rules:") with those lines, and an item of a list with the line above that changes its meaning ("Never do this:"). A
sentence at the beginning of a prompt may refer to what the agent said last; then that is put before it. A sentence that
still refers to something outside is not kept: a week later nobody can tell what it meant.
"""

from __future__ import annotations

from limpet.capture.meaning import Meaning
from limpet.capture.speech.statements import Statement, parse_statements
from limpet.text.chatter import strip_chatter
from limpet.text.claims import governs
from limpet.text.excerpt import shorten_sentences
from limpet.text.references import points_back

_BACK = 2
"""How many earlier sentences are taken along with a sentence that points back."""
_ITEMS = 4
"""How many lines are taken along with a line that announces them."""
_LONGEST_NEIGHBOUR = 300
_LONGEST_SUBJECT = 200
_READ = 1000
_ANNOUNCES = (":", "：")


def add_context(chosen: list[Statement], said: list[Statement]) -> list[Statement]:
    """Return chosen statements with those that they need, in their order; one whose context is missing is left out."""
    places: set[int] = set()
    for at, each in enumerate(said):
        if any(each is one for one in chosen):
            needed = _find_needed(at, said)
            if needed is not None:
                places |= needed
    return [said[at] for at in sorted(places)]


def fit_with_context(
    limit: int, ranked: list[Statement], said: list[Statement], *, subject: str = ""
) -> list[Statement]:
    """Return as many of the ranked statements as fit into `limit` characters, with those that they need.

    The first one that can be understood is returned even if it is too long. The order is that of the message. With a
    `subject`, the beginning of the message may point at what was said before it.
    """
    places: set[int] = set()
    for each in ranked:
        at = next(place for place, one in enumerate(said) if one is each)
        needed = _find_needed(at, said, is_known=bool(subject))
        if needed is None:
            continue
        size = sum(len(said[place].text) for place in needed - places)
        if not places or size <= limit:
            places |= needed
            limit -= size
    return [said[at] for at in sorted(places)]


def needs_subject(said: list[Statement], chosen: Statement) -> bool:
    """Tell whether a statement at the beginning of a prompt points at what was said before the prompt."""
    return bool(said) and chosen is said[0] and points_back(chosen.text)


def find_request_text(text: str) -> str:
    """Return what a prompt begins with: its first question or statement that can be understood alone."""
    said = parse_statements(text[:_READ])
    first = next((each for each in said if each.content > 1 and not points_back(each.text)), None)
    return strip_chatter(shorten_sentences(first.text, _LONGEST_SUBJECT)) if first is not None else ""


def find_subject(text: str) -> str:
    """Return what the end of an agent's message is about: its last question, or else its last statement."""
    said = [
        each
        for each in parse_statements(text[-_READ:])
        if each.content > 1 and not points_back(each.text) and (each.asks or Meaning.INTENT not in each.meanings)
    ]
    last = next((each for each in reversed(said[-4:]) if each.asks), said[-1] if said else None)
    return shorten_sentences(last.text, _LONGEST_SUBJECT) if last is not None else ""


def _find_needed(at: int, said: list[Statement], *, is_known: bool = False) -> set[int] | None:
    """Return the places of a statement and of those it needs, or None if one of them is missing.

    `is_known` means that the first sentence of the message may point at something before it.
    """
    places = {at}
    if said[at].text.endswith(_ANNOUNCES):
        announced = _find_announced(at, said)
        if not announced:
            return None
        places |= announced
    if said[at].item:
        line = _find_line_above(at, said)
        if line is not None and governs(said[line].text):
            places.add(line)
    first = at
    while points_back(said[first].text):
        first -= 1
        if first < 0 and is_known:
            break
        if first < 0 or at - first > _BACK or len(said[first].text) > _LONGEST_NEIGHBOUR:
            return None
        places.add(first)
    return places


def _find_announced(at: int, said: list[Statement]) -> set[int]:
    """Return the positions of what a statement announces: the items below it, or else the next sentence."""
    places: set[int] = set()
    for place in range(at + 1, min(len(said), at + 1 + _ITEMS)):
        if said[place].asks or said[place].text.endswith(_ANNOUNCES) or (places and not said[place].item):
            break
        places.add(place)
        if not said[place].item:
            break
    return places


def _find_line_above(at: int, said: list[Statement]) -> int | None:
    """Return the place of the line that announces the list of an item, or None if there is none."""
    while at >= 0 and said[at].item:
        at -= 1
    return at if at >= 0 and said[at].text.endswith(_ANNOUNCES) else None
