"""A recorded session as the stages see it: events as a hook would have written them down, and the state they leave."""

from __future__ import annotations

import os
from collections.abc import Mapping

from limpet import system
from limpet.capture.judge import judge, reset_effort
from limpet.capture.state import SegmentState, from_json, to_json
from limpet.errors import from_os_error
from limpet.hosts.ours import is_our_tool
from limpet.hosts.recorded import Recorded, Replay, source_of
from limpet.hosts.tools import shows_content
from limpet.hosts.transcript import Sighting
from limpet.lean import quickjson
from limpet.lean.record import replace
from limpet.model.event import CommandExpanded, Compacted, PromptSubmitted, Reported, ToolFinished, TurnEnded
from limpet.queue import files as queue
from limpet.queue.tidy import tidied


def as_reported(seen: Sighting, recorded: Recorded) -> Reported | None:
    """The event as a hook would have written it down: cut to a size, secrets taken out; nothing if it is our own."""
    event = seen.event
    if event.session != recorded.session:
        event = replace(event, session=recorded.session)
    match event:
        case ToolFinished():
            # A memory names the session's own file; a line of another one would lead astray there.
            line = event.line if seen.path == recorded.files[0].path else None
            told = {"tool_name": event.tool, "tool_input": dict(event.input), "tool_response": event.output}
            if is_our_tool(event.tool):
                return None
            kept = tidied({**told, "prompt": event.command}, brief=shows_content(event.tool))
            return replace(
                event, input=kept["tool_input"], output=kept["tool_response"], command=kept["prompt"], line=line
            )
        case PromptSubmitted():
            return replace(event, text=_tidy_text(event.text))
        case TurnEnded():
            return replace(event, said=_tidy_text(event.said))
        case Compacted():
            return replace(event, summary=_tidy_text(event.summary))
        case CommandExpanded():
            return replace(event, arguments=_tidy_text(event.arguments))
        case _:
            return event


def _tidy_text(text: str) -> str:
    return str(tidied({"prompt": text})["prompt"])


class States:
    """What the stages must remember of a session between two batches, kept beside that of the queue.

    It is written before the batch is, with the state before it: whichever of the two places the journal names after a
    crash, its state is there. Where it is missing all the same, the events up to there are looked at again.
    """

    def __init__(self, home: str, recorded: Recorded, *, keeps: bool) -> None:
        self._recorded, self._keeps = recorded, keeps
        self._last: list[object] = []
        self._path = os.path.join(queue.states(home), f"transcript-{queue.key_of(recorded.session)}.json")

    def keep(self, places: Mapping[str, int], state: SegmentState) -> None:
        if not self._keeps:
            return
        now = {"places": dict(places), "state": to_json(state)}
        try:
            for folder in (os.path.dirname(os.path.dirname(self._path)), os.path.dirname(self._path)):
                system.private_directory(folder)
            system.write_atomically(self._path, quickjson.dumps([*self._last, now]).encode(), durable=False)
        except OSError as error:
            raise from_os_error(error, "learn") from error
        self._last = [now]

    def at(self, places: Mapping[str, int]) -> SegmentState:
        for kept in self._read():
            if isinstance(kept, dict) and kept.get("places") == dict(places):
                self._last = [kept]
                return from_json(kept.get("state"))
        return self._again(places)

    def _read(self) -> list[object]:
        try:
            with open(self._path, encoding="ascii") as file:
                found = quickjson.loads(file.read())
        except (OSError, ValueError):
            return []
        return found if isinstance(found, list) else []

    def _again(self, places: Mapping[str, int]) -> SegmentState:
        state = SegmentState()
        replay = Replay(self._recorded, {})
        try:
            for seen in replay:
                if seen.start >= places.get(source_of(seen.path), 0):
                    break
                event = as_reported(seen, self._recorded)
                if event is not None:
                    judged = judge(state, event)
                    state = reset_effort(judged.state) if judged.kept else judged.state
        finally:
            replay.close()
        return state

    def drop(self) -> None:
        """The session has been read to its end: what it said is in its memories, and nowhere else."""
        if self._keeps:
            try:
                os.unlink(self._path)
            except FileNotFoundError:
                return
