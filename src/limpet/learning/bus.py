"""Hands each event to its stages in their order, and what they report to the stages of that."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from limpet.lean.record import record
from limpet.model.event import Event

Handler = Callable[[Event], Iterable[Event]]
_MOST = 10_000


@record
class Stage:
    """On this event, in this place, do this."""

    on: type
    number: int
    name: str
    handler: Handler


class Bus:
    def __init__(self, stages: Sequence[Stage], *, log: Callable[[str], None]) -> None:
        self._stages = sorted(stages, key=lambda stage: stage.number)
        self._log = log

    def publish(self, event: Event) -> tuple[Event, ...]:
        """Everything that was caused, in the order it came about."""
        waiting: deque[Event] = deque([event])
        caused: list[Event] = []
        while waiting and len(caused) < _MOST:
            current = waiting.popleft()
            for stage in self._stages:
                if isinstance(current, stage.on):
                    found = self._run(stage, current)
                    caused += found
                    waiting += found
        return tuple(caused)

    def _run(self, stage: Stage, event: Event) -> list[Event]:
        try:
            return list(stage.handler(event))
        except Exception as error:  # noqa: BLE001 - one failing stage must not take the others with it
            self._log(f"{stage.name} failed at {type(event).__name__}: {type(error).__name__}: {error}")
            return []
