"""Tell whether a text gives orders to a model, however it is spelt, and by which signs.

Detection is the second line of defence: the origin of a memory decides first, and everything is shown neutralised
anyway. So the rules aim at what an order to a model has and a technical note has not, and leave the benefit of the
doubt to notes: "ignore rules in .gitignore", "operating system: Linux" and texts about prompt injection are honest.

The rules are in `tables/`. A find does not count where it is spoken about, denied, or asked about. Where no rule
fires, `weigh` adds up weaker hints. Very long texts are read at both ends and around the words that matter, so that
the cost is bounded.
"""

from __future__ import annotations

from functools import lru_cache

from limpet.guard.neutral import remove_hidden
from limpet.guard.spellings import decode_parts, respell, simplify
from limpet.guard.tables import Rule, load_classes, read_table, select_rules
from limpet.guard.weigh import asks_for_harm, has_many_hints
from limpet.lean.pattern import lazy
from limpet.text.negation import negation_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

__all__ = ["find_signs", "fires", "is_mentioned", "load_rules"]

RULE_TABLES = ("hostile", "orders", "foreign")

ENCODED = "encoded order"
MIXED = "several hints together"

_WHOLE = 10_000
"""Characters up to which a text is read from end to end; of a longer one, about as many are read."""
_AROUND = 300


@lru_cache(maxsize=1)
def load_rules() -> tuple[Rule, ...]:
    """Return the rules of all tables in the order in which they are tried."""
    classes = load_classes("words")
    return tuple(Rule(row, classes) for table in RULE_TABLES for row in read_table(table))


def find_signs(text: str) -> tuple[str, ...]:
    """Return the names of the signs found, each once, in the order of the rules; none means that the text is honest."""
    text = _select_parts(remove_hidden(text))
    found: set[str] = set()
    for spelling in respell(text):
        found.update(_read(spelling))
    if any(_read(simplify(part)) for part in decode_parts(text)):
        found.add(ENCODED)
    return tuple(
        sign for sign in dict.fromkeys([*(rule.name for rule in load_rules()), ENCODED, MIXED]) if sign in found
    )


_TELLING = (
    "nstruction",
    "gnore ",
    "isregard",
    "ystem prompt",
    "ou are now",
    "ou must",
    "o not tell",
    "ithout telling",
    "rom now on",
    "ssistant",
    "http",
    "| sh",
    "| bash",
)


def _select_parts(text: str) -> str:
    """Return what of a very long text is read: its ends, and the surroundings of words that orders are made of."""
    if len(text) <= _WHOLE:
        return text
    parts = [text[: _WHOLE // 4], text[-_WHOLE // 4 :]]
    room = _WHOLE // 2
    for word in _TELLING:
        at = text.find(word)
        share = _WHOLE // 2 // len(_TELLING)
        while at >= 0 and share > 0 and room > 0:
            part = text[max(0, at - _AROUND // 2) : at + _AROUND]
            parts.append(part)
            share -= len(part)
            room -= len(part)
            at = text.find(word, at + _AROUND)
    return "\n".join(parts)


def _read(text: str) -> list[str]:
    """Return the signs found in one spelling of a text."""
    found: list[str] = []
    for rule in select_rules(load_rules(), text):
        if rule.name not in found and fires(rule, text):
            found.append(rule.name)
    if not found and (has_many_hints(text) or asks_for_harm(text, is_mentioned)):
        found.append(MIXED)
    return found


def fires(rule: Rule, text: str) -> bool:
    """Tell whether a rule finds something in a spelling of a text that is meant as an order."""
    return any(
        not is_mentioned(text, found)
        and (rule.counts_denied or not _is_denied(text, found))
        and not (rule.name == "unsafe advice" and _is_asked(text, found))
        and not (rule.name in _REPORTABLE and _is_reported(text, found))
        for found in rule.finditer(text)
    )


_DENIAL = negation_before("avoid", "stop", r"refuse\w*", "without", "forbidden", r"prohibit\w*", reach=40)
_FORBIDDEN = lazy(
    r"[^.!?]{0,24}\b(?:is|are|was|were|will be) (?:strictly )?(?:forbidden|prohibited|banned|not allowed"
    r"|disallowed|removed|refused|rejected|blocked|withheld)"
)


def _is_denied(text: str, found: re.Match[str]) -> bool:
    """Tell whether it is denied: "never skip the review", and also "skipping the review is forbidden"."""
    before = text[max(0, found.start() - 48) : found.start()]
    return _DENIAL.search(before) is not None or _FORBIDDEN.match(text, found.end()) is not None


_QUESTION = lazy(r"[^.!?]{0,80}\?")


def _is_asked(text: str, found: re.Match[str]) -> bool:
    """Tell whether it is part of a question: to ask how something is switched off is not to advise it."""
    return _QUESTION.match(text, found.end()) is not None


_REPORTABLE = ("persona", "prompt leak", "order")
_REPORT = lazy(r"^(?:the|an?|our|this|each|its|in|with) (?:(?!you|your)[\w'/.-]+ ){1,8}(?:(?!you)[^,:;]){0,20}$")


def _is_reported(text: str, found: re.Match[str]) -> bool:
    """Tell whether a subject before it does it: "the test asks the bot to reveal its prompt" orders nothing."""
    before = text[max(0, found.start() - 100) : found.start()]
    return _REPORT.search(before[_last_cut(before) :].lstrip()) is not None


_ABOUT = lazy(
    r"\b(?:phrases?|strings?|patterns?|prompts? (?:like|such)|attacks?|attackers?|injections?|payloads?"
    r"|jailbreaks?|detect\w*|block(?:s|ed|ing)?|filter(?:s|ed|ing)?|flag(?:s|ged)?|reject(?:s|ed)?|match(?:es|ed)?"
    r"|regex\w*|test(?:s|ed)? (?:that|for|case|whether|asks|with)|such as|e\.g\.|for example|examples?"
    r"|contain(?:s|ing)?|saying|adversari\w+|malicious|red.team\w*|vulnerab\w+|sanitis\w+|sanitiz\w+|neutrali[sz]\w+"
    r"|called|named|titled|quot(?:e|es|ed)|literal|misread|false (?:positive|alarm)s?|classif\w+|eval\w*"
    r"|governor|guard(?:s|ed)?|corpus|dataset|benchmark|paper|article|tries to|try to|attempts?)\b"
)
_CUT = lazy(r"[,:;] |[.!?] | - |[\]})>] ")
_QUOTE_MARKS = ("'", '"')


def is_mentioned(text: str, found: re.Match[str]) -> bool:
    """Tell whether it is spoken about rather than said: quoted next to such a word, or its object."""
    start, end = found.span()
    before = text[max(0, start - 120) : start]
    if before[-1:] in _QUOTE_MARKS or text[start] in _QUOTE_MARKS or text[end : end + 1] in _QUOTE_MARKS:
        sentence = before[max(before.rfind(". "), before.rfind("! "), before.rfind("? ")) + 1 :]
        return bool(_ABOUT.search(sentence) or _ABOUT.search(text[end : end + 80].partition(". ")[0]))
    return _ABOUT.search(before[_last_cut(before) :]) is not None


def _last_cut(text: str) -> int:
    return max((cut.end() for cut in _CUT.finditer(text)), default=0)
