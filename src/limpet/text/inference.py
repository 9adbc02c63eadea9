"""Infer from a text its kind, impact, region, type, concepts, tags and title.

Everything is inferred from whole words in their context: "monkey" is not "key", "not critical" is not critical, "must
have been" is a guess and no order. A memory names its subject first, so only the beginning is judged; tags are gathered
further down too. Text in other languages gets the defaults, which do the least harm.

The results are plain strings, because this package must not import the enums of `model`.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text import inference_words as cues
from limpet.text.excerpt import FENCED, split_headline
from limpet.text.negation import is_negated
from limpet.text.orders import is_guess, may_order
from limpet.text.vocabulary import EXTENSIONS, NAMES, TECHNOLOGIES
from limpet.text.words import word_set

__all__ = ["Inference", "infer"]

_READ = 20_000
_JUDGED = 120  # words from which everything but the tags is read
_MOST_TAGS, _MOST_CONCEPTS = 8, 3

# Quoted text and code are mentioned, not said: grep "fix" repairs nothing.
_QUOTED = lazy(r"`[^`\n]*+`|\"[^\"\n]{1,80}+\"|“[^”\n]{1,80}+”")
_TOKEN = lazy(r"\w++(?:['’+#/.-]++\w++)*+|[.,:;!?\n`]")
_MARKS = frozenset(".:;!?\n")
# Paths of a project, source files and identifiers; files that every project has, such as a README.md, are none.
_CODE = lazy(
    r"(?<![\w~/.:@-])(?:\./|(?:src|lib|app|apps|tests?|docs|packages|scripts|cmd|internal)/)[\w./-]+"
    r"|(?<![\w~/.:@-])[\w-]+(?:/[\w.-]+)*/[\w-]+\.[a-z]{1,4}\b"
    r"|\b[\w-]+\.(?:py|ts|tsx|js|jsx|go|rs|java|kt|rb|php|cs|cpp|cc|hpp|swift|sql|vue|svelte|scala|ex|sh)\b"
    r"|\b[a-z]+_[a-z_0-9]+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b",
)

_NONE = word_set("0 zero")


@record
class Inference:
    """The properties that were inferred from a text."""

    kind: str
    impact: str
    region: str
    type: str
    concepts: tuple[str, ...]
    tags: tuple[str, ...]
    title: str
    subtitle: str


def infer(text: str) -> Inference:
    """Return all properties that can be inferred from `text` alone; never raise."""
    text = text[:_READ]
    said = _PlainWords(text)
    kind = _infer_kind(said)
    title, subtitle = split_headline(text)
    return Inference(
        kind=kind,
        impact=_infer_impact(said),
        region=_infer_region(said, text),
        type=_infer_type(said, kind),
        concepts=_find_concepts(said),
        tags=_find_tags(text),
        title=title,
        subtitle=subtitle,
    )


class _PlainWords:
    """The words of a text outside quotations, in lower case; punctuation marks count as words."""

    def __init__(self, text: str) -> None:
        plain = _QUOTED.sub(" ` ", FENCED.sub(" ", text[: _JUDGED * 20]))
        self.raw = _TOKEN.findall(plain)[:_JUDGED]
        self.words = [token.lower().replace("’", "'") for token in self.raw]
        self.line = f" {' '.join(self.words)} "
        self.distinct = frozenset(self.words)

    @cached_property
    def is_personal(self) -> bool:
        return _is_personal(self)

    def at(self, at: int) -> str:
        return self.words[at] if 0 <= at < len(self.words) else "."

    def has(self, phrases: tuple[str, ...]) -> bool:
        by_word = _sort_by_word(phrases)
        return any(phrase in self.line for word in by_word.keys() & self.distinct for phrase in by_word[word])

    def count(self, table: frozenset[str]) -> int:
        if table.isdisjoint(self.distinct):
            return 0
        return sum(word in table and not self.is_denied(at) for at, word in enumerate(self.words))

    def is_denied(self, at: int) -> bool:
        return is_negated(self.words, at, _NONE)

    def opens_clause(self, at: int) -> bool:
        """Tell whether a clause begins at the word at `at`."""
        return self.at(at - 1) in _MARKS or self.at(at - 1) == ","

    def is_hedged(self, at: int) -> bool:
        """Tell whether a hedge comes before the word at `at` in its clause."""
        for back in range(at - 1, -1, -1):
            if self.words[back] in _MARKS or self.words[back] == ",":
                return False
            if self.words[back] in cues.HEDGES:
                return True
        return False


@lru_cache(maxsize=256)
def _sort_by_word(phrases: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the phrases, with a space at both ends, by their first words: most texts have none of these words."""
    found: dict[str, list[str]] = {}
    for phrase in phrases:
        found.setdefault(phrase.partition(" ")[0], []).append(f" {phrase} ")
    return found


def _infer_kind(said: _PlainWords) -> str:
    if said.is_personal:
        return "EMOTIONAL"
    if said.has(cues.DECIDED):
        return "ARCHITECTURAL"
    if said.has(cues.LEARNT) or said.at(0) == "because":
        return "LEARNINGS"
    if _finished_work(said):
        return "ACHIEVEMENTS"
    # A condition tells how something behaves, which is a lesson; an order or a part of the system is structure.
    orders = 3 * _is_order(said)
    behaves = said.count(cues.SYMPTOMS) + (said.has(("when", "if")) and not orders) + 2 * said.has(cues.INCAPABLE)
    structure = orders + said.count(cues.STRUCTURE)
    return "ARCHITECTURAL" if structure > behaves else "LEARNINGS"


def _is_personal(said: _PlainWords) -> bool:
    """Tell whether a statement is about how somebody likes to work, talk or be talked to."""
    if said.has(cues.MANNERS) and not said.has(("seems to me", "looks to me")):
        return True
    for at, word in enumerate(said.words):
        if word in cues.ROLES and said.at(at - 2) in {"is", "am"} and _is_someone(said, at - 3):
            return True
        if word in cues.FEELINGS and said.at(at + 1) != "path":
            before = range(max(0, at - 6), at)
            if any(_is_someone(said, back) and _feels(said, back) for back in before):
                return True
        if word in cues.WANT or (word.endswith("s") and word[:-1] in cues.WANT):
            subject = at - 1
            while said.at(subject) in {"not", "do", "does", "doesn't", "don't", "really", "also", "always", "usually"}:
                subject -= 1
            plural_verb = word in cues.WANT and subject == at - 1
            a_task = said.at(at + 1) == "to" and said.at(at + 2) not in cues.WISHED
            if _is_someone(said, subject) and (said.at(subject) == "i" or not plural_verb) and not a_task:
                return True
    return False


def _feels(said: _PlainWords, at: int) -> bool:
    return said.at(at + 1) in cues.FEELING_VERBS or said.at(at) == "i"


def _is_someone(said: _PlainWords, at: int) -> bool:
    """Tell whether the word at `at` means the user, names a role, or is spelt like a person's name."""
    if at < 0:
        return False
    word, raw = said.words[at], said.raw[at]
    if word == "i" or word in cues.PEOPLE:
        return True
    if word in TECHNOLOGIES or raw in NAMES or word in cues.STRUCTURE:
        return False
    if not (raw[:1].isupper() and raw[1:].islower()):
        return False
    return said.at(at - 1) not in {"the", "a", "an", "our", "this", "each", "every"} and not word.endswith("s")


def _finished_work(said: _PlainWords) -> str:
    """Return the type of work that a main clause reports as finished, or an empty string."""
    for at, word in enumerate(said.words):
        happened = cues.COMPLETED.get(word)
        if happened is None or said.is_denied(at):
            continue
        before = said.at(at - 1)
        # "Completed orders are archived" describes; "completed the order" reports.
        describes = said.at(at + 2) in cues.AUXILIARIES and said.at(at + 1) not in cues.OBJECTS
        if before in _MARKS and before != ";" and said.at(at + 1) not in _MARKS | cues.NOT_VERBS and not describes:
            return happened
        if before in cues.DOERS:
            return happened
        done = word in {"done", "finished", "completed", "merged", "shipped", "released", "deployed"}
        if done and before in {"is", "are", "now"} and said.at(at + 1) in {".", "and", ",", "\n", "now", "!"}:
            return "feature" if word in {"done", "finished", "completed", "shipped"} else happened
    if said.has(cues.LIVE) or (said.has(("tests pass", "tests are green", "tests passed")) and said.has(("all",))):
        return "bugfix" if said.count(cues.REPAIRS) else "change"
    return ""


def _is_order(said: _PlainWords) -> bool:
    """Tell whether a text gives an order."""
    if said.has(cues.ORDERING):
        return True
    for at, word in enumerate(said.words):
        if word in {"never", "always"} and _is_directive(said, at):
            return True
        if word in {"must", "should", "shall"} and not said.is_hedged(at) and not is_guess(said.words, at):
            return True
        commands = word in cues.IMPERATIVES or (word in cues.COMMANDS and said.at(at + 1) in cues.OBJECTS)
        if commands and said.opens_clause(at):
            return said.at(at + 1) not in {"of", "is", "cases", "case"}
        if word in {"use", "follow", "prefer", "require", "keep"} and said.at(at - 1) == "we":
            return True
        if word in {"not", "instead"} and said.at(at - 1) == "," and said.at(at - 3) in {"use", "uses"}:
            return True
    return False


def _is_directive(said: _PlainWords, at: int) -> bool:
    """Tell whether the word at `at` gives an order.

    "Never commit secrets" gives one; "it never returns None" and "we never finished" report something.
    """
    return may_order(said.words, at) and (said.opens_clause(at) or said.at(at - 1) in cues.COMMAND_SUBJECTS)


_IMPORTANT = word_set("important importantly significant major")
_WEIGHTY = cues.WEAK | cues.STRONG | _IMPORTANT | word_set("must always never key must-have")
"""The words that can say how much a text matters."""


def _infer_impact(said: _PlainWords) -> str:
    labelled = cues.IMPACT_LABELS.get(said.at(0)) if said.at(1) in {":", "!"} else None
    if labelled == "LOW":
        return "LOW"
    found = {_impact_of_word(said, at) for at, word in enumerate(said.words) if word in _WEIGHTY}
    if labelled == "CRITICAL" or "CRITICAL" in found or said.has(cues.STRONG_PHRASES):
        return "CRITICAL"
    if labelled or "HIGH" in found:
        return "HIGH"
    return "LOW" if "LOW" in found or said.has(cues.WEAK_PHRASES) else "MEDIUM"


def _impact_of_word(said: _PlainWords, at: int) -> str:
    word, after = said.words[at], said.at(at + 1)
    if word in cues.WEAK:
        return "" if after in cues.TECHNICAL_NOUNS or said.is_denied(at) else "LOW"
    if word in {"must", "always", "never"}:
        if said.is_hedged(at) or said.is_denied(at):
            return ""
        ordered = not is_guess(said.words, at) if word == "must" else _is_directive(said, at)
        return "CRITICAL" if ordered else ""
    if word in cues.STRONG or word in _IMPORTANT:
        if after in cues.TECHNICAL_NOUNS:
            return ""
        if said.is_denied(at) or said.at(at - 1) in {"less", "least"} or said.is_hedged(at):
            return "LOW"
        # A critical bug that is fixed is history; a critical rule is not.
        return "CRITICAL" if word in cues.STRONG and cues.COMPLETED.get(said.at(0)) is None else "HIGH"
    if word == "key" and not said.is_denied(at):
        the_key = said.at(at - 1) == "the" and after == "is" and said.at(at + 2) in {"to", "that"}
        is_key = said.at(at - 1) in {"is", "are"} and (after in _MARKS or after in {"to", "for", "here"})
        return "HIGH" if after in cues.KEY_NOUNS or the_key or is_key else ""
    return "HIGH" if word == "must-have" else ""


def _infer_region(said: _PlainWords, text: str) -> str:
    """Return AGENT for a text about every project or about the person that names nothing of this project.

    The kind does not matter: a wish about one service is personal too, and belongs to the project of that service.
    """
    if said.has(cues.HERE) or _names_component(said):
        return "PROJECT"
    names_project = said.has(("the project",))
    widens = _has_undenied(said, cues.EVERY_PROJECT, names_project) or (
        _has_undenied(said, cues.EVERYWHERE, names_project) and not _names_code(text)
    )
    return "AGENT" if widens or (not names_project and _is_about_person(said)) else "PROJECT"


def _has_undenied(said: _PlainWords, phrases: tuple[str, ...], names_project: bool) -> bool:
    """Tell whether a text has one of the phrases, not denied.

    With `names_project`, only phrases about projects count.
    """
    return said.has(phrases) and any(
        said.has((phrase,)) and not said.has(tuple(f"{no} {phrase}" for no in ("not", "not in", "unlike")))
        for phrase in phrases
        if not names_project or "the project" in phrase
    )


def _names_code(text: str) -> bool:
    """Tell whether a text names a path, a source file or an identifier; "everywhere" then means within one project."""
    return any(name.lower() not in TECHNOLOGIES and name not in NAMES for name in _CODE.findall(text[: _JUDGED * 20]))


def _names_component(said: _PlainWords) -> bool:
    """Tell whether a text names a part of one project, such as "the billing service"."""
    return any(
        word in cues.PARTS and any(said.at(at - back) in cues.DETERMINERS for back in (1, 2, 3))
        for at, word in enumerate(said.words)
    )


def _is_about_person(said: _PlainWords) -> bool:
    """Tell whether a text describes a person, or how to talk to one, rather than something to be built."""
    if not said.is_personal or "`" in said.words:
        return False
    if said.has(cues.REQUESTING) and not said.has(cues.MANNERS):
        return False
    first, second = said.at(0), said.at(1)
    named = _is_someone(said, 0) and (second in {"is", "was"} or second[:-1] in cues.WANT)
    return said.has(cues.ADDRESSING) or first in cues.PEOPLE or second in cues.PEOPLE or named


def _infer_type(said: _PlainWords, kind: str) -> str:
    if kind == "EMOTIONAL":
        return "discovery" if said.count(cues.FEELINGS) and said.has(("was", "were", "felt")) else "decision"
    finished = _finished_work(said)
    if kind == "ACHIEVEMENTS":
        return finished or "change"
    fixed = any(
        word in cues.FIXES and said.at(at + 1) not in cues.NOT_VERBS and not said.is_denied(at)
        for at, word in enumerate(said.words)
    )
    if kind == "LEARNINGS" and (fixed or said.has(("the fix is", "fix :"))):
        return "bugfix"
    if said.has(("switched", "migrated", "replaced with", "upgraded", "dropped")) and not said.has(("decided",)):
        return "change"
    if kind == "ARCHITECTURAL" and (said.has(cues.DECIDED) or _is_order(said) or _infer_impact(said) != "MEDIUM"):
        return "decision"
    return "discovery"


def _find_concepts(said: _PlainWords) -> tuple[str, ...]:
    return tuple(concept for concept, cues in cues.CONCEPTS.items() if said.has(cues))[:_MOST_CONCEPTS]


_WORD = lazy(r"[.]?[A-Za-z][\w+#.-]*+")
_FILE = lazy(r"[\w-]\.([A-Za-z]{1,6})(?![\w.])")


def _find_tags(text: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        word = match.group().rstrip(".-")
        tag = TECHNOLOGIES.get(word.lower())
        if tag is None and word in NAMES:
            before = text[max(0, match.start() - 2) : match.start()]
            if before and before[-1] in " `(/*[" and before[0] not in ".!?:\n":
                tag = word.lower()
        if tag is None and "." in word:
            ending = _FILE.search(word)
            tag = EXTENSIONS.get(ending.group(1).lower()) if ending else None
        if tag is not None:
            found[tag] = None
            if len(found) == _MOST_TAGS:
                break
    return tuple(found)
