"""The same memory with a shorter active text; the original is kept and comes back with `restore`."""

from __future__ import annotations

from limpet.model.memory import Phase

SHORT = 240
"""Texts up to this many characters stay as they are."""

_HINT = 400
_POINT_MARKS = ("- ", "* ", "+ ", "• ")


def condense(text: str, phase: Phase) -> str:
    """What of a text stays active in a phase: all, its summary and key points, or one sentence."""
    if phase is Phase.FULL or len(text) <= SHORT:
        return text
    summary = _summary(text)
    if phase is Phase.HINT:
        points = [line.strip() for line in text.splitlines() if line.strip().startswith(_POINT_MARKS)]
        kept = [summary, *(point for point in points if point not in summary)]
        return _cut("\n".join(kept), _HINT)
    return _cut(_first_sentence(summary), SHORT)


def _summary(text: str) -> str:
    """The `## Summary` section if the text has one, else its first paragraph."""
    _, mark, rest = text.partition("## Summary")
    source = rest.partition("\n## ")[0] if mark else text
    paragraphs = [part.strip() for part in source.split("\n\n") if part.strip()]
    prose = [part for part in paragraphs if not part.startswith("#")]
    return (prose or paragraphs or [text])[0]


def _first_sentence(text: str) -> str:
    flat = " ".join(text.split())
    for position, letter in enumerate(flat):
        if letter in ".!?" and flat[position + 1 : position + 2] in ("", " "):
            return flat[: position + 1]
        if letter in "。！？":
            return flat[: position + 1]
    return flat


def _cut(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = max(cut.rfind(" "), cut.rfind("\n"))
    return (cut[:space] if space > limit // 2 else cut).rstrip() + "…"
