"""Quote words of a session in a report: redacted, on one line, short, without characters that cannot be seen."""

from __future__ import annotations

from limpet.secrets.redact import redact, strip_private
from limpet.text.error_lines import find_error_line
from limpet.text.excerpt import shorten_line

_READ = 20_000  # characters of a text that are looked at


def quote_person(text: str, limit: int = 500) -> str:
    """Return what a person or an agent said, without secrets and private parts."""
    return shorten_line(keep_visible(redact(strip_private(text[:_READ])[0])[0]), limit)


def quote_error(output: str, limit: int = 200) -> str:
    """Return the line of an output that explains the error best, without secrets."""
    # Secrets are found before the line is shortened: half a secret may not look like one.
    line = find_error_line(output[-_READ:], 2000)
    return shorten_line(keep_visible(redact(line)[0]), limit)


def keep_visible(text: str) -> str:
    """Return a text without control characters and marks of direction, which could deceive whoever reads the file."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
