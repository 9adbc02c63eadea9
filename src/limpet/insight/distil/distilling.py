"""Distil the past sessions of a project: plan the lines, check that they hide no answer, and write them.

Lines are extracted from the sources by rules, by the language model that the settings name, or by the agent that runs
in the host: it asks for the sources (`gather`) and returns its lines (the reply of `distil`). Lines from a model are
checked against the sources. Every line also becomes a memory. Nothing is written if these memories would hide the
answer to a question that was asked before.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from limpet.doors.context import Context
from limpet.errors import Refused
from limpet.hosts.sessions import RecordedSession
from limpet.insight.authorship import find_repeated, record_file
from limpet.insight.distil.admission import LineAdmission
from limpet.insight.distil.asking import ModelReply, ask_configured_model, forget_reply
from limpet.insight.distil.block import choose_own_lines, count_loaded, describe_foreign, describe_size, plan_blocks
from limpet.insight.distil.commands import find_proven, find_quoted_commands
from limpet.insight.distil.document import MemoryDocument
from limpet.insight.distil.files import RULE, Edit, Manifest, ignores_manifest, read_project_file, show_diff, write_edit
from limpet.insight.distil.gathering import GatheredText, list_texts
from limpet.insight.distil.plan import (
    DistilPlan,
    choose_of_project,
    make_plan,
    read_targets,
)
from limpet.insight.distil.proposals import read_proposals
from limpet.insight.distil.sources import Sources, read_sources
from limpet.insight.folder import BOOKKEEPING, MANIFEST, MANIFEST_RULE, MEMORY
from limpet.lean.record import field, record
from limpet.model.change import Change
from limpet.model.query import Stored, query_everything
from limpet.model.taint import Taint
from limpet.recall.gate import RecallGate
from limpet.store.protocol import Reading

_MOST_GATHERED = 5
"""The maximum number of stashes that one answer of `gather` contains."""
_MOST_OBJECTIONS = 20
_NOT_IGNORED = f"{MANIFEST_RULE} does not ignore .processed, which names sessions; add that line to it"


@record
class DistilAnswer:
    """The changes that distilling makes to files. They were written if `done` is true."""

    diff: str = ""
    files: tuple[str, ...] = ()
    """The paths of the files that change, relative to the project."""
    done: bool = False
    checked: bool = False
    bookkeeping: tuple[str, ...] = ()
    """The other files that change: the list of the sources that were read, and the .gitignore file for that list."""
    marks_sources: bool = False
    """Whether sources are marked as read. If that is the only change, it is written without asking the user."""
    stashes: int = 0
    facts: int = 0
    removed: int = 0
    episodes: int = 0
    preferences: int = 0
    tokens: dict[str, int] = field(default_factory=dict)
    """The number of tokens that a host loads at each start, by file. Of an instruction file, only the block counts."""
    notes: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    gathered: tuple[GatheredText, ...] = ()
    waiting: int = 0
    """How many stashes are left for the next call of `gather`."""
    model: str = ""
    """The language model that extracted the lines; an empty string if rules or the caller extracted them."""

    @property
    def has_changes(self) -> bool:
        return bool(self.files)


def distil(
    context: Context,
    root: str,
    targets: Sequence[str],
    *,
    is_checking: bool,
    is_writing: bool,
    by_rules: bool,
    reply: str | None,
    shown: str | None,
    find_taint: Callable[[], Taint],
    find_sessions: Callable[[], Sequence[RecordedSession]],
) -> DistilAnswer:
    """Return the changes that distilling makes to files of the project, and write them if `is_writing`.

    `reply` contains the lines that an agent has extracted. If there is none, a model is asked, unless `by_rules`.
    `shown` is the diff that the user has agreed to: if the changes are different, raise Refused.
    """
    # Reads every file that may be written, and raises an error if Limpet must not change one of them.
    before = read_targets(root, [MEMORY, MANIFEST, MANIFEST_RULE, *targets])
    sources = read_sources(root, context.home)
    everything = _load_memories(context)
    stored = choose_of_project(everything)
    # If MEMORY.md was deleted, all sources are read again.
    manifest_data = before[MANIFEST] if before[MEMORY] is not None else None
    manifest = Manifest.parse(manifest_data)
    if find_repeated(context.home, manifest_data or b"") is None:
        # Limpet has not written it on this machine, so its observations do not count.
        manifest.evidence = {}
    asked = _ask_model(context, sources, manifest) if reply is None and not by_rules else None
    if asked is not None:
        reply = asked.lines
    is_proven = _prove_commands(sources, reply, find_sessions)
    proposals = None
    if reply is not None:
        # A quote may come from the source itself, or from the form in which the source was shown to a model.
        texts = {each.id: f"{each.text}\n\n{each.show()}" for each in _list_texts(context, sources, stored)}
        proposals = read_proposals(reply, texts, is_proven=is_proven)
    reading = context.reading()
    door = LineAdmission(
        # The lines were written in earlier turns, so what is read in this one is no reason to doubt them.
        context.admission(reading=reading, taint=lambda: find_taint().start_turn()),
        reading,
        everything,
    )
    try:
        document = MemoryDocument.parse((before[MEMORY] or b"").decode("utf-8"))
    except UnicodeDecodeError:
        raise Refused(f"{MEMORY} is not UTF-8; save it as UTF-8 first, nothing was written") from None
    plan = make_plan(
        document,
        manifest,
        sources,
        stored,
        proposals=proposals,
        is_proven=is_proven,
        admit=door.check,
        judge=context.judge,
        now=context.now(),
    )
    plan.manifest.memories.update(door.admit_lines(plan))
    _check_gate(context, door.changes, reading)
    own = choose_own_lines(plan, everything)
    edits = _plan_edits(root, plan, own, targets, before)
    changed = [edit for edit in edits if edit.is_change]
    visible = [edit for edit in changed if edit.name not in BOOKKEEPING]
    diff = show_diff(visible)
    if shown is not None and diff != shown:
        raise Refused(
            "the changes are no longer those that were shown, so nothing was written; run `limpet distil` again"
        )
    if is_writing:
        context.write(door.changes)
        for edit in changed:
            write_edit(edit)
            if edit.name == MANIFEST:
                record_file(context.home, edit.after)
        forget_reply(context.home)
    tokens = count_loaded(edits)
    refused = proposals.refused if proposals else {}
    rule = before[MANIFEST_RULE]
    return DistilAnswer(
        diff=diff,
        files=tuple(edit.name.replace(os.sep, "/") for edit in visible),
        done=is_writing,
        checked=is_checking,
        bookkeeping=tuple(edit.name.replace(os.sep, "/") for edit in changed if edit.name in BOOKKEEPING),
        marks_sources=any(edit.name == MANIFEST for edit in changed),
        stashes=plan.stashes,
        facts=len(plan.facts.added),
        removed=len(plan.facts.removed) + len(plan.forgotten),
        episodes=len(plan.episodes),
        preferences=len(plan.preferences),
        tokens=tokens,
        notes=(
            *plan.notes,
            *(f"{count} proposal{'s were' if count > 1 else ' was'} refused: {why}" for why, count in refused.items()),
            *(asked.describe_unread() if asked else ()),
            *describe_foreign(plan.document, own),
            *describe_size(tokens),
            *([] if rule is None or ignores_manifest(rule) else [_NOT_IGNORED]),
        ),
        failed=tuple(sources.failed),
        model=asked.model if asked else "",
    )


def _check_gate(context: Context, changes: Sequence[Change], reading: Reading) -> None:
    """Raise Refused if a question that was asked before would no longer find its answer after these changes."""
    gate = RecallGate(
        context.home,
        settings=context.settings.recall,
        judge=context.judge,
        rehearse=context.store.rehearse,
        now=context.now(),
    )
    lost = gate.find_loss(changes, before=reading) if changes else None
    if lost is not None:
        raise Refused(
            f"with these lines the question {lost.text!r} would no longer find its answer, {lost.answers[0]}; nothing "
            f"was written. Distil fewer stashes at once, or correct the answer: limpet correct {lost.answers[0]}"
        )


def _load_memories(context: Context) -> list[Stored]:
    found = context.reading().browse(query_everything(context.scope, now=context.now())).items
    return [each for each in found if each.memory.app is None]


def _plan_edits(
    root: str, plan: DistilPlan, own: MemoryDocument, targets: Sequence[str], before: dict[str, bytes | None]
) -> list[Edit]:
    """Return the files of a plan with their new content, in the order in which they have to be written.

    The manifest (the list of the sources that were read) follows MEMORY.md: if writing is interrupted between them, the
    sources are read again.
    """
    blocks = plan_blocks(root, plan.document, own, targets, before)
    manifest = Edit(root=root, name=MANIFEST, before=before[MANIFEST], after=plan.manifest.render())
    # An existing .gitignore belongs to the project and is not changed.
    rule = Edit(root=root, name=MANIFEST_RULE, before=before[MANIFEST_RULE], after=before[MANIFEST_RULE] or RULE)
    if not blocks and before[MEMORY] is None:
        return [rule, manifest] if plan.stashes else []
    text = plan.document.render().encode("utf-8", "replace")
    return [Edit(root=root, name=MEMORY, before=before[MEMORY], after=text), rule, manifest, *blocks]


def _ask_model(context: Context, sources: Sources, manifest: Manifest) -> ModelReply | None:
    """Return the lines that the configured model extracts from the unread stashes and the new objections.

    Return None if there are no unread stashes or no model is configured. Objections that an earlier run has counted are
    left out, because the model might word them differently each time.
    """
    fresh = [stash for stash in sources.stashes if not manifest.has_stash(stash.name, stash.digest)]
    if not fresh:
        return None
    counted = {name for sides in manifest.evidence.values() for side in sides for name in side}
    objections = [each for each in sources.objections if each.conversation not in counted][-_MOST_OBJECTIONS:]
    texts = _list_texts(context, Sources(stashes=fresh, objections=objections), ())
    return ask_configured_model(context, texts)


def gather_sources(context: Context, root: str) -> DistilAnswer:
    """Return the sources for a model: the first few unread stashes, the objections, and the kept memories."""
    manifest = Manifest.parse(
        read_project_file(root, MANIFEST) if os.path.lexists(os.path.join(root, MEMORY)) else None
    )
    sources = read_sources(root, context.home)
    fresh = [stash for stash in sources.stashes if not manifest.has_stash(stash.name, stash.digest)]
    sources.stashes = fresh[:_MOST_GATHERED]
    stored = [each for each in choose_of_project(_load_memories(context)) if each.memory.id not in manifest.memories]
    return DistilAnswer(
        gathered=tuple(_list_texts(context, sources, stored)),
        waiting=len(fresh) - len(sources.stashes),
        failed=tuple(sources.failed),
    )


def _list_texts(context: Context, sources: Sources, stored: Sequence[Stored]) -> list[GatheredText]:
    return list_texts(sources, stored, judge=context.judge, now=context.now())


def _prove_commands(
    sources: Sources, reply: str | None, find_sessions: Callable[[], Sequence[RecordedSession]]
) -> Callable[[str], bool]:
    """Return a function that tells whether every command quoted in a line has succeeded in a session of the project."""
    # The recordings are read only if a text quotes a command, because reading them takes long.
    texts = [*(stash.text for stash in sources.stashes), *(each.text for each in sources.objections), reply or ""]
    wanted = {command for text in texts for command in find_quoted_commands(text)}
    proven = find_proven(wanted, find_sessions()) if wanted else frozenset[str]()

    def is_proven(line: str) -> bool:
        return proven.issuperset(find_quoted_commands(line))

    return is_proven
