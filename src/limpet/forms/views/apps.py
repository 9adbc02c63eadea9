"""Show apps, their conversations and their memories."""

from __future__ import annotations

from limpet.forms.terminal import Output
from limpet.forms.views import format_day
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.apps.answer import AppsAnswer
    from limpet.apps.creation import SettlementReport


def show_apps(answer: AppsAnswer, out: Output) -> None:
    match answer.action:
        case "list":
            apps = [
                (app.id, app.name, str(counts.memories), "" if app.is_installed else "uninstalled")
                for app, counts in answer.apps
            ]
            _show_table(("app", "name", "memories", ""), apps, "no app is registered; limpet apps register APP", out)
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
            found = [each.memory for each in answer.memories]
            memories = [(each.id, format_day(each.created_at), each.content) for each in found]
            _show_table(("id", "created", "memory"), memories, "nothing is remembered yet", out)
            if answer.hidden:
                out.remark(f"left out {plural(answer.hidden, 'private memory')}; --private includes them")
        case "conversations":
            conversations = [
                (
                    each.id,
                    format_day(each.started_at),
                    str(each.messages),
                    "open" if each.ended_at is None else "waiting" if not each.settled else each.memory or each.reason,
                )
                for each in answer.conversations
            ]
            _show_table(("id", "started", "messages", "memory"), conversations, "no conversations", out)
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
            _show_removed(answer, answer.app.id, out)
        case _:
            _show_settled(answer.settled, out)


def _show_table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]], empty: str, out: Output) -> None:
    if rows:
        out.table(headings, rows)
    else:
        out.remark(empty)


def _show_files(answer: AppsAnswer, out: Output) -> None:
    for version in answer.versions:
        erased = f"erased {format_day(version.redacted_at)}" if version.redacted_at else ""
        state = erased or f"{version.path} {version.operation}"
        out.line(f"version {version.number}, {format_day(version.at)}, {state}", style="bold")
        if version.text is not None:
            out.line(version.text)
    if answer.versions:
        return
    rows = []
    for each in answer.files:
        deleted = "deleted" if each.is_deleted else ""
        rows.append((each.id, format_day(each.updated_at), str(each.bytes), str(each.version), deleted, each.path))
    _show_table(("id", "changed", "bytes", "version", "", "path"), rows, "no files", out)


def _show_removed(answer: AppsAnswer, app: str, out: Output) -> None:
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
