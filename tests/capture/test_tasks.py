"""The agent's tasks are followed, whether its host reports the whole list or one task at a time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from limpet.capture.tasks import Tasks, all_finished, open_tasks, track_tasks
from limpet.capture.tools.observe import Observation
from limpet.model.memory import Origin

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def call(tasks: Tasks, text: str = "", *, failed: bool = False, **given: Any) -> Tasks:
    return track_tasks(
        tasks, Observation(session="s1", at=NOW, text=text, origin=Origin.TOOL, input=given, failed=failed)
    )


def test_a_whole_list_replaces_the_open_tasks() -> None:
    listed = [{"content": "Write the test", "status": "completed"}, {"content": "Fix it", "status": "pending"}]
    tasks = call(Tasks(), todos=listed)
    assert (open_tasks(tasks), tasks.finished) == (("Fix it",), ("Write the test",))
    tasks = call(tasks, todos=[{"content": "Fix it", "status": "completed"}])
    assert all_finished(tasks) and tasks.finished == ("Write the test", "Fix it")


def test_a_task_is_changed_by_its_number() -> None:
    tasks = call(call(Tasks(), "Task #7 created", subject="Fix it"), subject="Tidy up")
    assert open_tasks(tasks) == ("Fix it", "Tidy up")
    tasks = call(tasks, taskId="7", status="completed")
    assert (open_tasks(tasks), tasks.finished) == (("Tidy up",), ("Fix it",))
    assert open_tasks(call(tasks, taskId=2, status="deleted")) == ()


def test_a_failed_call_and_an_unknown_number_change_nothing() -> None:
    tasks = call(Tasks(), subject="Fix it")
    assert call(tasks, failed=True, subject="Another") == tasks
    assert call(tasks, taskId="99", status="completed") == tasks
    assert not all_finished(Tasks())
