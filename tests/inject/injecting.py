"""Let something happen in a session, and return what the session is told."""

from __future__ import annotations

from typing import Any

from limpet.lean.record import replace
from limpet.learning.stages import TABLE, Bus, answering_handlers
from limpet.model.event import ContextReady, PromptSubmitted, SessionStarted, SubagentStarted
from tests.operations.sandbox import MODEL, SECOND, Sandbox


def inject(sandbox: Sandbox, event: str = "start", *, session: str = "s1", **options: Any) -> str:
    """Return what a session is told at an event: start, prompt or subagent."""
    sandbox.ms += SECOND
    text, source, host = options.pop("text", ""), options.pop("source", "startup"), options.pop("host", "")
    made: SessionStarted | PromptSubmitted | SubagentStarted
    if event == "start":
        made = SessionStarted(session=session, at=sandbox.now, source=source)
    elif event == "prompt":
        made = PromptSubmitted(session=session, at=sandbox.now, text=text)
    else:
        made = SubagentStarted(session=session, at=sandbox.now)
    with sandbox.open(MODEL, session=session, **options) as runtime:
        context = replace(runtime.context(), host=host)
        caused = Bus(TABLE, answering_handlers(context), log=runtime.log).publish(made)
    return next((each.text for each in caused if isinstance(each, ContextReady)), "")


def lines(text: str) -> list[str]:
    """Return the lines of a block that hold a memory."""
    return [line for line in text.splitlines() if "~" in line[:2]]
