"""Show recurring failures (antigens) in a table, or one of them with the decision about it."""

from __future__ import annotations

from limpet.forms.terminal import Output
from limpet.forms.views import format_day
from limpet.model.antigen import AntigenDecision, AntigenStatus
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.curating.antigens import AntigensAnswer

_SHOWN = 12
_STYLES = {AntigenStatus.HOT: "red", AntigenStatus.OBSERVING: "yellow"}


def show_antigens(answer: AntigensAnswer, out: Output) -> None:
    if answer.chosen is not None:
        _show_one(answer, out)
        return
    if not answer.rows:
        seen = f"in {plural(answer.conversations, 'recorded conversation')}, no objection could be linked to a call"
        out.remark(seen if answer.conversations else "no conversation is recorded here yet")
        return
    rows = []
    for row in answer.rows:
        antigen = row.antigen
        replay = f"{len(row.accepted)} accepted" if row.accepted else f"{row.hit} of {antigen.conversations}"
        words = antigen.incidents[-1].quote if antigen.incidents else ""
        about, seen = antigen.pattern.describe(), str(antigen.conversations)
        rows.append((antigen.id[:_SHOWN], about, str(row.status), seen, replay, words))
    out.table(("id", "about", "status", "seen in", "replay", "last words"), rows, wide=5)
    waiting = [row for row in answer.rows if row.status is AntigenStatus.HOT and row.antigen.decision is None]
    if waiting:
        out.remark(f"to make it a rule: limpet antigens adopt {waiting[0].antigen.id[:_SHOWN]}")


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
    proof = f"{row.hit} of {antigen.conversations}, no accepted call"
    if row.accepted:
        proof = f"matches {plural(len(row.accepted), 'accepted call')}"
    out.line(f"replay over {plural(row.calls, 'call')}: {proof}")
    for call in row.accepted[:5]:
        out.line(f"  accepted: {call}", style="dim")
    if antigen.decision is AntigenDecision.ADOPTED:
        before, since = row.before, row.since
        objected = f"objected in {before[0]} of {plural(before[1], 'conversation')} before it was adopted"
        out.line(f"{objected}, in {since[0]} of {since[1]} since")
    for each in antigen.incidents:
        words = f"  “{each.quote}”" if each.quote else ""
        out.line(f"  {format_day(each.at)}  {each.call}{words}")
        out.line(f"              {each.transcript}:{each.line}", style="dim")
