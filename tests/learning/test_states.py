"""The state of a session is found again by the cursor that the journal names."""

from __future__ import annotations

from pathlib import Path

from limpet.capture.state import SegmentState
from limpet.learning.states import SessionStates, remove_old
from limpet.queue import files as queue

ONE, TWO = SegmentState(observations=1), SegmentState(observations=2)
DAY_MS = 86_400_000


def test_the_state_of_a_batch_and_of_the_one_before_are_kept(home: Path) -> None:
    states = SessionStates(str(home), "s1")
    states.save({"a": 1}, SegmentState())
    states.save({"a": 10}, ONE)
    states.save({"a": 20}, TWO)
    found = SessionStates(str(home), "s1")
    assert (found.find({"a": 10}), found.find({"a": 20})) == (ONE, TWO)
    assert found.find({"a": 1}) is None


def test_a_session_goes_on_with_its_state_in_the_file_of_a_new_day(home: Path) -> None:
    SessionStates(str(home), "s1").save({"20260301/key": 500}, ONE)
    again = SessionStates(str(home), "s1")
    assert again.find({"20260302/key": 0}) == ONE
    assert again.find({"20260302/key": 9}) is None
    assert again.find({"20260228/key": 0}) is None
    assert again.find({"transcript:abc": 0}) is None


def test_a_damaged_file_is_no_state(home: Path) -> None:
    states = SessionStates(str(home), "s1")
    states.save({"a": 1}, ONE)
    [path] = list((home / "queue" / "state").iterdir())
    for text in ("", "no JSON", "{}", "[5]", '[{"cursor": 5}]'):
        path.write_text(text, encoding="ascii")
        assert states.find({"a": 1}) is None
        assert states.newest() is None


def test_a_dry_run_writes_nothing(home: Path) -> None:
    states = SessionStates(str(home), "s1", saves=False)
    states.save({"a": 1}, ONE)
    states.remove()
    assert not home.exists()


def test_only_states_that_nobody_resumes_are_removed(home: Path) -> None:
    now = 1_800_000_000_000
    for name, age in (("old", 40), ("new", 3)):
        day = queue.name_of(name, now - age * DAY_MS)
        SessionStates(str(home), name).save({day: 1}, ONE)
    SessionStates(str(home), "recorded").save({"transcript:abc": 1}, ONE)
    remove_old(str(home), now)
    assert sorted(path.name for path in (home / "queue" / "state").iterdir()) == ["new.json", "recorded.json"]
