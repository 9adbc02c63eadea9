"""Decide whether a sentence can be a line of MEMORY.md.

A line must be short, complete, understandable on its own, and still valid after the session. Sentences are not
reworded: one that is too long, refers to another sentence or describes a detail of the code is left out.
"""

from __future__ import annotations

from limpet.guard.neutral import neutralise
from limpet.lean.pattern import lazy
from limpet.text.claims import split_sentences
from limpet.text.questions import is_question
from limpet.text.references import points_back
from limpet.text.words import STOP, split_words, word_set

LONGEST = 160
"""The maximum number of characters of a line, without its bullet."""
_SHORTEST = 8
_FEWEST_WORDS = 2
_REMOVED = "[REDACTED"
"""The beginning of the placeholder for a removed secret; a line that contains it is left out."""

_LEAD = lazy(
    r"(?i)^\s*+(?:[-*+•]\s++|\d{1,3}[.)]\s++|\[[ x]\]\s++)*+"
    r"(?:(?:decision|decided|lesson|learned|learnt|note|fact|rule|preference|remember|correction|gotcha|insight|"
    r"convention)s?+:\s*+)?+"
)
_EMPHASIS = lazy(r"\*\*|~~")
_CODE = lazy(r"```|<!--|=>|==|::|[{}]|;$|</?\w++[^>\n]{0,40}+>|\w\(\)|(?<![\w`])\w++\((?!s\))[^)\n]{0,60}+\)")
_PATH = lazy(
    r"(?<![\w/])(?:(?:~|\.{1,2})/|/(?=\w))[\w@./*-]++|(?<![\w/])(?:[\w@.-]++/){2,}+|(?i:\blines?+ \d)"
    r"|(?<![\w/])(?:src|lib|tests?|docs|app|packages|config|scripts|bin|cmd|internal|pkg)/"
    r"|(?<![\w./])(?!(?i:node|next|vue|express|three|react|nuxt|d3|discord|socket|chart)\.js\b)[\w-]++\.(?:py|pyi|js|jsx"
    r"|ts|tsx|mjs|cjs|go|rs|rb|java|kt|c|h|cc|cpp|hpp|cs|php|swift|sh|sql|html|css|scss|vue|json|ya?ml|toml|ini|cfg|lock"
    r"|md|txt|log|env)\b"
)
_COMMIT = lazy(r"\b(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}\b|(?<!\w)#\d++")
_ERROR = lazy(
    r"\b\w*+(?<=Error)\b|\b\w*+(?<=Exception)\b|(?i:traceback|stack ?trace|exit code|segfault|errno|failed with)"
)
_TODAY = lazy(
    r"(?i)\b(?:today|yesterday|tomorrow|tonight|for now|this time|temporar(?:y|ily)|at the moment|currently|just now"
    r"|right now|this (?:session|morning|afternoon|evening|week)|next (?:session|week)|todo|wip|so far|not yet"
    r"|still (?:open|failing))\b"
)
_GUESS = lazy(r"(?i)\b(?:maybe|perhaps|might|possibly|probably|not sure|unclear|i guess|seems? to)\b")
_REQUEST = lazy(r"(?i)\b(?:please|can you|could you|let's|find out)\b")
_STEP = word_set(
    "ran run running re-ran reran edited opened read renamed committed pushed pulled installed updated added created "
    "fixed deleted removed checked looked tested wrote refactored bumped merged rebased implemented finished completed "
    "started debugged investigated reviewed explored tried cleaned formatted deployed released built"
)
_CHORE = word_set(
    "ran run running re-ran reran opened read committed pushed pulled installed checked looked rebased formatted"
)
_PERSON = word_set("i we you the agent claude codex gemini assistant user have has had been was were also then")


def fit_line(text: str) -> str | None:
    """Convert a claim to one line without markup; return None if it is too long or not understandable on its own.

    If a claim is too long, its first sentence is used instead.
    """
    plain = neutralise(" ".join(_LEAD.sub("", _EMPHASIS.sub("", text)).split()), one_line=True)
    if len(plain) > LONGEST:
        plain = next(iter(split_sentences(plain)), "")
    if not _SHORTEST <= len(plain) <= LONGEST or plain.endswith((":", "…", "?")):
        return None
    if _REMOVED in plain or len({*split_words(plain)} - STOP) < _FEWEST_WORDS or points_back(plain):
        return None
    return plain


def find_detail_reason(line: str) -> str | None:
    """Return in a few words why a line is a detail that does not help later sessions; None if it is not a detail."""
    if _CODE.search(line) or _PATH.search(line) or _COMMIT.search(line):
        return "a detail of the code"
    if _ERROR.search(line):
        return "an error"
    if is_question(line):
        return "a question"
    return "a chore" if _find_first_verb(line) in _CHORE else None


def find_passing_reason(line: str) -> str | None:
    """Return in a few words why a line is valid only in its session; None if it may be valid later."""
    if _TODAY.search(line):
        return "true on its day only"
    if _GUESS.search(line):
        return "a guess"
    if _REQUEST.search(line):
        return "a request"
    return "a step of the work" if _find_first_verb(line) in _STEP else None


def _find_first_verb(line: str) -> str:
    """Return the first word that names no person or agent and is no auxiliary; in a report, this is the verb."""
    return next((word for word in split_words(line) if word not in _PERSON), "")


def statement_key(line: str) -> str:
    """Return a line without its case, white space and full stop; equal keys say the same, sign for sign."""
    return " ".join(line.casefold().split()).rstrip(".")


def comparison_key(line: str) -> tuple[str, ...]:
    """Return the words of a line without stop words; lines with the same key are duplicates."""
    # All words must be equal, because the only different one may be the value that matters.
    words = split_words(line)
    return tuple(word for word in words if word not in STOP) or tuple(words)
