"""Distil past sessions: write facts, episodes and preferences to MEMORY.md and to a block of CLAUDE.md.

The sources are stashes (files about a session), the user's objections in friction reports, and kept memories. Lines are
extracted from them by rules, by the language model that the settings name, or by the agent that runs in the host: it
asks for the sources (`gather`) and returns its lines (`proposals`). Lines from a model are checked against the sources.
Every line also becomes a memory. Nothing is written if these memories would hide the answer to a question that was
asked before.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from limpet import clock, system
from limpet.errors import Refused, UsageError
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
    find_targets,
    make_plan,
    read_targets,
)
from limpet.insight.distil.proposals import Proposals, read_proposals
from limpet.insight.distil.sources import Sources, read_sources
from limpet.insight.folder import BOOKKEEPING, MANIFEST, MANIFEST_RULE, MEMORY
from limpet.lean.record import field, pick, record, replace
from limpet.model.change import Change
from limpet.model.query import Stored, query_everything
from limpet.operations.catalogue import Param, Verb, label
from limpet.operations.parameters import YES
from limpet.recall.gate import RecallGate
from limpet.runtime import Runtime
from limpet.runtime.project_folder import find_root
from limpet.runtime.recordings import find_own_sessions
from limpet.store.protocol import Reading

MOST_GATHERED = 5
"""The maximum number of stashes that one answer of `gather` contains."""
_MOST_OBJECTIONS = 20
_LOCK_MS = 2000


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


def run(
    runtime: Runtime,
    *,
    check: bool = False,
    yes: bool = False,
    agents: bool = False,
    gemini: bool = False,
    gather: bool = False,
    rules: bool = False,
    proposals: str | None = None,
    shown: str | None = None,
) -> DistilAnswer:
    """Return the changes that distilling makes, and write them if `yes`.

    `shown` is the diff that the user has agreed to: if the changes are different, raise Refused. If `check` is set, no
    model is asked, so that a comparison costs nothing.
    """
    if check and yes:
        raise UsageError("--check only compares and --yes writes; give only one of them")
    # Raises an error if this folder claims to be a known project without proof.
    runtime.scope()
    root = find_root(runtime)
    if root is None or runtime.project is None:
        raise Refused("there is no project here to distil; go to the folder of a project")
    if gather:
        return _gather(runtime, root)
    lock = os.path.join(runtime.settings.home, "locks", "distil")
    with system.lock(lock, clock.attempts(_LOCK_MS), doing="distil") as is_held:
        if not is_held:
            raise Refused("another distil is running; wait until it has ended, nothing was written")
        targets = find_targets(root, agents=agents, gemini=gemini)
        by_rules = rules or check
        return _distil(runtime, root, targets, check=check, yes=yes, by_rules=by_rules, reply=proposals, shown=shown)


def _distil(
    runtime: Runtime,
    root: str,
    targets: Sequence[str],
    *,
    check: bool,
    yes: bool,
    by_rules: bool,
    reply: str | None,
    shown: str | None,
) -> DistilAnswer:
    # Reads every file that may be written, and raises an error if Limpet must not change one of them.
    before = read_targets(root, [MEMORY, MANIFEST, MANIFEST_RULE, *targets])
    memory = before[MEMORY]
    sources = read_sources(root, runtime.settings.home)
    everything = _load_memories(runtime)
    stored = choose_of_project(everything)
    # If MEMORY.md was deleted, all sources are read again.
    manifest_data = before[MANIFEST] if memory is not None else None
    manifest = Manifest.parse(manifest_data)
    if find_repeated(runtime.settings.home, manifest_data or b"") is None:
        # Limpet has not written it on this machine, so its observations do not count.
        manifest.evidence = {}
    asked = _ask_model(runtime, sources, manifest) if reply is None and not by_rules else None
    if asked is not None:
        reply = asked.lines
    is_proven = _prove_commands(runtime, sources, reply)
    proposals = _read_proposals(runtime, reply, sources, stored, is_proven) if reply is not None else None
    reading = runtime.reading()
    door = LineAdmission(
        # The lines were written in earlier turns, so what is read in this one is no reason to doubt them.
        runtime.admission(reading=reading, taint=lambda: runtime.find_taint().start_turn()),
        reading,
        everything,
    )
    plan = make_plan(
        MemoryDocument.parse(_decode(memory)),
        manifest,
        sources,
        stored,
        proposals=proposals,
        is_proven=is_proven,
        admit=door.check,
        judge=runtime.signer.judge,
        now=runtime.now(),
    )
    plan.manifest.memories.update(door.admit_lines(plan))
    _check_gate(runtime, door.changes, reading)
    own = choose_own_lines(plan, everything)
    edits = _plan_edits(root, plan, own, targets, before)
    counts = proposals.refused if proposals else {}
    refused = [f"{count} proposal{'s were' if count > 1 else ' was'} refused: {why}" for why, count in counts.items()]
    refused += asked.describe_unread() if asked else ()
    answer = _describe_plan(plan, edits, notes=[*refused, *describe_foreign(plan.document, own)])
    if shown is not None and answer.diff != shown:
        raise Refused(
            "the changes are no longer those that were shown, so nothing was written; run `limpet distil` again"
        )
    if yes:
        runtime.write(door.changes)
        for edit in edits:
            if edit.is_change:
                write_edit(edit)
                if edit.name == MANIFEST:
                    record_file(runtime.settings.home, edit.after)
        forget_reply(runtime.settings.home)
    rule = before[MANIFEST_RULE]
    is_ignored = rule is None or ignores_manifest(rule)
    return replace(
        answer,
        done=yes,
        checked=check,
        notes=(*answer.notes, *([] if is_ignored else [_NOT_IGNORED])),
        failed=tuple(sources.failed),
        model=asked.model if asked else "",
    )


def _describe_plan(plan: DistilPlan, edits: Sequence[Edit], notes: Sequence[str]) -> DistilAnswer:
    """Return the answer for a plan that is not written yet, with `notes` added to the notes of the plan."""
    changed = [edit for edit in edits if edit.is_change]
    visible = [edit for edit in changed if edit.name not in BOOKKEEPING]
    tokens = count_loaded(edits)
    large = describe_size(tokens)
    return DistilAnswer(
        diff=show_diff(visible),
        files=tuple(edit.name.replace(os.sep, "/") for edit in visible),
        bookkeeping=tuple(edit.name.replace(os.sep, "/") for edit in changed if edit.name in BOOKKEEPING),
        marks_sources=any(edit.name == MANIFEST for edit in changed),
        stashes=plan.stashes,
        facts=len(plan.facts.added),
        removed=len(plan.facts.removed) + len(plan.forgotten),
        episodes=len(plan.episodes),
        preferences=len(plan.preferences),
        tokens=tokens,
        notes=(*plan.notes, *notes, *large),
    )


def _check_gate(runtime: Runtime, changes: Sequence[Change], reading: Reading) -> None:
    """Raise Refused if a question that was asked before would no longer find its answer after these changes."""
    gate = RecallGate(
        runtime.settings.home,
        settings=runtime.settings.recall,
        judge=runtime.signer.judge,
        rehearse=runtime.store.rehearse,
        now=runtime.now(),
    )
    lost = gate.find_loss(changes, before=reading) if changes else None
    if lost is not None:
        raise Refused(
            f"with these lines the question {lost.text!r} would no longer find its answer, {lost.answers[0]}; nothing "
            f"was written. Distil fewer stashes at once, or correct the answer: limpet correct {lost.answers[0]}"
        )


def _decode(data: bytes | None) -> str:
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{MEMORY} is not UTF-8; save it as UTF-8 first, nothing was written") from None


def _load_memories(runtime: Runtime) -> list[Stored]:
    found = runtime.reading().browse(query_everything(runtime.scope(), now=runtime.now())).items
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


def _read_proposals(
    runtime: Runtime, reply: str, sources: Sources, stored: Sequence[Stored], is_proven: Callable[[str], bool]
) -> Proposals:
    # A quote may come from the source itself, or from the form in which the source was shown to a model.
    texts = {each.id: f"{each.text}\n\n{each.show()}" for each in _list_texts(runtime, sources, stored)}
    return read_proposals(reply, texts, is_proven=is_proven)


def _ask_model(runtime: Runtime, sources: Sources, manifest: Manifest) -> ModelReply | None:
    """Return the lines that the configured model extracts from the unread stashes and the new objections.

    Return None if there are no unread stashes or no model is configured. Objections that an earlier run has counted are
    left out, because the model might word them differently each time.
    """
    fresh = [stash for stash in sources.stashes if not manifest.has_stash(stash.name, stash.digest)]
    if not fresh:
        return None
    counted = {name for sides in manifest.evidence.values() for side in sides for name in side}
    objections = [each for each in sources.objections if each.conversation not in counted][-_MOST_OBJECTIONS:]
    texts = _list_texts(runtime, Sources(stashes=fresh, objections=objections), ())
    return ask_configured_model(runtime.context(), texts)


def _gather(runtime: Runtime, root: str) -> DistilAnswer:
    """Return the sources for a model: the first few unread stashes, the objections, and the kept memories."""
    manifest = Manifest.parse(
        read_project_file(root, MANIFEST) if os.path.lexists(os.path.join(root, MEMORY)) else None
    )
    sources = read_sources(root, runtime.settings.home)
    fresh = [stash for stash in sources.stashes if not manifest.has_stash(stash.name, stash.digest)]
    sources.stashes = fresh[:MOST_GATHERED]
    stored = [each for each in choose_of_project(_load_memories(runtime)) if each.memory.id not in manifest.memories]
    return DistilAnswer(
        gathered=tuple(_list_texts(runtime, sources, stored)),
        waiting=len(fresh) - len(sources.stashes),
        failed=tuple(sources.failed),
    )


def _list_texts(runtime: Runtime, sources: Sources, stored: Sequence[Stored]) -> list[GatheredText]:
    return list_texts(sources, stored, judge=runtime.signer.judge, now=runtime.now())


def _prove_commands(runtime: Runtime, sources: Sources, reply: str | None) -> Callable[[str], bool]:
    """Return a function that tells whether every command quoted in a line has succeeded in a session of the project."""
    # The recordings are read only if a text quotes a command, because reading them takes long.
    texts = [*(stash.text for stash in sources.stashes), *(each.text for each in sources.objections), reply or ""]
    wanted = {command for text in texts for command in find_quoted_commands(text)}
    proven = find_proven(wanted, find_own_sessions(runtime)) if wanted else frozenset[str]()

    def is_proven(line: str) -> bool:
        return proven.issuperset(find_quoted_commands(line))

    return is_proven


def shape(answer: DistilAnswer) -> dict[str, object]:
    counts = ("stashes", "facts", "removed", "episodes", "preferences", "tokens", "notes")
    return {
        "changed": answer.has_changes,
        "written": answer.done,
        **pick(answer, "files", "bookkeeping", *counts),
        "failed": label(answer.failed, "path", "problem"),
        "model": answer.model,
        "gathered": [pick(each, "id", "sort", "text") for each in answer.gathered],
        **pick(answer, "waiting", "diff"),
    }


VERB = Verb(
    run=run,
    shape=shape,
    is_failure=lambda answer: answer.checked and answer.has_changes,
    params=(
        Param(name="check", help="Only compare; the exit status is 1 if something would change.", kind="flag"),
        YES,
        Param(name="agents", help="Also write the block to AGENTS.md.", kind="flag"),
        Param(name="gemini", help="Also write the block to GEMINI.md.", kind="flag"),
        Param(name="rules", help="Extract by rules, also if the settings name a language model.", kind="flag"),
        Param(name="gather", help="Only show the texts to extract from, for an agent that does it.", kind="flag"),
        Param(
            name="proposals",
            help="What an agent has extracted: one JSON object a line, each with source and quote.",
            free_text=True,
        ),
    ),
    details=(
        "Reads the stashes in .claude/stash/ that were not read before, the user's objections that `limpet friction` "
        "has found, and the kept, public memories of this project. Writes .claude/memory/MEMORY.md and the block "
        "between MEMORY:START and MEMORY:END in CLAUDE.md; the rest of CLAUDE.md stays as it is. The changes are shown "
        "first: on a terminal you are asked, elsewhere --yes writes them. If `llm.provider` and `llm.daily_tokens` "
        "allow it, a language model extracts lines from the stashes; each line must be supported by its stash."
    ),
    examples=("limpet distil", "limpet distil --check", "limpet distil --agents --yes"),
)
