"""The beginning of a text that is too long for its place, cut between words."""

from __future__ import annotations


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters; what was cut says so."""
    return parted(text, limit)[0]


def parted(text: str, limit: int) -> tuple[str, str]:
    """The same, and the rest. Where the only gap is far to the front, a word is cut rather than half of the text."""
    if len(text) <= limit:
        return text, ""
    at = max(text.rfind(gap, limit // 2, limit) for gap in " \n")
    at = at if at > 0 else limit - 1
    return text[:at].rstrip(" \n,;:-…") + "…", text[at:].strip()
