"""Clean text before it is stored: remove hidden characters and private passages, and refuse control characters."""

from __future__ import annotations

import unicodedata

from limpet.errors import Unfit
from limpet.lean.record import record
from limpet.secrets.redact import strip_private
from limpet.text.excerpt import trim_text


@record
class CleanedText:
    """Cleaned text, and remarks about what was removed from it."""

    text: str
    notes: tuple[str, ...]


# Zero-width joiners are needed in emoji and in Persian and Indic scripts; in other texts they can only hide something.
_JOINERS = "\u200c\u200d"
_BREAKS = "\n\t"


def clean_text(text: object, *, limit: int) -> CleanedText:
    """Return a text without hidden characters, <private> parts and blank lines around it.

    Raise Unfit if the result is empty, or if the text is longer than `limit` bytes or cannot be stored.
    """
    cleaned = clean_document(text, limit=limit)
    stripped = trim_text(cleaned.text)
    if not stripped:
        if cleaned.notes:
            raise Unfit("nothing is left after the private or hidden parts were removed; add text that may be kept")
        raise Unfit("there is nothing to remember: the text is empty; give a text")
    return CleanedText(text=stripped, notes=cleaned.notes)


def clean_document(text: object, *, limit: int) -> CleanedText:
    """Clean a text as `clean_text` does, but keep surrounding white space and allow an empty result."""
    if not isinstance(text, str):
        raise Unfit("there is nothing to remember: give a text")
    _refuse_surrogates("the text", text)
    size = len(text.encode("utf-8"))
    if size > limit:
        raise Unfit(f"the text has {size:,} bytes and {limit:,} are allowed; store a summary, or the path of a file")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    notes = []
    text, private = strip_private(text)
    if private:
        notes.append(f"left out {private} private passage{'s' if private > 1 else ''}")
    _refuse_controls("the text", text)
    text, hidden = _remove_hidden(text)
    if hidden:
        notes.append(f"removed {hidden} hidden character{'s' if hidden > 1 else ''}")
    return CleanedText(text=text, notes=tuple(notes))


def clean_line(name: str, text: str, *, limit: int) -> str:
    """Return a text as one line without hidden characters and <private> parts.

    Raise Unfit if it has more than `limit` characters or cannot be stored. The error message refers to the text as
    `name`.
    """
    _refuse_surrogates(name, text)
    text, _ = strip_private(text)
    text = " ".join(text.split())
    _refuse_controls(name, text)
    text, _ = _remove_hidden(text)
    if len(text) > limit:
        raise Unfit(f"{name} has {len(text):,} characters and {limit} are allowed; shorten it")
    return text.strip()


def _refuse_surrogates(name: str, text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Unfit(
            f"{name} holds half a character (a lone surrogate at position {error.start}); save it as UTF-8"
        ) from None


def _refuse_controls(name: str, text: str) -> None:
    if text.isprintable():
        return
    for position, letter in enumerate(text):
        if letter not in _BREAKS and unicodedata.category(letter) == "Cc":
            raise Unfit(
                f"{name} holds a control character (U+{ord(letter):04X} at position {position}); "
                "remove it, for instance by copying the text without its colours"
            )


def _remove_hidden(text: str) -> tuple[str, int]:
    if text.isprintable():
        return text, 0
    kept = []
    hidden = 0
    for position, letter in enumerate(text):
        if letter in _BREAKS or letter.isprintable() or letter == " ":
            kept.append(letter)
            continue
        category = unicodedata.category(letter)
        between = 0 < position < len(text) - 1 and not text[position - 1].isascii()
        if category in ("Zs",) or (letter in _JOINERS and between):
            kept.append(letter if category != "Zs" else " ")
        elif category in ("Zl", "Zp"):
            kept.append("\n")
        else:
            hidden += 1
    return "".join(kept), hidden
