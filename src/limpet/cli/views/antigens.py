"""Show recurring failures (antigens) in a table, or one of them with the decision about it."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.clock import to_local
from limpet.model.antigen import AntigenDecision, AntigenStatus
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.antigens import AntigenRow, AntigensAnswer

_SHOWN = 12
_STYLES = {AntigenStatus.HOT: "red", AntigenStatus.OBSERVING: "yellow"}


def show(answer: AntigensAnswer, out: Output) -> None:
    if answer.chosen is not None:
        _show_one(answer, out)
        return
    if not answer.rows:
        seen = plural(answer.conversations, "recorded conversation")
        out.remark(
            f"in {seen}, no objection could be linked to a call"
            if answer.conversations
            else "no conversation is recorded here yet"
        )
        return
    rows = [
        (
            row.antigen.id[:_SHOWN],
            row.antigen.pattern.describe(),
            str(row.status),
            str(row.antigen.conversations),
            _describe_replay(row),
            row.antigen.incidents[-1].quote if row.antigen.incidents else "",
        )
        for row in answer.rows
    ]
    out.table(("id", "about", "status", "seen in", "replay", "last words"), rows, wide=5)
    waiting = [row for row in answer.rows if row.status is AntigenStatus.HOT and row.antigen.decision is None]
    if waiting:
        out.remark(f"to make it a rule: limpet antigens adopt {waiting[0].antigen.id[:_SHOWN]}")


def _describe_replay(row: AntigenRow) -> str:
    """Return in few characters how many of the conversations, or how many accepted calls, the pattern matches."""
    return f"{len(row.accepted)} accepted" if row.accepted else f"{row.hit} of {row.antigen.conversations}"


def _describe_proof(row: AntigenRow) -> str:
    if row.accepted:
        return f"matches {plural(len(row.accepted), 'accepted call')}"
    return f"{row.hit} of {row.antigen.conversations}, no accepted call"


def _show_one(answer: AntigensAnswer, out: Output) -> None:
    row = answer.rows[0]
    antigen = row.antigen
    if answer.rule is not None:
        out.line(f"{answer.path}: {answer.outcome}")
        out.line(f'  "permissions": {{ "deny": ["{answer.rule}"] }}')
        return
    if answer.decided is AntigenDecision.ADOPTED:
        out.line(f"adopted {antigen.id}: the rule is {answer.memory}, told at the next start", style="green")
    elif answer.decided is AntigenDecision.REJECTED:
        out.line(f"rejected {antigen.id}: it is not proposed again", style="green")
        if answer.left_memory:
            out.remark(f"its rule is still told to sessions; to end that: limpet forget {answer.left_memory}")
    out.line(f"{antigen.id}  {antigen.pattern.describe()}", style="bold")
    seen = plural(antigen.conversations, "conversation")
    out.line(f"{row.status}; seen in {seen}", style=_STYLES.get(row.status, ""))
    out.line(f"replay over {plural(row.calls, 'call')}: {_describe_proof(row)}")
    for call in row.accepted[:5]:
        out.line(f"  accepted: {call}", style="dim")
    if antigen.decision is AntigenDecision.ADOPTED:
        before, since = row.before, row.since
        out.line(
            f"objected in {before[0]} of {plural(before[1], 'conversation')} before it was adopted, "
            f"in {since[0]} of {since[1]} since"
        )
    for each in antigen.incidents:
        words = f"  “{each.quote}”" if each.quote else ""
        out.line(f"  {to_local(each.at):%Y-%m-%d}  {each.call}{words}")
        out.line(f"              {each.transcript}:{each.line}", style="dim")
