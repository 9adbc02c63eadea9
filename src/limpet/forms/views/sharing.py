"""Show what a sync of the shared files, or a sync between machines, has changed."""

from __future__ import annotations

from limpet.forms.terminal import Output
from limpet.forms.views import format_id, format_moment, show_headline
from limpet.sharing.machines import MachinesAnswer
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.share import ShareAnswer
    from limpet.operations.sync import SyncAnswer
    from limpet.operations.unshare import UnshareAnswer
    from limpet.sharing.state import FilesAnswer

_MOST = 20


def show_sync(answer: SyncAnswer, out: Output) -> None:
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
    done = "; ".join(
        f"{did} {plural(len(files), noun)}"
        for did, files, noun in (
            ("took in", answer.taken, "new file"),
            ("took in", answer.edited, "edit"),
            ("kept both sides of", answer.both, "edit"),
            ("forgot", answer.forgotten, "memory"),
            ("brought back", answer.restored, "memory"),
            ("wrote", answer.written, "file"),
            ("removed", answer.removed, "file"),
            ("archived", answer.archived, "file"),
        )
        if files
    )
    if done:
        out.line(done, style="green")
    elif answer.is_complete and not answer.proposed:
        out.remark("the files and the memories agree")
    for note in answer.notes:
        out.remark(note, style="yellow")
    for name, reason in list(answer.refused.items())[:_MOST]:
        out.remark(f"{name} was not read: {reason}", style="yellow")
    if len(answer.refused) > _MOST:
        out.remark(f"{plural(len(answer.refused) - _MOST, 'more file')} were not read: --json lists them")
    _show_withheld(answer.withheld, out)
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


def _show_withheld(withheld: dict[str, str], out: Output) -> None:
    for id, reason in list(withheld.items())[:_MOST]:
        out.remark(f"{id} stays here: {reason}", style="yellow")


def show_share(answer: ShareAnswer, out: Output) -> None:
    if answer.sync is not None:
        show_sync(answer.sync, out)
        out.remark(f"to share them, commit {answer.folder}")
        return
    for stored in answer.memories:
        show_headline(f"{format_id(stored, out)}  {stored.memory.label:<10}  ", stored.memory, out)
    _show_withheld(answer.withheld, out)
    out.remark(f"{plural(len(answer.memories), 'memory')} would be written to {answer.folder}")


def show_unshare(answer: UnshareAnswer, out: Output) -> None:
    count = plural(len(answer.files), "file")
    if not answer.is_done:
        out.remark(f"{count} would be removed from {answer.folder}; no memory is forgotten")
        return
    out.line(f"removed {count} from {answer.folder}; no memory was forgotten", style="green")
    for path in answer.left:
        out.remark(f"{path} was not written by Limpet, or could not be read, and stays", style="yellow")
