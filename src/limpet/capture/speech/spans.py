"""Separate the words that a person typed in a message from text that was pasted, quoted or expanded into it.

Only typed words count as the person's. All other text, such as a log, an e-mail, a review, a page or a template, is
foreign. Foreign text is recognised by its structure: fences, quotation marks at the start of lines and around whole
paragraphs, lines as programs print them, e-mail and issue headers, document headings, and sentences that announce a
text ("here is the log", "summarise this", "the reviewer wrote").

Words after foreign text count as typed only if the end of the foreign text is visible. An announced text without
structure has no visible end, so everything after it counts as foreign. This is the lesser evil: a user can repeat a
rule that was missed, but a stranger's rule that is stored is given to the model for weeks.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.capture.speech.announcements import split_announcement
from limpet.capture.speech.statements import is_machine_line, to_words
from limpet.capture.speech.wordlists import load_phrases, load_words
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.questions import is_question

_READ = 5000  # lines of a message: what is below them was not typed
_SHORT = 160
_DOCUMENT = 2  # headings

_PERSONAL = load_words("personal words")
_SPEAKER = load_words("words of the person who types")
_OTHERS_TEXT = load_words("texts of others")
_HANDS_OVER = load_words("words that hand a text over")
_POINTS = load_words("words that point at a text")
_SAYS = load_words("verbs of saying")
_PROPOSES = load_words("words of a reviewer")
_PRINTED = load_phrases("beginnings of printed lines")
_ISSUE = load_phrases("headings of issues and reviews")

_FENCE = lazy(r"[ \t]{0,6}+(`{3,}|~{3,})")
_RULE = lazy(r"\s*+(?:([=*_#~-])\1{4,}+|([-*_=─—–])\2{2,}+|(?:- ){2,}+-|(?:\* ){2,}+\*)\s*+$")
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
    # "Ann Smith  10:42 AM", as chats copy it.
    r"|(?:[A-Z][\w.'-]{1,30} {1,3}){0,2}\[?\d{1,2}:\d{2}(?: ?[AP]M)?\]?\s*+$"
    r"|Originally posted by|Your (?:task|role|job) is\b"
    r"|You are (?:an?|the) (?:[\w/-]{1,30} ){0,5}?(?:engineer|expert|assistant|agent|developer|architect|reviewer"
    r"|specialist|analyst|writer|copywriter|designer|model|AI|bot|manager|tester|planner|researcher)\b",
)
_GREETING = lazy(r"(?:Hi|Hello|Hey|Dear|Hallo|Liebe[r]?|Guten|Bonjour|Hola|Sehr geehrte[rs]?)\b[^\n.!?:]{0,40},?\s*+$")
_CLOSING = lazy(
    r"(?:Best|Kind|Warm|Many|Mit freundlichen|Viele|Cordialement|Saludos|Thanks|Thank you|Cheers|Regards|Sincerely"
    r"|Yours|LG|MfG|VG)\b[^\n.!?:]{0,30},?\s*+$"
)
_CHECKBOX = lazy(r"\s*+\[[ xX]?\] ")
_SHELL = lazy(
    r"##\[|Step \d++/\d++ ?:|\S{0,60}[\w~)\]/] ?[$%❯➜#] \S|[❯➜▶✗✖✓✔⚠⨯│├└┌╭╰] ?\S"
    r"|[\w.-]{1,40}@[\w.-]{1,60}[ :][^\n$%#❯]{0,120}[$%#❯]|PS [A-Z]:\\"
)
_SAID = lazy(r"[\"“«„]([^\"“”«»„\n]{12,600}+)[\"”»“]")
_QUOTED = lazy(r"\s*+(?:[\"“”«„][^\"“”«»„\n]{40,}+[\"”»“]|'[^'\n]{40,}+')[.,]?\s*+$")
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
    is_typed = False
    for at, line in enumerate(lines):
        # A message that is quoted as a whole was typed with the marks.
        foreign[at] = foreign[at] or (is_typed and _QUOTED.match(line) is not None)
        is_typed = is_typed or bool(line.strip() and not foreign[at])
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
        own, rest = split_announcement(line, shape=shapes[at], below=lines[at + 1 : at + 4])
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
        (is_machine_line(line) and not _CHECKBOX.match(line))
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


def _split_speech(line: str) -> tuple[str, list[str]]:
    """Return a line without the quotations that follow a verb such as "said", and the list of these quotations."""
    said: list[str] = []
    if not any(mark in line for mark in '"“«„'):
        return line, said
    parts: list[str] = []
    start = 0
    for found in _SAID.finditer(line):
        before = to_words(line[max(0, found.start() - 60) : found.start()]).split()[-8:]
        if _SAYS & set(before[-4:]) and not {"i", "ich"} & set(before):
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
