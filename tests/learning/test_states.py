"""The state of a session is found again by the cursor that the journal names."""

from __future__ import annotations

from pathlib import Path

from limpet.capture.state import SegmentState
from limpet.learning.states import SessionStates, remove_old_states
from limpet.model.scope import Scope
from limpet.queue import files as queue

ONE, TWO = SegmentState(observations=1), SegmentState(observations=2)
DAY_MS = 86_400_000
HERE, THERE = Scope(agent="anima", project="prj_a"), Scope(agent="anima", project="prj_b")


def test_the_state_of_a_batch_and_of_the_one_before_are_kept(home: Path) -> None:
    states = SessionStates(str(home), "s1")
    states.save({"a": 1}, SegmentState(), HERE)
    states.save({"a": 10}, ONE, HERE)
    states.save({"a": 20}, TWO, HERE)
    found = SessionStates(str(home), "s1")
    assert (found.find({"a": 10}, HERE), found.find({"a": 20}, HERE)) == (ONE, TWO)
    assert found.find({"a": 1}, HERE) is None


def test_a_session_goes_on_with_its_state_in_the_file_of_a_new_day(home: Path) -> None:
    SessionStates(str(home), "s1").save({"20260301/key": 500}, ONE, HERE)
    again = SessionStates(str(home), "s1")
    assert again.find({"20260302/key": 0}, HERE) == ONE
    assert again.find({"20260302/key": 9}, HERE) is None
    assert again.find({"20260228/key": 0}, HERE) is None
    assert again.find({"transcript:abc": 0}, HERE) is None


def test_a_damaged_file_is_no_state(home: Path) -> None:
    states = SessionStates(str(home), "s1")
    states.save({"a": 1}, ONE, HERE)
    [path] = list((home / "queue" / "state").iterdir())
    for text in ("", "no JSON", "{}", "[5]", '[{"cursor": 5}]'):
        path.write_text(text, encoding="ascii")
        assert states.find({"a": 1}, HERE) is None
        assert states.newest() is None


def test_a_dry_run_writes_nothing(home: Path) -> None:
    states = SessionStates(str(home), "s1", saves=False)
    states.save({"a": 1}, ONE, HERE)
    states.remove()
    assert not home.exists()


def test_only_states_that_nobody_resumes_are_removed(home: Path) -> None:
    now = 1_800_000_000_000
    for name, age in (("old", 40), ("new", 3)):
        day = queue.name_of(name, now - age * DAY_MS)
        SessionStates(str(home), name).save({day: 1}, ONE, HERE)
    SessionStates(str(home), "recorded").save({"transcript:abc": 1}, ONE, HERE)
    remove_old_states(str(home), now)
    assert sorted(path.name for path in (home / "queue" / "state").iterdir()) == ["new.json", "recorded.json"]


def test_a_state_is_never_found_from_another_project(home: Path) -> None:
    states = SessionStates(str(home), "s1")
    states.save({"a": 10}, ONE, HERE)
    states.save({"a": 10}, SegmentState(), THERE)
    found = SessionStates(str(home), "s1")
    assert (found.find({"a": 10}, HERE), found.find({"a": 10}, THERE)) == (ONE, SegmentState())


def test_a_write_that_failed_on_a_new_day_leaves_the_state_of_the_day_before(home: Path) -> None:
    """The state is saved before the journal is written, so the journal may still name the beginning of the day."""
    states = SessionStates(str(home), "s1")
    states.save({"20260301/key": 500}, ONE, HERE)
    states.find({"20260302/key": 0}, HERE)
    states.save({"20260302/key": 100}, TWO, HERE)
    assert SessionStates(str(home), "s1").find({"20260302/key": 0}, HERE) == ONE


def test_a_state_that_cannot_be_written_stops_nothing(home: Path) -> None:
    (home / "queue" / "state" / "s1.json").mkdir(parents=True)
    states = SessionStates(str(home), "s1")
    states.save({"a": 1}, ONE, HERE)
    assert states.find({"a": 1}, HERE) is None


def test_what_cannot_be_read_is_removed(home: Path) -> None:
    states = home / "queue" / "state"
    states.mkdir(parents=True)
    for name, text in (("old.json", '{"name": "20260301/key", "place": 5}'), ("half.json.1.ab.tmp", '[{"cur')):
        (states / name).write_text(text, encoding="ascii")
    remove_old_states(str(home), 1_800_000_000_000)
    assert list(states.iterdir()) == []
