"""Choose the sentences of a message that are stored together, so that they can be understood on their own.

A sentence that refers back ("It should follow this") is stored with the sentence before it. A line that announces
others ("Rules:") is stored with those lines, and a list item with the line above that changes its meaning ("Never do
this:"). If the first sentence of a prompt refers to the agent's last message, the subject of that message is put in
front. A sentence that still refers to something missing is not stored, because its meaning would be lost within a week.
"""

from __future__ import annotations

from limpet.capture.meaning import Meaning
from limpet.capture.speech.statements import Statement, parse_statements
from limpet.text.chatter import strip_chatter
from limpet.text.claims import governs
from limpet.text.excerpt import shorten_sentences
from limpet.text.references import points_back

_BACK = 2
"""The maximum number of earlier sentences that are stored with a sentence that refers back."""
_ITEMS = 4
"""The maximum number of lines that are stored with a line that announces them."""
_LONGEST_NEIGHBOUR = 300
_LONGEST_SUBJECT = 200
_READ = 1000
_ANNOUNCES = (":", "：")


def add_context(chosen: list[Statement], said: list[Statement]) -> list[Statement]:
    """Return the chosen sentences together with the sentences they refer to, in the order of the message.

    A chosen sentence that refers to something missing is left out.
    """
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
    """Return the best sentences that fit into `limit` characters, together with the sentences they refer to.

    `ranked` lists the sentences to choose from, best first, and `said` all sentences of the message. The result is in
    the order of the message. The best sentence that can be understood is included even if it is too long. If `subject`
    is not empty, the beginning of the message may refer to it.
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
    """Tell whether a sentence is the first of its message and refers to something said before."""
    return bool(said) and chosen is said[0] and points_back(chosen.text)


def find_request_text(text: str) -> str:
    """Return the first question or statement of a prompt that can be understood on its own.

    Return an empty string if there is none.
    """
    said = parse_statements(text[:_READ])
    first = next((each for each in said if each.content > 1 and not points_back(each.text)), None)
    return strip_chatter(shorten_sentences(first.text, _LONGEST_SUBJECT)) if first is not None else ""


def find_subject(text: str) -> str:
    """Return the last question at the end of an agent's message, or else its last statement.

    Return an empty string if there is neither.
    """
    said = [
        each
        for each in parse_statements(text[-_READ:])
        if each.content > 1 and not points_back(each.text) and (each.asks or Meaning.INTENT not in each.meanings)
    ]
    last = next((each for each in reversed(said[-4:]) if each.asks), said[-1] if said else None)
    return shorten_sentences(last.text, _LONGEST_SUBJECT) if last is not None else ""


def _find_needed(at: int, said: list[Statement], *, is_known: bool = False) -> set[int] | None:
    """Return the indexes of a sentence and of the sentences it refers to, or None if one of these is missing.

    If `is_known` is true, the first sentence may refer to something said before the message.
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
    """Return the indexes of the sentences that a line such as "Rules:" announces: list items, or the next sentence."""
    places: set[int] = set()
    for place in range(at + 1, min(len(said), at + 1 + _ITEMS)):
        if said[place].asks or said[place].text.endswith(_ANNOUNCES) or (places and not said[place].item):
            break
        places.add(place)
        if not said[place].item:
            break
    return places


def _find_line_above(at: int, said: list[Statement]) -> int | None:
    """Return the index of the line that announces the list to which an item belongs, or None if there is none."""
    while at >= 0 and said[at].item:
        at -= 1
    return at if at >= 0 and said[at].text.endswith(_ANNOUNCES) else None
