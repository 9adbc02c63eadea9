"""A count agrees with its noun."""

from __future__ import annotations

from limpet.text.plural import plural


def test_a_count_agrees_with_its_noun() -> None:
    assert [plural(count, "memory") for count in (0, 1, 2000)] == ["0 memories", "1 memory", "2,000 memories"]
    assert plural(2, "fact") == "2 facts"
    assert [plural(2, noun) for noun in ("stash", "branch", "class", "index")] == [
        "2 stashes",
        "2 branches",
        "2 classes",
        "2 indexes",
    ]
    assert [plural(2, noun) for noun in ("day", "key")] == ["2 days", "2 keys"]
