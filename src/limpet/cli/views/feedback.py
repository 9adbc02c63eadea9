"""Show that a rating of a memory was recorded."""

from __future__ import annotations

from limpet.cli.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.feedback import FeedbackAnswer

_SAID = {"useful": "useful", "wrong": "wrong", "stale": "stale", "never": "not wanted again"}


def show(answer: FeedbackAnswer, out: Output) -> None:
    from limpet.operations.feedback import EFFECT

    out.line(f"{answer.stored.memory.id} is marked as {_SAID[answer.says.value]}: {EFFECT[answer.says]}")
