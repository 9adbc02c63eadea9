"""Find secrets that a sentence states: "the wifi password is sunflower", "login for staging is admin / toor".

Such a secret may be an ordinary word, so its place in the sentence must show that it is one: it stands after the verb,
ends its clause, and is no word that describes a password, such as "required". What a label may be followed by, and the
words that describe one, are listed here for the languages that capture knows. A sentence is read word by word, because
a pattern for all of this would be compiled in each hook.
"""

from __future__ import annotations

from limpet.secrets.clauses import LEAST_WORD, Clause, describes, fold, is_word
from limpet.secrets.rules import compile_once
from limpet.secrets.stated_words import (
    ACCOUNTS,
    CHANGED_TO,
    CODE,
    COMPOUND,
    DESCRIBES,
    DEVICES,
    ENDINGS_OF_LABELS,
    ENDS,
    FIRST,
    FIRST_VERBS,
    FUNCTION,
    IDENTIFIER,
    JOINED,
    JOINING,
    LAST_LINKS,
    LOGINS,
    NUMBERS,
    ODD,
    OF,
    PHRASES,
    QUOTES,
    SAYING,
    SHORT,
    SPACED,
    STILL,
    TRAILING,
    UNSPACED,
    USERS,
    VERBS,
    VERBS_OF_CHANGE,
    WORDS,
)
from limpet.secrets.values import has_unknown_part, is_placeholder, is_stated, is_strong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.secrets.scan import Scan, Span

__all__ = ["find_stated"]

_BEFORE, _MOST_ABOUT, _MOST_PHRASE = 100, 9, 12
_LEAST_NUMBER = 4
_MOST_READ, _PER_LABEL = 2000, 1000
"""How often one label is looked at: so many times, and once more for so many characters. Only logs have it as often."""

# What joins a label and its secret in scripts without spaces, and what may follow it.
_LINK = (
    r"[ \t]?(?:(?:已经|已經|现在|現在|还|還|就|まだ|今)?(?:是|为|為|改成了?|改為|改为|设为|设成"
    r"|设置为|設為|定为|换成|用|叫|は|を|が|는|은|이|가)(?:まだ|还是)?|[:：、，,]|(?=[!-~「『“]))[ \t]?"
    r"(?:(?P<quote>[“「『\"'«])(?P<inside>[^”」』\"'»\n]{2,60}+)|(?P<value>[!-~]{4,64}+)"
    r"|(?P<native>[\u3041-\u30fe\u4e00-\u9fff]{4,12}+)(?=$|[\s。！!\"']))"
)
_AFTER_VALUE = (
    r"[ \t]*+(?:$|[\s。，、！？；,.;!?）)”」\"']|です|だ(?!け)|で(?![はも])|に(?:変|設|し|な)|と|なので"
    r"|登录|登錄|登陆|吧|입니다|이다|야|이에요|예요|에요|로|으로)"
)
_NATIVE = ("口令", "暗号", "合言葉")
"""Labels after which a secret in the script of the language is known without quotation marks."""


def find_stated(scan: Scan) -> Iterator[Span]:
    """Yield the spans of the secrets that sentences of a text state."""
    low = fold(scan.text, scan.low)
    for labels, find in ((SPACED, _find_after), (LOGINS, _find_pair), (UNSPACED, _find_unspaced)):
        for label in labels:
            if label not in low:
                continue
            at, left = low.find(label), _MOST_READ + len(low) // _PER_LABEL
            scan.restart_effort()
            while 0 <= at < scan.end and left:
                left -= 1
                span = find(scan, label, at)
                if span is not None:
                    yield span
                at = low.find(label, at + len(label))
    for label in WORDS:
        if label in low:
            yield from _find_before(scan, low, label)


def _find_before(scan: Scan, low: str, label: str) -> Iterator[Span]:
    """Yield the words that come before their label: "kiwifruit is my password", "enter honeypot as the password"."""
    for link in LAST_LINKS:
        at = low.find(link + label)
        while at > 0 and scan.may_read(at, 1):
            start = max(low.rfind(" ", max(0, at - 60), at), low.rfind("\n", max(0, at - 60), at)) + 1
            value, before = scan.text[start:at].strip(TRAILING), low[max(0, start - 30) : start].split()
            opens = not before or low[start] in "\"'" or before[-1][-1] in ENDS
            opens = opens or before[-1].strip("\"'({") in FIRST_VERBS
            if opens and is_word(value) and value.casefold() not in FUNCTION and not low[at:].startswith("'"):
                start += scan.text[start:at].index(value)
                yield start, start + len(value), "password"
            at = low.find(link + label, at + 1)


def _find_after(scan: Scan, label: str, at: int) -> Span | None:
    text, end = scan.text, at + len(label)
    if at and (
        text[at - 1] in JOINED
        or text[max(0, at - 2) : at] == "--"
        or (text[at - 1].isalnum() and label not in COMPOUND)
    ):
        return None
    # "password's", "паролем", "passwords"
    if text[end : end + 2] in ("'s", "’s"):
        end += 2
    else:
        while end < len(text) and end - at - len(label) < 3 and text[end].isalpha():
            end += 1
        more = text[at + len(label) : end]
        if more not in ENDINGS_OF_LABELS or (more and len(label) < 5):
            return None
    if end == len(text) or text[end] not in " \t:,\u00a0–—-":
        return None
    if text[end] == "-" and text[end + 1 : end + 2] != " ":
        return None
    if (text[end] == ":" and label in ODD) or text[end : end + 3].lstrip()[:1] == "#":
        return None
    clause = Clause(scan, end)
    before = fold(text[max(0, at - _BEFORE) : at], scan.low[max(0, at - _BEFORE) : at]).rpartition("\n")[2]
    place = _find_value(clause, label, before)
    if place is None or not scan.may_read(at, 1):
        return None
    is_definite = bool(before.strip()) or place > 1 or not label.startswith("pass")
    is_named = _is_named(before)
    if place == 0 and not is_named and (label in SHORT or label in ODD):
        return None
    return _judge(clause, place, label, is_definite=is_definite, is_named=is_named)


def _find_value(clause: Clause, label: str, before: str) -> int | None:
    """Return the number of the word where the secret after a label would begin; None if there is no such place."""
    count = len(clause.words)
    is_loose = not label.isascii() or label.startswith(("mot", "phrase", "contras", "code", "senha"))
    for number in range(min(count, _MOST_ABOUT)):
        word, raw = clause.plain(number), clause.words[number][1]
        if word in VERBS or raw in VERBS or (raw == "=" and number == 0 and " " in before.strip()):
            return _skip(clause, number + 1)
        if (
            (word in CHANGED_TO if is_loose else word in ("to", "auf"))
            and label not in SHORT
            and (number < 3 or is_stated(clause.plain(number + 1)))
            and _tells_change(clause, before)
        ):
            return _skip(clause, number + 1)
        if word in ("wurde", "has", "was", "will", "hat", "a", "sigue") and _changes_later(clause, number):
            return _skip(clause, number + 1)
        if number == 0:
            if (
                word not in OF
                and word[0].isalnum()
                and not raw.startswith(("“", '"', "«", "d'", "d’"))
                and not is_loose
            ):
                is_value = _is_named(before) or (is_stated(word) and clause.closes(0))
                if is_value or raw[0] != "(":
                    return 0 if is_value else None
            if raw[0] in QUOTES:
                return 0
            if is_loose and word not in OF and (_is_named(before) or is_stated(word)):
                return 0
        if raw.endswith((":", "：")) and label not in ODD:
            return _skip(clause, number + 1)
        is_cyrillic = not label.isascii() and "а" <= label[0] <= "я"
        if is_cyrillic and raw[0].isascii() and word not in DESCRIBES and _ends_about(clause, number):
            return number
        if raw[-1] in ".!?;":
            return None
    return None


def _tells_change(clause: Clause, before: str) -> bool:
    said = f"{before} {' '.join(map(clause.plain, range(_MOST_ABOUT)))}"
    return any(verb in said for verb in VERBS_OF_CHANGE)


def _skip(clause: Clause, number: int) -> int | None:
    while clause.plain(number) in STILL or (clause.plain(number) in ("auf", "be") and clause.plain(number - 1) != "to"):
        number += 1
    return number if number < len(clause.words) else None


def _changes_later(clause: Clause, number: int) -> bool:
    following = [clause.plain(number + more) for more in range(1, 5)]
    return bool({"to", "auf", "be", "en", "siendo"} & {*following[:3]}) and not {"wunsch", "unique"} & {*following}


def _ends_about(clause: Clause, number: int) -> bool:
    """Tell whether the words before a Latin one in a Cyrillic clause name a thing, and have no verb or preposition."""
    words = [clause.plain(each) for each in range(number)]
    if words and words[-1] in ("в", "с", "через", "по"):
        return False
    return not any(word.endswith(("ся", "ет", "ит", "ат", "ят", "ли", "ен", "на")) and word != "на" for word in words)


def _is_named(before: str) -> bool:
    """Tell whether the words before a label name a user, or say that something has this password."""
    if before.rstrip().endswith(FIRST):
        return True
    words = before.replace(",", " ").split()
    while words and words[-1] in JOINING:
        words.pop()
    # "user bob and password …", "username is admin, password …"
    if len(words) < 2 or not words[-1].isalnum() or words[-1] in FUNCTION:
        return False
    said = words[-2].strip("\"'({").removeprefix("l'")
    return said.rstrip(":") in SAYING or said.startswith(USERS)


def _judge(clause: Clause, number: int, label: str, *, is_definite: bool, is_named: bool) -> Span | None:
    start, raw = clause.words[number]
    kind = "token" if label.isascii() and label.endswith(("token", "key")) else "password"
    if raw[0] in "[$<{&" or raw.endswith((">", "(", ");")):
        return None
    if raw[0] in QUOTES and label in (*PHRASES, *WORDS):
        quoted = _read_quoted(clause, start)
        return quoted and (*quoted, kind)
    value = raw.strip(TRAILING + "([{“„‘«「")
    start += raw.index(value) if value else 0
    low = value.casefold()
    phrase = _read_phrase(clause, number, label) if label in PHRASES else None
    if phrase is not None:
        return start, phrase, kind
    number_like = value.rstrip("#*").replace("-", "").isdigit()
    if not value or low in FUNCTION or low in DESCRIBES or value[0] in "$%<{":
        return None
    if is_placeholder(value) and not number_like:
        return None
    if ("_" in value and value.isupper()) or "(" in value:
        return None
    ends = clause.closes(number)
    span = (start, start + len(value), kind)
    if number_like:
        return span if ends and len(value) >= _LEAST_NUMBER and (label not in ODD or label.endswith("code")) else None
    if label in NUMBERS:
        return span if ends and (is_stated(value) or sum(map(str.isdigit, value)) >= _LEAST_NUMBER) else None
    if label in ODD and compile_once(IDENTIFIER).match(value):
        return None
    if is_stated(value) or has_unknown_part(value) or is_strong(value) or (label in ODD and _is_grouped(value)):
        return span if ends or len(value) >= 6 else None
    if label in ODD and not (label == "clave" and (is_named or clause.plain(1) in DEVICES)):
        return None
    if label == "pass" and number < 2 and not is_named:
        return None
    return span if ends and is_definite and is_word(value, label) else None


def _is_grouped(value: str) -> bool:
    """Tell whether a value has groups of letters and of digits, as the keys of licences have."""
    return len(value) >= 6 and not value.isalpha() and any(map(str.isalpha, value)) and any(map(str.isdigit, value))


def _read_quoted(clause: Clause, start: int) -> tuple[int, int] | None:
    opening = clause.text[start]
    end = clause.text.find(QUOTES[opening], start + 1, clause.end)
    value = clause.text[start + 1 : end].strip() if end > start else ""
    first = value.casefold().partition(" ")[0]
    if not 3 <= len(value) <= 60 or is_placeholder(value) or first in FUNCTION or describes(first):
        return None
    if not CODE.isdisjoint(value) or ("_" in value and value.isupper()):
        return None
    start = clause.text.index(value, start + 1)
    return start, start + len(value)


def _read_phrase(clause: Clause, number: int, label: str) -> int | None:
    """Return where a passphrase of at least three words ends that begins at a word; None if there is none."""
    last, describing = number, 0
    for last in range(number, min(len(clause.words), number + _MOST_PHRASE)):
        word = clause.plain(last)
        describing += word in DESCRIBES
        if not word.isalpha() or word in FUNCTION or describing > 1:
            return None
        if clause.words[last][1][-1] in ENDS:
            break
    start, raw = clause.words[last]
    value = raw.rstrip(TRAILING)
    is_whole = last - number >= 2 and not describes(clause.plain(number), label, FUNCTION)
    is_whole = is_whole and clause.plain(last) not in ("words", "wörter", "mots", "palabras", "characters", "слов")
    return start + len(value) if is_whole else None


def _find_pair(scan: Scan, label: str, at: int) -> Span | None:
    """Return the password of a pair such as "admin / hunter2" after a word such as "login"."""
    text, end = scan.text, at + len(label)
    line = text.find("\n", end, end + 120)
    near = text[end : end + 120 if line < 0 else line]
    if "/" not in near and ":" not in near[1:]:
        return None
    clause = Clause(scan, end)
    words = clause.words[:14]
    for number, (place, word) in enumerate(words):
        joined = word.rstrip(TRAILING).replace("/", ":").split(":")
        if len(joined) == 2 and all(joined) and (number == 0 or _introduces(words[number - 1][1])):
            user, value = joined[0].casefold(), joined[1]
            if user not in ACCOUNTS or not clause.closes(number) or not (is_word(value) or is_stated(value)):
                continue
            if value.casefold() in (*FUNCTION, *ACCOUNTS) or not scan.may_read(at, 1):
                continue
            start = place + word.index(value, len(user) + 1)
            return start, start + len(value), "login"
        if word == "/" and 0 < number < len(words) - 1:
            user, (start, raw) = clause.plain(number - 1), words[number + 1]
            before = clause.words[number - 2][1] if number > 1 else ":"
            is_linked = _introduces(before)
            # Some languages need no verb here.
            if not is_linked and (text[at].isascii() or number > 4):
                return None
            value = raw.strip(TRAILING)
            if (
                not scan.may_read(at, 1)
                or not value
                or raw.startswith("[")
                or not clause.closes(number + 1)
                or is_placeholder(value)
            ):
                return None
            known = user in ACCOUNTS and is_word(value) and value.casefold() not in (*FUNCTION, *ACCOUNTS)
            odd = (is_stated(value) or is_strong(value)) and user not in DESCRIBES - ACCOUNTS
            if not (known or odd):
                return None
            start += raw.index(value)
            return start, start + len(value), "login"
    return None


def _introduces(word: str) -> bool:
    return word.endswith((":", "：")) or word.casefold() in VERBS or word.casefold() in ("as", "with", "it's")


def _find_unspaced(scan: Scan, label: str, at: int) -> Span | None:
    match = compile_once(_LINK).match(scan.text, at + len(label))
    if match is None or not scan.may_read(at, 1):
        return None
    if match["native"] is not None:
        is_secret = label in _NATIVE and not any(sign in match["native"] for sign in "的是在要会不必")
        return (*match.span("native"), "password") if is_secret else None
    if match["inside"] is not None:
        value = match["inside"].strip()
        return None if value.casefold() in DESCRIBES or is_placeholder(value) else (*match.span("inside"), "password")
    value = match["value"].rstrip(TRAILING)
    start = match.start("value")
    low = value.casefold()
    if len(value) < LEAST_WORD or low in DESCRIBES or low in FUNCTION or is_placeholder(value) or value[0] in "[$<{":
        return None
    ends = compile_once(_AFTER_VALUE).match(scan.text, start + len(value)) is not None
    is_plain = value.isalpha() or value.isdigit()
    return (
        (start, start + len(value), "password") if ends and (is_plain or is_stated(value) or is_strong(value)) else None
    )
