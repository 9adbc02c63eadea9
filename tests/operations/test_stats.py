"""Statistics count memories by what they are."""

from __future__ import annotations

from tests.operations.sandbox import DAY, Sandbox


def test_statistics_count_what_is_there(shelf: Sandbox) -> None:
    found = shelf.json("stats")
    assert found["status"] == {"live": 5}
    assert found["kind"] == {"ACHIEVEMENTS": 1, "ARCHITECTURAL": 1, "EMOTIONAL": 1, "LEARNINGS": 2}
    assert found["sensitivity"] == {"private": 1, "public": 4}
    assert (found["agent"], found["project"], found["home"]) == ("Anima", "shop", str(shelf.home))
    assert found["bytes"]["journal"] > 0 and found["bytes"]["index"] > 0
    assert found["projects"] == []
    assert shelf.json("stats", projects=True)["projects"][0]["memories"] == 5


def test_every_property_adds_up_to_the_same_memories(shelf: Sandbox) -> None:
    """Private, archived and expired memories are counted by every property or by none."""
    shelf.ask("remember", text="This one expires soon", ttl_days=1)
    shelf.ms += 2 * DAY
    found = shelf.json("stats")
    names = ("kind", "type", "impact", "region", "origin", "sensitivity", "phase", "strength", "difficulty")
    assert {name: sum(found[name].values()) for name in names} == dict.fromkeys(names, found["status"]["live"])
