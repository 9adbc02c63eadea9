"""Explain which parts of a text Limpet would store as memories, and why. Nothing is stored."""

from __future__ import annotations

from limpet.capture.judge import Explanation, judge
from limpet.capture.judge import explain as explain_event
from limpet.capture.novelty import measure_novelty
from limpet.capture.state import SegmentState
from limpet.lean.record import pick, record
from limpet.model.event import Action, PromptSubmitted, ToolFinished, TurnEnded
from limpet.operations.catalogue import Param, Verb
from limpet.runtime import Runtime

SPEAKERS = ("user", "agent", "command")


@record
class CaptureAnswer:
    """The parts of a text that might become memories, each with its score and the tier in which it would be stored."""

    found: tuple[Explanation, ...]
    said_by: str


def run(
    runtime: Runtime,
    *,
    text: str,
    said_by: str = "user",
    command: str = "",
    failed: bool = False,
    after: str = "",
) -> CaptureAnswer:
    """Score a text as if it were a new message or command output in a session.

    `after` is the preceding message, to which the text responds.
    """
    now = runtime.now()
    state = SegmentState()
    if after:
        asked = PromptSubmitted(session="", at=now, text=after)
        state = judge(state, TurnEnded(session="", at=now, said=after) if said_by == "user" else asked).state
    event: PromptSubmitted | TurnEnded | ToolFinished
    if said_by == "user":
        event = PromptSubmitted(session="", at=now, text=text)
    elif said_by == "agent":
        event = TurnEnded(session="", at=now, said=text)
    else:
        event = ToolFinished(
            session="", at=now, tool="Bash", action=Action.RUN, command=command, output=text, failed=failed
        )
    reading, scope = runtime.reading(), runtime.scope()

    def compare(found: str) -> float:
        return measure_novelty(found, reading=reading, scope=scope, now=now, typed=said_by == "user")

    found = explain_event(event, state, novelty=compare, gate=runtime.settings.capture.gate)
    return CaptureAnswer(found=found, said_by=said_by)


def shape(answer: CaptureAnswer) -> dict[str, object]:
    found = [
        {
            "tier": each.tier or None,
            "score": each.memorability.total,
            **pick(each, "gate", "why", "type", "title", "text"),
            "parts": memorability_parts(each),
            "reasons": {name: round(points, 2) for name, points in each.memorability.reasons},
        }
        for each in answer.found
    ]
    return {"said_by": answer.said_by, "found": found}


def memorability_parts(each: Explanation) -> dict[str, float]:
    """Return the points for each part of a score and for the constant bias, by name. Their sum determines the score."""
    score = each.memorability
    parts = {
        "substance": score.substance,
        "salience": score.salience,
        "distinctiveness": score.distinctiveness,
        "type": score.type_weight,
        "bias": score.bias,
    }
    return {name: round(points, 2) for name, points in parts.items()}


VERB = Verb(
    run=run,
    shape=shape,
    params=(
        Param(name="text", help="What was said or printed.", positional=True, required=True, free_text=True),
        Param(name="said_by", help="Who said or printed it.", kind="choice", choices=SPEAKERS, default="user"),
        Param(name="command", help="The command that printed it.", default=""),
        Param(name="failed", help="The command that printed it failed.", kind="flag"),
        Param(name="after", help="The message that came before it.", default="", free_text=True),
    ),
    examples=(
        'limpet capture "Always use pnpm instead of npm here"',
        'limpet capture --after "Shall I use tabs or spaces?" "Use tabs, as everywhere"',
        'limpet capture --said-by command --command "pytest" "12 passed in 0.3s"',
    ),
)
