"""Small conversations as lists of steps, for tests of what they become."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from limpet.capture.speech.spans import split_message
from limpet.hosts.results import make_tool_event
from limpet.insight.friction.examine import Examiner
from limpet.insight.friction.measures import ConversationMeasures
from limpet.learning.acts import ActFollower
from limpet.model.event import (
    CommandExpanded,
    Compacted,
    Interrupted,
    PromptSubmitted,
    Reported,
    SessionStarted,
    TurnEnded,
)

START = datetime(2026, 11, 2, 9, tzinfo=UTC)


def own_words(text: str) -> str:
    return split_message(text).typed


def play(steps: Iterable[tuple[str, Any]], *, at: datetime = START, session: str = "s-1") -> list[Reported]:
    """Return the events of a conversation, ten seconds apart; `wait` adds minutes."""
    events: list[Reported] = [SessionStarted(session=session, at=at)]
    for what, value in steps:
        at += timedelta(seconds=10)
        match what:
            case "wait":
                at += timedelta(minutes=value)
            case "user":
                events.append(PromptSubmitted(session=session, at=at, text=value))
            case "command":
                events.append(CommandExpanded(session=session, at=at, name=value))
            case "says":
                events.append(TurnEnded(session=session, at=at, said=value))
            case "stop":
                events.append(Interrupted(session=session, at=at))
            case "compact":
                events.append(Compacted(session=session, at=at))
            case "runs" | "fails" | "refused" | "denied":
                events.append(_call(what, value, session, at))
            case "uses":
                given = {"query": "x"}
                events.append(make_tool_event(session=session, at=at, tool=value, given=given, answer="ok", cwd="/p"))
            case "edits":
                given = {"file_path": f"/p/{value}", "new_string": "x"}
                events.append(make_tool_event(session=session, at=at, tool="Edit", given=given, answer="", cwd="/p"))
    return events


def _call(what: str, command: str, session: str, at: datetime) -> Reported:
    answers = {
        "runs": "ok",
        "fails": "Exit code 1\nerror: it broke",
        "refused": "PreToolUse:Bash hook error: [guard]: not here",
        "denied": "The user doesn't want to proceed with this tool use.",
    }
    return make_tool_event(
        session=session,
        at=at,
        tool="Bash",
        given={"command": command},
        answer=answers[what],
        cwd="/p",
        failed=what != "runs",
    )


def examine(*steps: tuple[str, Any]) -> ConversationMeasures:
    examiner = Examiner(own_words=own_words, follower=ActFollower())
    for event in play(steps):
        examiner.read(event)
    found = examiner.finish(session="s-1", host="claude-code", project="shop")
    assert found is not None
    return found
