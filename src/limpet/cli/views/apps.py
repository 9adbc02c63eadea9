"""Show apps, their conversations and their memories."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_day
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.apps.creation import SettlementReport
    from limpet.operations.apps_answer import AppsAnswer


def show(answer: AppsAnswer, out: Output) -> None:
    match answer.action:
        case "list":
            _show_apps(answer, out)
        case "register" if answer.app is not None:
            out.line(f"registered {answer.app.id}")
        case "converse" if answer.said is not None:
            out.line(answer.said.conversation)
            if answer.said.redacted:
                out.remark(f"redacted: {', '.join(dict.fromkeys(answer.said.redacted))}", style="yellow")
        case "context" if answer.block is not None:
            if answer.block.text:
                out.line(answer.block.text)
            else:
                out.remark("nothing is remembered yet")
        case "memories":
            _show_memories(answer, out)
        case "conversations":
            _show_conversations(answer, out)
        case "energy" if answer.energy is not None:
            energy = answer.energy
            out.line(f"{energy.since_poll} units since the last poll, {energy.today} today, {energy.left:.0%} left")
        case "memory" if answer.result is not None:
            out.line(answer.result.content)
        case "files":
            _show_files(answer, out)
        case "restore":
            out.line(f"restored {answer.restored}")
        case "uninstall" | "purge" if answer.app is not None:
            _show_removed(answer, out)
        case _:
            _show_settled(answer.settled, out)


def _show_apps(answer: AppsAnswer, out: Output) -> None:
    if not answer.apps:
        out.remark("no app is registered; limpet apps register APP")
        return
    rows = [
        (app.id, app.name, str(counts.memories), "" if app.is_installed else "uninstalled")
        for app, counts in answer.apps
    ]
    out.table(("app", "name", "memories", ""), rows)


def _show_memories(answer: AppsAnswer, out: Output) -> None:
    if answer.memories:
        rows = [(each.memory.id, format_day(each.memory.created_at), each.memory.content) for each in answer.memories]
        out.table(("id", "created", "memory"), rows, wide=2)
    else:
        out.remark("nothing is remembered yet")
    if answer.hidden:
        out.remark(f"left out {plural(answer.hidden, 'private memory')}; --private includes them")


def _show_conversations(answer: AppsAnswer, out: Output) -> None:
    if not answer.conversations:
        out.remark("no conversations")
        return
    rows = [
        (
            each.id,
            format_day(each.started_at),
            str(each.messages),
            "open" if each.ended_at is None else "waiting" if not each.settled else each.memory or each.reason,
        )
        for each in answer.conversations
    ]
    out.table(("id", "started", "messages", "memory"), rows, wide=3)


def _show_files(answer: AppsAnswer, out: Output) -> None:
    for each in answer.versions:
        state = f"erased {format_day(each.redacted_at)}" if each.redacted_at else f"{each.path} {each.operation}"
        out.line(f"version {each.number}, {format_day(each.at)}, {state}", style="bold")
        if each.text is not None:
            out.line(each.text)
    if answer.versions:
        return
    if not answer.files:
        out.remark("no files")
        return
    rows = [
        (
            each.id,
            format_day(each.updated_at),
            str(each.bytes),
            str(each.version),
            "deleted" if each.is_deleted else "",
            each.path,
        )
        for each in answer.files
    ]
    out.table(("id", "changed", "bytes", "version", "", "path"), rows, wide=5)


def _show_removed(answer: AppsAnswer, out: Output) -> None:
    app = answer.app.id if answer.app else ""
    if answer.action == "uninstall":
        out.line(f"uninstalled {app}")
    if answer.purged or answer.purged_conversations or answer.purged_files:
        memories = plural(len(answer.purged), "memory")
        files = f" and {plural(answer.purged_files, 'file')}" if answer.purged_files else ""
        out.line(f"purged {memories} and {plural(answer.purged_conversations, 'conversation')}{files}")
    elif answer.action == "uninstall":
        out.remark(f"its memories are kept; limpet apps purge {app} --yes erases them")
    else:
        out.remark("there was nothing to purge")


def _show_settled(settled: SettlementReport | None, out: Output) -> None:
    if settled is None:
        out.line("ended; upkeep makes its memory")
        return
    for memory in settled.created:
        out.line(f"remembered {memory.id}: {memory.content}")
    for conversation, reason in settled.reasons.items():
        out.remark(f"{conversation}: {reason}")
    if settled.waiting:
        out.remark(f"{plural(settled.waiting, 'conversation')} left for later: too little energy, or a read-only store")
    if settled.is_busy:
        out.remark("another process is making memories")
    if not (settled.created or settled.reasons or settled.waiting or settled.is_busy):
        out.remark("nothing to do")
