"""The time scale a memory serves: the moment, the task, the session, the project.

Age alone moves a memory on. One that proves durable moves faster: each use takes it a step further, and what is pinned,
confirmed or met again in another session belongs to the project at once.
"""

from __future__ import annotations

from limpet.model.memory import Scale

IMMEDIATE, TASK, SESSION = 5 * 60, 30 * 60, 2 * 60 * 60
_ORDER = (Scale.IMMEDIATE, Scale.TASK, Scale.SESSION, Scale.PROJECT)


def scale_of(age: float, *, uses: int = 0, sessions: int = 1, lasting: bool = False) -> Scale:
    """The scale of a memory `age` seconds old, used so often, met in so many sessions; `lasting`: a person said so."""
    if lasting or sessions > 1:
        return Scale.PROJECT
    return _ORDER[min(len(_ORDER) - 1, _ORDER.index(by_age(age)) + max(0, uses))]


def by_age(age: float) -> Scale:
    """A time in the future is a clock that was set back: it counts as now."""
    if age < IMMEDIATE:
        return Scale.IMMEDIATE
    if age < TASK:
        return Scale.TASK
    return Scale.SESSION if age < SESSION else Scale.PROJECT


def promoted(current: Scale, age: float, *, uses: int = 0, sessions: int = 1, lasting: bool = False) -> Scale:
    """The scale from now on: it only ever moves outwards."""
    found = scale_of(age, uses=uses, sessions=sessions, lasting=lasting)
    return max(current, found, key=_ORDER.index)
