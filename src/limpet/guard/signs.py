"""Names of the signs of an order, apart from the rules that find them, which take long to load."""

from __future__ import annotations

EDITION = 6
"""Raised when the rules change: what an older edition found in a memory is then searched for again."""

HOSTILE = frozenset({"override", "persona", "secrecy", "exfiltration", "prompt leak", "authority", "encoded order"})
"""Signs that no honest convention needs."""
