"""Rate a memory as useful, wrong or stale, or ask never to be shown it again."""

from __future__ import annotations

from limpet.curating.versions import find_newest_version
from limpet.errors import Refused
from limpet.lean.record import record
from limpet.model.change import ChangeKind
from limpet.model.query import Stored
from limpet.model.reach import Feedback, reach_of
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, ID
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible, require_visible

EFFECT = {
    Feedback.USEFUL: "it will be preferred",
    Feedback.WRONG: "it is no longer told unasked, and is found last; use `correct` to say what is right",
    Feedback.STALE: "it is ranked lower, and not told at the start of a session; use `correct` to bring it up to date",
    Feedback.NEVER: "it is no longer told unasked; recall still finds it",
}


@record
class FeedbackAnswer:
    """The memory that was rated, and its rating."""

    stored: Stored
    says: Feedback


def run(runtime: Runtime, *, id: str, says: Feedback, all_projects: bool = False) -> FeedbackAnswer:
    named = find_visible(runtime, id, every_project=all_projects)
    stored = require_visible(runtime, find_newest_version(runtime, named)[0])
    if says is Feedback.USEFUL and runtime.caller.is_agent and reach_of(stored.memory) == 0:
        raise Refused("a model cannot raise a memory of foreign origin; ask the user to confirm it")
    runtime.write([runtime.change(ChangeKind.FEEDBACK, stored.memory, {"says": says.value})])
    return FeedbackAnswer(stored=runtime.reload(stored), says=says)


VERB = Verb(
    run=run,
    shape=lambda answer: {"memory": answer.stored, "feedback": answer.says, "effect": EFFECT[answer.says]},
    params=(
        ID,
        Param(
            name="says",
            help="What you think of the memory.",
            kind="choice",
            choices=Feedback,
            positional=True,
            required=True,
        ),
        ALL_PROJECTS,
    ),
    examples=("limpet feedback mem_01jz4 useful", "limpet feedback mem_01jz4 never"),
    details="`limpet confirm` takes back feedback against a memory.",
)
