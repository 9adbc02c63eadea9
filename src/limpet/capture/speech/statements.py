"""Parse a text into sentences, and find the meanings of each: a rule, a decision, a cause, a fix or a warning.

Cue phrases are searched once in the whole text. Only those that occur are then searched in each sentence, so a long
text costs little. Questions, announcements and guesses are marked, so that callers do not mistake them for statements.
"""

from __future__ import annotations

from functools import cache, lru_cache

from limpet.capture.candidate import Candidate, find_concepts, format_title
from limpet.capture.meaning import FINISHED_WORK, Meaning
from limpet.capture.tables import load_table, load_words
from limpet.lean.pattern import lazy
from limpet.lean.record import record, replace
from limpet.model.memory import Origin, Type
from limpet.text.chatter import strip_chatter
from limpet.text.excerpt import FENCED, shorten, shorten_line
from limpet.text.negation import FOREIGN_DENIALS, has_denial
from limpet.text.questions import is_question
from limpet.text.tables import Row
from limpet.text.vocabulary import RIVALS, TECHNOLOGIES
from limpet.text.words import HANGUL, STOP, UNSPACED, word_set

_MOST = 60
_LONGEST = 600
_NARROWEST, _WIDEST = 50, 120  # characters: how wide a text is that a terminal or an editor has wrapped
_RAGGED = 16

# A sentence ends before a capital; people who type without capitals end it after a whole word.
_END = lazy(r"(?<=[.!?])[\"')*]*+\s++(?=[^\sa-zа-яß-ÿ])|(?<=[a-z`)]{3}[.!?])\s++(?=[a-z]{2})|(?<=[。！？])|\n")
_ABBREVIATION = lazy(
    r"(?i)(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|fig|no|nr|z\.b|bzw|usw|ca|p\.ex|dr|mr|ms|st)\.\Z"
)
_BULLET = lazy(r"^\s*+(?:[#>*+•-]++\s++|\d++[.)]\s++)++")
_SENTENCE_ENDS = (".", "!", "?", ":", ";", "…", "”", "。", "！", "？", "：", "；")
_ITEM, _HEADING_ROLE = "item", "heading"
_HEADING = lazy(r"\s*+(?:#{1,6}+ |\*\*[^*\n]{1,80}+\*\*:?\s*+\Z)")
_NUMBER = lazy(r"\s*+\d++[.)]\s*+\Z")
_MARKUP = lazy(r"\*\*|__|~~")
_TOKEN = lazy(r"[^\W_][\w'’+#./@:-]*+|[?!,;:—–]")
# A name between characters without spaces is a word.
_LATIN = lazy(r"[A-Za-z0-9][\w+#./@-]*+", 256)
_HAN = lazy(rf"[{UNSPACED}]")
# Lines of logs, code and listings are not speech.
_MACHINE = lazy(
    r"\s*+(?:\d{4}-\d\d-\d\d|\[?\d\d(?::\d\d|/\d\d/\d\d)|at \S++ ?\(|File \"|\$ |>>> |➜|=+>"
    r"|[^\s:]++:\d++:|[^\s:]++\.\w{1,4}:\d++ |\+\+\+|---|@@|diff |(?!\[[^\]\n]{1,80}+\]\()[{}()\[\];<|]|//|/\*"
    r"|import |from \S++ import|\w++[({]|[\w.]++\([^\n]*+(?<=[;{},)])\Z"
    r"|(?:const|let|var|def|class|func|fn|return|if|for|while|export|public|private)\b(?![ '’])"
    r"|(?:SELECT|INSERT)\b(?! )"
    r"|[^\n]{0,80}?(?:[█▓▒░]{3}|\[[#=.>-]{6,}\])"
    r"|(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE)\b|drwx|-rw|total \d|[A-Za-z_.]{0,60}?(?:Error|Exception|Warning)\b ?:)"
)
_CONCRETE = lazy(
    r"`[^`\n]{2,120}+`|\b[\w.-]*+/[\w./-]++|\b\w++\.[a-z]{1,5}\b(?!\w)|\b[a-z]++_\w++\b|\b[a-z]++[A-Z]\w*+\b"
    r"|\b[A-Z][a-z0-9]++[A-Z]\w*+\b"
    r"|\b[A-Z]{2,}[A-Z0-9_]*+\b|(?<!\w)--?[a-z][\w-]++|\bv?\d++(?:\.\d++)++\b|\b\d++(?:[.,]\d++)? ?(?:ms|s|sec"
    r"|seconds|minutes|min|h|hours"
    r"|days|kb|mb|gb|tb|kib|mib|gib|%|px|req|requests|rows|connections|chars|characters|bytes|threads|workers"
    r"|x)(?!\w)|\b\d{2,}\b|#\d++"
    r"|(?<!\w)\.[a-z]{2,}\b",
    256,  # re.ASCII: letters of other scripts are not part of a name in code
)
_AMOUNT = lazy(
    r"\b\d++(?:[.,]\d++)*+ ?(?:ms|s|sec|seconds?|minutes?|min|h|hours?|days?|kb|mb|gb|tb|kib|mib|gib|%|px|req"
    r"|requests|rows|connections|chars"
    r"|characters|bytes|x|×|fps|rps|Sekunden|secondes|segundos|секунд|мс|毫秒|秒|分|ミリ秒)|\bv?\d++\.\d++(?:\.\d++)?\b"
    r"|(?<![\w.])\d{2,}\b",
    258,  # re.ASCII | re.IGNORECASE
)
_VAGUE = load_words("vague words")
_DENIES = FOREIGN_DENIALS | word_set("unable")
# Contractions as people type them in haste.
_CONTRACTIONS = {
    "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "cant": "can't", "wont": "won't", "isnt": "isn't",
    "im": "i'm",
    "thats": "that's", "lets": "let's", "youre": "you're", "shouldnt": "shouldn't", "wasnt": "wasn't", "pls": "please",
}  # fmt: skip
_DESCRIBES = load_words("describing words")
_REPORTS = load_words("reporting words")
_CUES = "speech/cues"
# In Korean, endings stick to the words, so its cues are searched like those of the two without spaces.
_UNSPACED_LANGUAGES = ("zh", "ja", "ko")
_SCRIPT_OF_CUES = lazy(rf"[{UNSPACED}{HANGUL}]")

# Verbs of plain statements, and words that open a sentence about this moment.
STATES = load_words("stating verbs")
ABOUT_NOW = load_words("words about now")


@record
class Statement:
    """A parsed sentence: its words, its meanings, and counts of the specific things that it names."""

    text: str
    words: tuple[str, ...]
    meanings: frozenset[Meaning]
    concrete: int
    amounts: int
    asks: bool
    first_done: Meaning | None = None
    """The kind of finished work that the sentence reports first, such as a fix; None if it reports none."""
    item: bool = False
    """Whether the sentence is an item of a list."""
    heading: bool = False
    """Whether the sentence is the heading of a section."""
    content: int = 0
    """The number of meaningful words. In scripts without spaces, two characters count as one word."""


def is_machine_line(line: str) -> bool:
    """Tell whether a line is program output or code instead of prose."""
    return _MACHINE.match(line) is not None


def parse_statements(text: str) -> list[Statement]:
    """Return the sentences of a text. Code, logs and listings are left out."""
    return list(_parse_statements(text))


@lru_cache(maxsize=8)
def _parse_statements(text: str) -> tuple[Statement, ...]:
    """Parse a text. The result is cached because several steps parse the same message."""
    plain = _unwrap_lines(FENCED.sub("\n", text))
    sentences = _split_sentences(plain)
    if not sentences:
        return ()
    lines = [to_words(sentence) for sentence, _ in sentences]
    present = find_cues("".join(lines))
    unspaced = find_unspaced_cues(plain)
    found = []
    heading: Meaning | None = None
    for (sentence, role), line in zip(sentences, lines, strict=True):
        item = role == _ITEM
        each = _parse_sentence(sentence, line, present, unspaced, role=role)
        if item and heading and not each.first_done and not each.asks:
            each = replace(each, first_done=heading, meanings=each.meanings | {heading})
        elif not item:
            heading = each.first_done if sentence.endswith((":", "：")) and not each.asks else None
        found.append(each)
    return tuple(found)


def _split_sentences(text: str) -> list[tuple[str, str]]:
    """Return each sentence with its role: "item" of a list, "heading", or an empty string."""
    found: list[tuple[str, str]] = []
    start, item = 0, False
    for end in _END.finditer(text):
        if text[end.start() - 1 : end.start()] == "." and _ABBREVIATION.search(
            text, max(start, end.start() - 10), end.start()
        ):
            continue
        item = _add_sentence(text[start : end.start()], found, item)
        start = end.end()
        item = item and text[start - 1] != "\n"
        if len(found) >= _MOST:
            return found
    _add_sentence(text[start:], found, item)
    return found


def _add_sentence(piece: str, found: list[tuple[str, str]], item: bool) -> bool:
    """Add a sentence to `found`, and return whether the rest of its line belongs to a list item."""
    if _NUMBER.match(piece) is not None:
        return True
    if _MACHINE.match(piece) is not None:
        return item
    bullet = _BULLET.match(piece)
    item = item or (bullet is not None and not piece.lstrip().startswith(("#", ">")))
    plain = _MARKUP.sub("", piece[bullet.end() :] if bullet is not None else piece).strip()
    # The end of a bracket that begins on another line is no sentence.
    is_rest = plain.rstrip(".").endswith(")") and "(" not in plain and plain[:1].islower() and plain.count(")") == 1
    if len(plain) > 3 and any(char.isalpha() for char in plain) and not is_rest:
        is_heading = not item and _HEADING.match(piece) is not None
        found.append((shorten(plain, _LONGEST), _ITEM if item else _HEADING_ROLE if is_heading else ""))
    return item


def _unwrap_lines(text: str) -> str:
    """Return a text with wrapped lines joined.

    A line that fills the width of the text continues on the next line.
    """
    lines = text.split("\n")
    width = max(map(len, lines))
    # One long line alone shows no width.
    if not _NARROWEST <= width <= _WIDEST or sum(len(line) > width - _RAGGED for line in lines) < 2:
        return text
    joined = [lines[0]]
    before = lines[0]
    for line in lines[1:]:
        word = line.split(maxsplit=1)[:1]
        is_wrapped = bool(word) and word[0][0].isalpha() and len(before.rstrip()) + len(word[0]) >= width
        if is_wrapped and not before.rstrip().endswith((".", "!", "?", ":", ";", "。", "`", "|")):
            joined[-1] = f"{joined[-1].rstrip()} {line.strip()}"
        else:
            joined.append(line)
        before = line
    return "\n".join(joined)


def to_words(sentence: str) -> str:
    """Return the words of a sentence in lower case, with one space before and after each."""
    if not sentence.isascii() and _HAN.search(sentence) is not None:
        sentence = _LATIN.sub(r" \g<0> ", sentence)
    tokens = (token.rstrip(".:/'’").lower().replace("’", "'") or token for token in _TOKEN.findall(sentence))
    return f" {' '.join(_CONTRACTIONS.get(token, token) for token in tokens)} "


def _parse_sentence(
    sentence: str, line: str, present: list[tuple[Meaning, str]], unspaced: list[tuple[Meaning, str]], *, role: str
) -> Statement:
    meanings: set[Meaning] = set()
    earliest = len(line)
    first_done: Meaning | None = None
    for meaning, needle in present:
        at = line.find(needle)
        if at < 0 or (meaning in FINISHED_WORK and _is_denied(line, at, meaning)):
            continue
        meanings.add(meaning)
        if meaning in FINISHED_WORK and at < earliest and _is_reported(line, at, needle):
            earliest, first_done = at, meaning
    for meaning, cue in unspaced:
        at = sentence.find(cue)
        if at >= 0:
            meanings.add(meaning)
            if meaning in FINISHED_WORK and at < earliest:
                earliest, first_done = at, meaning
    words = tuple(line.split())
    amounts = len(_AMOUNT.findall(sentence))
    if amounts > 1 and " from " in line and " to " in line:
        meanings.add(Meaning.MEASUREMENT)
    found = {name.strip("`").lower() for name in _CONCRETE.findall(sentence)}
    return Statement(
        text=sentence,
        words=words,
        meanings=frozenset(meanings),
        concrete=len(found | {word for word in words if word in TECHNOLOGIES or word in RIVALS}),
        amounts=amounts,
        asks=is_question(sentence),
        first_done=first_done,
        item=role == _ITEM,
        heading=role == _HEADING_ROLE,
        content=_count_content(sentence, words),
    )


def _count_content(sentence: str, words: tuple[str, ...]) -> int:
    if sentence.isascii():
        return len({word for word in words if len(word) > 2 and word not in STOP and word not in _VAGUE})
    han = len(_HAN.findall(sentence))
    return han // 2 + len({word for word in words if len(word) > 3 and not _HAN.match(word)})


def _is_denied(line: str, at: int, meaning: Meaning) -> bool:
    """Tell whether the reported work is negated ("could not fix") or only described ("is built for glibc")."""
    before = line[:at].split()[-3:]
    describes = meaning != Meaning.FIX and before[-1:] and before[-1] in _DESCRIBES
    return bool(describes) or has_denial(before, _DENIES)


def _is_reported(line: str, at: int, needle: str) -> bool:
    """Tell whether a cue phrase reports finished work: "I moved X", but not "the commit that moved X"."""
    before = line[:at].split()[-1:]
    is_verb = needle.endswith("ed ") and " " not in needle.strip()
    return not before or not is_verb or _may_precede_report(before[0])


def _may_precede_report(before: str) -> bool:
    """Tell whether a word may stand before a verb that reports work, such as "I", "now" or a file name."""
    return before in _REPORTS or before.endswith("ly") or any(mark in before for mark in "./_")


def candidate_from_statements(
    said: list[Statement],
    *,
    type: Type,
    origin: Origin,
    title: str = "",
    why: str = "",
) -> Candidate:
    """Return a memory candidate that quotes the given sentences, except for greetings and filler words."""
    meanings = frozenset[Meaning]().union(*(each.meanings for each in said))
    text = strip_chatter(" ".join([*(end_sentence(each.text, ";") for each in said[:-1]), said[-1].text]))
    return Candidate(
        text=text,
        type=type,
        origin=origin,
        title=title or format_title(said[0].text),
        subtitle=shorten_line(said[1].text, 140) if len(said) > 1 else "",
        concepts=find_concepts(meanings, type),
        meanings=meanings,
        content=sum(each.content for each in said),
        concrete=sum(each.concrete for each in said),
        amounts=sum(each.amounts for each in said),
        why=why,
    )


def end_sentence(text: str, mark: str = ".") -> str:
    """Return a sentence with a mark at its end, unless it has one, so that another one can follow it."""
    return text if text.endswith(_SENTENCE_ENDS) else f"{text}{mark}"


def list_cues(row: Row) -> tuple[Meaning, str, list[str]]:
    """Return the meaning, the language and the cue phrases of a row of the cue table."""
    meaning, _, language = row.name.rpartition(" ")
    return Meaning(meaning), language, [cue.strip() for cue in row.contents.replace("\n", " ").split(" | ")]


def find_cues(line: str) -> list[tuple[Meaning, str]]:
    """Return the cue phrases in a line, each with its meaning. A phrase includes the spaces around it.

    The line must have one space before and after each word.
    """
    cues = _index_spaced_cues()
    return [pair for first in ("", *set(line.split())) for pair in cues.get(first, ()) if pair[1] in line]


def find_unspaced_cues(text: str) -> list[tuple[Meaning, str]]:
    """Return the Chinese, Japanese and Korean cue phrases in a text, each with its meaning."""
    if text.isascii() or _SCRIPT_OF_CUES.search(text) is None:
        return []
    return [pair for pair in _list_unspaced_cues() if pair[1] in text]


@cache
def _index_spaced_cues() -> dict[str, list[tuple[Meaning, str]]]:
    """Return the cue phrases by their first word, so that a search can skip those whose first word is not in the text.

    Cues that consist of a single word stem are listed under an empty key.
    """
    found: dict[str, list[tuple[Meaning, str]]] = {}
    for meaning, language, cues in map(list_cues, load_table(_CUES).values()):
        if language in _UNSPACED_LANGUAGES:
            continue
        for cue in cues:
            is_stem = cue.endswith("*")
            first = "" if is_stem and " " not in cue else cue.split()[0]
            found.setdefault(first, []).append((meaning, f" {cue[:-1]}" if is_stem else f" {cue} "))
    return found


@cache
def _list_unspaced_cues() -> list[tuple[Meaning, str]]:
    rows = map(list_cues, load_table(_CUES).values())
    return [(meaning, cue) for meaning, language, cues in rows if language in _UNSPACED_LANGUAGES for cue in cues]
