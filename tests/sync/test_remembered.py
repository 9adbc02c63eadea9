"""What was compared is remembered in a file that may be lost, damaged or out of date."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from limpet.lean.digest import sha256
from limpet.store.protocol import ComparedSegment
from limpet.sync.remembered import RememberedCopy, RememberedRounds

NAME = "d0123456789ab/000001-0a1b2c3d.jsonl"
COPY = RememberedCopy(
    compared=ComparedSegment(
        parts=((NAME, 900, 3, 600, "ab" * 16, 17),), records=3, size=900, last="ab" * 16, is_proven=True, withheld=1
    ),
    digest="cd" * 32,
    stamp="900-17",
)


@pytest.fixture
def rounds(tmp_path: Path) -> RememberedRounds:
    found = RememberedRounds(str(tmp_path), "/shared")
    found.save("key", {NAME: COPY})
    return found


def path_in(home: Path) -> Path:
    (path,) = (home / "sync").iterdir()
    return path


def test_it_comes_back_as_it_was(rounds: RememberedRounds, tmp_path: Path) -> None:
    assert rounds.load("key") == {NAME: COPY}
    assert stat.S_IMODE(path_in(tmp_path).stat().st_mode) == 0o600


def test_another_place_or_another_rule_knows_nothing(rounds: RememberedRounds, tmp_path: Path) -> None:
    assert rounds.load("another key") == {}
    assert RememberedRounds(str(tmp_path), "/elsewhere").load("key") == {}


def test_a_lost_file_is_as_good_as_an_empty_one(rounds: RememberedRounds, tmp_path: Path) -> None:
    path_in(tmp_path).unlink()
    assert rounds.load("key") == {}


def test_no_damage_goes_unnoticed(rounds: RememberedRounds, tmp_path: Path) -> None:
    path = path_in(tmp_path)
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert rounds.load("key") == {}, place
        path.write_bytes(data[:place])
        assert rounds.load("key") == {}, place


@pytest.mark.parametrize(
    "entry",
    [
        ["cd", "", 3, 900, "ab", True, 0],
        ["cd", "", "3", 900, "ab", True, 0, [NAME, 900, 3, 600, "ab", 17]],
        ["cd", "", 3, -1, "ab", True, 0, [NAME, 900, 3, 600, "ab", 17]],
        ["cd", "", 3, 900, "ab", True, 0, [5, 900, 3, 600, "ab", 17]],
        ["cd", "", 3, 900, "ab", True, 0, [NAME, 900, None, 600, "ab", 17]],
    ],
)
def test_what_another_version_has_written_is_not_used(
    rounds: RememberedRounds, tmp_path: Path, entry: list[object]
) -> None:
    data = json.dumps({"conditions": "key", "copies": {NAME: entry}}).encode()
    path_in(tmp_path).write_bytes(sha256(data).hexdigest().encode() + b"\n" + data)
    assert rounds.load("key") == {}


@pytest.mark.parametrize("data", [b'{"conditions": "key", "copies": []}', b"[" * 200_000])
def test_a_file_of_another_form_is_not_used(rounds: RememberedRounds, tmp_path: Path, data: bytes) -> None:
    path_in(tmp_path).write_bytes(sha256(data).hexdigest().encode() + b"\n" + data)
    assert rounds.load("key") == {}


def test_a_place_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "sync").write_text("a file in the way")
    RememberedRounds(str(tmp_path), "/shared").save("key", {NAME: COPY})
    assert RememberedRounds(str(tmp_path), "/shared").load("key") == {}
