"""Find the certain signs that a text gives orders to a model. Such signs have no honest use in a note.

There are four kinds: a text may contain invisible characters, close a block that it did not open, tell a model to
ignore its instructions, or ask that the note itself be kept from the user. The patterns for the last two are in
`tables/certain.rules`, whose format `text/tables.py` describes. The heading of a row is `name :: stems`, and its
contents are the pattern, joined without a break.

A pattern is tried only if one of its stems occurs; `_` in a stem is a space. `~30~` in a pattern stands for up to
thirty characters of the same sentence. Patterns read a simplified text: lower case, plain letters, one space between
words, `don't` as `do not`. An order that is denied or only mentioned does not count.
"""

from __future__ import annotations

from functools import lru_cache

from limpet.guard.signs import FORGED, HIDDEN
from limpet.guard.spellings import fold_lookalikes
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.tables import Row, read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


@record
class Rule:
    """A rule that finds one kind of order, with example texts that it matches and others that it does not match."""

    name: str
    stems: tuple[str, ...]
    pattern: re.Pattern[str]
    fires_on: tuple[str, ...]
    leaves: tuple[str, ...]


@lru_cache(maxsize=1)
def load_rules() -> tuple[Rule, ...]:
    """Return the rules from the table `certain.rules`."""
    return tuple(_parse_rule(row) for row in read_table("guard/tables/certain.rules"))


_GAP = lazy(r"~(\d+)~")


def _parse_rule(row: Row) -> Rule:
    name, _, stems = row.name.partition(" :: ")
    pattern = row.contents.replace("\n", "")
    return Rule(
        name=name,
        stems=tuple(stem.replace("_", " ") for stem in stems.split()),
        pattern=lazy(_GAP.sub(lambda found: f"[^.!?]{{0,{found.group(1)}}}?", pattern)),
        fires_on=row.applies_to,
        leaves=row.ignores,
    )


def find_phrases(text: str) -> list[str]:
    """Return the names of the rules that find an order in a text. The text must be a result of `simplify`."""
    return [rule.name for rule in load_rules() if any(stem in text for stem in rule.stems) and fires(rule, text)]


def fires(rule: Rule, text: str) -> bool:
    """Tell whether a rule finds an order in a simplified text.

    An order that is denied or only mentioned does not count.
    """
    return any(not _is_mentioned(text, found) and not _is_denied(text, found) for found in rule.pattern.finditer(text))


_DENIAL = lazy(r"\b(?:never|not|no|nobody|cannot|avoid|stop|refuse\w*|forbidden|prohibit\w*)\b[^.!?;:]{0,24}$")


def _is_denied(text: str, found: re.Match[str]) -> bool:
    """Tell whether the matched order is denied, as in "never ignore previous instructions"."""
    return _DENIAL.search(text[max(0, found.start() - 40) : found.start()]) is not None


_ABOUT = lazy(
    r"\b(?:phrases?|strings?|patterns?|prompts? (?:like|such)|attacks?|attackers?|injections?|payloads?|jailbreaks?"
    r"|detect\w*|block(?:s|ed|ing)?|filter(?:s|ed|ing)?|flag(?:s|ged)?|reject(?:s|ed)?|match(?:es|ed)?|regex\w*|tests?"
    r"|such as|e\.g\.|like|examples?|contain(?:s|ing)?|say(?:s|ing)|adversari\w+|malicious|vulnerab\w+|saniti[sz]\w+"
    r"|called|named|titled|quot(?:e|es|ed)|literal|classif\w+|eval\w*|guard\w*|corpus|dataset|benchmark|paper|article"
    r"|tries|try|attempts?|asks?|tells?|makes?|hidden|comment)\b"
)
_CUT = lazy(r"[.!?] |[,:;] (?![\"'])")
_QUOTES = ("'", '"', "`")


def _is_mentioned(text: str, found: re.Match[str]) -> bool:
    """Tell whether the matched order is only mentioned: quoted, or after a word such as "attack" in the same clause."""
    start, end = found.span()
    before = text[max(0, start - 120) : start]
    if before[-1:] in _QUOTES or text[start] in _QUOTES:
        sentence = before[max(before.rfind(". "), before.rfind("! "), before.rfind("? ")) + 1 :]
        return _ABOUT.search(sentence) is not None or _ABOUT.search(text[end : end + 80].partition(". ")[0]) is not None
    cut = max((each.end() for each in _CUT.finditer(before)), default=0)
    return _ABOUT.search(before[cut:]) is not None


# Tag characters outside a flag, runs of blanks or selectors that can carry data, words with a blank after each letter,
# reversed writing, concealed text.
_UNSEEN = lazy(
    "(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0020-\U000e007e]{4,}"
    "|[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{8,}|(?:.[\u200b-\u200d\u2060-\u2064\ufeff]){8}"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}"
    "|[\u202d\u202e](?=\\w)|\x1b\\[(?:\\d{1,3};){0,4}8m(?=[^\x1b])"
)
_CLOSING = lazy(
    r"(?<!`)(?:\[\s?/\s?(ltm|inst)\s?\]|<\s?/\s?(memory-context|system-reminder|function_results|tool_result|system)\s?>"
    r"|<\|(im)_end\|>|<<\s?/\s?(sys)\s?>>)(?!`)"
)
_OPENING = {"im": "<|im_start", "sys": "<<sys", "ltm": "[ltm", "inst": "[inst"}


def find_tricks(text: str) -> list[str]:
    """Return the signs of two tricks in a text: hidden characters, and the end of a block that it did not begin."""
    found = [HIDDEN] if not text.isascii() or "\x1b" in text else []
    if found and _UNSEEN.search(text) is None:
        found = []
    folded = fold_lookalikes(text)
    if "/" in folded or "_end|" in folded:
        for each in _CLOSING.finditer(folded):
            name = next(group for group in each.groups() if group)
            if _OPENING.get(name, f"<{name}") not in folded[: each.start()]:
                return [*found, FORGED]
    return found
