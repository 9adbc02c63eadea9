"""Show which parts of a text would be noted as memories, and why."""

from __future__ import annotations

from limpet.cli.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.capture import CaptureAnswer

_SHOWN = 6


def show(answer: CaptureAnswer, out: Output) -> None:
    from limpet.operations.capture import memorability_parts

    if not answer.found:
        out.remark("nothing in this text could become a memory")
    for each in answer.found:
        verdict = f"would be {each.tier}" if each.tier else "would be dropped"
        score = each.memorability
        # The score does not decide about a text that is known, that says nothing, or that the user asked to remember.
        is_measured = bool(each.text) and not score.is_known and each.tier != "kept"
        compared = f" {score.total:.2f} (gate {each.gate:.2f})," if is_measured else ""
        out.line(f"{verdict}:{compared} {each.type}, {each.why}", style="bold")
        if each.title:
            out.line(f"  {each.title}")
        out.line(
            "  " + ", ".join(f"{name} {points:+.1f}" for name, points in memorability_parts(each).items()), style="dim"
        )
        for label, sign in (("for", 1), ("against", -1)):
            shown = [f"{name} {points:+.1f}" for name, points in score.reasons if points * sign > 0]
            if shown:
                out.line(f"  {label}: " + ", ".join(shown[:_SHOWN]), style="dim")
