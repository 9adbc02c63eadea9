"""The same memory with a shorter active text; the original is kept and comes back with `restore`."""

from __future__ import annotations

from limpet.llm.extractive import Extractive
from limpet.text.gist import SHORT

__all__ = ["SHORT", "condense"]

condense = Extractive().summarise
"""What of a text stays active in a phase: all, its summary and key points, or one sentence."""
