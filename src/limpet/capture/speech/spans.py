"""Separate the words that a person typed in a message from text that was pasted, quoted or expanded into it.

Only typed words count as the person's. All other text, such as a log, an e-mail, a review, a page or a template, is
foreign. Foreign text is recognised by its structure: fences, quotation marks at the start of lines and around whole
lines, lines as programs print them, e-mail and issue headers, and document headings. In the rest, fitted weights tell
which sentences were pasted (`pasted.py`). Where they are not sure, the text is doubtful: what is learnt from it is told
as a quotation, because a user can confirm a rule, but a stranger's rule that counts as the user's would be obeyed for
weeks.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from limpet.capture.speech.pasted import rate_sentences, split_sentences
from limpet.capture.speech.statements import is_machine_line
from limpet.capture.tables import load_phrases
from limpet.lean.pattern import lazy
from limpet.lean.record import record

_READ = 5000  # lines of a message: what is below them was not typed
_DOCUMENT = 2  # headings
LIKELY_TYPED, LIKELY_PASTED = 0.15, 0.95
"""The probabilities of being pasted below which a sentence counts as typed, and from which on it counts as foreign."""
_TYPED, _DOUBTFUL, _FOREIGN = "typed", "doubtful", "foreign"

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
    r"|(?:[\w@][\w.'-]{1,30} {1,3}){0,2}\[?\d{1,2}:\d{2}(?: ?[AP]M)?\]?\s*+$"
    r"|Originally posted by|Your (?:task|role|job) is\b"
    r"|You are (?:an?|the) (?:[\w/-]{1,30} ){0,5}?(?:engineer|expert|assistant|agent|developer|architect|reviewer"
    r"|specialist|analyst|writer|copywriter|designer|model|AI|bot|manager|tester|planner|researcher)\b",
)
_GREETING = lazy(r"(?:Hi|Hello|Hey|Dear|Hallo|Liebe[r]?|Guten|Bonjour|Hola|Sehr geehrte[rs]?)\b[^\n.!?:]{0,40},?\s*+$")
_CLOSING = lazy(
    r"(?:Best|Kind|Warm|Many|Mit freundlichen|Viele|Cordialement|Saludos|Thanks|Thank you|Cheers|Regards|Sincerely"
    r"|Yours|LG|MfG|VG)\b[^\n.!?:]{0,30},?\s*+$"
)
_ITEM = lazy(r"\s*+(?:\[[ xX]?\]|\(\w{1,2}\)) ")
_SHELL = lazy(
    r"##\[|Step \d++/\d++ ?:|\S{0,60}[\w~)\]/] ?[$%❯➜#] \S|[❯➜▶✗✖✓✔⚠⨯│├└┌╭╰] ?\S"
    r"|[\w.-]{1,40}@[\w.-]{1,60}[ :][^\n$%#❯]{0,120}[$%#❯]|PS [A-Z]:\\"
)
_QUOTED = lazy(r"\s*+(?:[\"“”«„][^\"“”«»„\n]{40,}+[\"”»“]|'[^'\n]{40,}+')[.,]?\s*+$")
_FRONT = lazy(r"---\s*\n[\w-]+:")


@record
class SplitMessage:
    """A message split into typed and foreign text. All parts keep the order of the lines."""

    typed: str
    doubtful: str = ""
    """The text that may be typed or pasted. Nothing tells it to a model as the words of the user."""
    foreign: str = ""


def split_message(text: str) -> SplitMessage:
    """Split a message into the text that the user typed, foreign text such as pastes and quotations, and the rest."""
    lines = text.splitlines()
    shapes = find_shapes(lines)
    sentences = split_sentences(lines, shapes)
    parts: dict[int, list[tuple[str, str]]] = {}
    kind = _TYPED
    for sentence, chance in zip(sentences, rate_sentences(sentences), strict=True):
        kind = _TYPED if chance < LIKELY_TYPED else _FOREIGN if chance >= LIKELY_PASTED else _DOUBTFUL
        parts.setdefault(sentence.line, []).append((kind, lines[sentence.line][sentence.start : sentence.end]))
    found: dict[str, list[str]] = {_TYPED: [], _DOUBTFUL: [], _FOREIGN: []}
    for at, line in enumerate(lines):
        if shapes[at]:
            found[_FOREIGN].append(line)
        elif not line.strip():
            found[_TYPED].append(line)
        else:
            # What is below the last sentence that was rated goes on like it.
            for part, each in groupby(parts.get(at, [(kind, line)]), key=itemgetter(0)):
                found[part].append("".join(said for _, said in each))
    typed, doubtful, foreign = ("\n".join(found[part]).strip() for part in (_TYPED, _DOUBTFUL, _FOREIGN))
    return SplitMessage(typed=typed, doubtful=doubtful, foreign=foreign)


def find_shapes(lines: list[str]) -> list[str]:
    """Return the form of each line that shows that it is foreign: "fence", "quote" or "output", and "" for the others.

    Quotations of whole lines count as "quote", and documents and letters as "output".
    """
    foreign = [False] * len(lines)
    _mark_fences(lines, foreign)
    fenced = tuple(foreign)
    is_typed = False
    for at, line in enumerate(lines):
        # A message that is quoted as a whole was typed with the marks.
        is_quoted = line.lstrip().startswith(">") or (is_typed and _QUOTED.match(line) is not None)
        foreign[at] = foreign[at] or is_quoted
        is_typed = is_typed or bool(line.strip() and not foreign[at])
    quoted = tuple(foreign)
    end = min(_find_document(lines, foreign), _READ)
    foreign[end:] = [True] * len(foreign[end:])
    last = len(lines)
    for at, line in enumerate(lines):
        if not line.strip():
            last = len(lines)
        elif not foreign[at] and _is_printed(line):
            # So is what stands between two lines of output.
            foreign[min(last, at) : at + 1] = [True] * (at + 1 - min(last, at))
            last = at
    _mark_letters(lines, foreign)
    return [
        "fence" if fenced[at] else "quote" if quoted[at] else "output" if is_foreign else ""
        for at, is_foreign in enumerate(foreign)
    ]


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
        (is_machine_line(line) and not _ITEM.match(line))
        or line.lstrip().lower().startswith(_PRINTED)
        or line.startswith(("\t", "        "))
        or _SHELL.match(line) is not None
    )


def _find_document(lines: list[str], foreign: list[bool]) -> int:
    """Return the index of the line at which an e-mail, an issue or another document begins, or the number of lines."""
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
    return headings[0] if len(headings) >= _DOCUMENT else len(lines)


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
            if not any(each.strip() for each in (*lines[:start], *lines[at + 3 :])):
                return
            for inside in range(start, min(len(lines), at + 3)):
                foreign[inside] = True
            return
