"""Split markdown into passages, each a bullet or a paragraph, with the heading that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.fences import read_fence

_HEADING = lazy(r"(#{1,6})[ \t]++([^\n]*+)")
_BULLET = lazy(r"([ \t]*+)(?:[-*+]|\d{1,3}[.)])[ \t]++(\S[^\n]*+)")
_BLOCK = lazy(r"<!--[ \t]*+MEMORY:(START|END)[ \t]*+-->")
_LINK_ONLY = lazy(r"\[[^\]\n]{0,200}\]\([^)\n]{0,300}\)[.,:;]?")
_EMPHASIS = lazy(r"\*\*([^*\n]{1,400})\*\*|__([^_\n]{1,400})__")
_RULE = lazy(r"(?:[-*_=|:]\s*+){3,}+")
"""A line of rule characters: a horizontal line, the underline of a heading, or the line below a table header."""
_COMMENT_BEGINS, _COMMENT_ENDS = "<!--", "-->"
_QUOTE = lazy(r"[ \t]*+(?:>[ \t]?)+")
_LEAST_WORDS = 4


@record
class Passage:
    """One bullet or paragraph of a text, with its heading and the number of its first line."""

    text: str
    heading: str
    line: int


def split_passages(text: str) -> Iterator[Passage]:
    """Yield the passages of a markdown text in order.

    Code, tables, comments, passages that are only a link or a few words, and blocks that a memory tool manages are left
    out. A bullet includes the bullets nested in it.
    """
    heading, parts, start, is_bullet = "", list[str](), 0, False
    fence, is_quoted, hidden, is_comment = "", False, False, False
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # A comment that is never closed counts as text.
    last_end = max((number for number, line in enumerate(lines, 1) if _COMMENT_ENDS in line), default=0)

    def flush() -> Iterator[Passage]:
        joined = "\n".join(parts).strip()
        parts.clear()
        if len(joined.split()) >= _LEAST_WORDS and not _LINK_ONLY.fullmatch(joined):
            yield Passage(text=joined, heading=heading, line=start)

    for number, line in enumerate(lines, 1):
        bare = line.strip()
        quote = _QUOTE.match(line)
        if fence and is_quoted and quote is None:
            # Code in a quote ends with the quote.
            fence = ""
        if fence:
            fence = read_fence(line[quote.end() :] if quote is not None and is_quoted else line, fence)
            continue
        mark = None if is_comment else _BLOCK.fullmatch(bare)
        if mark is not None or hidden:
            yield from flush()
            hidden = mark is None or mark[1] == "START"
            continue
        if is_comment or _COMMENT_BEGINS in line:
            line, is_comment = _remove_comments(line, is_comment, is_closed=number < last_end)
            bare = line.strip()
        title = _HEADING.match(line)
        bullet = _BULLET.match(line)
        told = bullet[2] if bullet is not None else line
        quote = _QUOTE.match(told)
        is_quoted = quote is not None
        fence = read_fence(told[quote.end() :] if quote is not None else told)
        if fence:
            yield from flush()
        elif title is not None:
            yield from flush()
            bare = _EMPHASIS.sub(lambda found: found[1] or found[2], title[2].rstrip("# "))
            heading = bare.replace("`", "").strip()
        elif not bare or bare.startswith("|") or _RULE.fullmatch(bare):
            yield from flush()
        elif bullet is not None and not (is_bullet and parts and bullet[1]):
            yield from flush()
            parts.append(bullet[2].rstrip())
            start, is_bullet = number, True
        else:
            if not parts:
                start, is_bullet = number, False
            parts.append(line.rstrip() if is_bullet and bullet is not None else bare)
    yield from flush()


def _remove_comments(line: str, is_comment: bool, *, is_closed: bool) -> tuple[str, bool]:
    """Remove the comments from a line; return the line, and whether a comment continues in the next line.

    `is_comment` tells whether the line begins within a comment, and `is_closed` whether a comment ends in a later line.
    """
    kept, at, is_code = list[str](), 0, False
    last = line.rfind(_COMMENT_ENDS)
    while 0 <= at < len(line):
        if is_comment:
            end = line.find(_COMMENT_ENDS, at)
            is_comment, at = end < 0, end + len(_COMMENT_ENDS) if end >= 0 else -1
            continue
        begin = line.find(_COMMENT_BEGINS, at)
        text = line[at:] if begin < 0 else line[at:begin]
        is_code ^= text.count("`") % 2 == 1
        kept.append(text)
        if begin >= 0 and (is_code or not (is_closed or begin < last)):
            kept.append(_COMMENT_BEGINS)
        else:
            is_comment = begin >= 0
        at = -1 if begin < 0 else begin + len(_COMMENT_BEGINS)
    return "".join(kept), is_comment
