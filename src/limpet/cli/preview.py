"""Show what a command is about to do, and ask for consent before it changes files or erases memories."""

from __future__ import annotations

import sys
from typing import Any

from limpet.errors import Refused
from limpet.forms.terminal import Output
from limpet.forms.views import format_id, load_view, show_headline
from limpet.forms.views.setup import show_changes, show_offers
from limpet.model.antigen import HOT
from limpet.operations.catalogue import Verb
from limpet.runtime import Runtime
from limpet.text.excerpt import clip, quote
from limpet.text.plural import plural


def show_new_code(name: str, runtime: Runtime, out: Output) -> None:
    """Print a code that allows one run of a command without a terminal."""
    from limpet.runtime.codes import CODE_MINUTES, show_code
    from limpet.runtime.permissions import require_person

    require_person(runtime, name, code=None, doing="be shown a code")
    code = show_code(runtime.settings.home, name, now_ms=runtime.now_ms())
    out.line(
        f"{code}  allows one `limpet {name} … --code {code}` within {CODE_MINUTES} minutes, also without a terminal"
    )


def ask_first(name: str, chosen: Verb, runtime: Runtime, values: dict[str, Any], out: Output) -> int | None:
    """Show what a verb will do and ask for consent; return the exit status if it must not be run, else None.

    Only a person at a terminal is asked. The verb itself refuses other callers, or accepts a code from them. Raise
    Refused if the user declines.
    """
    match name:
        case "friction":
            _announce_friction(runtime, values, out)
            return None
        case "setup" | "uninstall":
            _preview_changes(chosen, runtime, values, out)
            return None
        case "distil":
            return None if confirm_distil(chosen, runtime, values, out) else 0
    agreed = bool(values.get("yes") or values.get("dry_run") or not runtime.caller.proof)
    if not agreed:
        match name:
            case "purge":
                agreed = _confirm_purge(chosen, runtime, values, out)
            case "share" | "unshare":
                load_view(name)(chosen.run(runtime, **{**values, "dry_run": True}), out)
                agreed = _ask("Write these files?" if name == "share" else "Remove these files?")
            case "confirm" if values.get("source"):
                agreed = _confirm_source(runtime, values, out)
            case "confirm":
                agreed = not values.get("project") or _confirm_files(runtime, out)
            case "sign":
                agreed = not values.get("new_key") or _ask("Make a new key, and sign with it from now on?")
            case "apps":
                agreed = _confirm_erasure(chosen, runtime, values)
            case "antigens":
                agreed = _confirm_antigen(chosen, runtime, values, out)
    if not agreed:
        raise Refused("nothing was changed")
    return None


def _preview_changes(chosen: Verb, runtime: Runtime, values: dict[str, Any], out: Output) -> None:
    """List the changes that `setup` or `uninstall` will make. A dry run is skipped, because it lists them itself."""
    if not values.get("dry_run"):
        answer = chosen.run(runtime, **{**values, "dry_run": True})
        show_changes(answer, out)
        if not out.is_terminal:
            # On a terminal, the user is asked afterwards.
            show_offers(answer, out)


def _announce_friction(runtime: Runtime, values: dict[str, Any], out: Output) -> None:
    """Print which files `friction` is about to write, and where."""
    from limpet.insight.folder import FRICTION_FOLDER
    from limpet.insight.friction.files import FILES, REPORTS
    from limpet.insight.friction.page import PAGE
    from limpet.runtime.project_folder import locate_folder

    folder = locate_folder(runtime, FRICTION_FOLDER, every_project=bool(values.get("all_projects")))
    names = (*FILES, PAGE) if values.get("html") else FILES
    out.remark(f"reads the recorded sessions, then writes to {folder}: {', '.join(names)} and a copy in {REPORTS}")


def confirm_distil(chosen: Verb, runtime: Runtime, values: dict[str, Any], out: Output) -> bool:
    """Show the changes that `distil` would make and ask for consent; return False if the command is not to be run.

    Only a person at a terminal is asked. Other callers see the changes, or write them with `--yes`. If no line would
    change, the sources are marked as read without a question.
    """
    if not runtime.caller.proof or any(values.get(name) for name in ("yes", "check", "gather")):
        return True
    from limpet.forms.views.sessions import show_distil  # only this verb needs it

    preview = chosen.run(runtime, **values)
    # The second run computes the changes again: if they are not those that were shown, it writes nothing.
    values["shown"] = preview.diff
    if preview.marks_sources and not preview.has_changes:
        values["yes"] = True
        return True
    show_distil(preview, out, is_question=True)
    if not preview.has_changes:
        return False
    values["yes"] = _ask(f"Write {', '.join(preview.files)}?")
    if not values["yes"]:
        out.remark("nothing was written")
    return bool(values["yes"])


def _ask(question: str) -> bool:
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _confirm_source(runtime: Runtime, values: dict[str, Any], out: Output) -> bool:
    """Show the memories from a source that wait, and ask whether to confirm all; return False if the user declines."""
    from limpet.care.confirmation import find_waiting, read_claimed

    waiting = find_waiting(runtime, values["source"], every_project=bool(values.get("all_projects")))
    for stored in waiting:
        claimed = read_claimed(runtime, stored.memory)
        show_headline(f"{format_id(stored, out)}  {claimed.label:<10}  {claimed.region:<7}  ", stored.memory, out)
    return not waiting or _ask(f"Vouch for {plural(len(waiting), 'memory')} from {values['source']}?")


def _confirm_files(runtime: Runtime, out: Output) -> bool:
    """Show the memories from shared files and ask whether to vouch for them; return False if the user declines."""
    from limpet.sharing.choice import find_proposed, find_unconfirmed
    from limpet.sharing.folder import find_shared_folder, sync_folder

    if runtime.claimed_project:
        return _confirm_documents(runtime, out)
    folder = find_shared_folder(runtime)
    if folder is None or not folder.exists():
        return True
    notes = sync_folder(runtime, folder, is_writing=False).notes
    for note in notes:
        out.remark(note, style="yellow")
    waiting, proposed = find_unconfirmed(runtime), find_proposed(runtime, folder)
    for stored in waiting:
        stored = runtime.signer.judge(stored)
        show_headline(f"{format_id(stored, out)}  {stored.memory.label:<10}  ", stored.memory, out)
    for stored, text in proposed:
        show_headline(f"{'replace' if text else 'forget'} {format_id(stored, out)}  ", stored.memory, out)
        if text:
            out.line(f"  by: {clip(' '.join(text.split()), 200)}")
    if proposed:
        out.remark("to keep one of these as it is: limpet confirm and its id")
    questions = [f"vouch for {plural(len(waiting), 'memory')} from the files of this repository"] if waiting else []
    if proposed:
        questions.append(f"let the files change {plural(len(proposed), 'memory')} of yours")
    question = " and ".join(questions)
    return not question or _ask(f"{question[0].upper()}{question[1:]}?")


def _confirm_documents(runtime: Runtime, out: Output) -> bool:
    """Show the shared files of a folder that the user has not accepted yet, and ask whether to accept the folder.

    Accepting the folder also vouches for its files. Return False if the user declines.
    """
    from limpet.sharing.choice import read_documents

    documents = read_documents(runtime.place.root)
    for name, document in documents:
        out.line(f"{name}  {clip(' '.join((document.title or document.text).split()), 100)}")
    return not documents or _ask(f"Accept this folder, and vouch for {plural(len(documents), 'file')} in it?")


def _confirm_purge(chosen: Verb, runtime: Runtime, values: dict[str, Any], out: Output) -> bool:
    """Show the memories that would be erased and ask; return False if the user declines."""
    preview = chosen.run(runtime, **{**values, "dry_run": True})
    if not (preview.ids or preview.facts):
        return True
    load_view("purge")(preview, out)
    named = plural(len(preview.ids), "memory") if preview.ids else plural(len(preview.facts), "fact")
    values["yes"] = _ask(f"Erase {named} for good, from every file?")
    return bool(values["yes"])


def _confirm_erasure(chosen: Verb, runtime: Runtime, values: dict[str, Any]) -> bool:
    """Ask before `apps` erases something; return False if the user declines."""
    action = values.get("action")
    if action not in ("purge", "redact") and not (action == "uninstall" and values.get("purge")):
        return True
    from limpet.curating.app_actions import NeedsConsent

    try:
        chosen.run(runtime, **values)
    except NeedsConsent as found:
        values["yes"] = _ask(f"Erase {found.what} for good?")
    return bool(values.get("yes"))


def _confirm_antigen(chosen: Verb, runtime: Runtime, values: dict[str, Any], out: Output) -> bool:
    """Show an antigen or its permission rule and ask; return False if the user declines.

    Nothing is asked about what the command refuses or what changes nothing.
    """
    action = values.get("action", "list")
    if action in ("list", "show"):
        return True
    asked = {"dry_run": True} if action in ("write", "unwrite") else {"action": "show", "rule": None}
    preview = chosen.run(runtime, **{**values, **asked})
    (row,) = preview.rows
    if preview.rule is not None and not preview.outcome.startswith("would"):
        return True
    if action == "adopt" and not (row.is_proven and row.antigen.conversations >= HOT):
        return True
    load_view("antigens")(preview, out)
    rule = values.get("rule") or row.antigen.describe_rule()
    questions = {
        "adopt": f"Make this a rule: {quote(rule)}?",
        "reject": "Reject it, so that it is not proposed again?",
        "write": "Add this rule?",
        "unwrite": "Remove this rule?",
    }
    return _ask(questions[action])
