"""The tests that look for a purged text see packed texts too."""

from __future__ import annotations

from pathlib import Path

from limpet.store.view import packed
from tests.store.forensics import readable_bytes


def test_a_packed_text_is_found_wherever_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    path.write_bytes(b"\5\3junk" * 9 + packed.pack_body({"content": "a wombat lives here"}) + bytes(99))
    assert b"wombat" not in path.read_bytes()
    assert b"a wombat lives" in readable_bytes(path)
