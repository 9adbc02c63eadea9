"""Find the lines of a message that announce a text of somebody else, which the user has pasted below.

"Here is the log:", "the reviewer wrote" and "summarise this" announce one, and so do "explain this paragraph:" and "is
this README right?": they ask to read or to judge a text, and point at it or name its source. A line that announces the
user's own words, such as "do the following:" or "my rules:", has an order or a word of ownership instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.capture.speech.asking import FILLERS
from limpet.capture.speech.statements import to_words
from limpet.capture.speech.wordlists import load_phrases, load_words
from limpet.lean.pattern import lazy
from limpet.text.claims import split_sentences
from limpet.text.questions import is_question

__all__ = ["split_announcement"]

_BRIEF, _SHORT = 7, 4  # words
_ANNOUNCEMENT = 240  # characters: a longer line is no announcement but says something itself

_OTHERS_TEXT = load_words("texts of others")
_HANDS_OVER = load_words("words that hand a text over")
_POINTS = load_words("words that point at a text")
_SAYS = load_words("verbs of saying")
_OWN = load_words("words of ownership")
_PRINTED_TEXT = load_words("texts of programs")
_TASKS = load_words("task verbs")
_DOCUMENTS = load_words("documents")
_READS = load_words("verbs of reading")
_CHECKS = load_words("verbs of checking")
_JUDGES = load_words("words that judge a text")
_ORDERS = load_words("words of an order")
_TOPICS = load_words("words before a topic")
_SOURCES = load_words("words before a source")
_QUESTION_WORDS = load_words("question words")
_NO_TEXTS = load_words("things that are no text")
_READS_UNSPACED = load_phrases("reading phrases in scripts without spaces")
_POINTS_UNSPACED = load_phrases("pointing phrases in scripts without spaces")
_NEAR = _POINTS | {"that", "das", "dat"}
_SPEAKER = load_words("words of the person who types")
_PEOPLE = load_words("people who write texts")
_RECEIVES = load_words("words of receiving")
_AUTHORS = load_words("verbs of an author")
_HERE_IT_IS = ("this is it", "here it is", "here goes", "here you go", "das ist er", "le voici", "voilà", "aquí va")
_HERE = frozenset({"here", "here's", "hier", "aquí", "ici"})
_THE = frozenset({"the", "all", "every"})
_LETS = frozenset({"let", "let's", "lass"})
_I = frozenset({"i", "i'm", "i'd", "i'll", "i've", "my", "ich", "mein", "je", "mon", "ma", "yo", "mi", "я", "мой"})
_DO_YOU = (["do", "you"], ["do", "we"], ["do", "they"])
_FILE_ENDINGS = (".md", ".txt", ".rst", ".adoc", ".mdx", ".html", ".pdf", ".docx")
_TEXTS = _OTHERS_TEXT | _DOCUMENTS

_COLON = lazy(r"[:：](?=\s|$)")
_ITEM = lazy(r"\s*+(?:[-*•+]|\(?\w{1,2}[.):])\s")


def split_announcement(line: str, *, shape: str, below: Sequence[str]) -> tuple[str, str | None]:
    """Split a line after the words that announce a foreign text, and return both parts.

    The second part is None if the line announces nothing, or if `shape`, the form of the announced text, shows where
    that text ends. `below` has the next lines.
    """
    for found in _COLON.finditer(line, 0, _ANNOUNCEMENT):
        rest = line[found.end() :]
        if _announces(line[: found.start()], ends=":", goes_on=bool(rest.strip()), below=below):
            return (line, None) if not rest.strip() and _shows_end(line, shape) else (line[: found.end()], rest)
    if any(each.strip() for each in below):
        for said in split_sentences(line[-_ANNOUNCEMENT:]):
            ends = "?" if is_question(said) else ""
            is_near = line.endswith(said) or (ends and not below[0].strip())
            if is_near and _announces(said, ends=ends, below=below) and not _shows_end(line, shape):
                return line, ""
    return line, None


def _shows_end(line: str, shape: str) -> bool:
    """Tell whether `shape`, the form of an announced text, shows where that text ends.

    After some announcements, a quote or output may be only the beginning of a longer text.
    """
    words = set(to_words(line).split())
    match shape:
        case "fence":
            return True
        case "quote":
            return not words & _HANDS_OVER
        case "output":
            return bool(words & _PRINTED_TEXT) or not words & (_HANDS_OVER | _OTHERS_TEXT | _SAYS)
        case _:
            return False


def _announces(said: str, *, ends: str = "", goes_on: bool = False, below: Sequence[str] = ()) -> bool:
    """Tell whether words announce somebody else's text, as in "here is the log" or "is this README right?".

    `ends` is the punctuation after the words. `goes_on` is true if the text continues on the same line, and `below` has
    the next lines.
    """
    said = split_sentences(said)[-1] if said.strip() else ""
    words = to_words(said).split()
    found = set(words)
    if not found:
        return False
    set_off = len(below) > 1 and not below[0].strip()
    others = [at for at, word in enumerate(words) if word in _TEXTS and not _OWN & set(words[max(0, at - 2) : at])]
    theirs = any(words[at] in _OTHERS_TEXT for at in others)
    points = bool(found & _POINTS)
    # "Résume-moi …"
    if _HANDS_OVER & {*words, *words[0].split("-")} and (points or others or (ends == ":" and len(words) < 3)):
        return True
    # "Translate into German: …"
    if words[0] in _HANDS_OVER and len(words) <= _SHORT and (ends == ":" or set_off) and not found & (_OWN | _THE):
        return True
    if not goes_on and (ends or set_off) and _asks_to_read(said, ends=ends, below=below):
        return True
    if goes_on and words[0] in _READS and points:
        return True
    is_own = words[0] in _OWN and not found & (_SAYS | _RECEIVES)
    if (set_off or ends == ":") and not goes_on and words[-1] in _POINTS - _HERE and not found & (_ORDERS | _CHECKS):
        return words[0] not in _TASKS | _TOPICS and not is_own
    may_hand_on = (set_off or ends == ":") and not found & _ORDERS and words[0] not in _TOPICS
    hands_on = found & _RECEIVES or (words[-1] in _SAYS and words[0] not in _I) or " ".join(words) in _HERE_IT_IS
    if may_hand_on and hands_on and len(words) <= 2 * _BRIEF:
        return True
    if words[-1] == "with" and len(words) > 1 and words[-2] in _SAYS | {"back", "up"}:
        return True
    if ends == ":":
        says = _SAYS & set(words[-5:] if theirs else words[-1:])
        if says and words[0] not in ("i", "we", "ich", "wir"):
            return True
        if words[-1] in ("me", "us", "mir", "uns") and len(words) > 1 and words[-2] in _SAYS:
            return True
        return theirs and words[0] not in _TOPICS and (points or (words[-1] in _OTHERS_TEXT and not goes_on))
    return theirs and bool(found & {"here", "here's", "below", "hier", "unten", "voici", "aquí", "вот", "ниже"})


def _asks_to_read(said: str, *, ends: str, below: Sequence[str]) -> bool:
    """Tell whether a line asks the agent to read or to judge the text below it, or names where that text is from.

    "Explain this paragraph:" and "is this README right?" ask for it. "Do the following:" announces the user's own
    words, and "why is the README old?" is about a file.
    """
    if any(each in said for each in _READS_UNSPACED) and any(each in said for each in _POINTS_UNSPACED):
        return True
    words = to_words(said.replace("-", " ")).split()
    found = set(words)
    if not words or words[0] in _OWN | _TOPICS or found & _LETS or (found & _I and found & _AUTHORS):
        return False
    texts = [at for at, word in enumerate(words) if word in _TEXTS or word.endswith(_FILE_ENDINGS)]
    if any({*words[max(0, at - 3) : at], *words[at + 1 : at + 2]} & _NEAR for at in texts):
        # "This README", "the text below"
        reads = bool(found & (_READS | _CHECKS))
        if not ends:
            return reads and len(words) <= 2 * _BRIEF
        return reads or not found & _ORDERS or words[0] in _QUESTION_WORDS
    if not ends:
        # "Explain", "look at this"; but the user may go on: "look at this\n\nI think …"
        is_short = len(words) <= _SHORT + 1 and words[-1] in _POINTS and bool(found & (_READS | _CHECKS))
        return (is_short or (len(words) < 2 and words[0] in _READS)) and not _I & set(
            to_words(next((each for each in below if each.strip()), "")).split()
        )
    pointers = _NEAR if ends == "?" and len(words) <= _BRIEF else _POINTS
    points = any(word in pointers and not _NO_TEXTS & set(words[at + 1 : at + 2]) for at, word in enumerate(words))
    asks = words[0] in _QUESTION_WORDS or words[:2] in _DO_YOU
    judges = (asks or ends == "?") and bool(found & _JUDGES)
    first = next((each for each in below if each.strip()), "")
    if found & _READS:
        return points
    if ends == "?" and (judges or found & _CHECKS):
        # "Does this make sense?" may also stand above words that the user goes on with.
        goes_on = to_words(first).split()
        return (points or (judges and bool(texts))) and not (_I & set(goes_on) or FILLERS & set(goes_on[:1]))
    if judges or found & _CHECKS:
        return points and (judges or _ITEM.match(first) is None)
    if asks:
        return words[-1] in pointers
    is_source = (words[0] in _SOURCES and not found & _SPEAKER) or words[0].endswith(_FILE_ENDINGS)
    texts += [at for at, word in enumerate(words) if word in _PEOPLE]
    return is_source and min(texts, default=_BRIEF) < _BRIEF - 2 and not found & _ORDERS
