"""Find the option that the user chose by a number or letter from a list that the agent offered.

An answer such as "2" means nothing a week later, so the text of the option is stored.
"""

from __future__ import annotations

import re

from limpet.capture.candidate import Candidate, find_concepts
from limpet.capture.meaning import Meaning
from limpet.lean.pattern import lazy
from limpet.model.memory import Origin, Type
from limpet.text.excerpt import shorten_line
from limpet.text.questions import is_question

_LONGEST_OPTION = 200
_LONGEST_ANSWER = 240
_OPTION = lazy(
    r"^[ \t>*_#-]{0,12}+(?:option |variante? |opción |opção )?\(?([1-9]|[a-e])[.):]\)?[ \t*_]{0,6}+(\S[^\n]*+)$",
    re.MULTILINE | re.IGNORECASE,
)
_ANSWER = lazy(
    r"\W*+(?:(?:ok(?:ay)?|yes|yeah|sure|please|let'?s|let us|go|with|for|do|use|take|pick|choose|proceed|i|i'd|i'll"
    r"|prefer|like|say|option|number|approach|choice|variant[e]?|opción|opção|the)\W++){0,6}"
    r"([1-9]|[a-e])(?=$|[,;!)\n]|\.(?!\w)|\s+(?:but|please|then|and then|with|is|it|does|seems|feels|sounds|looks"
    r"|makes|because|since|aber|mais|pero|évidemment|por favor|bitte)\b)",
    re.IGNORECASE,
)
# An answer that asks, refuses, or names a second option has not chosen.
_DOUBT = lazy(
    r"\?|\b(?:no|not|none|never|wrong|neither|nor|wait|isn't|don't|doesn't|won't|better|nein|nicht|non|pas|не|нет)\b"
    r"|(?:^|[\s,])(?:[1-9]|(?-i:[A-E])|[b-e](?=[.):]))(?=$|[\s,.;:!)])",
    re.IGNORECASE,
)
_MARKUP = lazy(r"\*\*|__|`")


def find_options(text: str) -> tuple[tuple[str, str], ...]:
    """Return the options of the last list in a message, each as its number or letter and its text."""
    found: dict[str, str] = {}
    for option in _OPTION.finditer(text):
        label, offer = option.group(1).upper(), option.group(2).rstrip(" *_")
        if label in ("1", "A"):
            found = {}
        elif not found or ord(label) != ord(max(found)) + 1:
            # The list does not begin with its first option, so it cannot be trusted.
            found = {}
            continue
        # Numbered questions are to be answered, not chosen from.
        found[label] = "" if is_question(offer) else shorten_line(_MARKUP.sub("", offer), _LONGEST_OPTION)
    return tuple(found.items()) if len(found) > 1 and all(found.values()) else ()


def choice_candidate(text: str, options: tuple[tuple[str, str], ...]) -> Candidate | None:
    """Return a memory candidate for the option that an answer chooses, or None if it chooses none."""
    known = {each[0]: each[1] for each in options if len(each) == 2 and all(isinstance(part, str) for part in each)}
    answer = _ANSWER.match(text) if known else None
    if answer is None:
        return None
    label, rest = answer.group(1).upper(), text[answer.end() :].strip(" \t\n,.;:!)")
    chosen = known.get(label)
    if chosen is None or _DOUBT.search(rest[:_LONGEST_ANSWER]):
        return None
    meanings = frozenset({Meaning.DECISION})
    return Candidate(
        text=f"Chosen: {chosen}" + (f" (the user: {shorten_line(text, _LONGEST_ANSWER)})" if rest else ""),
        type=Type.DECISION,
        # The wording is the agent's.
        origin=Origin.TOOL,
        title=shorten_line(f"Chosen: {chosen}", 90),
        subtitle=shorten_line(f"rather than: {'; '.join(text for name, text in known.items() if name != label)}", 140),
        concepts=find_concepts(meanings, Type.DECISION),
        meanings=meanings,
        content=6,
        concrete=2,
        why="an option that was chosen",
    )
