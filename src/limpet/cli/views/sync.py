"""Print what a sync of the shared files, or a sync between machines, has changed."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_moment
from limpet.operations.sharing.machines import MachinesAnswer
from limpet.operations.sharing.state import FilesAnswer
from limpet.operations.sync import SyncAnswer
from limpet.text.plural import plural

_MOST = 20


def show(answer: SyncAnswer, out: Output) -> None:
    if isinstance(answer, MachinesAnswer):
        _show_machines(answer, out)
    else:
        _show_files(answer, out)


def _show_machines(answer: MachinesAnswer, out: Output) -> None:
    moved = answer.moved
    taken = sum(moved.taken.values())
    if taken or moved.sent:
        out.line(
            f"took {plural(taken, 'change')}, left {plural(moved.sent, 'change')} in {answer.folder}", style="green"
        )
    elif not answer.status_only:
        out.remark("nothing is new on either side")
    if moved.withheld:
        out.remark(f"{plural(moved.withheld, 'change')} of private memories stay here; --private lets them leave")
    rows = [
        (
            each.device,
            each.label + (" (this one)" if each.device == answer.device else ""),
            format_moment(each.at) if each.at else "",
            f"{each.count():,}",
            f"{answer.behind[each.device]:,}" if answer.behind.get(each.device) else "",
        )
        for each in answer.machines
    ]
    if rows:
        out.table(("device", "machine", "last sync", "changes", "lacks"), rows, wide=1)
    for name in moved.waiting:
        out.remark(f"{name} is not whole yet; the rest of it is taken by the next sync", style="yellow")
    for name, reason in moved.refused.items():
        out.remark(f"{name} was not taken: {reason}", style="yellow")


def _show_files(answer: FilesAnswer, out: Output) -> None:
    done = [
        *((f"took in {plural(len(answer.taken), 'new file')}",) if answer.taken else ()),
        *((f"took in {plural(len(answer.edited), 'edit')}",) if answer.edited else ()),
        *((f"kept both sides of {plural(len(answer.both), 'edit')}",) if answer.both else ()),
        *((f"forgot {plural(len(answer.forgotten), 'memory')}",) if answer.forgotten else ()),
        *((f"brought back {plural(len(answer.restored), 'memory')}",) if answer.restored else ()),
        *((f"wrote {plural(len(answer.written), 'file')}",) if answer.written else ()),
        *((f"removed {plural(len(answer.removed), 'file')}",) if answer.removed else ()),
        *((f"archived {plural(len(answer.archived), 'file')}",) if answer.archived else ()),
    ]
    if done:
        out.line("; ".join(done), style="green")
    elif answer.is_complete and not answer.proposed:
        out.remark("the files and the memories agree")
    for note in answer.notes:
        out.remark(note, style="yellow")
    for name, reason in list(answer.refused.items())[:_MOST]:
        out.remark(f"{name} was not read: {reason}", style="yellow")
    if len(answer.refused) > _MOST:
        out.remark(f"{plural(len(answer.refused) - _MOST, 'more file')} were not read: --json lists them")
    show_withheld(answer.withheld, out)
    if answer.proposed:
        count = len(answer.proposed)
        named = "1 memory" if count == 1 else f"{count:,} memories"
        out.remark(
            f"the files change or delete {named} that you have confirmed; "
            "nothing of that counts until you agree: limpet confirm --project",
            style="yellow",
        )
    if answer.waiting:
        named = "1 memory from a file is" if answer.waiting == 1 else f"{answer.waiting:,} memories from files are"
        out.remark(f"{named} told only when asked for until you approve: limpet confirm --project")


def show_withheld(withheld: dict[str, str], out: Output) -> None:
    """Print which memories are not written to files, and why."""
    for id, reason in list(withheld.items())[:_MOST]:
        out.remark(f"{id} stays here: {reason}", style="yellow")
