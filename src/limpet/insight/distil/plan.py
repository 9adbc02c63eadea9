"""Plan how `limpet distil` changes MEMORY.md and the instruction files.

Nothing is written here, so that a person can preview the changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from limpet.doors.governor import Passed, Way, govern
from limpet.errors import Refused
from limpet.hosts.instruction_files import FILES
from limpet.insight.distil.document import Certainty, MemoryDocument, Preference, SessionEpisode
from limpet.insight.distil.extract import Extraction, Stash, extract_stash, title_episode
from limpet.insight.distil.files import Manifest, read_project_file
from limpet.insight.distil.lines import comparison_key, find_detail_reason, find_passing_reason, fit_line
from limpet.insight.distil.merge import FactLine, MergedFacts, merge_episodes, merge_facts, merge_preferences
from limpet.insight.distil.preferences import collect_evidence
from limpet.insight.distil.proposals import Proposals
from limpet.insight.distil.sources import Sources
from limpet.lean.record import field, mutable, record
from limpet.model.change import Status
from limpet.model.memory import Kind, Memory, Origin, Phase, Region, Sensitivity, Tier, Type
from limpet.model.query import Stored
from limpet.text.claims import split_sentences
from limpet.text.excerpt import shorten_line
from limpet.text.plural import plural

DISTILLED = "distilled"
"""The value of `earned` for a memory that was created from a line of MEMORY.md."""
UNPROVEN = "nobody here is known to have said it"
"""The reason for leaving out a line that is neither the user's nor the agent's. It is stored as text of a file."""
FACT, EPISODE, PREFERENCE = "fact", "episode", "preference"
"""The sorts of lines; the memory of a line has its sort as a tag."""
_NO_FACTS = (Type.SESSION_SUMMARY, Type.COMPRESSED_SUMMARY, Type.BUGFIX)


@record
class LineDraft:
    """A new line of MEMORY.md that is to become a memory."""

    text: str
    sort: str
    """FACT, EPISODE or PREFERENCE."""
    title: str | None = None
    type: Type | None = None
    kind: Kind | None = None
    stash: str | None = None
    """The name of the stash that the line comes from."""
    source: Memory | None = None
    """The memory that the line comes from, if a model has reworded it."""
    origin: Origin = Origin.AGENT
    is_kept: bool = True
    """Whether the memory gets the tier KEPT; otherwise it is NOTED."""


@mutable
class DistilPlan:
    """The planned changes to MEMORY.md and the manifest."""

    document: MemoryDocument
    """MEMORY.md with the changes."""
    manifest: Manifest
    """The manifest with the changes."""
    facts: MergedFacts = field(default_factory=MergedFacts)
    """The facts that are added, removed and refused."""
    episodes: list[SessionEpisode] = field(default_factory=list)
    """The episodes that are added."""
    preferences: list[Preference] = field(default_factory=list)
    """The preferences that are added or that get another count."""
    forgotten: list[str] = field(default_factory=list)
    """The lines that are removed because their memories were forgotten or corrected."""
    stashes: int = 0
    """The number of stashes that were read."""
    notes: list[str] = field(default_factory=list)
    """Remarks for the user, such as why a line was left out."""
    unproven: dict[str, int] = field(default_factory=dict)
    """By the name of a stash, how many of its lines are left out because nobody is known to have said them."""


def find_targets(root: str, *, agents: bool, gemini: bool) -> list[str]:
    """Return the names of the instruction files to write: CLAUDE.md, and on request those of other hosts.

    A file that is a symlink to another of these files is left out. Raise Refused if CLAUDE.md is a symlink to AGENTS.md
    and `agents` is False.
    """
    hosts = ["claude-code", *(["codex"] if agents else []), *(["gemini"] if gemini else [])]
    wanted = [_find_existing(root, FILES[host]) for host in hosts]
    linked = {name: _find_link(root, name) for name in wanted}
    for name, target in linked.items():
        if target == "AGENTS.md" and not agents:
            raise Refused(
                f"{name} is a symlink to AGENTS.md; `limpet distil --agents` writes there, nothing was written"
            )
    return [name for name in wanted if linked[name] not in wanted]


def _find_existing(root: str, names: Sequence[str]) -> str:
    """Return the first of the names whose file exists, or the first name if no file exists."""
    return next((name for name in names if os.path.lexists(os.path.join(root, name))), names[0])


def _find_link(root: str, name: str) -> str | None:
    """Return the target of a symlink as a path relative to the root; None if the file is not a symlink."""
    path = os.path.join(root, name)
    try:
        target = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
    except OSError:
        return None
    return os.path.relpath(target, root)


def find_line(memory: Memory) -> str | None:
    """Return the text of a memory as a fact for MEMORY.md; None if it is not suitable."""
    if memory.earned.startswith(DISTILLED):
        return None if {EPISODE, PREFERENCE} & {*memory.tags} else fit_line(memory.content)
    if memory.kind is Kind.ACHIEVEMENTS or memory.type in _NO_FACTS:
        return None
    line = fit_line(memory.content)
    return None if line is None or find_detail_reason(line) or find_passing_reason(line) else line


def choose_of_project(stored: Iterable[Stored]) -> list[Stored]:
    return [each for each in stored if each.memory.region is Region.PROJECT]


def choose_facts(
    stored: Iterable[Stored], *, judge: Callable[[Stored], Stored], now: datetime
) -> list[tuple[FactLine, Memory]]:
    """Return the memories that are suitable as facts in MEMORY.md, oldest first, each with its line.

    Such a memory has the words of the user or the agent, because a host does not quote MEMORY.md. It is kept, live and
    public, belongs to the project, and may be told at a session start. `judge` checks the signature of a memory.
    """
    found = []
    for each in sorted(stored, key=lambda one: (one.memory.created_at, one.memory.id)):
        memory = each.memory
        if each.status is not Status.LIVE or memory.tier is not Tier.KEPT or memory.phase is Phase.ARCHIVED:
            continue
        if memory.region is not Region.PROJECT or memory.sensitivity is not Sensitivity.PUBLIC:
            continue
        if not memory.effective_origin.is_own:
            continue
        line = find_line(memory)
        if line is None or memory.is_expired(now):
            continue
        way = Way.ASKED if memory.earned.startswith(DISTILLED) else Way.START
        passed = govern(judge(each), way=way, now=now)
        if isinstance(passed, Passed) and not (passed.reasons and memory.effective_origin is not Origin.USER):
            found.append((FactLine(text=line, origin=memory.effective_origin, source=memory.id), memory))
    return found


def describe_known(document: MemoryDocument, stored: Iterable[Stored]) -> list[FactLine]:
    """Return the facts in MEMORY.md, each with the id and origin of the memory that has the same text.

    A fact without such a memory was added by hand or by another tool; it gets the origin FILE.
    """
    live: dict[str, Memory] = {}
    for each in stored:
        line = find_line(each.memory) if each.status is Status.LIVE else None
        if line is not None and _trust(live.get(line)) < _trust(each.memory):
            live[line] = each.memory
    owners = [(line, live.get(line)) for line in document.facts]
    return [
        FactLine(text=line, origin=owner.effective_origin, source=owner.id) if owner else FactLine(text=line)
        for line, owner in owners
    ]


def _trust(memory: Memory | None) -> float:
    return memory.effective_origin.ceiling if memory else 0.0


def drop_forgotten(document: MemoryDocument, stored: Sequence[Stored]) -> list[str]:
    """Remove the lines from the document whose memories were all forgotten or superseded, and return these lines."""
    live, hidden = set[str](), set[str]()
    for each in stored:
        texts = {" ".join(each.memory.content.split()), find_line(each.memory) or ""}
        (live if each.status is Status.LIVE else hidden).update(texts)
    gone = hidden - live - {""} | _find_unsaid(document, stored)
    facts = [line for line in document.facts if line in gone]
    document.change_facts(removed=facts, added=())
    preferences = [each for each in document.preferences if each.text in gone]
    document.set_preferences([each for each in document.preferences if each not in preferences])
    episodes = [each for each in document.episodes if " ".join(each.text.split()) in gone]
    document.drop_episodes(episodes)
    return [*facts, *(each.text for each in preferences), *(each.title for each in episodes)]


def _find_unsaid(document: MemoryDocument, stored: Sequence[Stored]) -> set[str]:
    """Return the lines that are a sentence of a forgotten or superseded memory, and of no live one."""
    lines = {comparison_key(line): line for line in (*document.facts, *(each.text for each in document.preferences))}
    hidden = [each.memory for each in stored if each.status is not Status.LIVE]
    found = {key for memory in hidden for key in list_sentence_keys(memory) if key in lines}
    if found:
        live = (each.memory for each in stored if each.status is Status.LIVE)
        found = found.difference(*map(list_sentence_keys, live))
    return {lines[key] for key in found}


def list_sentence_keys(memory: Memory) -> set[tuple[str, ...]]:
    """Return the comparison keys of the text of a memory and of each of its sentences."""
    return set(map(comparison_key, list_statements(memory)))


def list_statements(memory: Memory) -> tuple[str, ...]:
    """Return the text of a memory and each of its sentences."""
    return memory.content, *split_sentences(memory.content)


def extract_all(
    stashes: Sequence[Stash], proposals: Proposals | None, *, is_proven: Callable[[str], bool]
) -> list[tuple[Stash, Extraction]]:
    """Return each stash with what was extracted from it: by rules if `proposals` is None, and otherwise by a model.

    Stashes that the model has not read are left out.
    """
    if proposals is None:
        return [(stash, extract_stash(stash, is_proven=is_proven)) for stash in stashes]
    found = []
    for stash in stashes:
        name = f"stash:{stash.name}"
        if name in proposals.read:
            bullets = proposals.episodes.get(name)
            episode = SessionEpisode(title=title_episode(stash), bullets=bullets) if bullets else None
            facts = tuple(text for source, text in proposals.facts if source == name)
            found.append((stash, Extraction(facts=facts, episode=episode)))
    return found


def make_plan(
    document: MemoryDocument,
    manifest: Manifest,
    sources: Sources,
    stored: Sequence[Stored],
    *,
    proposals: Proposals | None,
    is_proven: Callable[[str], bool],
    admit: Callable[[LineDraft], str | None],
    judge: Callable[[Stored], Stored],
    now: datetime,
) -> DistilPlan:
    """Return the plan; `document` and `manifest` are modified in place and become part of it.

    `is_proven` tells whether the commands in a line have succeeded. `admit` returns why a line cannot be stored, or
    None. `judge` checks the signature of a memory.
    """
    plan = DistilPlan(document=document, manifest=manifest)
    fresh = [stash for stash in sources.stashes if not manifest.has_stash(stash.name, stash.digest)]
    extracted = extract_all(fresh, proposals, is_proven=is_proven)
    plan.stashes = len(extracted)
    plan.forgotten = drop_forgotten(document, stored)
    known = describe_known(document, stored)
    chosen = [
        (fact, memory)
        for fact, memory in choose_facts(stored, judge=judge, now=now)
        if memory.id not in manifest.memories
    ]
    keys = {comparison_key(fact.text) for fact in known}
    offered: list[tuple[object, FactLine, LineDraft | None]] = [
        (memory.created_at.date(), fact, None) for fact, memory in chosen
    ]
    for stash, extraction in extracted:
        offered += [
            (
                stash.day,
                FactLine(text=text, origin=stash.origin, source=stash.name),
                LineDraft(text=text, sort=FACT, stash=stash.name, origin=stash.origin),
            )
            for text in extraction.facts
        ]
    offered += _list_reworded_facts(proposals, stored, now)
    facts = []
    for _, fact, draft in sorted(offered, key=lambda each: str(each[0])):
        if comparison_key(fact.text) in keys:
            continue
        if draft is None or _accept(draft, admit, plan):
            facts.append(fact)
    plan.facts = merge_facts(known, facts)
    for fact, older in plan.facts.refused:
        how = f"; to replace it: limpet correct {older.source}" if older.source else ""
        plan.notes.append(f"left out {fact.text!r}: it contradicts {older.text!r}, which is trusted more{how}")
    document.change_facts(
        removed=[fact.text for fact in plan.facts.removed], added=[fact.text for fact in plan.facts.added]
    )
    _plan_episodes(plan, extracted, admit)
    _note_left_out(plan, extracted)
    _plan_preferences(plan, sources, proposals, admit)
    manifest.stashes |= {stash.name: stash.digest for stash, _ in extracted}
    manifest.memories |= {memory.id for _, memory in chosen}
    return plan


def _list_reworded_facts(
    proposals: Proposals | None, stored: Sequence[Stored], now: datetime
) -> list[tuple[object, FactLine, LineDraft | None]]:
    """Return the facts that a model has extracted from memories, each with its day and its draft."""
    memories = {each.memory.id: each.memory for each in stored}
    found: list[tuple[object, FactLine, LineDraft | None]] = []
    for source, text in proposals.facts if proposals else ():
        if source in memories:
            origin = Origin.lowest((Origin.AGENT, memories[source].effective_origin))
            found.append(
                (
                    now.date(),
                    FactLine(text=text, origin=origin),
                    LineDraft(text=text, sort=FACT, source=memories[source]),
                )
            )
    return found


def _accept(draft: LineDraft, admit: Callable[[LineDraft], str | None], plan: DistilPlan) -> bool:
    reason = admit(draft)
    if reason == UNPROVEN:
        plan.unproven[draft.stash or ""] = plan.unproven.get(draft.stash or "", 0) + 1
    elif reason is not None:
        plan.notes.append(f"left out a line{f' of {draft.stash}' if draft.stash else ''}: {reason}")
    return reason is None


def _note_left_out(plan: DistilPlan, extracted: Sequence[tuple[Stash, Extraction]]) -> None:
    for stash, extraction in extracted:
        for text, reason in extraction.left_out:
            plan.notes.append(f"left out {shorten_line(text, 60)!r} of {stash.name}: {reason}")
        if stash.left_out:
            plan.notes.append(f"left out {plural(stash.left_out, 'line')} of {stash.name}: read from outside, not said")
    for name, count in plan.unproven.items():
        who = f"no `limpet stash` has written {name} here" if name else "their words were read from outside"
        plan.notes.append(
            f"left out {plural(count, 'line')}: {who}. `limpet recall` finds them, quoted; to vouch for one: "
            "limpet confirm ID"
        )


def _plan_episodes(
    plan: DistilPlan, extracted: Sequence[tuple[Stash, Extraction]], admit: Callable[[LineDraft], str | None]
) -> None:
    made = [(stash, extraction.episode) for stash, extraction in extracted if extraction.episode]
    for stash, episode in made:
        if not merge_episodes([*plan.document.episodes, *plan.episodes], [episode]):
            continue
        if _accept(_draft_episode(episode, stash), admit, plan):
            plan.episodes.append(episode)
    plan.document.add_episodes(plan.episodes)


def _draft_episode(episode: SessionEpisode, stash: Stash) -> LineDraft:
    return LineDraft(
        text=episode.text,
        sort=EPISODE,
        title=episode.title,
        type=Type.CHANGE,
        stash=stash.name,
        origin=stash.origin,
    )


def _plan_preferences(
    plan: DistilPlan, sources: Sources, proposals: Proposals | None, admit: Callable[[LineDraft], str | None]
) -> None:
    known = plan.document.preferences
    earlier = {each.text: plan.manifest.find_evidence(each.text) for each in known}
    # A similar objection must not count for a line that somebody else has added to the file.
    observed = [each for each in known if any(earlier[each.text])]
    evidence = collect_evidence(sources.objections, observed, earlier, proposals.rules if proposals else None)
    counts = {each.text: each.count for each in known}
    found, deleted = [], set()
    for each in merge_preferences(known, evidence):
        draft = LineDraft(
            text=each.text, sort=PREFERENCE, kind=Kind.EMOTIONAL, is_kept=each.certainty is Certainty.HIGH
        )
        if each.text not in counts and any(plan.manifest.find_evidence(each.text)):
            # An earlier run has written the line, and a person has deleted it.
            deleted.add(each.text)
        elif counts.get(each.text) == each.count or _accept(draft, admit, plan):
            found.append(each)
    plan.preferences = [each for each in found if counts.get(each.text) != each.count]
    plan.document.set_preferences(found)
    texts = {*(each.text for each in found), *deleted}
    plan.manifest.set_evidence({text: sides for text, sides in evidence.items() if text in texts})


def read_targets(root: str, targets: Sequence[str]) -> dict[str, bytes | None]:
    return {name: read_project_file(root, name) for name in targets}
