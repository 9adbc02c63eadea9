"""Finish `setup` and `backfill`: ask the user about the best notes, then show what the next session will be given.

A note is a memory that waits for the user to keep it.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.curating.waiting import read_inbox
from limpet.errors import Refused
from limpet.forms.terminal import Output
from limpet.lean.record import replace
from limpet.learning.stages import preview_start
from limpet.model.query import Query
from limpet.model.scope import Project
from limpet.runtime import Runtime
from limpet.text.plural import plural
from limpet.wiring.plans import has_stored


def finish_first_day(
    runtime: Runtime, out: Output, *, can_ask: bool, hosts: Sequence[str] = (), has_status_line: bool = False
) -> None:
    """Offer curation by a language model, ask which of the best notes to keep, and print the next session's block.

    Questions are asked only if a person can answer them (`can_ask`). `hosts` are the agent clients just connected, and
    `has_status_line` tells whether one of them has a status line that is free. In a folder without memories, the notes
    come from all projects, and what is printed is for the project of the newest memory.
    """
    if hosts and can_ask:
        # Loaded here, because it is not needed when the output is piped.
        from limpet.cli.offer import offer_curation, offer_status_line

        offer_curation(runtime, hosts, out)
        if has_status_line:
            offer_status_line(runtime, out)
    if not has_stored(runtime.settings.home):
        return
    try:
        project = _find_project(runtime)
    except Refused:
        # The folder claims to be a project without proof: nothing may be shown here.
        return
    every = project != runtime.project
    inbox = read_inbox(runtime, every_project=every)
    total = inbox.notes.total
    if total and can_ask:
        from limpet.cli.review import review_notes

        out.line()
        out.line(f"The best of {plural(total, 'note')}. What you keep may be told when a session starts.")
        sitting = review_notes(runtime, inbox, out, every_project=every)
        total -= sum(len(each.changes) for each in sitting.decisions)
    _show_next_start(runtime, project, out)
    if total:
        out.line()
        out.line("At the next session, ask your agent: review the notes. It keeps few and drops what is over.")
    if total and not can_ask:
        out.remark(f"{plural(total, 'note')} wait{'s' * (total == 1)} for a decision: limpet inbox")


def _find_project(runtime: Runtime) -> Project | None:
    """Return the project of this folder if it has memories, otherwise the project of the newest memory."""
    here = Query(scope=runtime.scope(), now=runtime.now(), limit=1)
    if runtime.project is not None and runtime.reading().browse(here).total:
        return runtime.project
    everywhere = replace(here, scope=runtime.scope(every_project=True))
    newest = next(iter(runtime.reading().browse(everywhere).items), None)
    found = runtime.reading().project(newest.memory.project) if newest and newest.memory.project else None
    return found or runtime.project


def _show_next_start(runtime: Runtime, project: Project | None, out: Output) -> None:
    context = runtime.context()
    if project is not None and project != runtime.project:
        scope = replace(context.scope, project=project.id, joined=project.joined)
        context = replace(context, scope=scope, project=project.name, root=None)
    found = preview_start(context)
    if found is None or not found.text:
        return
    out.line()
    out.line(f"The next session{f' in {project.name}' if project else ''} is told:", style="bold")
    for row in found.text.splitlines():
        out.line(row)
