"""Find secrets in text and hide them, so that no password or key is ever stored.

There are three kinds of evidence, from cheap to expensive. The first is a shape: a vendor's prefix, a private key's
header, or a password inside a URL. The second is a label such as `password=`, whose value is judged (`labelled.py`), or
which a sentence states or hands over (`stated.py`). The third is randomness: a long run of characters that is not a
word, path or digest.

No pattern is compiled before a plain substring shows that it may match, because this code runs in every capture hook. A
text may be hostile, so every pattern takes linear time. If a text has more candidates than any real note or log, the
rest of it is not searched and is replaced by `[REDACTED:unread]`.
"""

from __future__ import annotations

from limpet.secrets.labelled import find_labelled
from limpet.secrets.rules import (
    COMMANDS,
    EXACT,
    FOLDED,
    MARK,
    STARTS,
    compile_once,
    escape_marker,
    word_tuple,
)
from limpet.secrets.scan import Scan
from limpet.secrets.stated import find_stated
from limpet.secrets.values import (
    BENIGN,
    DEFAULTS,
    PUBLIC_BLOCK,
    RUN,
    TELLING,
    has_unknown_part,
    is_hex,
    is_login,
    is_placeholder,
    is_random,
    is_strong,
    name_vendor,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limpet.secrets.scan import Span

_SHORT = 500
# Where spans overlap, a kind that names the vendor (rank 0) is preferred to a general kind.
_RANK = {**dict.fromkeys(word_tuple("password login secret token api-key authorization"), 1), "high-entropy": 2}


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """Return `text` with every secret replaced by `[REDACTED:<kind>]`, and the kinds of these secrets.

    The kinds are in the order of the secrets in the text.
    """
    known = iter(_marked_kinds(text))
    changed = False
    # A replacement may make another secret visible to the patterns, so the text is searched until none is found.
    for _ in range(4):
        spans = _merge_spans(_find_secrets(text), text)
        if not spans:
            break
        changed = True
        parts: list[str] = []
        at = 0
        for start, end, kind in spans:
            parts += (text[at:start], MARK, kind, "]")
            at = end
        echoes = _collect_values(spans, text)
        text = hide_values("".join(parts) + text[at:], echoes)
        if spans[0][2] == "unread":
            break  # the part before it was searched and had no secret
    if not changed:
        return text, ()
    waiting = next(known, None)
    kinds: list[str] = []
    for kind in _marked_kinds(text):
        if kind == waiting:
            waiting = next(known, None)
        else:
            kinds.append(kind)
    return text, tuple(kinds)


def redact_named(name: str, text: str) -> tuple[str, tuple[str, ...]]:
    """Redact `text`, the value of a field called `name`, for example `password`. Return a tuple like that of `redact`.

    The name is taken into account only for a short value. A long value is checked on its own.
    """
    if name and "\n" not in text and len(text) < _SHORT:
        named, kinds = redact(f"{name}={text}")
        if kinds and named.startswith(f"{name}="):
            return named[len(name) + 1 :], kinds
    return redact(text)


def find_values(text: str) -> dict[str, str]:
    """Return the secrets in a text that must also be hidden wherever they are repeated, each with its kind."""
    return _collect_values(_merge_spans(_find_secrets(text), text), text)


def hide_values(text: str, values: Mapping[str, str]) -> str:
    """Return `text` with each of `values`, secrets with their kinds, replaced by `[REDACTED:<kind>]`."""
    for value, kind in values.items():
        text = text.replace(value, f"{MARK}{kind}]")
    return text


def strip_private(text: str) -> tuple[str, int]:
    """Return the text without its `<private>…</private>` parts, and the number of these parts.

    A part that is not closed extends to the end of the text.
    """
    if "<" not in text or "private" not in text.lower():
        return text, 0
    kept: list[str] = []
    count = depth = at = 0
    for tag in compile_once(r"(?i)<\s*+(/?)\s*+private(?![\w-])[^<>]*+>").finditer(text):
        if tag[1]:
            if depth == 1:
                at = tag.end()
            depth = max(0, depth - 1)
            continue
        if not depth:
            kept.append(text[at : tag.start()])
            count += 1
            at = tag.end()
        depth += not tag[0].endswith("/>")
    if not depth:
        kept.append(text[at:])
    return "".join(kept), count


def _marked_kinds(text: str) -> list[str]:
    return [part.partition("]")[0] for part in text.split(MARK)[1:]]


def _merge_spans(spans: list[Span], text: str) -> list[Span]:
    """Return the spans in order. Overlapping spans are merged, and the result has the more specific of their kinds."""
    merged: list[Span] = []
    for start, end, kind in sorted(spans):
        if kind == "unread":
            merged.append((max(start, merged[-1][1]) if merged else start, end, kind))
            break  # it extends to the end of the text
        if start >= end or MARK in text[start:end]:
            continue
        if merged and start < merged[-1][1]:
            first, last, name = merged[-1]
            merged[-1] = (first, max(last, end), min(name, kind, key=lambda k: _RANK.get(k, 0)))
        else:
            merged.append((start, end, kind))
    return merged


def _collect_values(spans: list[Span], text: str) -> dict[str, str]:
    """Return the secrets that must also be hidden wherever the text repeats them, each with its kind."""
    if len(spans) > 1000:
        return {}
    kinds = {text[start:end]: kind for start, end, kind in spans if kind != "unread" and 8 <= end - start <= 4096}
    if len(kinds) > 32:
        return {}  # each is one more search of the text
    return {value: kind for value, kind in kinds.items() if _is_telling(value)}


def _is_telling(value: str) -> bool:
    """Tell whether a value means nothing else where it is repeated, unlike a plain word."""
    is_mixed = any(letter.isdigit() for letter in value) and any(letter.isalpha() for letter in value)
    return is_mixed or has_unknown_part(value) or is_strong(value)


def _find_secrets(text: str) -> list[Span]:
    """Return the spans of the secrets in a text.

    If searching the text takes too long, the part that was not searched is a span too.
    """
    scan = Scan(text)
    low, add = scan.low, scan.spans.extend
    for rules, place in ((EXACT, text), (FOLDED, low)):
        for kind, markers, rest, _, _ in rules:
            for marker in markers:
                if marker in place:
                    add(_find_shapes(scan, kind, marker, rest, place))
    if "://" in text and "@" in text:
        add(_find_in_urls(scan))
    if "cookie" in low:
        add(_find_in_cookies(scan))
    if any(sign in low for sign in (" -", "pass:", "/user:", " login ", "configure set", "net user ")):
        for kind, markers, option, _, _ in COMMANDS:
            for marker in markers:
                if marker in low:
                    add(_find_in_commands(scan, kind, marker, option))
    find_labelled(scan)
    words = text.split()
    known = scan.spans[:]
    for start, end, kind in find_stated(scan, words):
        if not any(first <= start and end <= last for first, last, _ in known):
            add([(start, end, kind)])
    if max(map(len, words), default=0) >= _SHORTEST:
        add(_find_random(scan, [word for word in words if len(word) >= _SHORTEST]))
    if scan.end < len(text):
        add([(scan.end, len(text), "unread")])
    return scan.spans


def _find_shapes(scan: Scan, kind: str, marker: str, rest: str, place: str) -> Iterator[Span]:
    for match in scan.find_matches(escape_marker(marker) + rest, place, 4):
        start, end = match.span(match.re.groups)
        while kind == "telegram-token" and start and scan.text[start - 1].isdigit():
            start -= 1
        value = scan.text[start:end]
        if kind == "private-key" or (not is_placeholder(value) and _CHECKS.get(kind, bool)(value)):
            yield start, end, kind


def _find_in_cookies(scan: Scan) -> Iterator[Span]:
    source = r"cookie[\"'`\\\])]{0,4}+[ \t]?[:=,][ \t]?[\"'`\\]{0,3}+([^\n\"'`]{1,4000}+)"
    pair = compile_once(r"([\w.-]{1,64}+)=([^\s;,\"'\\]{6,}+)")
    for match in scan.find_matches(source, scan.low, 4):
        for item in pair.finditer(scan.text, *match.span(1)):
            name, value = item[1].lower(), item[2]
            session = any(word in name for word in ("sess", "sid", "auth", "token", "jwt", "csrf", "remember"))
            if (session or len(value) >= 20) and has_unknown_part(value) and not is_placeholder(value):
                yield *item.span(2), "cookie"


def _find_in_commands(scan: Scan, kind: str, marker: str, option: str) -> Iterator[Span]:
    for match in scan.find_matches(escape_marker(marker) + r"[^\n]{0,600}+", scan.low, 1):
        start, end = match.span()
        if start and scan.text[start - 1].isalnum():
            continue
        for found in compile_once(option).finditer(scan.text, start, end):
            group = found.lastindex or 0
            value = found[group]
            if not scan.may_read(found.start(), 2):
                return
            prose = (value.isalpha() and value.islower()) or value.isdigit() or value.startswith("-")
            if not prose and not is_placeholder(value):
                yield *found.span(group), kind


def _find_random(scan: Scan, words: list[str]) -> Iterator[Span]:
    text = scan.text
    run = compile_once(RUN)
    public = compile_once(PUBLIC_BLOCK).finditer(text) if "-----BEGIN " in text else iter(())
    block = next(public, None)
    at = 0
    scan.restart_effort()
    for word in words:
        at = text.index(word, at)
        if at >= scan.end:
            return
        for match in run.finditer(text, at, at + len(word)):
            start, end = match.span()
            while block is not None and block.end() <= start:
                block = next(public, None)
            if block is not None and block.start() < start:
                continue
            if start and text[start - 1] == "\\" and text[start] in "nrt":
                start += 1
            elif start and text[start - 1] == "%":
                start += 2
            value = text[start:end].rstrip(".")
            one_case = value.islower() or value.isupper()
            if one_case and _DIGITS.isdisjoint(value) and value[:3] not in STARTS:
                continue  # a path or a name
            if not (one_case and value.isalnum()) and not scan.may_read(start, 2 if "/" in value else 1):
                return
            kind = name_vendor(value.lstrip("/+.~-")) if end - start <= _LONGEST else None
            if kind is None and "/" in value and end - start <= _LONGEST:
                yield from _find_in_path(scan, value, start)
            if kind is None and is_random(value) and _has_secret_context(scan, value, start):
                kind = "high-entropy"
            if kind and not is_placeholder(value):
                yield start, start + len(value), kind
                scan.may_read(start, 3)
        at += len(word)


def _find_in_path(scan: Scan, path: str, start: int) -> Iterator[Span]:
    for part in path.split("/"):
        kind = name_vendor(part) if len(part) >= _SHORTEST else None
        if kind and not is_placeholder(part):
            yield start, start + len(part), kind
        start += len(part) + 1


def _has_secret_context(scan: Scan, value: str, start: int) -> bool:
    """Tell whether the context of a random run suggests a secret instead of part of a URL, a digest or an identifier.

    If the run is short, there must also be a word such as "token" near it.
    """
    word = scan.text[max(0, start - 200) : start].rpartition(" ")[2]
    if "://" in word or "base64," in word or word.endswith((":", "@")):
        return False
    line = scan.low[max(0, start - 60) : start].rpartition("\n")[2]
    if compile_once(BENIGN).search(line):
        return False
    if len(value) >= 32:
        return True
    end = start + len(value)
    line += scan.low[end : end + 40].partition("\n")[0]
    return any(word in line for word in TELLING)


_CHECKS = {
    "cookie": lambda value: has_unknown_part(value) and not is_hex(value),
    "authorization": lambda value: has_unknown_part(value) or is_login(value),
    "basic-auth": lambda value: has_unknown_part(value) or is_login(value),
    "login": lambda value: has_unknown_part(value) or is_strong(value),
    "pgpass": lambda value: has_unknown_part(value) or is_strong(value),
}
_DIGITS = frozenset("0123456789")
_SHORTEST, _LONGEST = 20, 8000


_PART = r"[^\s\"'<>`@]"
# A password may hold an unescaped @ or slash.
_LOGIN = rf"://([^\s:/@?#\"'<>\[\]`]{{0,128}}+)(?::({_PART}{{1,200}}+(?:@[^\s\"'<>`@/]{{1,100}}+(?=@))*+))?+@"
_PORT = r"[0-9]*[/?#]"
_SHORTEST_TOKEN, _SHORTEST_PASSWORD = 16, 4


def _find_in_urls(scan: Scan) -> Iterator[Span]:
    """Yield the spans of passwords and tokens that are before the `@` in a URL.

    A port followed by a path that contains an `@` does not count as a password. A secret in the query, as in
    `?api_key=…`, has a label.
    """
    for match in scan.find_matches(_LOGIN, scan.text, 4):
        user, word = match[1], match[2]
        if word is None:
            if len(user) >= _SHORTEST_TOKEN and has_unknown_part(user) and not is_placeholder(user):
                yield *match.span(1), "url-token"
        elif _is_password(word) and word != user:
            yield *match.span(2), "url-password"


def _is_password(word: str) -> bool:
    if len(word) < _SHORTEST_PASSWORD or word.lower() in DEFAULTS or is_placeholder(word):
        return False
    return compile_once(_PORT).match(word) is None
