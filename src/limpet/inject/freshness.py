"""Hash the lines that a memory cites again, to check whether they have changed."""

from __future__ import annotations

import os
from collections.abc import Iterable

from limpet.guard.neutral import quote_name
from limpet.lean.enumeration import StrEnum
from limpet.model.memory import Citation
from limpet.workspace.citations import find_span, hash_span


class Freshness(StrEnum):
    """The result of comparing cited lines with the current content of the file."""

    FRESH = "FRESH"
    """The lines are unchanged."""
    MOVED = "MOVED"
    """The same lines are at another place in the file."""
    STALE = "STALE"
    """The lines have changed."""
    GONE = "GONE"
    """The file no longer exists."""


_ORDER = (Freshness.FRESH, Freshness.MOVED, Freshness.STALE, Freshness.GONE)
_SENTENCES = {
    Freshness.MOVED: "what it cites has moved within {}",
    Freshness.STALE: "{} has changed since",
    Freshness.GONE: "{} is gone",
}


def measure_freshness(citations: Iterable[Citation], root: str | None) -> tuple[Freshness, str]:
    """Return the worst freshness of several citations, and the path of the file that it concerns.

    If there are no citations or `root` is None, return FRESH and an empty string.
    """
    if root is None:
        return Freshness.FRESH, ""
    found = [(_compare_citation(citation, root), citation.path) for citation in citations]
    return max(found, key=lambda each: _ORDER.index(each[0]), default=(Freshness.FRESH, ""))


def describe_freshness(state: Freshness, path: str) -> str:
    """Return a short note for the model, or an empty string if nothing has changed."""
    sentence = _SENTENCES.get(state, "")
    return sentence.format(quote_name(path)) if sentence else ""


def _compare_citation(citation: Citation, root: str) -> Freshness:
    if hash_span(root, citation.path, citation.start, citation.end) == citation.span_hash:
        return Freshness.FRESH
    if not os.path.isfile(os.path.join(root, citation.path)):
        return Freshness.GONE
    found = find_span(root, citation.path, citation.end - citation.start + 1, citation.span_hash)
    return Freshness.STALE if found is None else Freshness.MOVED
