"""Quote words of a session in a report: redacted, on one line, short, without characters that cannot be seen."""

from __future__ import annotations

from limpet.secrets.redact import redact, strip_private
from limpet.text.excerpt import shorten_line

_READ = 20_000  # characters of a text that are looked at
_ERROR_MARKS = ("error", "failed", "exception", "fatal", "denied", "not found", "no such", "panic", "cannot")


def quote_person(text: str, limit: int = 500) -> str:
    """Return what a person or an agent said, without secrets and private parts."""
    return shorten_line(keep_visible(redact(strip_private(text[:_READ])[0])[0]), limit)


def quote_error(output: str, limit: int = 200) -> str:
    """Return the last line of an output that names an error, or else its first line, without secrets."""
    lines = [line.strip() for line in output[-_READ:].splitlines() if line.strip()]
    named = [line for line in lines if any(mark in line.lower() for mark in _ERROR_MARKS)]
    chosen = named[-1] if named else next((line for line in lines if not line.startswith("Exit code")), "")
    return shorten_line(keep_visible(redact(chosen[:2000])[0]), limit)


def keep_visible(text: str) -> str:
    """Return a text without control characters and marks of direction, which could deceive whoever reads the file."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
