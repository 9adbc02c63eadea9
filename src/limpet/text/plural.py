"""Format a count with its noun."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """Return a count with its noun in the singular or plural: "1 memory", "2,000 memories", "3 stashes"."""
    if count == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeou":
        return f"{count:,} {noun[:-1]}ies"
    return f"{count:,} {noun}{'es' if noun.endswith(('s', 'x', 'sh', 'ch')) else 's'}"
