"""Cut texts that are too long for their place."""

from __future__ import annotations


def shorten(text: str, limit: int) -> str:
    """Return at most `limit` characters, cut between words; an ellipsis marks the cut."""
    return split_excerpt(text, limit)[0]


def shorten_line(text: str, limit: int) -> str:
    """Return the text on one line, cut like `shorten`."""
    return shorten(" ".join(text.split()), limit)


def split_excerpt(text: str, limit: int) -> tuple[str, str]:
    """Return what `shorten` does, and the rest.

    If the only gap between words is far to the front, a word is cut instead of losing half of the text.
    """
    if len(text) <= limit:
        return text, ""
    at = max(text.rfind(gap, limit // 2, limit) for gap in " \n")
    at = at if at > 0 else limit - 1
    return text[:at].rstrip(" \n,;:-…") + "…", text[at:].strip()


def clip(text: str, limit: int) -> str:
    """Return at most `limit` characters, cut anywhere; an ellipsis marks the cut. For values shown in messages."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
