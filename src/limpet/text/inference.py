"""Infer from the text of a memory its kind, impact, region, type, concepts, tags and title.

These properties are defined in `model/memory.py`. They are inferred from whole words in their context: "monkey" is not
"key", "not critical" is not critical, and "must have been" is a guess and not an order. Tags are taken from the whole
text, and the rest from its beginning, because a memory names its subject first. Texts in languages other than English
get the defaults.

The results are strings, because this package must not import the enums of `model`.
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

_READ = 20_000
_JUDGED = 120
"""The number of words at the beginning of a text from which everything except the tags is inferred."""
_MOST_TAGS, _MOST_CONCEPTS = 8, 3

# Quoted text and code are left out, because a text only mentions them: `grep "fix"` does not report a fix.
_QUOTED = lazy(r"`[^`\n]*+`|\"[^\"\n]{1,80}+\"|“[^”\n]{1,80}+”")
_TOKEN = lazy(r"\w++(?:['’+#/.-]++\w++)*+|[.,:;!?\n`]")
_MARKS = frozenset(".:;!?\n")
# Paths of a project, source files and identifiers, but not files that every project has, such as README.md.
_CODE = lazy(
    r"(?<![\w~/.:@-])(?:\./|(?:src|lib|app|apps|tests?|docs|packages|scripts|cmd|internal)/)[\w./-]+"
    r"|(?<![\w~/.:@-])[\w-]+(?:/[\w.-]+)*/[\w-]+\.[a-z]{1,4}\b"
    r"|\b[\w-]+\.(?:py|ts|tsx|js|jsx|go|rs|java|kt|rb|php|cs|cpp|cc|hpp|swift|sql|vue|svelte|scala|ex|sh)\b"
    r"|\b[a-z]+_[a-z_0-9]+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b",
)

_ZERO = word_set("0 zero")


@record
class Inference:
    """The properties that were inferred from a text, as the values of the enums in `model/memory.py`."""

    kind: str
    impact: str
    region: str
    type: str
    concepts: tuple[str, ...]
    tags: tuple[str, ...]
    title: str
    subtitle: str


def infer(text: str, *, named: str = "") -> Inference:
    """Infer the properties of a memory from its text, and the tags also from `named`, the title that it was given.

    Any text is accepted. A property that cannot be inferred gets its default value.
    """
    text = text[:_READ]
    plain = _PlainWords(text)
    kind = _infer_kind(plain)
    title, subtitle = split_headline(text)
    return Inference(
        kind=kind,
        impact=_infer_impact(plain),
        region=_infer_region(plain, text),
        type=_infer_type(plain, kind),
        concepts=tuple(name for name, phrases in cues.CONCEPTS.items() if plain.has(phrases))[:_MOST_CONCEPTS],
        tags=_find_tags(f"{named}\n{text}"),
        title=title,
        subtitle=subtitle,
    )


class _PlainWords:
    """The words at the beginning of a text, without quoted text and code. Punctuation marks count as words.

    `words` are in lower case, `raw` as they are written, and `line` contains all words with spaces between them.
    """

    def __init__(self, text: str) -> None:
        unquoted = _QUOTED.sub(" ` ", FENCED.sub(" ", text[: _JUDGED * 20]))
        self.raw = _TOKEN.findall(unquoted)[:_JUDGED]
        self.words = [token.lower().replace("’", "'") for token in self.raw]
        self.line = f" {' '.join(self.words)} "
        self.distinct = frozenset(self.words)

    @cached_property
    def is_personal(self) -> bool:
        return _is_personal(self)

    @cached_property
    def finished_work(self) -> str:
        return _find_finished_work(self)

    def word_at(self, at: int) -> str:
        """Return the word at a position, or a full stop if the position is outside the text."""
        return self.words[at] if 0 <= at < len(self.words) else "."

    def has(self, phrases: tuple[str, ...]) -> bool:
        """Tell whether the text has one of the phrases."""
        by_word = _sort_by_word(phrases)
        return any(phrase in self.line for word in by_word.keys() & self.distinct for phrase in by_word[word])

    def count(self, table: frozenset[str]) -> int:
        """Return how many words of the text are in the table and not negated."""
        if table.isdisjoint(self.distinct):
            return 0
        return sum(word in table and not self.is_denied(at) for at, word in enumerate(self.words))

    def is_denied(self, at: int) -> bool:
        return is_negated(self.words, at, _ZERO)

    def opens_clause(self, at: int) -> bool:
        """Tell whether the word at `at` is the first one of its clause."""
        return self.word_at(at - 1) in _MARKS or self.word_at(at - 1) == ","

    def is_hedged(self, at: int) -> bool:
        """Tell whether a word such as "maybe" precedes the word at `at` in its clause."""
        for back in range(at - 1, -1, -1):
            if self.words[back] in _MARKS or self.words[back] == ",":
                return False
            if self.words[back] in cues.HEDGES:
                return True
        return False


@lru_cache(maxsize=256)
def _sort_by_word(phrases: tuple[str, ...]) -> dict[str, list[str]]:
    """Group phrases by their longest word, so that a text is searched only for phrases whose longest word it contains.

    Each phrase is returned with a space at both ends.
    """
    found: dict[str, list[str]] = {}
    for phrase in phrases:
        found.setdefault(max(phrase.split(" "), key=len), []).append(f" {phrase} ")
    return found


def _infer_kind(plain: _PlainWords) -> str:
    if plain.is_personal:
        return "EMOTIONAL"
    if plain.has(cues.DECIDED):
        return "ARCHITECTURAL"
    if plain.has(cues.LEARNT) or plain.word_at(0) == "because":
        return "LEARNINGS"
    if plain.finished_work:
        return "ACHIEVEMENTS"
    # A condition describes behaviour, which is a lesson. An order or a part of the system is about structure.
    orders = 3 * _is_order(plain)
    behaves = plain.count(cues.SYMPTOMS) + (plain.has(("when", "if")) and not orders) + 2 * plain.has(cues.INCAPABLE)
    structure = orders + plain.count(cues.STRUCTURE)
    return "ARCHITECTURAL" if structure > behaves else "LEARNINGS"


def _is_personal(plain: _PlainWords) -> bool:
    """Tell whether a text is about a person: about their feelings, their role, or how they like to work and talk."""
    if plain.has(cues.MANNERS) and not plain.has(("seems to me", "looks to me")):
        return True
    for at, word in enumerate(plain.words):
        if word in cues.ROLES and plain.word_at(at - 2) in {"is", "am"} and _is_someone(plain, at - 3):
            return True
        if word in cues.FEELINGS and plain.word_at(at + 1) != "path":
            before = range(max(0, at - 6), at)
            if any(_is_someone(plain, back) and _feels(plain, back) for back in before):
                return True
        if word in cues.WANT or (word.endswith("s") and word[:-1] in cues.WANT):
            subject = at - 1
            while plain.word_at(subject) in cues.BEFORE_WISH:
                subject -= 1
            plural_verb = word in cues.WANT and subject == at - 1
            a_task = plain.word_at(at + 1) == "to" and plain.word_at(at + 2) not in cues.WISHED
            if _is_someone(plain, subject) and (plain.word_at(subject) == "i" or not plural_verb) and not a_task:
                return True
    return False


def _feels(plain: _PlainWords, at: int) -> bool:
    return plain.word_at(at + 1) in cues.FEELING_VERBS or plain.word_at(at) == "i"


def _is_someone(plain: _PlainWords, at: int) -> bool:
    """Tell whether the word at `at` means the user, names a role, or is spelt like a person's name."""
    if at < 0:
        return False
    word, raw = plain.words[at], plain.raw[at]
    if word == "i" or word in cues.PEOPLE:
        return True
    if word in TECHNOLOGIES or raw in NAMES or word in cues.STRUCTURE:
        return False
    if not (raw[:1].isupper() and raw[1:].islower()):
        return False
    return plain.word_at(at - 1) not in {"the", "a", "an", "our", "this", "each", "every"} and not word.endswith("s")


def _find_finished_work(plain: _PlainWords) -> str:
    """Return the type (such as "bugfix") of the work that a main clause reports as finished, or an empty string."""
    for at, word in enumerate(plain.words):
        happened = cues.COMPLETED.get(word)
        if happened is None or plain.is_denied(at):
            continue
        before = plain.word_at(at - 1)
        # "Completed orders are archived" is a description, "completed the order" a report.
        describes = plain.word_at(at + 2) in cues.AUXILIARIES and plain.word_at(at + 1) not in cues.OBJECTS
        if (
            before in _MARKS
            and before != ";"
            and plain.word_at(at + 1) not in _MARKS | cues.NOT_VERBS
            and not describes
        ):
            return happened
        if before in cues.DOERS:
            return happened
        done = word in {"done", "finished", "completed", "merged", "shipped", "released", "deployed"}
        if done and before in {"is", "are", "now"} and plain.word_at(at + 1) in {".", "and", ",", "\n", "now", "!"}:
            return "feature" if word in {"done", "finished", "completed", "shipped"} else happened
    if plain.has(cues.LIVE) or (plain.has(("tests pass", "tests are green", "tests passed")) and plain.has(("all",))):
        return "bugfix" if plain.count(cues.REPAIRS) else "change"
    return ""


def _is_order(plain: _PlainWords) -> bool:
    """Tell whether a text gives an order, such as "never commit secrets" or "use pnpm"."""
    if plain.has(cues.ORDERING):
        return True
    for at, word in enumerate(plain.words):
        if word in {"never", "always"} and _is_directive(plain, at):
            return True
        if word in {"must", "should", "shall"} and not plain.is_hedged(at) and not is_guess(plain.words, at):
            return True
        commands = word in cues.IMPERATIVES or (word in cues.COMMANDS and plain.word_at(at + 1) in cues.OBJECTS)
        if commands and plain.opens_clause(at):
            return plain.word_at(at + 1) not in {"of", "is", "cases", "case"}
        if word in {"use", "follow", "prefer", "require", "keep"} and plain.word_at(at - 1) == "we":
            return True
        if word in {"not", "instead"} and plain.word_at(at - 1) == "," and plain.word_at(at - 3) in {"use", "uses"}:
            return True
    return False


def _is_directive(plain: _PlainWords, at: int) -> bool:
    """Tell whether the "always" or "never" at `at` belongs to an order.

    "Never commit secrets" is an order, but "it never returns None" and "we never finished" are reports.
    """
    return may_order(plain.words, at) and (plain.opens_clause(at) or plain.word_at(at - 1) in cues.COMMAND_SUBJECTS)


_IMPORTANT = word_set("important importantly significant major")
_WEIGHTY = cues.WEAK | cues.STRONG | _IMPORTANT | word_set("must always never key must-have")
"""The words that may change the impact of a text."""


def _infer_impact(plain: _PlainWords) -> str:
    labelled = cues.IMPACT_LABELS.get(plain.word_at(0)) if plain.word_at(1) in {":", "!"} else None
    if labelled == "LOW":
        return "LOW"
    found = {_judge_word(plain, at) for at, word in enumerate(plain.words) if word in _WEIGHTY}
    if labelled == "CRITICAL" or "CRITICAL" in found or plain.has(cues.STRONG_PHRASES):
        return "CRITICAL"
    if labelled or "HIGH" in found:
        return "HIGH"
    return "LOW" if "LOW" in found or plain.has(cues.WEAK_PHRASES) else "MEDIUM"


def _judge_word(plain: _PlainWords, at: int) -> str:
    """Return the impact that the word at `at` gives to the text, or an empty string if it gives none."""
    word, after = plain.words[at], plain.word_at(at + 1)
    if word in cues.WEAK:
        return "" if after in cues.TECHNICAL_NOUNS or plain.is_denied(at) else "LOW"
    if word in {"must", "always", "never"}:
        if plain.is_hedged(at) or plain.is_denied(at):
            return ""
        ordered = not is_guess(plain.words, at) if word == "must" else _is_directive(plain, at)
        return "CRITICAL" if ordered else ""
    if word in cues.STRONG or word in _IMPORTANT:
        if after in cues.TECHNICAL_NOUNS:
            return ""
        if plain.is_denied(at) or plain.word_at(at - 1) in {"less", "least"} or plain.is_hedged(at):
            return "LOW"
        # A critical bug that is fixed is history; a critical rule is not.
        return "CRITICAL" if word in cues.STRONG and cues.COMPLETED.get(plain.word_at(0)) is None else "HIGH"
    if word == "key" and not plain.is_denied(at):
        the_key = plain.word_at(at - 1) == "the" and after == "is" and plain.word_at(at + 2) in {"to", "that"}
        is_key = plain.word_at(at - 1) in {"is", "are"} and (after in _MARKS or after in {"to", "for", "here"})
        return "HIGH" if after in cues.KEY_NOUNS or the_key or is_key else ""
    return "HIGH" if word == "must-have" else ""


def _infer_region(plain: _PlainWords, text: str) -> str:
    """Return "AGENT" for a text about all projects or about the user, and "PROJECT" for any other text."""
    # The kind does not decide: a wish about one service is personal too, but belongs to the project of that service.
    if plain.has(cues.HERE) or any(
        word in cues.PARTS and any(plain.word_at(at - back) in cues.DETERMINERS for back in (1, 2, 3))
        for at, word in enumerate(plain.words)
    ):
        return "PROJECT"
    names_project = plain.has(("the project",))
    widens = _has_undenied(plain, cues.EVERY_PROJECT, names_project) or (
        _has_undenied(plain, cues.EVERYWHERE, names_project) and _speaks_to_agent(plain) and not _names_code(text)
    )
    return "AGENT" if widens or (not names_project and _is_about_person(plain)) else "PROJECT"


def _has_undenied(plain: _PlainWords, phrases: tuple[str, ...], names_project: bool) -> bool:
    """Tell whether a text has one of the phrases without "not" or "unlike" before it.

    If `names_project` is set, only phrases with "the project" count.
    """
    return plain.has(phrases) and any(
        plain.has((phrase,)) and not plain.has(tuple(f"{no} {phrase}" for no in ("not", "not in", "unlike")))
        for phrase in phrases
        if not names_project or "the project" in phrase
    )


def _speaks_to_agent(plain: _PlainWords) -> bool:
    """Tell whether a text is an order to the agent or a habit of the person: "in general, squash commits".

    "Use UTC everywhere" is about one project, but "use conventional commits everywhere" is about how to work.
    """
    at = next((at for at, word in enumerate(plain.words[:6]) if word not in cues.EVERYWHERE_WORDS), 0)
    word = plain.word_at(at)
    if plain.is_personal or word == "i" or word in cues.PEOPLE or word in {"always", "never", "be"}:
        return True
    if word not in cues.IMPERATIVES | cues.COMMANDS:
        return False
    return at > 0 or "everywhere" not in plain.distinct or not cues.WORKING.isdisjoint(plain.distinct)


def _names_code(text: str) -> bool:
    """Tell whether a text names a path, a source file or an identifier, so that "everywhere" means in one project."""
    return any(name.lower() not in TECHNOLOGIES and name not in NAMES for name in _CODE.findall(text[: _JUDGED * 20]))


def _is_about_person(plain: _PlainWords) -> bool:
    """Tell whether a personal text describes a person or how to talk to them, rather than software that they want."""
    if not plain.is_personal or "`" in plain.words:
        return False
    if plain.has(cues.REQUESTING) and not plain.has(cues.MANNERS):
        return False
    first, second = plain.word_at(0), plain.word_at(1)
    named = _is_someone(plain, 0) and (second in {"is", "was"} or second[:-1] in cues.WANT)
    return plain.has(cues.ADDRESSING) or first in cues.PEOPLE or second in cues.PEOPLE or named


def _infer_type(plain: _PlainWords, kind: str) -> str:
    if kind == "EMOTIONAL":
        return "discovery" if plain.count(cues.FEELINGS) and plain.has(("was", "were", "felt")) else "decision"
    if kind == "ACHIEVEMENTS":
        return plain.finished_work or "change"
    fixed = any(
        word in cues.FIXES and plain.word_at(at + 1) not in cues.NOT_VERBS and not plain.is_denied(at)
        for at, word in enumerate(plain.words)
    )
    if kind == "LEARNINGS" and (fixed or plain.has(("the fix is", "fix :"))):
        return "bugfix"
    if plain.has(("switched", "migrated", "replaced with", "upgraded", "dropped")) and not plain.has(("decided",)):
        return "change"
    if kind == "ARCHITECTURAL" and (plain.has(cues.DECIDED) or _is_order(plain) or _infer_impact(plain) != "MEDIUM"):
        return "decision"
    return "discovery"


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
