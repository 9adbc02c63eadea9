"""What a text says about itself: kind, impact, region, type, concepts, tags and a title.

Everything is read from whole words in their context: "monkey" is not "key", "not critical" is not critical, "must have
been" is a guess and no order. What a memory is about comes first in it, so only its beginning is judged; tags are
gathered further down. Text in other languages gets the defaults, which do the least harm.

The answers are plain strings, because the enums of `model` stand above this package.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text import vocabulary as known
from limpet.text.excerpt import split_excerpt
from limpet.text.negation import is_negated
from limpet.text.words import listed

__all__ = ["Inferred", "infer"]

_READ = 20_000
_JUDGED = 120  # words from which everything but the tags is read
_TITLE, _SUBTITLE, _TAGS, _CONCEPTS = 80, 120, 8, 3

_FENCED = lazy(r"```[^`]*+(?:`(?!``)[^`]*+)*+(?:```)?")
# Quoted text and code are mentioned, not said: grep "fix" repairs nothing.
_QUOTED = lazy(r"`[^`\n]*+`|\"[^\"\n]{1,80}+\"|“[^”\n]{1,80}+”")
_TOKEN = lazy(r"\w++(?:['’+#/.-]++\w++)*+|[.,:;!?\n`]")
_MARKS = frozenset(".:;!?\n")

_NONE = listed("0 zero")
_HEDGES = listed("maybe perhaps possibly might whether")
_STRONG = listed("critical crucial essential vital mandatory paramount forbidden")
_STRONG_PHRASES = ("under no circumstances", "non-negotiable", "is imperative", "it's imperative")
_WEAK = listed("minor trivial maybe possibly perhaps might cosmetic nit nitpick unimportant negligible someday")
_WEAK_PHRASES = ("nice to have", "nice-to-have", "low priority", "not urgent")
_LABELS = {
    **dict.fromkeys(["minor", "nit", "trivial", "cosmetic"], "LOW"),
    **dict.fromkeys(["critical", "crucial", "vital", "essential", "must"], "CRITICAL"),
    **dict.fromkeys(["important", "warning", "key"], "HIGH"),
}
# "minor version", "critical section", "most significant bit": terms, not judgements.
_TERMS = listed(
    "version versions release releases upgrade bump number section path css bit byte digit digits mode signs"
)
_GUESS_AFTER_BE = listed("a an the due because caused some something related in coming wrong that why how from")
# "I want to add X" is a task, "I want to see X" a wish.
_WISHES = listed("be see have know review approve")
_FEEL = listed("is was feels felt gets got seems became sounded finds")
_SUBJECTS = listed("i we you should must will shall please and or to do can may they")
_VERBS = listed("is are was were must should can cannot may will have has go get gets goes need needs")
_BASE_IN_S = listed("pass process access address compress express guess miss press discuss cross focus bypass")

_ORDERING = tuple(
    f"{word} {link}" for word in ("critical", "crucial", "essential", "vital", "important") for link in ("that", "to")
)
_DOERS = listed("i we team i've we've have has been finally just")
_LIVE = ("is complete", "are complete", "is now complete", "is live", "are live", "is now live", "went from")
_REPAIRS = listed("fix hotfix patch bugfix")
_FIXES = listed("fixed resolved patched solved workaround hotfix")
_NOT_VERBS = listed("size width length point price format number")


@record
class Inferred:
    kind: str
    impact: str
    region: str
    type: str
    concepts: tuple[str, ...]
    tags: tuple[str, ...]
    title: str
    subtitle: str


def infer(text: str) -> Inferred:
    """Everything that can be told from `text` alone; never raises."""
    text = text[:_READ]
    said = _Said(text)
    kind = _kind(said)
    title, subtitle = _headline(text)
    return Inferred(
        kind=kind,
        impact=_impact(said),
        region=_region(said, kind),
        type=_type(said, kind),
        concepts=_concepts(said),
        tags=_tags(text),
        title=title,
        subtitle=subtitle,
    )


def _is_negated(words: list[str], at: int) -> bool:
    return is_negated(words, at, _NONE)


class _Said:
    """The words that are said (not quoted), lower-case, with marks as words of their own."""

    def __init__(self, text: str) -> None:
        plain = _QUOTED.sub(" ` ", _FENCED.sub(" ", text[: _JUDGED * 20]))
        self.raw = _TOKEN.findall(plain)[:_JUDGED]
        self.words = [token.lower().replace("’", "'") for token in self.raw]
        self.line = f" {' '.join(self.words)} "

    def at(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else "."

    def has(self, phrases: tuple[str, ...]) -> bool:
        return any(f" {phrase} " in self.line for phrase in phrases)

    def count(self, table: frozenset[str]) -> int:
        return sum(word in table and not _is_negated(self.words, at) for at, word in enumerate(self.words))

    def opens(self, at: int) -> bool:
        """Does a clause begin at this word?"""
        return self.at(at - 1) in _MARKS or self.at(at - 1) == ","

    def hedged(self, at: int) -> bool:
        """Does a hedge stand before this word in its clause?"""
        for back in range(at - 1, -1, -1):
            if self.words[back] in _MARKS or self.words[back] == ",":
                return False
            if self.words[back] in _HEDGES:
                return True
        return False


def _kind(said: _Said) -> str:
    if _is_personal(said):
        return "EMOTIONAL"
    if said.has(known.DECIDED):
        return "ARCHITECTURAL"
    if said.has(known.LEARNT) or said.at(0) == "because":
        return "LEARNINGS"
    if _finished(said):
        return "ACHIEVEMENTS"
    # A condition tells how something behaves, which is a lesson; an order or a part of the system is structure.
    orders = 3 * _is_order(said)
    behaves = said.count(known.SYMPTOMS) + (said.has(("when", "if")) and not orders) + 2 * said.has(known.INCAPABLE)
    structure = orders + said.count(known.STRUCTURE)
    return "ARCHITECTURAL" if structure > behaves else "LEARNINGS"


def _is_personal(said: _Said) -> bool:
    """Is it about how somebody likes to work, talk or be talked to?"""
    if said.has(known.MANNERS) and not said.has(("seems to me", "looks to me")):
        return True
    for at, word in enumerate(said.words):
        if word in known.ROLES and said.at(at - 2) in {"is", "am"} and _is_someone(said, at - 3):
            return True
        if word in known.FEELINGS and said.at(at + 1) != "path":
            before = range(max(0, at - 6), at)
            if any(_is_someone(said, back) and (said.at(back + 1) in _FEEL or said.at(back) == "i") for back in before):
                return True
        if word in known.WANT or (word.endswith("s") and word[:-1] in known.WANT):
            subject = at - 1
            while said.at(subject) in {"not", "do", "does", "doesn't", "don't", "really", "also", "always", "usually"}:
                subject -= 1
            plural_verb = word in known.WANT and subject == at - 1
            a_task = said.at(at + 1) == "to" and said.at(at + 2) not in _WISHES
            if _is_someone(said, subject) and (said.at(subject) == "i" or not plural_verb) and not a_task:
                return True
    return False


def _is_someone(said: _Said, at: int) -> bool:
    """The user, a person by role, or a name as far as spelling tells."""
    if at < 0:
        return False
    word, raw = said.words[at], said.raw[at]
    if word == "i" or word in known.PEOPLE:
        return True
    if word in known.TECHNOLOGIES or raw in known.NAMES or word in known.STRUCTURE:
        return False
    if not (raw[:1].isupper() and raw[1:].islower()):
        return False
    return said.at(at - 1) not in {"the", "a", "an", "our", "this", "each", "every"} and not word.endswith("s")


def _finished(said: _Said) -> str:
    """The type of the work a main clause reports as finished, or nothing."""
    for at, word in enumerate(said.words):
        happened = known.COMPLETED.get(word)
        if happened is None or _is_negated(said.words, at):
            continue
        before = said.at(at - 1)
        # "Completed orders are archived" describes; "completed the order" reports.
        describes = said.at(at + 2) in _VERBS and said.at(at + 1) not in known.OBJECTS
        if before in _MARKS and before != ";" and said.at(at + 1) not in _MARKS | _NOT_VERBS and not describes:
            return happened
        if before in _DOERS:
            return happened
        done = word in {"done", "finished", "completed", "merged", "shipped", "released", "deployed"}
        if done and before in {"is", "are", "now"} and said.at(at + 1) in {".", "and", ",", "\n", "now", "!"}:
            return "feature" if word in {"done", "finished", "completed", "shipped"} else happened
    if said.has(_LIVE) or (said.has(("tests pass", "tests are green", "tests passed")) and said.has(("all",))):
        return "bugfix" if said.count(_REPAIRS) else "change"
    return ""


def _is_order(said: _Said) -> bool:
    """Does it tell somebody what to do?"""
    if said.has(_ORDERING):
        return True
    for at, word in enumerate(said.words):
        if word in {"never", "always"} and _is_directive(said, at):
            return True
        if word in {"must", "should", "shall"} and not said.hedged(at) and not _is_guess(said, at):
            return True
        commands = word in known.IMPERATIVES or (word in known.COMMANDS and said.at(at + 1) in known.OBJECTS)
        if commands and said.opens(at):
            return said.at(at + 1) not in {"of", "is", "cases", "case"}
        if word in {"use", "follow", "prefer", "require", "keep"} and said.at(at - 1) == "we":
            return True
        if word in {"not", "instead"} and said.at(at - 1) == "," and said.at(at - 3) in {"use", "uses"}:
            return True
    return False


def _is_directive(said: _Said, at: int) -> bool:
    """ "Never commit secrets" is an order; "it never returns None" and "we never finished" are reports."""
    verb, before = said.at(at + 1), said.at(at - 1)
    if verb in _MARKS or verb == "," or verb in known.IRREGULAR_PAST or verb.endswith("ed"):
        return False
    if verb.endswith("s") and verb not in _BASE_IN_S:
        return False
    return said.opens(at) or before in _SUBJECTS


def _is_guess(said: _Said, at: int) -> bool:
    """ "Must have been", "must be the cache": a conclusion, not an order."""
    after, later = said.at(at + 1), said.at(at + 2)
    if after == "have":
        return later in known.IRREGULAR_PAST or later.endswith("ed")
    return after == "be" and later in _GUESS_AFTER_BE


def _impact(said: _Said) -> str:
    labelled = _LABELS.get(said.at(0)) if said.at(1) in {":", "!"} else None
    if labelled == "LOW":
        return "LOW"
    found = {_weight(said, at) for at in range(len(said.words))}
    if labelled == "CRITICAL" or "CRITICAL" in found or said.has(_STRONG_PHRASES):
        return "CRITICAL"
    if labelled or "HIGH" in found:
        return "HIGH"
    return "LOW" if "LOW" in found or said.has(_WEAK_PHRASES) else "MEDIUM"


def _weight(said: _Said, at: int) -> str:
    word, after = said.words[at], said.at(at + 1)
    if word in _WEAK:
        return "" if after in _TERMS or _is_negated(said.words, at) else "LOW"
    if word in {"must", "always", "never"}:
        if said.hedged(at) or _is_negated(said.words, at):
            return ""
        ordered = not _is_guess(said, at) if word == "must" else _is_directive(said, at)
        return "CRITICAL" if ordered else ""
    if word in _STRONG or word in {"important", "importantly", "significant", "major"}:
        if after in _TERMS:
            return ""
        if _is_negated(said.words, at) or said.at(at - 1) in {"less", "least"} or said.hedged(at):
            return "LOW"
        # A critical bug that is fixed is history; a critical rule is not.
        return "CRITICAL" if word in _STRONG and known.COMPLETED.get(said.at(0)) is None else "HIGH"
    if word == "key" and not _is_negated(said.words, at):
        the_key = said.at(at - 1) == "the" and after == "is" and said.at(at + 2) in {"to", "that"}
        is_key = said.at(at - 1) in {"is", "are"} and (after in _MARKS or after in {"to", "for", "here"})
        return "HIGH" if after in known.KEY_NOUNS or the_key or is_key else ""
    return "HIGH" if word == "must-have" else ""


def _region(said: _Said, kind: str) -> str:
    for phrase in known.EVERYWHERE:
        if said.has((phrase,)) and not said.has(tuple(f"{no} {phrase}" for no in ("not", "not in", "unlike"))):
            return "PROJECT" if said.has(known.HERE) else "AGENT"
    return "AGENT" if kind == "EMOTIONAL" and not said.has((*known.HERE, "the project")) else "PROJECT"


def _type(said: _Said, kind: str) -> str:
    if kind == "EMOTIONAL":
        return "discovery" if said.count(known.FEELINGS) and said.has(("was", "were", "felt")) else "decision"
    finished = _finished(said)
    if kind == "ACHIEVEMENTS":
        return finished or "change"
    fixed = any(
        word in _FIXES and said.at(at + 1) not in _NOT_VERBS and not _is_negated(said.words, at)
        for at, word in enumerate(said.words)
    )
    if kind == "LEARNINGS" and (fixed or said.has(("the fix is", "fix :"))):
        return "bugfix"
    if said.has(("switched", "migrated", "replaced with", "upgraded", "dropped")) and not said.has(("decided",)):
        return "change"
    if kind == "ARCHITECTURAL" and (said.has(known.DECIDED) or _is_order(said) or _impact(said) != "MEDIUM"):
        return "decision"
    return "discovery"


def _concepts(said: _Said) -> tuple[str, ...]:
    return tuple(concept for concept, cues in known.CONCEPTS.items() if said.has(cues))[:_CONCEPTS]


_WORD = lazy(r"[.]?[A-Za-z][\w+#.-]*+")
_FILE = lazy(r"[\w-]\.([A-Za-z]{1,6})(?![\w.])")


def _tags(text: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        word = match.group().rstrip(".-")
        before = text[max(0, match.start() - 2) : match.start()]
        tag = known.TECHNOLOGIES.get(word.lower())
        if tag is None and word in known.NAMES and before and before[-1] in " `(/*[" and before[0] not in ".!?:\n":
            tag = word.lower()
        if tag is None and "." in word:
            ending = _FILE.search(word)
            tag = known.EXTENSIONS.get(ending.group(1).lower()) if ending else None
        if tag is not None:
            found[tag] = None
            if len(found) == _TAGS:
                break
    return tuple(found)


_FENCE = lazy(r"```\w*+")
_LINK = lazy(r"!?\[([^\]\n]{0,200}+)\]\([^)\s]{0,500}+\)")
_EMPHASIS = lazy(r"(?<!\w)_([^_\n]{1,100}+)_(?!\w)")
_MARKUP = lazy(
    r"^\s*+(?:[#>*+-]++\s++|\d++[.)]\s++)++|\*{2,}|\*(?=\w)|(?<=\w)\*|`+|~~"
    r"|</?(?:a|b|br|code|div|em|h[1-6]|i|img|kbd|li|ol|p|pre|span|strong|sub|summary|sup|ul)\b[^>\n]{0,80}+>"
)
_END = lazy(r"(?<=[.!?。！？])\s+(?=\S)|\n")
_ABBREVIATION = lazy(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|St|Dr|Mr|Mrs|Ms)\.$")


def _headline(text: str) -> tuple[str, str]:
    """The first sentence or heading, and what follows it, each on one line and cut between words."""
    sentences = _sentences(text[:2_000])
    if not sentences:
        plain = " ".join(_FENCE.sub(" ", text[:400]).split()) or " ".join(text[:400].split())
        return split_excerpt(plain, _TITLE)[0], ""
    title, rest = split_excerpt(sentences[0], _TITLE)
    following = rest or (sentences[1] if len(sentences) > 1 else "")
    return title, split_excerpt(following, _SUBTITLE)[0]


def _sentences(text: str) -> list[str]:
    sentences: list[str] = []
    for line in _FENCED.sub("\n", text).splitlines():
        plain = " ".join(_EMPHASIS.sub(r"\1", _MARKUP.sub("", _LINK.sub(r"\1", line))).split())
        start = 0
        for end in _END.finditer(plain):
            if _ABBREVIATION.search(plain, start, end.start()):
                continue
            sentences.append(plain[start : end.start()])
            start = end.end()
        sentences.append(plain[start:])
        if len(sentences) > 8:
            break
    return [sentence for sentence in sentences if any(char.isalnum() for char in sentence)]
