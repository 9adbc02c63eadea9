"""Show the achievements that were found in the history of the repository."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_day
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.achievements import AchievementsAnswer

_MOST_DAMAGED = 3


def show(answer: AchievementsAnswer, out: Output) -> None:
    rows = [(format_day(each.at), each.kind.value, each.title, each.commit[:10]) for each, _ in answer.found]
    if rows:
        out.table(("date", "what", "achievement", "commit"), rows, wide=2)
    if answer.dry_run:
        out.line(f"{plural(len(answer.found), 'achievement')} would be remembered", style="bold")
    else:
        out.line(
            f"{plural(answer.added, 'achievement')} remembered, from {plural(answer.commits, 'commit')}", style="bold"
        )
    if answer.known:
        out.line(f"{answer.known} remembered before", style="dim")
    if answer.left_out:
        out.remark(f"{answer.left_out} older ones are left; run it again, or raise --limit", style="dim")
    for id in answer.damaged[:_MOST_DAMAGED]:
        out.remark(
            f"the history ends at commit {id[:10]}, which is missing or damaged: git fsck says more", style="yellow"
        )
    if answer.shallow:
        out.remark("this clone is shallow, so older commits are missing: git fetch --unshallow", style="yellow")
