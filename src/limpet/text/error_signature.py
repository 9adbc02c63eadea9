"""Compute the signature of an error, by which its fix is found when the error recurs.

A signature is a hash of the error line without the parts that differ between runs. So the same error has the same
signature in another folder and on another day.
"""

from __future__ import annotations

import re

from limpet.lean.digest import sha256
from limpet.lean.pattern import lazy
from limpet.text.words import word_set

_LONGEST = 300

_STAMP = lazy(
    r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d++)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d:\d\d:\d\d(?:[.,]\d++)?"
)
_UUID = lazy(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.I)
_HEX = lazy(r"\b0x[0-9a-f]++\b|\b(?=[a-f]*+\d)[0-9a-f]{7,64}\b", re.I)
_URL = lazy(r"\b[a-z][a-z0-9+.-]{1,12}://[^\s'\"`)>\]]++", re.I)
_PATH = lazy(r"(?:[A-Za-z]:)?(?:[\w.@~+-]*+[/\\])++[\w.@~+-]*+")
_PLACE = lazy(
    r"\b[\w-]++\.(?:py|js|ts|tsx|jsx|mjs|cjs|go|rs|rb|java|kt|c|cc|cpp|h|hpp|cs|php|swift|vue|sql"
    r"|sh)\b(?:[:(]\d++(?:[:,]\d++)?\)?)?"
)
# Its file may be all that identifies a failed test.
_TEST_FILE = lazy(r"(?:test_([\w-]++)|([\w-]+)_test|([\w-]+)[.](?:test|spec))[.](\w{1,4})", re.I)
_QUOTE = lazy(r"'([^'\n]{0,200}+)'|\"([^\"\n]{0,200}+)\"|`([^`\n]{0,200}+)`|‘([^’\n]{0,200}+)’")
_NUMBER = lazy(r"(?<![A-Za-z0-9_])(?<![A-Z]-)[+-]?\d[\d.,_]*+(?:ms|s|kb|mb|gb|m|h|%)?(?![A-Za-z0-9_])", re.I)
_NAME = lazy(r"@?[A-Za-z_][\w.@/-]{0,60}")
# In these errors the quoted name is the subject; in others it is only a value that varies.
_NAMED = lazy(
    r"module|package|import|command|attribute|property|name |function|method|cannot find|unresolved|resolve|undefined"
    r"|relation|column|table|binary|executable|crate|keyword|option|argument|permission|type ",
    re.I,
)
_STATUS = lazy(r"\b(?:status(?: code)?|http|code|errno|exit code|signal)[ :=]++\d{1,5}\b", re.I)


def normalise_error(error: str) -> str:
    """Return an error message without the parts that differ between runs: paths, numbers, times and values."""
    text = " ".join(error.split())[:_LONGEST]
    codes: list[str] = []

    def set_aside(found: re.Match[str]) -> str:
        codes.append(found.group())
        return f"\x00{chr(96 + len(codes))}\x00"

    named = bool(_NAMED.search(text))
    text = _STATUS.sub(set_aside, text)
    text = _STAMP.sub("<time>", text)
    text = _UUID.sub("<id>", text)
    text = _QUOTE.sub(lambda found: _replace_value(found, named), text)
    text = _URL.sub("<url>", text)
    text = _PATH.sub(_replace_path, text)
    text = _PLACE.sub(_replace_path, text)
    text = _HEX.sub("<hex>", text)
    text = _NUMBER.sub("<n>", text)
    for number, code in enumerate(codes):
        text = text.replace(f"\x00{chr(97 + number)}\x00", code)
    return " ".join(text.lower().split())


def find_tested_file(name: str) -> str:
    """Return the name of the file that a test file tests, by its own name, or an empty string for any other file."""
    found = _TEST_FILE.fullmatch(name)
    return f"{found[1] or found[2] or found[3]}.{found[4]}" if found is not None else ""


def _replace_path(found: re.Match[str]) -> str:
    name = re.split(r"[/\\]", found.group())[-1]
    name = re.split(r"[:(]", name)[0]
    return name if find_tested_file(name) else "<path>"


def _replace_value(found: re.Match[str], named: bool) -> str:
    value = next((part for part in found.groups() if part), "")
    whole = found.string
    # In `KeyError: 'exp'` the value is the whole message.
    alone = len(re.findall(r"[A-Za-z]{2,}", whole[: found.start()])) <= 1 and not whole[found.end() :].strip(" .;:")
    if (named or alone) and _NAME.fullmatch(value) and not value.startswith(("/", ".")):
        return re.sub(r"\d+", "<n>", value)
    return "<v>"


def error_signature(error: str) -> str:
    """Return a 12-character hash that is the same whenever the same error occurs.

    Return an empty string if there is no error.
    """
    known = normalise_error(error)
    return sha256(known.encode("utf-8", "surrogatepass")).hexdigest()[:12] if known else ""


_CLASS = lazy(r"(?<![\w-])(?:\w+\.)*\w*(?:error|exception|warning|interrupt|fault|traceback)(?![\w-])")
_PLACEHOLDER = lazy(r"<(?:n|v|path|time|id|hex|url)>")
# An expression that was compared says what was wanted, not what went wrong.
_COMPARED = lazy(r"\bassert\b.*|\b(?:expected|received|got|want|actual)\b.*", re.S)
_KEPT_NAME = lazy(r"['\"`‘]@?[A-Za-z_][\w.@/-]{1,60}['\"`’]")
_QUOTED_MESSAGE = lazy(r"(?<=['\"])[A-Za-z][^'\"\n]{10,200}+(?=['\"])")
_MESSAGE_WORD = lazy(r"[^\W\d_][\w.@/-]*")
_CODE = lazy(r"\b(?:[A-Z]{1,4}-?\d{2,}|E[A-Z]{4,}|SIG[A-Z]{3,})\b")
_SAYS_NOTHING = word_set(
    "error errors err fatal fail failed failing failure failures assertion command commands exit exited code status "
    "with process processes test tests the a an of in at for and or from on by is are was were be not to it this that "
    "call called return returned returns line lines value values npm make recipe target job jobs script task step "
    "stage suite one more exception caught unknown unexpected internal something went wrong occurred happened please "
    "try again see log logs details above below non-zero nonzero true false none null undefined result results run "
    "running build module timeout timed out aborted aborting stopped stop during while when"
)


def is_specific(error: str) -> bool:
    """Tell whether an error line identifies a problem.

    It must contain an identifier, an error code or a message. The name of the error class alone is not enough.
    """
    if _CODE.search(error):
        return True
    said = " ".join(match.group() for match in _QUOTED_MESSAGE.finditer(error)).lower()
    plain = _COMPARED.sub(" ", _CLASS.sub(" ", _PLACEHOLDER.sub(" ", f"{normalise_error(error)} {said}")))
    words = {word for word in _MESSAGE_WORD.findall(plain) if len(word) > 1 and word not in _SAYS_NOTHING}
    named = _KEPT_NAME.search(error) is not None or any(mark in word for word in words for mark in "._/@")
    return len(words) >= (1 if named else 2)


def error_tag(error: str) -> str:
    """Return the tag by which the fix of an error can be found, or an empty string if the error is too general."""
    found = error_signature(error) if is_specific(error) else ""
    return f"error:{found}" if found else ""
