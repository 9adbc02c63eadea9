"""Show the result of a check for tampering."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import show_problem
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.verify import VerifyAnswer


def show(answer: VerifyAnswer, out: Output) -> None:
    for problem in answer.problems:
        show_problem(problem, out)
    verdict = "all is well" if not answer.problems else plural(len(answer.problems), "problem")
    out.line(
        f"{verdict}: {plural(answer.records, 'change')}, {plural(answer.memories, 'memory')}, {answer.signed} signed",
        style="green" if not answer.problems else "red",
    )
