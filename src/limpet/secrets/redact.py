"""Find secrets in text and hide them, so that no password or key is ever stored.

There are three kinds of evidence, from cheap to expensive. A shape: a vendor's prefix, a private key's header, a
password inside a URL. A label: `password=`, "the token is", `--api-key`; the value after it is judged, because most
text with those words is about secrets and holds none. Randomness: a long run of characters that is no word, path or
digest.

No pattern is compiled before a plain substring shows that it may match, because this runs in every capture hook. A text
may be hostile: every pattern is linear, and a text that holds more candidates than any note or log is not judged to its
end; the rest is withheld as `[REDACTED:unread]`.
"""

from __future__ import annotations

from limpet.secrets.personal import is_personal
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
from limpet.secrets.rules import (
    CODES,
    COMMANDS,
    EXACT,
    FOLDED,
    FOREIGN_LABELS,
    HARMLESS,
    LABELS,
    LAST,
    MARK,
    SECTIONS,
    STARTS,
    compile_once,
    escape_marker,
    word_tuple,
)
from limpet.secrets.values import (
    BENIGN,
    DEFAULTS,
    PUBLIC_BLOCK,
    RUN,
    TELLING,
    is_code,
    is_hex,
    is_login,
    is_odd,
    is_placeholder,
    is_random,
    is_secret,
    is_strong,
    name_vendor,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    Span = tuple[int, int, str]

__all__ = ["is_personal", "redact", "redact_named", "strip_private"]

# Effort allowed up to some place: a candidate costs 1, a likely secret 4. No note or log comes near the limit.
_EFFORT, _PER_EFFORT, _BLOCK = 2000, 100, 4096
_SHORT = 500
# Kinds that say little give way to those that name the vendor.
_RANK = {**dict.fromkeys(word_tuple("password login secret token api-key authorization"), 1), "high-entropy": 2}


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """Return `text` with every secret replaced by `[REDACTED:<kind>]`, and the kinds in their order."""
    known = iter(_marked_kinds(text))
    changed = False
    # Without its secrets a text may read differently, so it is read until nothing more is found.
    for _ in range(4):
        spans = _merge_spans(_Reading(text).spans, text)
        if not spans:
            break
        changed = True
        parts: list[str] = []
        at = 0
        for start, end, kind in spans:
            parts += (text[at:start], MARK, kind, "]")
            at = end
        echoes = _find_echoes(spans, text)
        text = "".join(parts) + text[at:]
        for value, kind in echoes.items():
            text = text.replace(value, f"{MARK}{kind}]")
        if spans[0][2] == "unread":
            break  # the part before it was read and held nothing
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
    """Return the text redacted, like `redact`, for a value whose name is in another field.

    Only a short value is checked together with its name.
    """
    if name and "\n" not in text and len(text) < _SHORT:
        named, kinds = redact(f"{name}={text}")
        if kinds and named.startswith(f"{name}="):
            return named[len(name) + 1 :], kinds
    return redact(text)


def strip_private(text: str) -> tuple[str, int]:
    """Return `text` without its `<private>…</private>` parts, and their number; an unclosed part extends to the end."""
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


def _is_label(marker: str, low: str) -> bool:
    """Tell whether a marker occurs outside harmless words.

    Without this test, a text such as "12 passed" would make each hook compile the rule for passwords.
    """
    for word in HARMLESS.get(marker, ()):
        low = low.replace(word, "")
    return marker in low


def _marked_kinds(text: str) -> list[str]:
    return [part.partition("]")[0] for part in text.split(MARK)[1:]]


def _merge_spans(spans: list[Span], text: str) -> list[Span]:
    """Return the spans without overlaps: overlapping spans become one, which has the more specific kind."""
    merged: list[Span] = []
    for start, end, kind in sorted(spans):
        if kind == "unread":
            merged.append((max(start, merged[-1][1]) if merged else start, end, kind))
            break  # it goes to the end
        if start >= end or MARK in text[start:end]:
            continue
        if merged and start < merged[-1][1]:
            first, last, name = merged[-1]
            merged[-1] = (first, max(last, end), min(name, kind, key=lambda k: _RANK.get(k, 0)))
        else:
            merged.append((start, end, kind))
    return merged


def _find_echoes(spans: list[Span], text: str) -> dict[str, str]:
    """Return the values to hide wherever else they occur: a secret that was found once is secret everywhere."""
    if len(spans) > 1000:
        return {}
    kinds = {text[start:end]: kind for start, end, kind in spans if kind != "unread" and 8 <= end - start <= 4096}
    if len(kinds) > 32:
        return {}  # each is one more search of the text
    return {value: kind for value, kind in kinds.items() if is_odd(value) or is_strong(value)}


class _Reading:
    """One pass over a text: the spans found, and the effort spent on finding them.

    Effort is counted for each block of the text, because the rules are tried one after another and each starts at the
    beginning. Where the sum up to some place is too high, all following rules treat that place as the end of the text.
    """

    __slots__ = ("block", "effort", "end", "low", "spans", "spent", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        # Only ASCII letters change, so that a position in one text is the same position in the other.
        self.low = text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
        self.spans: list[Span] = []
        self.end = len(text)
        self.spent = [0] * (len(text) // _BLOCK + 1)
        self.effort = self.block = 0
        self._read()
        if self.end < len(text):
            self.spans.append((self.end, len(text), "unread"))

    def _read(self) -> None:
        text, low, add = self.text, self.low, self.spans.extend
        for rules, place in ((EXACT, text), (FOLDED, low)):
            for kind, markers, rest, _, _ in rules:
                for marker in markers:
                    if marker in place:
                        add(self._find_shapes(kind, marker, rest, place))
        if "://" in text and "@" in text:
            add(self._find_in_urls())
        if "cookie" in low:
            add(self._find_in_cookies())
        if any(sign in low for sign in (" -", "pass:", "/user:", " login ", "configure set", "net user ")):
            for kind, markers, option, _, _ in COMMANDS:
                for marker in markers:
                    if marker in low:
                        add(self._find_in_commands(kind, marker, option))
        for labels in (LABELS,) if text.isascii() else (LABELS, FOREIGN_LABELS):
            for kind, markers, rest, _, _ in labels:
                for marker in markers:
                    if marker in low and _is_label(marker, low):
                        add(self._find_labelled(kind, marker + rest))
        if "cod" in low or "recovery" in low or "códigos" in low:
            for kind, markers, rest, _, _ in CODES:
                for marker in markers:
                    if marker in low:
                        add(self._find_codes(kind, escape_marker(marker) + rest))
        if "]\n" in low or "kind: secret" in low:
            for kind, markers, rest, _, _ in SECTIONS:
                for marker in markers:
                    if marker in low:
                        add(self._find_in_sections(kind, escape_marker(marker) + rest))
        if " is " in low or " as " in low:
            for label in LAST:
                if label in low:
                    add(self._find_value_first(label))
        words = text.split()
        if max(map(len, words), default=0) >= _SHORTEST:
            add(self._find_random([word for word in words if len(word) >= _SHORTEST]))

    def _restart_effort(self) -> None:
        self.block, self.effort = 0, self.spent[0]

    def _may_read(self, at: int, cost: int) -> bool:
        """Tell whether effort is left for a candidate at `at`; if not, the text is read up to there only."""
        while self.block < at // _BLOCK:
            self.block += 1
            self.effort += self.spent[self.block]
        self.effort += cost
        self.spent[self.block] += cost
        if self.effort > _EFFORT + at // _PER_EFFORT:
            self.end = min(self.end, at)
            return False
        return True

    def _find_matches(self, source: str, place: str, cost: int) -> Iterator[re.Match[str]]:
        self._restart_effort()
        for match in compile_once(source).finditer(place, 0, self.end):
            if not self._may_read(match.start(), cost):
                return
            yield match

    def _find_shapes(self, kind: str, marker: str, rest: str, place: str) -> Iterator[Span]:
        for match in self._find_matches(escape_marker(marker) + rest, place, 4):
            start, end = match.span(match.re.groups)
            while kind == "telegram-token" and start and self.text[start - 1].isdigit():
                start -= 1
            value = self.text[start:end]
            if kind == "private-key" or (not is_placeholder(value) and _CHECKS.get(kind, bool)(value)):
                yield start, end, kind

    def _find_in_urls(self) -> Iterator[Span]:
        """Yield passwords and tokens before the @ of a URL. A password may hold an unescaped @ or slash."""
        part = r"[^\s\"'<>`@]"
        source = rf"://([^\s:/@?#\"'<>\[\]`]{{0,128}}+)(?::({part}{{1,200}}+(?:@[^\s\"'<>`@/]{{1,100}}+(?=@))*+))?+@"
        for match in self._find_matches(source, self.text, 4):
            user, word = match[1], match[2]
            if word is None:
                if len(user) >= 16 and is_odd(user) and not is_placeholder(user):
                    yield *match.span(1), "url-token"
            elif word != user and len(word) > 3 and word.lower() not in DEFAULTS and not is_placeholder(word):
                port = compile_once(r"[0-9]*[/?#]").match(word)
                if port is None:
                    yield *match.span(2), "url-password"

    def _find_in_cookies(self) -> Iterator[Span]:
        source = r"cookie[\"'`\\\])]{0,4}+[ \t]?[:=,][ \t]?[\"'`\\]{0,3}+([^\n\"'`]{1,4000}+)"
        pair = compile_once(r"([\w.-]{1,64}+)=([^\s;,\"'\\]{6,}+)")
        for match in self._find_matches(source, self.low, 4):
            for item in pair.finditer(self.text, *match.span(1)):
                name, value = item[1].lower(), item[2]
                session = any(word in name for word in ("sess", "sid", "auth", "token", "jwt", "csrf", "remember"))
                if (session or len(value) >= 20) and is_odd(value) and not is_placeholder(value):
                    yield *item.span(2), "cookie"

    def _find_in_commands(self, kind: str, marker: str, option: str) -> Iterator[Span]:
        for match in self._find_matches(escape_marker(marker) + r"[^\n]{0,600}+", self.low, 1):
            start, end = match.span()
            if start and self.text[start - 1].isalnum():
                continue
            for found in compile_once(option).finditer(self.text, start, end):
                group = found.lastindex or 0
                value = found[group]
                if not self._may_read(found.start(), 2):
                    return
                prose = (value.isalpha() and value.islower()) or value.isdigit() or value.startswith("-")
                if not prose and not is_placeholder(value):
                    yield *found.span(group), kind

    def _find_labelled(self, kind: str, source: str) -> Iterator[Span]:
        done = 0
        join = compile_once(JOIN if self.text.isascii() else FOREIGN_JOIN)
        for label in self._find_matches(source, self.low, 1):
            at = label.start()
            if at < done:
                continue
            match = join.match(self.low, label.end())
            for start, quote, how in self._find_values(match) if match else ():
                one = value_pattern(quote, bool(match and match["escape"]))
                value = self._read_value(start, start + 200, quote, one)
                if value and is_secret(kind, value, how, self.text, at):
                    done = start + len(
                        value if len(value) < 180 else self._read_value(start, len(self.text), quote, one)
                    )
                    yield start, done, kind
                    self._may_read(at, 3)
                    break
            else:
                for start, end in self._find_apart(kind, at, label.end()):
                    done = max(done, end)
                    yield start, end, kind
                    self._may_read(at, 3)

    def _find_apart(self, kind: str, at: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the values of a label that stand in another entry, or in a block or a list below the label."""
        # Most labels are words of a sentence, with another word after them.
        if self.low[end : end + 12].lstrip(" \t\"'])\\")[:1].isalpha():
            return
        near = self.low[end : end + 400]
        if any(word in near for word in ("value", "default", "content", "plaintext", '"""', "'''")):
            match = compile_once(APART).match(self.low, end)
            if match is not None:
                start = match.end()
                value = self._read_value(start, start + 400, match["quote"], value_pattern(match["quote"], False))
                if value and is_secret(kind, value, "pair", self.text, at):
                    yield start, start + len(value)
                    return
        before = self.low.rfind("value", max(0, at - 300), at)
        match = compile_once(BEFORE).fullmatch(self.low, before, at) if before >= 0 else None
        if match is not None and is_secret(kind, self.text[slice(*match.span("value"))], "pair", self.text, at):
            yield match.span("value")
        head = near.partition("\n")[0][:60]
        if head.rstrip().endswith((":", "|", ">", "-", "+")) or "[" in head:
            for opening, item in ((BLOCK, BLOCK_LINE), (LIST, LIST_ITEM)):
                match = compile_once(opening).match(self.low, end)
                if match is not None:
                    yield from self._find_items(kind, at, match.end(), item)

    def _find_items(self, kind: str, at: int, start: int, item: str) -> Iterator[tuple[int, int]]:
        for _ in range(_MOST_ITEMS):
            match = compile_once(item).match(self.text, start)
            if match is None:
                return
            value = match[1].rstrip()
            if is_secret(kind, value, "pair", self.text, at):
                yield match.start(1), match.start(1) + len(value)
            start = match.end()

    def _find_codes(self, kind: str, source: str) -> Iterator[Span]:
        """Yield the codes below a heading such as "Recovery codes", up to the first line that is not a code."""
        for heading in self._find_matches(source, self.low, 1):
            match = compile_once(CODE_START).match(self.text, heading.end())
            start = match.end() if match else -1
            for _ in range(_MOST_ITEMS if match else 0):
                found = compile_once(CODE_ITEM).match(self.text, start)
                if found is None or not is_code(found[1]) or not self._may_read(heading.start(), 1):
                    break
                yield *found.span(1), kind
                start = found.end()

    def _find_in_sections(self, kind: str, source: str) -> Iterator[Span]:
        """Yield every value of a section that holds only secrets."""
        for heading in self._find_matches(source, self.low, 1):
            start = heading.end()
            for _ in range(_MOST_ITEMS):
                found = compile_once(SECTION_LINE).match(self.text, start)
                if found is None or not self._may_read(heading.start(), 1):
                    break
                value = found[1].rstrip(",;")
                if is_secret("password", value, "pair", self.text, found.start(1)):
                    yield found.start(1), found.start(1) + len(value), kind
                start = found.end()

    def _find_values(self, match: re.Match[str]) -> Iterator[tuple[int, str | None, str]]:
        """Yield the places where the value of a label may be: after the label, or after the verb of its sentence."""
        start, quote = match.end(), match["quote"]
        if match["assign"] is not None:
            yield start, quote, "quoted" if quote else "assign"
            return
        yield start, quote, "pair" if match["call"] else "space" if match["space"] and not quote else "prose"
        verb = compile_once(ABOUT).match(self.low, match.start("prose") + 1 if match["prose"] else start)
        if verb is not None:
            yield verb.end(), verb[1], "prose"

    def _read_value(self, start: int, limit: int, quote: str | None, inside: str) -> str:
        body = compile_once(inside).match(self.text, start, limit)
        if body is None:
            return ""
        if quote is not None:
            return body[0].rstrip("\\")
        value = body[0]
        if not value.isascii():
            value = next((value[:n] for n, sign in enumerate(value) if sign > LAST_LETTER), value)
        value = value.rstrip(".,;:)]}*")
        return compile_once(r"&[\w.-]+=|&#?\w+;").split(value, 1)[0] if "&" in value else value

    def _find_value_first(self, label: str) -> Iterator[Span]:
        """Yield values before their label: "hunter2 is the password", "use hunter2 as the token for staging"."""
        for match in self._find_matches(label + r"(?= ?(?:[.,;:!?)\n]|$|for |of |on |to |in |and ))", self.low, 1):
            at = match.start()
            near = self.low[max(0, at - 40) : at]
            verb = max(near.rfind(" is "), near.rfind(" as "), near.rfind(" was "))
            # Compiled only here: most texts with these labels never get so far.
            owned = r" \w+ (?:the|my|our|its|their|your|a|an)(?: [\w-]+)* $"
            if verb < 0 or not compile_once(owned).fullmatch(near, verb):
                continue
            end = at - len(near) + verb
            start = max(self.text.rfind(" ", max(0, end - 200), end), self.text.rfind("\n", max(0, end - 200), end)) + 1
            value = self.text[start:end].strip("\"'`()[],:;“”")
            start = self.text.find(value, start)
            least = 6 if label.startswith("pass") else 16
            likely = is_odd(value) or (least == 6 and is_strong(value))
            if len(value) >= least and likely and not is_hex(value) and not is_placeholder(value):
                yield start, start + len(value), "password" if least == 6 else "token"

    def _find_random(self, words: list[str]) -> Iterator[Span]:
        text = self.text
        run = compile_once(RUN)
        public = compile_once(PUBLIC_BLOCK).finditer(text) if "-----BEGIN " in text else iter(())
        block = next(public, None)
        at = 0
        self._restart_effort()
        for word in words:
            at = text.index(word, at)
            if at >= self.end:
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
                if not (one_case and value.isalnum()) and not self._may_read(start, 2 if "/" in value else 1):
                    return
                kind = name_vendor(value.lstrip("/+.~-")) if end - start <= _LONGEST else None
                if kind is None and "/" in value and end - start <= _LONGEST:
                    yield from self._find_in_path(value, start)
                if kind is None and is_random(value) and self._is_alone(value, start):
                    kind = "high-entropy"
                if kind and not is_placeholder(value):
                    yield start, start + len(value), kind
                    self._may_read(start, 3)
            at += len(word)

    def _find_in_path(self, path: str, start: int) -> Iterator[Span]:
        for part in path.split("/"):
            kind = name_vendor(part) if len(part) >= _SHORTEST else None
            if kind and not is_placeholder(part):
                yield start, start + len(part), kind
            start += len(part) + 1

    def _is_alone(self, value: str, start: int) -> bool:
        """Tell whether a random run stands alone: it is not part of an address, a digest or an identifier."""
        word = self.text[max(0, start - 200) : start].rpartition(" ")[2]
        if "://" in word or "base64," in word or word.endswith((":", "@")):
            return False
        line = self.low[max(0, start - 60) : start].rpartition("\n")[2]
        if compile_once(BENIGN).search(line):
            return False
        if len(value) >= 32:
            return True
        end = start + len(value)
        line += self.low[end : end + 40].partition("\n")[0]
        return any(word in line for word in TELLING)


_CHECKS = {
    "cookie": lambda value: is_odd(value) and not is_hex(value),
    "authorization": lambda value: is_odd(value) or is_login(value),
    "basic-auth": lambda value: is_odd(value) or is_login(value),
    "login": lambda value: is_odd(value) or is_strong(value),
    "pgpass": lambda value: is_odd(value) or is_strong(value),
}
_DIGITS = frozenset("0123456789")
_SHORTEST, _LONGEST = 20, 8000
_MOST_ITEMS = 50
