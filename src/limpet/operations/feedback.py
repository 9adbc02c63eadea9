"""Say what a memory that was brought up is worth: useful, wrong, stale, or never again."""

from __future__ import annotations

from datetime import datetime

from limpet.errors import Refused
from limpet.lean.record import record
from limpet.model.answers import encode_stored
from limpet.model.change import ChangeKind
from limpet.model.query import Stored
from limpet.model.reach import Feedback, reach_of
from limpet.operations.catalogue import Param, Verb
from limpet.operations.correct import newest_version
from limpet.operations.parameters import ALL_PROJECTS, ID
from limpet.operations.permissions import find_visible, require_visible
from limpet.runtime import Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EFFECT = {
    Feedback.USEFUL: "it will come up sooner",
    Feedback.WRONG: "it no longer comes up by itself, and last when asked for; `correct` says what is right",
    Feedback.STALE: "it comes up later, and not at the start of a session; `correct` brings it up to date",
    Feedback.NEVER: "it no longer comes up by itself; recall still finds it",
}


@record
class FeedbackAnswer:
    stored: Stored
    says: Feedback


def run(runtime: Runtime, *, id: str, says: Feedback, all_projects: bool = False) -> FeedbackAnswer:
    named = find_visible(runtime, id, every_project=all_projects)
    stored = require_visible(runtime, newest_version(runtime, named)[0])
    if says is Feedback.USEFUL and runtime.caller.is_agent and reach_of(stored.memory) == 0:
        raise Refused("a memory of foreign origin gains nothing from a model's praise; ask the user to confirm it")
    runtime.write([runtime.change(ChangeKind.FEEDBACK, stored.memory, {"says": says.value})])
    return FeedbackAnswer(stored=runtime.again(stored), says=says)


def to_json(answer: FeedbackAnswer, now: datetime) -> dict[str, Any]:
    return {
        "memory": encode_stored(answer.stored, now=now),
        "feedback": answer.says.value,
        "effect": EFFECT[answer.says],
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(
        ID,
        Param(
            name="says",
            help="What you think of it.",
            kind="choice",
            choices=Feedback,
            positional=True,
            required=True,
        ),
        ALL_PROJECTS,
    ),
    examples=("limpet feedback mem_01jz4 useful", "limpet feedback mem_01jz4 never"),
    details="`confirm` takes back what was said against a memory.",
)
