"""Whether what a memory cites still stands there: its spans are hashed again when it is brought up."""

from __future__ import annotations

import os
from collections.abc import Iterable
from enum import StrEnum

from limpet.model.memory import Citation
from limpet.workspace.citations import find_span, hash_span


class Freshness(StrEnum):
    FRESH = "FRESH"
    MOVED = "MOVED"
    STALE = "STALE"
    GONE = "GONE"


_ORDER = (Freshness.FRESH, Freshness.MOVED, Freshness.STALE, Freshness.GONE)
_SAID = {Freshness.STALE: "has changed since", Freshness.GONE: "is gone"}


def freshness(citations: Iterable[Citation], root: str | None) -> tuple[Freshness, str]:
    """That of the span which has changed most, and its file; a memory that cites nothing is fresh."""
    if root is None:
        return Freshness.FRESH, ""
    found = [(_of(citation, root), citation.path) for citation in citations]
    return max(found, key=lambda each: _ORDER.index(each[0]), default=(Freshness.FRESH, ""))


def said(state: Freshness, path: str) -> str:
    """In a few words for the reader; nothing about what is as it was."""
    if state is Freshness.MOVED:
        return f"what it cites has moved within {path}"
    return f"{path} {_SAID[state]}" if state in _SAID else ""


def _of(citation: Citation, root: str) -> Freshness:
    if hash_span(root, citation.path, citation.start, citation.end) == citation.span_hash:
        return Freshness.FRESH
    if not os.path.isfile(os.path.join(root, citation.path)):
        return Freshness.GONE
    found = find_span(root, citation.path, citation.end - citation.start + 1, citation.span_hash)
    return Freshness.STALE if found is None else Freshness.MOVED
