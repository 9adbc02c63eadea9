"""Prepare texts of a session for a report: without secrets and invisible characters, on one line, and short."""

from __future__ import annotations

from limpet.secrets.redact import redact, strip_private
from limpet.text.error_lines import find_error_line
from limpet.text.excerpt import shorten_line

_READ = 20_000
"""The maximum number of characters of a text that are examined."""


def quote_person(text: str, limit: int = 500) -> str:
    """Return a person's or agent's words on one line, without secrets or private passages, shortened to `limit`."""
    return shorten_line(keep_visible(redact(strip_private(text[:_READ])[0])[0]), limit)


def quote_error(output: str, limit: int = 200) -> str:
    """Return the line of an output that explains the error best, without secrets, shortened to `limit`."""
    # Secrets are removed before the line is shortened, because a part of a secret may not be recognised.
    line = find_error_line(output[-_READ:], 2000)
    return shorten_line(keep_visible(redact(line)[0]), limit)


def keep_visible(text: str) -> str:
    """Replace control characters and direction marks, which could deceive a reader, with spaces."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
