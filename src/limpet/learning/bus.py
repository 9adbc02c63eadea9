"""Hand each event to its stages in order, and the events they cause to the stages of those."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from limpet.errors import StoreError
from limpet.lean.record import record
from limpet.model.event import Event

Handler = Callable[[Event], Iterable[Event]]
_MOST = 10_000


@record
class Stage:
    """A stage, its event and its place; several stages may bring the same capability."""

    on: type
    number: int
    name: str
    capability: str = ""


class Bus:
    """The stages of a table that have a handler here, in their order, and the log for those that fail."""

    def __init__(self, table: Sequence[Stage], handlers: Mapping[str, Handler], *, log: Callable[[str], None]) -> None:
        stages = sorted((stage for stage in table if stage.name in handlers), key=lambda stage: stage.number)
        self._stages = [(stage, handlers[stage.name]) for stage in stages]
        self._log = log

    def publish(self, event: Event) -> tuple[Event, ...]:
        """Run the stages of an event and of everything it causes; return what was caused, in that order."""
        waiting: deque[Event] = deque([event])
        caused: list[Event] = []
        while waiting and len(caused) < _MOST:
            current = waiting.popleft()
            for stage, handler in self._stages:
                if isinstance(current, stage.on):
                    found = self._run(stage, handler, current)
                    caused += found
                    waiting += found
        return tuple(caused)

    def _run(self, stage: Stage, handler: Handler, event: Event) -> list[Event]:
        try:
            return list(handler(event))
        except StoreError:
            # No other stage could work without the store, and an event must not count as used up.
            raise
        except Exception as error:  # noqa: BLE001 - one failing stage must not take the others with it
            self._log(f"{stage.name} failed at {type(event).__name__}: {type(error).__name__}: {error}")
            return []
