"""Find secrets by their labels: `password=`, "the token is", `--api-key`, "hunter2 is the password".

Most text with such labels is only about secrets and contains none, so `values.py` judges each value. The patterns that
find the value of a label are in `places.py`.
"""

from __future__ import annotations

from limpet.secrets.places import (
    ABOUT,
    APART,
    BEFORE,
    BLOCK,
    BLOCK_LINE,
    CODE_ITEM,
    CODE_START,
    FOREIGN_JOIN,
    JOIN,
    LAST_LETTER,
    LIST,
    LIST_ITEM,
    SECTION_LINE,
    value_pattern,
)
from limpet.secrets.rules import CODES, FOREIGN_LABELS, HARMLESS, LABELS, LAST, SECTIONS, compile_once, escape_marker
from limpet.secrets.values import has_unknown_part, is_code, is_hex, is_placeholder, is_secret, is_stated, is_strong

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from limpet.secrets.scan import Scan, Span

_MOST_ITEMS = 50
"""The maximum number of values that are checked in one list, block or section."""


def find_labelled(scan: Scan) -> None:
    """Add to `scan.spans` the secrets that have a label, such as the value in `password=hunter2`."""
    text, low, add = scan.text, scan.low, scan.spans.extend
    for labels in (LABELS,) if text.isascii() else (LABELS, FOREIGN_LABELS):
        for kind, markers, rest, _, _ in labels:
            for marker in markers:
                if marker in low and _is_label(marker, low):
                    add(_find_values_of(scan, kind, marker + rest))
    if "cod" in low or "recovery" in low or "códigos" in low:
        for kind, markers, rest, _, _ in CODES:
            for marker in markers:
                if marker in low:
                    add(_find_codes(scan, kind, escape_marker(marker) + rest))
    if "]\n" in low or "kind: secret" in low:
        for kind, markers, rest, _, _ in SECTIONS:
            for marker in markers:
                if marker in low:
                    add(_find_in_sections(scan, kind, escape_marker(marker) + rest))
    if " is " in low or " as " in low:
        for label in LAST:
            if label in low:
                add(_find_values_before(scan, label))


def list_sources() -> set[str]:
    """Return the patterns that most texts with a label need, so that they can be compiled before."""
    own = {
        marker + rest for labels in (LABELS, FOREIGN_LABELS) for _, markers, rest, _, _ in labels for marker in markers
    }
    values = {value_pattern(quote, False) for quote in (None, '"', "'", "`")}
    return own | values | {JOIN, FOREIGN_JOIN, ABOUT, APART, BEFORE}


def _is_label(marker: str, low: str) -> bool:
    """Tell whether a text contains a marker such as "pass" outside harmless words such as "passed".

    Without this test, a text such as "12 passed" would make each hook compile the rule for passwords.
    """
    for word in HARMLESS.get(marker, ()):
        low = low.replace(word, "")
    return marker in low


def _find_values_of(scan: Scan, kind: str, source: str) -> Iterator[Span]:
    done = 0
    join = compile_once(JOIN if scan.text.isascii() else FOREIGN_JOIN)
    for label in scan.find_matches(source, scan.low, 1):
        at = label.start()
        if at < done:
            continue
        match = join.match(scan.low, label.end())
        for start, quote, how in _find_values(scan, match) if match else ():
            one = value_pattern(quote, bool(match and match["escape"]))
            value = _read_value(scan, start, start + 200, quote, one)
            if value and is_secret(kind, value, how, scan.text, at):
                done = start + len(value if len(value) < 180 else _read_value(scan, start, len(scan.text), quote, one))
                yield start, done, kind
                scan.may_read(at, 3)
                break
        else:
            for start, end in _find_distant_values(scan, kind, at, label.end()):
                done = max(done, end)
                yield start, end, kind
                scan.may_read(at, 3)


def _find_distant_values(scan: Scan, kind: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the span of each secret that is in a different entry from its label, or in a block or list below it."""
    # Most labels are words of a sentence, with another word after them.
    if scan.low[end : end + 12].lstrip(" \t\"'])\\")[:1].isalpha():
        return
    near = scan.low[end : end + 400]
    if any(word in near for word in ("value", "default", "content", "plaintext", '"""', "'''")):
        match = compile_once(APART).match(scan.low, end)
        if match is not None:
            start = match.end()
            value = _read_value(scan, start, start + 400, match["quote"], value_pattern(match["quote"], False))
            if value and is_secret(kind, value, "pair", scan.text, at):
                yield start, start + len(value)
                return
    before = scan.low.rfind("value", max(0, at - 300), at)
    match = compile_once(BEFORE).fullmatch(scan.low, before, at) if before >= 0 else None
    if match is not None and is_secret(kind, scan.text[slice(*match.span("value"))], "pair", scan.text, at):
        yield match.span("value")
    head = near.partition("\n")[0][:60]
    if head.rstrip().endswith((":", "|", ">", "-", "+")) or "[" in head:
        for opening, item in ((BLOCK, BLOCK_LINE), (LIST, LIST_ITEM)):
            match = compile_once(opening).match(scan.low, end)
            if match is not None:
                yield from _find_items(scan, kind, at, match.end(), item)


def _find_items(scan: Scan, kind: str, at: int, start: int, item: str) -> Iterator[tuple[int, int]]:
    for _ in range(_MOST_ITEMS):
        match = compile_once(item).match(scan.text, start)
        if match is None:
            return
        value = match[1].rstrip()
        if is_secret(kind, value, "pair", scan.text, at):
            yield match.start(1), match.start(1) + len(value)
        start = match.end()


def _find_codes(scan: Scan, kind: str, source: str) -> Iterator[Span]:
    """Yield the recovery codes below a heading such as "Recovery codes", up to the first item that is not a code."""
    for heading in scan.find_matches(source, scan.low, 1):
        match = compile_once(CODE_START).match(scan.text, heading.end())
        start = match.end() if match else -1
        for _ in range(_MOST_ITEMS if match else 0):
            found = compile_once(CODE_ITEM).match(scan.text, start)
            if found is None or not is_code(found[1]) or not scan.may_read(heading.start(), 1):
                break
            yield *found.span(1), kind
            start = found.end()


def _find_in_sections(scan: Scan, kind: str, source: str) -> Iterator[Span]:
    """Yield the secrets in sections such as `[secrets]`, in which every value is a secret."""
    for heading in scan.find_matches(source, scan.low, 1):
        start = heading.end()
        for _ in range(_MOST_ITEMS):
            found = compile_once(SECTION_LINE).match(scan.text, start)
            if found is None or not scan.may_read(heading.start(), 1):
                break
            value = found[1].rstrip(",;")
            if is_secret("password", value, "pair", scan.text, found.start(1)):
                yield found.start(1), found.start(1) + len(value), kind
            start = found.end()


def _find_values(scan: Scan, match: re.Match[str]) -> Iterator[tuple[int, str | None, str]]:
    """Yield each place where the value of a label may begin, with its quotation mark and its connection to the label.

    The quotation mark is None if the value is not quoted. The value follows the label or, in a sentence, the verb.
    """
    start, quote = match.end(), match["quote"]
    if match["assign"] is not None:
        yield start, quote, "quoted" if quote else "assign"
        return
    yield start, quote, "pair" if match["call"] else "space" if match["space"] and not quote else "prose"
    verb = compile_once(ABOUT).match(scan.low, match.start("prose") + 1 if match["prose"] else start)
    if verb is not None:
        yield verb.end(), verb[1], "prose"


def _read_value(scan: Scan, start: int, limit: int, quote: str | None, inside: str) -> str:
    body = compile_once(inside).match(scan.text, start, limit)
    if body is None:
        return ""
    if quote is not None:
        return body[0].rstrip("\\")
    value = body[0]
    if not value.isascii():
        value = next((value[:n] for n, sign in enumerate(value) if sign > LAST_LETTER), value)
    value = value.rstrip(".,;:)]}*")
    return compile_once(r"&[\w.-]+=|&#?\w+;").split(value, 1)[0] if "&" in value else value


def _find_values_before(scan: Scan, label: str) -> Iterator[Span]:
    """Yield secrets that come before their label: "hunter2 is the password", "use hunter2 as the token for staging"."""
    for match in scan.find_matches(label + r"(?= ?(?:[.,;:!?)\n]|$|for |of |on |to |in |and ))", scan.low, 1):
        at = match.start()
        near = scan.low[max(0, at - 40) : at]
        verb = max(near.rfind(" is "), near.rfind(" as "), near.rfind(" was "))
        # Compiled only here, because most texts with these labels have no such verb before them.
        owned = r" \w+ (?:the|my|our|its|their|your|a|an)(?: [\w-]+)* $"
        if verb < 0 or not compile_once(owned).fullmatch(near, verb):
            continue
        end = at - len(near) + verb
        start = max(scan.text.rfind(" ", max(0, end - 200), end), scan.text.rfind("\n", max(0, end - 200), end)) + 1
        value = scan.text[start:end].strip("\"'`()[],:;“”")
        start = scan.text.find(value, start)
        least = 6 if label.startswith("pass") else 16
        likely = has_unknown_part(value) or (least == 6 and (is_strong(value) or is_stated(value)))
        if len(value) >= least and likely and not is_hex(value) and not is_placeholder(value):
            yield start, start + len(value), "password" if least == 6 else "token"
