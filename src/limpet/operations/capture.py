"""Explain what would be kept of a text, and for which reason; nothing is stored."""

from __future__ import annotations

from datetime import datetime

from limpet.capture.judge import Explanation
from limpet.capture.judge import explain as explain_event
from limpet.lean.record import record
from limpet.learning.repetition import measure_novelty
from limpet.model.event import Action, PromptSubmitted, ToolFinished, TurnEnded
from limpet.operations.catalogue import Param, Verb
from limpet.runtime import Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SPEAKERS = ("user", "agent", "command")


@record
class CaptureAnswer:
    """The candidates found in a text, each with its score and whether it would be kept."""

    found: tuple[Explanation, ...]
    said_by: str


def run(
    runtime: Runtime,
    *,
    text: str,
    said_by: str = "user",
    command: str = "",
    failed: bool = False,
    explain: bool = False,
) -> CaptureAnswer:
    """Score the text as if it had just been said; `explain` only adds detail to the output."""
    now = runtime.now()
    event: PromptSubmitted | TurnEnded | ToolFinished
    if said_by == "user":
        event = PromptSubmitted(session="", at=now, text=text)
    elif said_by == "agent":
        event = TurnEnded(session="", at=now, said=text)
    else:
        event = ToolFinished(
            session="", at=now, tool="Bash", action=Action.RUN, command=command, output=text, failed=failed
        )
    new = measure_novelty(text, reading=runtime.reading(), scope=runtime.scope(), now=now, typed=said_by == "user")
    found = explain_event(event, novelty=new, gate=runtime.settings.capture.gate)
    return CaptureAnswer(found=found, said_by=said_by)


def to_json(answer: CaptureAnswer, now: datetime) -> dict[str, Any]:
    return {
        "said_by": answer.said_by,
        "found": [
            {
                "kept": each.kept,
                "score": each.memorability.total,
                "gate": each.gate,
                "why": each.why,
                "type": each.type,
                "title": each.title,
                "text": each.text,
                "parts": score_parts(each),
                "signs": dict(each.signals),
            }
            for each in answer.found
        ],
    }


def score_parts(each: Explanation) -> dict[str, float]:
    """Return the parts of a score by name."""
    score = each.memorability
    return {
        "substance": score.substance,
        "salience": score.salience,
        "distinctiveness": score.distinctiveness,
        "novelty": score.novelty,
        "type": score.type_weight,
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(
        Param(name="text", help="What was said or printed.", positional=True, required=True, free_text=True),
        Param(name="said_by", help="Who said or printed it.", kind="choice", choices=SPEAKERS, default="user"),
        Param(name="command", help="The command that printed it.", default=""),
        Param(name="failed", help="The command failed.", kind="flag"),
        Param(name="explain", help="Show the parts of the score.", kind="flag"),
    ),
    examples=(
        'limpet capture --explain "Always use pnpm instead of npm here"',
        'limpet capture --explain --said-by command --command "pytest" "12 passed in 0.3s"',
    ),
)
