"""Show which parts of a text capture would keep."""

from __future__ import annotations

from limpet.cli.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.capture import CaptureAnswer


_SHOWN = 6


def show(answer: CaptureAnswer, out: Output) -> None:
    from limpet.operations.capture import score_parts

    if not answer.found:
        out.remark("nothing in this text could become a memory")
    for each in answer.found:
        verdict = "would be kept" if each.kept else "would be dropped"
        out.line(
            f"{verdict}: {each.memorability.total:.2f} (gate {each.gate:.2f}), {each.type}, {each.why}", style="bold"
        )
        if each.title:
            out.line(f"  {each.title}")
        out.line("  " + ", ".join(f"{name} {value:.2f}" for name, value in score_parts(each).items()), style="dim")
        if each.signals:
            out.line("  " + ", ".join(f"{name} {value:+.1f}" for name, value in each.signals[:_SHOWN]), style="dim")
