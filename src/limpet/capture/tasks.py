"""Track the agent's task list, as the planning tool of the agent client reports it.

Some clients report the whole list at every change, others one task at a time by its number.
"""

from __future__ import annotations

from limpet.capture.tools.observe import Observation
from limpet.lean.pattern import lazy
from limpet.lean.record import record, replace
from limpet.text.excerpt import shorten_line

_MOST = 20
_LINE = 150
_FINISHED = ("completed", "done")
_DROPPED = ("deleted", "cancelled", "canceled")
_NUMBER = lazy(r"#(\d{1,6})\b|\"id\": ?\"?(\d{1,6})\b")


@record
class Tasks:
    """The open and finished tasks of a session."""

    open: tuple[tuple[str, str], ...] = ()
    """The unfinished tasks, each as number and text. The number is empty if the client reports whole lists."""
    finished: tuple[str, ...] = ()
    made: int = 0
    """How many tasks were reported one at a time. If the client gives no number, this count serves as the number."""


def track_tasks(tasks: Tasks, seen: Observation) -> Tasks:
    """Return the tasks after a tool call. Only a call to the agent client's planning tool changes them."""
    given = seen.input
    listed = next((given[name] for name in ("todos", "plan") if isinstance(given.get(name), list)), None)
    if seen.failed:
        return tasks
    if listed is not None:
        return _take_list(tasks, [each for each in listed if isinstance(each, dict)])
    number, status = given.get("taskId"), given.get("status")
    if number is not None:
        return _change_task(tasks, str(number), str(status), given.get("subject"))
    subject = given.get("subject")
    if isinstance(subject, str) and subject.strip():
        made = tasks.made + 1
        found = _NUMBER.search(seen.text[:400])
        name = (found.group(1) or found.group(2)) if found is not None else str(made)
        return replace(tasks, open=(*tasks.open, (name, shorten_line(subject, _LINE)))[-_MOST:], made=made)
    return tasks


def all_finished(tasks: Tasks) -> bool:
    """Tell whether there are finished tasks and no open ones."""
    return bool(tasks.finished) and not tasks.open


def open_tasks(tasks: Tasks) -> tuple[str, ...]:
    """Return the texts of the unfinished tasks."""
    return tuple(each[1] for each in tasks.open if len(each) == 2)


def _take_list(tasks: Tasks, listed: list[dict[str, object]]) -> Tasks:
    rows = [(_text_of(each), str(each.get("status"))) for each in listed]
    done = [text for text, status in rows if text and status in _FINISHED]
    left = [("", text) for text, status in rows if text and status not in (*_FINISHED, *_DROPPED)]
    finished = tuple(dict.fromkeys((*(each for each in tasks.finished if each not in done), *done)))
    return replace(tasks, open=tuple(left[:_MOST]), finished=finished[-_MOST:])


def _text_of(task: dict[str, object]) -> str:
    found = next((task[name] for name in ("content", "step", "description") if isinstance(task.get(name), str)), "")
    return shorten_line(str(found), _LINE)


def _change_task(tasks: Tasks, number: str, status: str, subject: object) -> Tasks:
    text = next((each[1] for each in tasks.open if each[:1] == (number,)), None)
    if text is None:
        return tasks
    others = tuple(each for each in tasks.open if each[:1] != (number,))
    if status in _FINISHED:
        return replace(tasks, open=others, finished=(*tasks.finished, text)[-_MOST:])
    if status in _DROPPED:
        return replace(tasks, open=others)
    if isinstance(subject, str) and subject.strip():
        return replace(tasks, open=(*others, (number, shorten_line(subject, _LINE))))
    return tasks
