"""The tests that look for a purged text see packed texts too."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.store.view import packed
from tests.store.forensics import encode_needle, readable_bytes


def test_a_packed_text_is_found_wherever_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    path.write_bytes(b"\5\3junk" * 9 + packed.pack_body({"content": "a wombat lives here"}) + bytes(99))
    assert b"wombat" not in path.read_bytes()
    assert b"a wombat lives" in readable_bytes(path)


def test_a_text_that_an_id_could_hold_by_chance_is_not_looked_for() -> None:
    for needle in ("zebra", "Ahab", b"8080", "\x1b[2J"):
        with pytest.raises(AssertionError, match="look for a longer text"):
            encode_needle(needle)
    assert encode_needle("pelican") == encode_needle(b"pelican") == b"pelican"
    assert encode_needle("zephyrs 9") == b"zephyrs 9"
