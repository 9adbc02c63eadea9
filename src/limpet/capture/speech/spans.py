"""Separate the words that a person typed in a message from text that was pasted, quoted or expanded into it.

Only typed words count as the person's. All other text, such as a log, an e-mail, a review, a page or a template, is
foreign. Foreign text is recognised by its structure: fences, quotation marks at the start of lines, lines as programs
print them, e-mail and issue headers, document headings, and sentences that announce a text ("here is the log",
"summarise this", "the reviewer wrote").

Words after foreign text count as typed only if the end of the foreign text is visible. An announced text without
structure has no visible end, so everything after it counts as foreign. This is the lesser evil: a user can repeat a
rule that was missed, but a stranger's rule that is stored is given to the model for weeks.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.capture.speech.asking import FILLERS
from limpet.capture.speech.statements import is_machine_line, to_words
from limpet.capture.speech.wordlists import load_phrases, load_words
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.claims import split_sentences
from limpet.text.questions import is_question

_ANNOUNCEMENT = 240  # characters: a longer line is no announcement but says something itself
_READ = 5000  # lines of a message: what is below them was not typed
_SHORT = 160
_BRIEF = 7  # words
_DOCUMENT = 2  # headings

_PERSONAL = load_words("personal words")
_SPEAKER = load_words("words of the person who types")
_OTHERS_TEXT = load_words("texts of others")
_HANDS_OVER = load_words("words that hand a text over")
_POINTS = load_words("words that point at a text")
_OWN = load_words("words of ownership")
_PRINTED_TEXT = load_words("texts of programs")
_SAYS = load_words("verbs of saying")
_TASKS = load_words("task verbs")
_PROPOSES = load_words("words of a reviewer")
_DOCUMENTS = load_words("documents")
_READS = load_words("verbs of reading")
_CHECKS = load_words("verbs of checking")
_JUDGES = load_words("words that judge a text")
_ORDERS = load_words("words of an order")
_TOPICS = load_words("words before a topic")
_SOURCES = load_words("words before a source")
_QUESTION_WORDS = load_words("question words")
_NO_TEXTS = load_words("things that are no text")
_NEAR = _POINTS | {"that", "das", "dat"}
_LETS = frozenset({"let", "let's", "lass"})
_I = frozenset({"i", "i'm", "i'd", "i'll", "i've", "my", "ich", "mein", "je", "mon", "ma", "yo", "mi", "я", "мой"})
_DO_YOU = (["do", "you"], ["do", "we"], ["do", "they"])
_FILE_ENDINGS = (".md", ".txt", ".rst", ".adoc", ".mdx", ".html", ".pdf", ".docx")
_TEXTS = _OTHERS_TEXT | _DOCUMENTS
_READS_UNSPACED = load_phrases("reading phrases in scripts without spaces")
_POINTS_UNSPACED = load_phrases("pointing phrases in scripts without spaces")
_PRINTED = load_phrases("beginnings of printed lines")
_ISSUE = load_phrases("headings of issues and reviews")

_COLON = lazy(r"[:：](?=\s|$)")
_ITEM = lazy(r"\s*+(?:[-*•+]|\(?\w{1,2}[.):])\s")
_FENCE = lazy(r"[ \t]{0,6}+(`{3,}|~{3,})")
_RULE = lazy(r"\s*+([=*_#~-])\1{4,}+\s*+$")
_HEADING = lazy(r"#{1,6}+ \S|\*\*[^*\n]{2,60}\*\*:?\s*+$")
_HEADER = lazy(
    r"(?:From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Author|Commit|Von|An|Betreff|Datum|De|À|Objet|Para|Asunto|Fecha"
    r"|От|Кому|Тема|title|state|labels|assignees|reviewers|milestone|url) ?:[ \t]",
)
_WROTE = lazy(
    r"(?:On|Am|Le|El) [^\n]{6,120}(?:wrote|schrieb|a écrit|escribió) ?:\s*+$"
    r"|-{2,}+ ?(?:Original|Forwarded|Weitergeleitete)|Begin forwarded message"
    r"|@?[\w.-]{2,40}(?: \w{1,20})? ?(?:bot|\[bot\])? ?(?:commented|reviewed|requested changes|opened|left a comment"
    r"|replied)(?: on| \d| yesterday| last|:|\s*+$)"
    r"|Originally posted by|Your (?:task|role|job) is\b"
    r"|You are (?:an?|the) (?:[\w/-]{1,30} ){0,5}?(?:engineer|expert|assistant|agent|developer|architect|reviewer"
    r"|specialist|analyst|writer|copywriter|designer|model|AI|bot|manager|tester|planner|researcher)\b",
)
_GREETING = lazy(r"(?:Hi|Hello|Hey|Dear|Hallo|Liebe[r]?|Guten|Bonjour|Hola|Sehr geehrte[rs]?)\b[^\n.!?:]{0,40},?\s*+$")
_CLOSING = lazy(
    r"(?:Best|Kind|Warm|Many|Mit freundlichen|Viele|Cordialement|Saludos|Thanks|Thank you|Cheers|Regards|Sincerely"
    r"|Yours|LG|MfG|VG)\b[^\n.!?:]{0,30},?\s*+$"
)
_SHELL = lazy(
    r"\S{0,60}[\w~)\]/] ?[$%❯➜#] \S|[❯➜▶✗✖✓✔⚠⨯│├└┌╭╰] ?\S"
    r"|[\w.-]{1,40}@[\w.-]{1,60}[ :][^\n$%#❯]{0,120}[$%#❯]|PS [A-Z]:\\"
)
_SAID = lazy(r"[\"“«„]([^\"“”«»„\n]{12,600}+)[\"”»“]")
# A reviewer names lines and proposes; a person who types to an agent speaks of it, or of themselves.
_REVIEW = lazy(r"[^\n]*?\b[Ll]ines? \d++(?:[-–]\d++)?\b[^\n]*")
_FRONT = lazy(r"---\s*\n[\w-]+:")


@record
class SplitMessage:
    """A message split into typed and foreign text. Both keep the order of the lines."""

    typed: str
    foreign: str = ""


def split_message(text: str) -> SplitMessage:
    """Split a message into the text that the user typed and foreign text, such as pastes and quotations."""
    lines = text.splitlines()
    foreign = [False] * len(lines)
    _mark_fences(lines, foreign)
    fenced = tuple(foreign)
    for at, line in enumerate(lines):
        foreign[at] = foreign[at] or line.lstrip().startswith(">") or at >= _READ
    end = _find_document(lines, foreign)
    if end is not None:
        foreign[end:] = [True] * (len(lines) - end)
    printed = [not foreign[at] and _is_printed(line) for at, line in enumerate(lines)]
    _mark_printed(lines, foreign, printed)
    _mark_letters(lines, foreign)
    _mark_reviews(lines, foreign)
    shapes = _find_shapes(lines, foreign, fenced)
    typed: list[str] = []
    others: list[str] = []
    for at, line in enumerate(lines):
        if foreign[at]:
            others.append(line)
            continue
        own, rest = _split_announcement(line, shape=shapes[at], below=lines[at + 1 : at + 4])
        own, said = _split_speech(own)
        typed.append(own)
        others += said
        if rest is not None:
            following = [each for each in (rest, *lines[at + 1 :]) if each.strip()]
            if following:
                others += following
                break
    own_text = "\n".join(typed).strip()
    if _asks_about_text_above(typed):
        *before, last = [each for each in own_text.split("\n\n") if each.strip()]
        return SplitMessage(typed=last, foreign="\n".join(("\n\n".join(before), *others)).strip())
    return SplitMessage(typed=own_text, foreign="\n".join(others).strip())


def _mark_fences(lines: list[str], foreign: list[bool]) -> None:
    fence = ""
    for at, line in enumerate(lines):
        found = _FENCE.match(line)
        if fence:
            foreign[at] = True
            if found is not None and found.group(1).startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif found is not None:
            fence = found.group(1)
            foreign[at] = True


def _is_printed(line: str) -> bool:
    """Tell whether a line looks like the output of a program."""
    return (
        is_machine_line(line)
        or line.lstrip().lower().startswith(_PRINTED)
        or line.startswith(("\t", "        "))
        or _SHELL.match(line) is not None
    )


def _mark_printed(lines: list[str], foreign: list[bool], printed: list[bool]) -> None:
    """Mark program output as foreign, and the lines between pieces of output.

    Separate paragraphs in which the user speaks are not marked.
    """
    last = -1
    for at, is_output in enumerate(printed):
        if not is_output:
            continue
        foreign[at] = True
        if last >= 0:
            _mark_gap(lines, foreign, last + 1, at)
        last = at
    if last >= 0 and sum(printed) > 1:
        _mark_rest(lines, foreign, last + 1)


def _mark_rest(lines: list[str], foreign: list[bool], start: int) -> None:
    """Mark the lines from `start` on, which follow foreign text, as foreign.

    Lines with a word such as "I" or "we" are not marked. Below the first empty line, "you" and "please" also count.
    """
    needed = _SPEAKER
    for at in range(start, len(lines)):
        if not lines[at].strip():
            needed = _PERSONAL
        elif not needed & set(to_words(lines[at]).split()):
            foreign[at] = True


def _mark_gap(lines: list[str], foreign: list[bool], start: int, end: int) -> None:
    """Mark the lines between two lines of output as foreign, except separate paragraphs in which the user speaks."""
    paragraph: list[int] = []
    set_off = False
    for at in (*range(start, end), None):
        if at is not None and lines[at].strip():
            paragraph.append(at)
            continue
        words = {word for place in paragraph for word in to_words(lines[place]).split()}
        typed = set_off and bool(words & _SPEAKER)
        for place in paragraph:
            foreign[place] = foreign[place] or not typed
        paragraph, set_off = [], True


def _find_document(lines: list[str], foreign: list[bool]) -> int | None:
    """Return the index of the line at which an e-mail, an issue or another document begins, or None."""
    headings: list[int] = []
    headers: list[int] = []
    if lines and _FRONT.match("\n".join(lines[:2])):
        return 0
    for at, line in enumerate(lines):
        if foreign[at]:
            continue
        plain = line.strip()
        if _WROTE.match(plain) is not None or _RULE.match(plain) is not None or "$ARGUMENTS" in plain:
            return at
        if plain.lower().strip("#*: ").startswith(_ISSUE):
            return at
        if _HEADER.match(plain) is not None:
            headers.append(at)
            if len(headers) > 1 and headers[-1] - headers[-2] < 3:
                return headers[-2]
        if _HEADING.match(plain) is not None:
            headings.append(at)
            if plain.startswith("#") and not any(each.strip() for each in lines[:at]):
                return at
    return headings[0] if len(headings) >= _DOCUMENT else None


def _mark_letters(lines: list[str], foreign: list[bool]) -> None:
    """Mark each letter as foreign, from its greeting to the name below its closing phrase."""
    start: int | None = None
    for at, line in enumerate(lines):
        plain = line.strip()
        if foreign[at]:
            continue
        if _GREETING.match(plain) is not None and start is None:
            start = at
        elif start is not None and at > start and _CLOSING.match(plain) is not None:
            for inside in range(start, min(len(lines), at + 3)):
                foreign[inside] = True
            _mark_rest(lines, foreign, at + 3)
            return


def _mark_reviews(lines: list[str], foreign: list[bool]) -> None:
    """Mark long lines of a code review as foreign: they mention line numbers and propose changes.

    Lines with a word such as "I" or "we" are not marked.
    """
    for at, line in enumerate(lines):
        if len(line) > _SHORT and not foreign[at] and _REVIEW.match(line) is not None:
            words = set(to_words(line).split())
            foreign[at] = not words & _SPEAKER and bool(words & _PROPOSES)


def _find_shapes(lines: list[str], foreign: list[bool], fenced: Sequence[bool]) -> list[str]:
    """Return the form of the next non-empty line for each line: "fence", "quote", "output", or an empty string."""
    shapes = [""] * len(lines)
    following = ""
    for at in range(len(lines) - 1, -1, -1):
        shapes[at] = following
        if lines[at].strip():
            quoted = lines[at].lstrip().startswith(">")
            following = "fence" if fenced[at] else "quote" if quoted else "output" if foreign[at] else ""
    return shapes


def _split_announcement(line: str, *, shape: str, below: Sequence[str]) -> tuple[str, str | None]:
    """Split a line after the words that announce a foreign text, and return both parts.

    The second part is None if the line announces nothing, or if `shape`, the form of the announced text, shows where
    that text ends. `below` has the next lines.
    """
    for found in _COLON.finditer(line, 0, _ANNOUNCEMENT):
        rest = line[found.end() :]
        if announces(line[: found.start()], ends=":", goes_on=bool(rest.strip()), below=below):
            return (line, None) if not rest.strip() and _shows_end(line, shape) else (line[: found.end()], rest)
    if any(each.strip() for each in below):
        ends = "?" if is_question(line) else ""
        said = split_sentences(line)[-1] if ends or len(line) > _ANNOUNCEMENT else line
        if len(said) <= _ANNOUNCEMENT and announces(said, ends=ends, below=below) and not _shows_end(line, shape):
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


def announces(said: str, *, ends: str = "", goes_on: bool = False, below: Sequence[str] = ()) -> bool:
    """Tell whether words announce somebody else's text, as in "here is the log" or "is this README right?".

    `ends` is the punctuation after the words. `goes_on` is true if the text continues on the same line, and `below` has
    the next lines.
    """
    words = to_words(said).split()
    found = set(words)
    if not found:
        return False
    set_off = len(below) > 1 and not below[0].strip()
    others = [at for at, word in enumerate(words) if word in _TEXTS and not _OWN & set(words[max(0, at - 2) : at])]
    theirs = any(words[at] in _OTHERS_TEXT for at in others)
    points = bool(found & _POINTS)
    if found & _HANDS_OVER and (points or others or (ends == ":" and len(words) < 3)):
        return True
    if not goes_on and (ends or set_off) and _asks_to_read(said, ends=ends, below=below):
        return True
    if (set_off or ends == ":") and not goes_on and words[-1] in _POINTS and not found & (_ORDERS | _CHECKS):
        return words[0] not in _TASKS | _TOPICS
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
    if not words or words[0] in _OWN | _TOPICS or found & _LETS:
        return False
    texts = [at for at, word in enumerate(words) if word in _TEXTS or word.endswith(_FILE_ENDINGS)]
    if any({*words[max(0, at - 3) : at], *words[at + 1 : at + 2]} & _NEAR for at in texts):
        # "This README", "the text below"
        reads = bool(found & (_READS | _CHECKS))
        if not ends:
            return reads and len(words) <= 2 * _BRIEF
        return reads or not found & _ORDERS or words[0] in _QUESTION_WORDS
    if not ends:
        return False
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
    is_source = words[0] in _SOURCES or words[0].endswith(_FILE_ENDINGS) or len(words) == 1
    return is_source and min(texts, default=_BRIEF) < _BRIEF - 2 and not found & _ORDERS


def _split_speech(line: str) -> tuple[str, list[str]]:
    """Return a line without the quotations that follow a verb such as "said", and the list of these quotations."""
    said: list[str] = []
    if not any(mark in line for mark in '"“«„'):
        return line, said
    parts: list[str] = []
    start = 0
    for found in _SAID.finditer(line):
        before = to_words(line[max(0, found.start() - 60) : found.start()]).split()[-4:]
        if _SAYS & set(before) and not {"i", "ich"} & set(before):
            parts.append(line[start : found.start()] + "…")
            said.append(found.group(1))
            start = found.end()
    return "".join((*parts, line[start:])), said


def _asks_about_text_above(typed: list[str]) -> bool:
    """Tell whether the last paragraph of a message refers to the text above it: "summarise this", "is that so?"."""
    paragraphs = [each for each in "\n".join(typed).split("\n\n") if each.strip()]
    if len(paragraphs) < 2 or len(paragraphs[-1]) > _SHORT or len("".join(paragraphs[:-1])) < _SHORT:
        return False
    words = set(to_words(paragraphs[-1]).split())
    points = bool(words & (_POINTS | _OTHERS_TEXT))
    if words & _HANDS_OVER and points:
        return True
    # A question about a long text in which nobody says "I" or "we" is a question about somebody else's text.
    asks = is_question(paragraphs[-1])
    before = "\n".join(paragraphs[:-1])
    return asks and (points or "that" in words) and not _SPEAKER & set(to_words(before).split())
