"""Tell which sentences of a message were pasted.

A pasted text often has no mark. A request or a question stands above it ("does our chart do this?", "slack from ops"),
and then the text follows as its author wrote it. No single word shows that. So the sentences of a message are a chain
in which each one is typed or pasted, and sums of fitted weights score a chain: how a pasted sentence looks, after what
words a pasted text begins, and how it goes on. The probability of a sentence is that of all chains in which it is
pasted.

`scripts/fit_pasted.py` fits the weights.
"""

from __future__ import annotations

from functools import cache
from math import exp, log

from limpet.capture.speech.statements import to_words
from limpet.capture.tables import load_phrases, load_table, load_words
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.questions import is_question
from limpet.text.words import word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TABLE = "capture/speech/pasted_signals.table"
"""The path of the weights in the package."""

_LEAD = 260  # characters
_MOST = 300  # sentences; the last one has the rest of its line
_LONGEST_NUMBER = 40  # characters of "1." and the like, which begins a sentence
_OTHERS_TEXT = load_words("texts of others") | load_words("documents")
_HANDS_OVER = load_words("words that hand a text over")
_POINTS = load_words("words that point at a text")
_SAYS = load_words("verbs of saying")
_OWN = load_words("words of ownership")
_READS = load_words("verbs of reading") | load_words("verbs of checking") | _HANDS_OVER
_ORDERS = load_words("words of an order")
_TOPICS = load_words("words before a topic")
_WORK = (load_words("task verbs") | load_words("words of an order")) - _READS - word_set("can could would want")
_NO_TEXTS = load_words("things that are no text")
_SPEAKER = load_words("words of the person who types")
_PEOPLE = load_words("people who write texts")
_RECEIVES = load_words("words of receiving")
_WRITERS = _PEOPLE | _RECEIVES | _SAYS
_AUTHORS = load_words("verbs of an author")
_I = _SPEAKER & frozenset(("i", "i'm", "i'd", "i'll", "i've", "my", "me", "ich", "mein", "je", "mon", "yo", "mi", "я"))
_ALWAYS = word_set("never always only nie immer nur jamais toujours siempre nunca sempre mai altijd nooit")
_READS_UNSPACED = load_phrases("reading phrases in scripts without spaces")
_POINTS_UNSPACED = load_phrases("pointing phrases in scripts without spaces")
_FILE_ENDINGS = (".md", ".txt", ".rst", ".adoc", ".mdx", ".html", ".pdf", ".docx")

_END = lazy(
    r"(?:(?<!\.)\.|(?<![.!?])[!?])(?![.…])[!?]*+[\"')”»“]*+\s++|[。！？]++[」』”]?|[:：](?:\s++|(?=[^\x00-\x7f]))"
    r"|\s(?:-+>|>{2,}|<{2,})\s++"
)
_SPEECH = lazy(r"[\"“„«]([^\"“”«»„\n]{12,1500}+)[\"”»“]")
_ITEM = lazy(r"\s*+(?:[-*•+・·]\s|\[[ xX]?\]\s|\(?(?:\d{1,2}|[a-z])[.):]\s|\d{1,2} [-–]\s)")
_LABEL = lazy(r"\s*+[A-ZА-Я][\w .()/#-]{1,30}[:：]\s*\Z")
_CHAT = lazy(r"\s*+(?:\[?\d{1,2}[:.]\d{2}|[\w.@-]{2,20}(?: \w{2,20})? \[?\d{1,2}:\d{2}|[A-Z]\w{1,15}:\s)")
_MODAL = lazy(
    r"(?i)\b(?:must|shall|should|may not|cannot|(?:is|are) (?:required|prohibited|not allowed|banned)|ha(?:s|ve) to"
    r"|muss|müssen|dürfen|darf|sollen|sind|doit|doivent|il faut|debe|deben|deve|devem|devono|moet|moeten"
    r"|должн\w+|нельзя)\b"
    r"|必须|必要|してはいけ|不得|禁止"
)
_HASTY = lazy(
    r"(?i)\b(?:dont|doesnt|didnt|cant|wont|isnt|im|ive|thats|lets|youre|shouldnt|whats|pls|plz|lol|btw|imo|idk|tbh"
    r"|gonna|wanna|kinda|thx|u|ur|rn|omg|ffs|ok|ah|hey|yo|halp|thru|ach)\b|\?\?|!!|\.\.(?!\.)| :\)"
)
_END_MARK = lazy(r"[.!?:。！？…][\"')”»]*\Z")
_LOWER = lazy(r"[\s\"'“„«(-]*[a-zа-яà-öø-ÿ]")


@record
class Sentence:
    """A part of a line that is typed or pasted as a whole."""

    text: str
    line: int
    start: int
    end: int
    gap: str
    """What is between it and the text before: "blank", "line", "space", the form of other foreign text, or nothing."""
    quoted: str = ""
    """Whether it stands in quotation marks: "opens" for the first such sentence, "inside" for the others."""


@record
class Signals:
    """The signals of a sentence by name: those of its own, of a text that begins with it, and of one that goes on."""

    own: dict[str, float]
    begins: dict[str, float]
    stays: dict[str, float]


def split_sentences(lines: Sequence[str], shapes: Sequence[str]) -> list[Sentence]:
    """Return the sentences of a message. `shapes` has the form of each line that is foreign, and "" for the others."""
    found: list[Sentence] = []
    gap = ""
    for at, line in enumerate(lines):
        if shapes[at] or not line.strip():
            gap = shapes[at] or (gap if gap not in ("", "line") else "blank" if found else "")
            continue
        for start, end, quoted in _split_line(line):
            if len(found) == _MOST - 1:
                end = len(line)
            found.append(Sentence(text=line[start:end], line=at, start=start, end=end, gap=gap, quoted=quoted))
            gap = "space"
            if len(found) == _MOST:
                return found
        gap = "line"
    return found


def _split_line(line: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start and the end of each sentence of a line, and its place in a quotation."""
    start = 0
    for quote in _SPEECH.finditer(line) if any(mark in line for mark in '"“«„') else ():
        if quote.group(1).count(" ") > 1 or not quote.group(1).isascii():
            yield from ((*each, "") for each in _split_part(line, start, quote.start()))
            for number, each in enumerate(_split_part(line, quote.start(), quote.end())):
                yield (*each, "inside" if number else "opens")
            start = quote.end()
    yield from ((*each, "") for each in _split_part(line, start, len(line)))


def _split_part(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for found in _END.finditer(line, start, end):
        size = found.start() - start
        if size > _LONGEST_NUMBER or (size > 2 and line[start : found.end()].strip(" 0123456789.)(")):
            yield start, found.end()
            start = found.end()
    if line[start:end].strip():
        yield start, end


def rate_sentences(sentences: Sequence[Sentence]) -> list[float]:
    """Return for each sentence the probability that it was pasted."""
    if not sentences or (len(sentences) == 1 and not sentences[0].gap):
        # A single sentence was typed.
        return [0.0] * len(sentences)
    weights = _load_weights()
    begins, stays = [], []
    for signals in find_signals(sentences):
        own = _add(weights, "own", signals.own)
        begins.append(own + _add(weights, "begins", signals.begins))
        stays.append(own + _add(weights, "stays", signals.stays))
    count = len(sentences)
    # The score of a typed sentence is 0, so only the pasted ones have weights.
    typed, pasted = [0.0] * count, [0.0] * count
    pasted[0] = begins[0]
    for at in range(1, count):
        typed[at] = _log_sum(typed[at - 1], pasted[at - 1])
        pasted[at] = _log_sum(typed[at - 1] + begins[at], pasted[at - 1] + stays[at])
    after_typed, after_pasted = [0.0] * count, [0.0] * count
    for at in range(count - 2, -1, -1):
        after_typed[at] = _log_sum(after_typed[at + 1], begins[at + 1] + after_pasted[at + 1])
        after_pasted[at] = _log_sum(after_typed[at + 1], stays[at + 1] + after_pasted[at + 1])
    return [1 / (1 + exp(min(700.0, typed[n] + after_typed[n] - pasted[n] - after_pasted[n]))) for n in range(count)]


def _log_sum(one: float, other: float) -> float:
    return max(one, other) + log(1 + exp(-abs(one - other)))


def _add(weights: dict[str, float], part: str, signals: dict[str, float]) -> float:
    return sum(weights[f"{part}: {name}"] * value for name, value in signals.items() if value)


@cache
def _load_weights() -> dict[str, float]:
    return {name: row.weight for name, row in load_table("speech/pasted_signals").items()}


def find_signals(sentences: Sequence[Sentence]) -> Iterator[Signals]:
    """Yield the signals of each sentence."""
    tail = _read_tail(sentences)
    lead, careless, speaks = "", False, False
    first = sentences[0]
    words = to_words(first.text.replace("-", " ")).split()
    request = {
        "names a source": float(_names_text(words) or not _WRITERS.isdisjoint(words)),
        "greets or approves": float(len(words) < 3),
    }
    for at, each in enumerate(sentences):
        if at:
            before = sentences[at - 1]
            lead = f"{lead}{'' if each.gap == 'space' else chr(10)}{before.text}"[-_LEAD:]
            if at == 1:
                careless = _is_careless(before.text)
        if each.gap != "space" and each.gap != "line":
            speaks = _speaks(sentences, at)
        is_last = each.line == sentences[-1].line and first.line != each.line
        own = _read_sentence(each.text)
        own |= {
            "style differs": float(at > 0 and careless and not own["begins small"] and not _HASTY.search(each.text)),
            "the paragraph speaks": float(speaks),
            "in quotation marks": float(bool(each.quoted)),
            "last line": float(is_last),
            **{f"tail {name}": value * (at + 1 < len(sentences)) for name, value in tail.items()},
        }
        begins = {
            "bias": 1.0,
            "first": float(at == 0),
            **{f"below {gap}": float(each.gap == gap) for gap in ("quote", "output")},
            "opens a quotation": float(each.quoted == "opens"),
            **_read_lead(lead, set_off=each.gap == "blank", quoted=each.quoted == "opens"),
            **{f"request {name}": value * (at > 0) for name, value in request.items()},
        }
        stays = {
            "bias": 1.0,
            "below line": float(each.gap == "line"),
            "below blank": float(each.gap == "blank"),
            "below a structure": float(each.gap in ("fence", "quote", "output")),
            "inside a quotation": float(each.quoted == "inside"),
            "after a quotation": float(at > 0 and not each.quoted and bool(sentences[at - 1].quoted)),
            "item after item": own["item"] * float(at > 0 and _ITEM.match(sentences[at - 1].text) is not None),
            "asks at the end": own["a question"] * float(at + 1 == len(sentences)),
            "small below a gap": own["begins small"] * float(each.gap == "blank"),
            "small after a sentence": own["begins small"] * float(each.gap == "space"),
        }
        yield Signals(own=own, begins=begins, stays=stays)


def _speaks(sentences: Sequence[Sentence], at: int) -> bool:
    """Tell whether a paragraph that begins with a sentence has a word such as "I"."""
    end = at + 1
    while end < len(sentences) and sentences[end].gap in ("space", "line") and end - at < 12:
        end += 1
    return any(not each.quoted and _I & set(to_words(each.text).split()) for each in sentences[at:end])


def _is_careless(text: str) -> bool:
    return _LOWER.match(text) is not None or _END_MARK.search(text.rstrip()) is None or _HASTY.search(text) is not None


def _has(words: set[str], known: frozenset[str]) -> float:
    return float(not words.isdisjoint(known))


def _read_sentence(text: str) -> dict[str, float]:
    words = to_words(text).split()
    found = set(words)
    plain = text.strip()
    ends = _END_MARK.search(plain) is not None
    small = _LOWER.match(plain) is not None
    item = _ITEM.match(text) is not None
    return {
        "begins small": float(small),
        "no final mark": float(not ends),
        "I": _has(found, _I),
        "a question": float(is_question(plain)),
        "must": float(_MODAL.search(text) is not None),
        "never": _has(found, _ALWAYS),
        "item": float(item),
        "label": float(_LABEL.match(text) is not None),
        "announces": float(plain.endswith((":", "："))),
        "chat": float(_CHAT.match(text) is not None),
        "short": float(len(words) < 5),
        "long": min(1.0, len(words) / 25),
        "typographic marks": float(any(mark in text for mark in "“”„’—–")),
        "points": _has(found, _POINTS),
    }


def _read_tail(sentences: Sequence[Sentence]) -> dict[str, float]:
    """Return the signals of the last sentence, which may be about the text above it."""
    text = sentences[-1].text.strip()
    words = set(to_words(text).split())
    return {
        "asks": float(is_question(text)),
        "reads": _has(words, _READS),
        "marks": float(text.startswith("^")),
        "hands over": float(not (words.isdisjoint(_HANDS_OVER) or words.isdisjoint(_POINTS))),
    }


def _names_text(words: Sequence[str]) -> bool:
    """Tell whether words name a text that is not the user's own."""
    return any(
        (word in _OTHERS_TEXT or word.endswith(_FILE_ENDINGS)) and _OWN.isdisjoint(words[max(0, at - 2) : at])
        for at, word in enumerate(words)
    )


def _read_lead(lead: str, *, set_off: bool, quoted: bool) -> dict[str, float]:
    last = lead.rstrip().rpartition("\n")[2]
    words = to_words(lead.replace("-", " ")).split()
    near = to_words(last[-120:].replace("-", " ")).split()
    found, close = set(words), set(near)
    colon = lead.rstrip().endswith((":", "：", "->", ">>>"))
    asks = "?" in lead or "？" in lead
    points = any(
        word in _POINTS and not _NO_TEXTS & set(words[at + 1 : at + 2]) for at, word in enumerate(words)
    ) or any(each in lead for each in _POINTS_UNSPACED)
    reads = bool(found & _READS) or any(each in lead for each in _READS_UNSPACED)
    source = _names_text(words) or not _WRITERS.isdisjoint(words)
    is_work = not close.isdisjoint(_WORK)
    near_source = _names_text(near) or not _WRITERS.isdisjoint(near)
    return {
        "after a colon": float(colon),
        "after a question": float(is_question(last)),
        "pointing": float(points),
        "ending on a pointer": _has(set(near[-3:]), _POINTS),
        "a person": _has(found, _PEOPLE),
        "saying": _has(found, _SAYS),
        "ending on saying": _has(set(near[-3:]), _SAYS),
        "reading": float(reads),
        "handing over": _has(found, _HANDS_OVER),
        "receiving": _has(found, _RECEIVES),
        "a topic first": float(near[:1] != [] and near[0] in _TOPICS),
        "our": _has(close, _OWN),
        "our own": float(near[:1] != [] and near[0] in _OWN and not near_source),
        "an order": _has(close, _ORDERS),
        "work": float(is_work),
        "work and a colon": float(is_work and colon and not near_source),
        "work and a question": float(is_work and is_question(last)),
        "own words and a colon": float(colon and not near_source and not close.isdisjoint(_OWN | _I)),
        "nothing of a text": float(bool(lead) and not source and not points and not reads),
        "own authorship": float(bool(found & _I and found & _AUTHORS)),
        "I": _has(close, _I),
        "long": 0.0 if quoted else min(1.0, len(lead) / _LEAD),
        "asking about this": float(points and asks),
        "reading this": float(points and reads),
        "colon and source": float(colon and source),
        "colon and source nearby": float(colon and near_source),
        "quotation and saying": float(quoted and bool(set(near[-4:]) & _SAYS) and not close & _I),
        "quotation and colon": float(quoted and colon),
        "set off without a mark and source": float(set_off and near_source and not colon),
        "set off and pointing": float(set_off and points),
    }
