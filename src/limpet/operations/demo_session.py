"""Simulate the first half of the tour: an agent's session, what Limpet learns from it, and the next session.

Only the agent is simulated. Its events have the form in which Claude Code's hooks report them, and are processed like
real events.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from limpet import clock
from limpet.hosts.events import read_event
from limpet.lean.record import pick
from limpet.learning.stages import TABLE, Bus, answering_handlers
from limpet.learning.worker import learn_from_queue
from limpet.model.event import ContextReady
from limpet.model.memory import Memory, Origin, Type
from limpet.model.outcome import Admitted, Duplicate
from limpet.model.query import Query
from limpet.operations import remember
from limpet.queue import files as queue
from limpet.queue.tidy import tidy_payload
from limpet.runtime import Caller, Runtime

HOST = "claude-code"
_PAUSE_MS = 20_000
_TEST = "uv run pytest tests/test_checkout.py"
_FAILED = """Exit code 1
    rate = RATES[order.country]
E   KeyError: 'Germany'
shop/tax.py:12: KeyError
1 failed, 13 passed in 0.41s"""
_CAUSE = "The lookup failed because `RATES` is keyed by ISO code."
_RULE = "Please remember: use uv here, never pip."
_KEPT = "Use uv here, never pip."
_COMMIT = 'git commit -am "Round tax per order, not per line: it was a cent off"'


class Moment(NamedTuple):
    """One event of the session: who did what, the result, and the memories that were made from it."""

    who: str
    did: str
    came: str = ""
    kept: tuple[Memory, ...] = ()


class Scene(NamedTuple):
    """A part of the tour: the events of a session, or the text that a model was given, with comments for the user."""

    comment: str
    moments: tuple[Moment, ...] = ()
    told: str = ""
    remark: str = ""


class DemoClock:
    """A clock that starts one day in the past. The tour moves it forward until it shows about the current time."""

    def __init__(self) -> None:
        self._ahead = -clock.DAY_MS - 20 * _PAUSE_MS

    def now_ms(self) -> int:
        return clock.now_ms() + self._ahead

    def forward(self, milliseconds: int) -> None:
        self._ahead += milliseconds


class SimulatedAgent:
    """A simulated agent that reports events as a host's hooks do."""

    def __init__(self, runtime: Runtime, demo_clock: DemoClock) -> None:
        self._runtime = runtime
        self._clock = demo_clock
        self._folder = runtime.place.root

    def report(self, session: str, event: str, **fields: object) -> dict[str, Any]:
        """Add an event to the queue, as a hook does, and return the event's payload."""
        self._clock.forward(_PAUSE_MS)
        payload = {"session_id": session, "cwd": self._folder, "hook_event_name": event, **fields}
        now = self._clock.now_ms()
        seen = {"at": now, "host": HOST, "dir": self._folder, "payload": tidy_payload(payload)}
        queue.append(self._runtime.settings.home, session, seen, now_ms=now)
        return payload

    def ask_hook(self, session: str, event: str, **fields: object) -> str:
        """Report an event and return the text that its hook adds to the model's context, or an empty string."""
        payload = self.report(session, event, **fields)
        there = self._runtime.open_elsewhere(self._folder, session=session, caller=Caller(is_agent=True))
        happened = read_event(payload, host=HOST, at=there.now())
        bus = Bus(TABLE, answering_handlers(there.context()), log=there.log)
        caused = bus.publish(happened) if happened is not None else ()
        return next((each.text for each in caused if isinstance(each, ContextReady)), "")

    def store(self, session: str, text: str) -> Memory:
        """Store a text as an agent does with the tool `remember`, and return the memory."""
        caller = Caller(origin=Origin.AGENT, is_agent=True)
        outcome = remember.run(self._runtime.open_elsewhere(self._folder, session=session, caller=caller), text=text)
        assert isinstance(outcome, Admitted | Duplicate)
        return outcome.memory

    def learn(self) -> tuple[Memory, ...]:
        """Learn from the queued events and return the new memories, except session summaries."""
        before = self._list_memories()
        learn_from_queue(self._runtime.context())
        return tuple(memory for id, memory in self._list_memories().items() if id not in before)

    def _list_memories(self) -> dict[str, Memory]:
        query = Query(scope=self._runtime.scope(), now=self._runtime.now(), limit=100)
        found = (stored.memory for stored in self._runtime.reading().browse(query).items)
        return {memory.id: memory for memory in found if memory.type is not Type.SESSION_SUMMARY}


def play_monday(agent: SimulatedAgent, folder: str) -> Iterator[Moment]:
    """Simulate the first session and yield each event with the memories that were learnt from it."""

    def report(who: str, did: str, event: str, *, came: str = "", **fields: object) -> Moment:
        agent.report("monday", event, **fields)
        return Moment(who=who, did=did, came=came, kept=agent.learn())

    def user_says(text: str) -> Moment:
        return report("you", text, "UserPromptSubmit", prompt=text)

    def report_command(command: str, printed: str, came: str = "") -> Moment:
        answer = {"stdout": printed, "stderr": ""}
        given = {"command": command}
        return report(
            "agent", f"$ {command}", "PostToolUse", came=came, tool_name="Bash", tool_input=given, tool_response=answer
        )

    path = os.path.join(folder, "shop", "tax.py")
    edit = {
        "file_path": path,
        "old_string": "    rate = RATES[order.country]",
        "new_string": "    rate = RATES[iso_code(order.country)]",
    }
    failing: Mapping[str, object] = {"tool_name": "Bash", "tool_input": {"command": _TEST}, "error": _FAILED}
    agent.ask_hook("monday", "SessionStart", source="startup")
    yield user_says("The checkout test fails. Please find out why and fix it.")
    yield report_command("ls shop", "cart.py\ntax.py")
    yield report("agent", f"$ {_TEST}", "PostToolUseFailure", came="KeyError: 'Germany'", **failing)
    answer = {"filePath": path}
    yield report("agent", "edits shop/tax.py", "PostToolUse", tool_name="Edit", tool_input=edit, tool_response=answer)
    yield report_command(_TEST, "14 passed in 0.38s", came="14 passed")
    yield report_command(_COMMIT, "[main 3f2a91c] Round tax per order\n 1 file changed")
    yield report("agent", _CAUSE, "Stop", last_assistant_message=_CAUSE)
    yield user_says(_RULE)
    yield Moment(who="agent", did="stores what you asked for", kept=(agent.store("monday", _KEPT),))
    agent.report("monday", "SessionEnd", reason="other")
    agent.learn()


def play(runtime: Runtime, demo_clock: DemoClock, step: Callable[..., Any]) -> Iterator[Any]:
    """Yield the scenes of both sessions, then a step that runs `why`. `step` runs a verb and returns a `TourStep`."""
    agent = SimulatedAgent(runtime, demo_clock)
    moments = tuple(play_monday(agent, runtime.place.root))
    yield Scene(
        comment="Monday. You work with an agent. What happens is noted, what you ask for is kept.",
        moments=moments,
        remark=_count_events(runtime),
    )
    demo_clock.forward(clock.DAY_MS)
    yield Scene(
        comment="Tuesday. A new session begins, and its model is given:",
        told=agent.ask_hook("tuesday", "SessionStart", source="startup"),
    )
    question = "Why do we round the tax per order?"
    yield Scene(
        comment=f'You ask "{question}", and it is given what fits:',
        told=agent.ask_hook("tuesday", "UserPromptSubmit", prompt=question),
    )
    given = {"command": _TEST.replace("checkout", "invoice")}
    yield Scene(
        comment="The invoice test fails with the error of Monday, and it is given the fix:",
        told=agent.ask_hook("tuesday", "PostToolUseFailure", tool_name="Bash", tool_input=given, error=_FAILED),
    )
    yield step("Every injection leaves a receipt.", "why", "why -n 1", limit=1)


def _count_events(runtime: Runtime) -> str:
    """Return a sentence with the number of events in the session and of the memories made from them."""
    session = runtime.reading().session("monday")
    if session is None:
        return ""
    dropped = ", ".join(f"{count} {reason}" for reason, count in session.dropped.items())
    return f"{session.seen} events left {session.kept} memories and a summary of the session; dropped: {dropped}."


def shape_scene(scene: Scene) -> dict[str, Any]:
    """Return what JSON shows of a scene."""
    happened = [
        {**pick(moment, "who", "did", "came"), "kept": [pick(memory, "id", "title") for memory in moment.kept]}
        for moment in scene.moments
    ]
    return {"comment": scene.comment, "happened": happened, **pick(scene, "told", "remark")}
