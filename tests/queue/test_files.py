"""The queue keeps what hooks have seen until somebody has made use of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from limpet.clock import DAY_MS
from limpet.queue import files as queue

NOW = 1_790_000_000_000


def write(home: Path, text: str, *, session: str = "s1", now: int = NOW) -> str:
    queue.append(str(home), session, {"text": text}, now_ms=now)
    return queue.name_of(session, now)


def texts(home: Path, name: str, start: int = 0) -> list[str]:
    return [record["text"] for _, record in queue.read(str(home), name, start)]


def test_what_is_written_is_read_in_order_from_where_one_stopped(tmp_path: Path) -> None:
    for text in ("one", "two", "drei ü 🌊"):
        name = write(tmp_path, text)
    places = [place for place, _ in queue.read(str(tmp_path), name)]
    assert texts(tmp_path, name) == ["one", "two", "drei ü 🌊"]
    assert texts(tmp_path, name, places[0]) == ["two", "drei ü 🌊"]
    assert texts(tmp_path, name, places[-1]) == []


def test_a_line_that_was_cut_short_swallows_no_other(tmp_path: Path) -> None:
    name = write(tmp_path, "one")
    with open(queue.queue_path(str(tmp_path), name), "ab") as file:
        file.write(b'\n1234abcd {"text":"hal')
    write(tmp_path, "two")
    assert texts(tmp_path, name) == ["one", "two"]


def test_a_damaged_line_is_passed_over(tmp_path: Path) -> None:
    name = write(tmp_path, "one")
    write(tmp_path, "two")
    path = queue.queue_path(str(tmp_path), name)
    with open(path, "r+b") as file:
        data = file.read().replace(b"one", b"One")
        file.seek(0)
        file.write(data)
    assert texts(tmp_path, name) == ["two"]


def test_an_event_that_a_hook_and_a_server_wrote_is_read_once(tmp_path: Path) -> None:
    rows = [("one", "e1"), ("two", "e2"), ("one", "e1"), ("three", None), ("two", "e2"), ("three", None)]
    for text, id in rows:
        queue.append(str(tmp_path), "s1", {"text": text, **({"id": id} if id else {})}, now_ms=NOW)
    name = queue.name_of("s1", NOW)
    assert texts(tmp_path, name) == ["one", "two", "three", "three"]
    places = [place for place, _ in queue.read(str(tmp_path), name)]
    # Wherever a worker stopped, the next one does not count the second record.
    assert [texts(tmp_path, name, place) for place in places] == [
        ["two", "three", "three"],
        ["three"] * 2,
        ["three"],
        [],
    ]


@pytest.mark.parametrize("session", ["../../etc/passwd", "a/b", "x" * 5000, "\udcff", "CON", ""])
def test_no_session_id_leaves_the_queue(tmp_path: Path, session: str) -> None:
    name = write(tmp_path, "one", session=session)
    inside = [os.path.join(folder, file) for folder, _, files in os.walk(tmp_path) for file in files]
    assert inside == [queue.queue_path(str(tmp_path), name)]


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        name = write(tmp_path / "home", "one")
    finally:
        os.umask(before)
    path = Path(queue.queue_path(str(tmp_path / "home"), name))
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_files_come_oldest_day_first_and_are_over_when_nobody_can_write_to_them(tmp_path: Path) -> None:
    old = write(tmp_path, "old", now=NOW - 3 * DAY_MS)
    new = write(tmp_path, "new")
    assert queue.list_queue_files(str(tmp_path)) == [old, new]
    assert queue.is_over(old, NOW)
    assert not queue.is_over(new, NOW + DAY_MS)
    queue.remove(str(tmp_path), old)
    assert queue.list_queue_files(str(tmp_path)) == [new]
    assert not Path(queue.queue_path(str(tmp_path), old)).parent.exists()


def test_a_purge_blanks_what_was_used_and_what_holds_the_text(tmp_path: Path) -> None:
    name = write(tmp_path, "used")
    place = queue.size_of(str(tmp_path), name)
    write(tmp_path, 'the "secret" plan\nof ü')
    write(tmp_path, "kept")
    queue.erase(str(tmp_path), ['"secret" plan\nof ü'], {name: place})
    data = Path(queue.queue_path(str(tmp_path), name)).read_bytes()
    assert b"used" not in data
    assert b"secret" not in data
    assert texts(tmp_path, name, place) == ["kept"]


def test_a_session_that_reports_something_is_seen_at_work(tmp_path: Path) -> None:
    assert not queue.was_written_since(str(tmp_path), NOW)
    path = Path(queue.queue_path(str(tmp_path), write(tmp_path, "hello")))
    os.utime(path, ns=(0, (NOW + 5) * 1_000_000))
    assert queue.was_written_since(str(tmp_path), NOW)
    assert not queue.was_written_since(str(tmp_path), NOW + 5)


def test_a_session_that_reports_after_midnight_is_at_work_too(tmp_path: Path) -> None:
    midnight = (NOW // DAY_MS + 1) * DAY_MS
    queue.append(str(tmp_path), "s1", {"n": 1}, now_ms=midnight + 1)
    (name,) = queue.list_queue_files(str(tmp_path))
    os.utime(queue.queue_path(str(tmp_path), name), ((midnight + 1) / 1000,) * 2)
    assert queue.was_written_since(str(tmp_path), midnight - 10)
    assert not queue.was_written_since(str(tmp_path), midnight + 5)
