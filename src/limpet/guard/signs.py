"""What the signs of an instruction are called, apart from the rules that find them, which take long to load."""

from __future__ import annotations

EDITION = 6
"""Raise it when the rules change: what an older edition said of a memory is then looked for again."""

HOSTILE = frozenset({"override", "persona", "secrecy", "exfiltration", "prompt leak", "authority", "encoded order"})
"""Signs that nobody's own conventions need."""
