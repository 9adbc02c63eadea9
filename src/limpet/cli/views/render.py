"""How each answer looks to a person; one function a verb."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from importlib import import_module

from limpet.cli.terminal import Out, complain, is_terminal
from limpet.errors import Refused
from limpet.model.change import Status
from limpet.model.memory import Kind, Memory, Phase, Sensitivity
from limpet.model.outcome import Admitted, Duplicate, Outcome, Rejected
from limpet.model.query import Hit, Page, Stored
from limpet.operations.catalogue import Verb
from limpet.text.excerpt import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.operations.blame import Blame
    from limpet.operations.config import Config
    from limpet.operations.confirm import Confirmed
    from limpet.operations.doctor import Diagnosis
    from limpet.operations.export import Exported
    from limpet.operations.facts import Facts
    from limpet.operations.forget import Forgotten
    from limpet.operations.graph import Graph
    from limpet.operations.import_ import Imported
    from limpet.operations.pin import Pinned
    from limpet.operations.purge import Purged
    from limpet.operations.restore import Restored
    from limpet.operations.show import Shown
    from limpet.operations.sign import Signed
    from limpet.operations.stats import Stats
    from limpet.operations.timeline import Timeline
    from limpet.operations.verify import Verified
    from limpet.runtime import Runtime
    from limpet.store.protocol import Problem


def show(name: str, answer: Any, out: Out, now: datetime) -> None:
    renderer(name)(answer, out, now)


def renderer(name: str) -> Callable[[Any, Out, datetime], None]:
    """How the answer of a verb is shown; KeyError if nobody knows."""
    if name in _RENDERERS:
        return _RENDERERS[name]
    found: Callable[[Any, Out, datetime], None] = vars(import_module(f"limpet.cli.views.{_ELSEWHERE[name]}"))[name]
    return found


def _warned(stored: Stored) -> str:
    return "⚠ " if stored.warned else ""


def _short(id: str) -> str:
    return id[:18]


def _day(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d")


def _minute(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _clock(moment: datetime) -> str:
    return moment.astimezone().strftime("%H:%M")


def _headline(stored: Stored, limit: int = 200) -> str:
    memory = stored.memory
    text = " ".join((memory.title or memory.content).split())
    return clip(text, limit)


def _plural(count: int, word: str) -> str:
    if count == 1:
        return f"1 {word}"
    return f"{count} {word[:-1]}ies" if word.endswith("y") else f"{count} {word}s"


def _remember(outcome: Outcome, out: Out, now: datetime) -> None:
    match outcome:
        case Admitted(memory=memory):
            out.line(f"remembered {memory.id}  {memory.label}  {memory.region}")
            out.line(f"  {_headline(Stored(memory=memory))}", style="dim")
            if memory.version > 1:
                out.line(f"  version {memory.version}, corrects {memory.corrects}", style="dim")
            if memory.sensitivity is not Sensitivity.PUBLIC:
                out.line(f"  kept as {memory.sensitivity}: shown only with --private", style="yellow")
        case Duplicate(memory=memory):
            out.line(f"known already as {memory.id}  {memory.label}")
        case Rejected(reason=reason):
            complain(reason)
    if outcome.redacted:
        out.line(f"  taken out: {', '.join(dict.fromkeys(outcome.redacted))}", style="yellow")
    for note in outcome.notes:
        out.line(f"  {note}", style="yellow")


def _recall(page: Page[Hit], out: Out, now: datetime) -> None:
    if not page.items:
        out.remark("nothing found")
        out.hint("--weak gives what is nearest, whether or not it answers")
    for hit in page.items:
        memory = hit.memory
        out.line(
            f"{_warned(hit.stored)}{memory.id}  {memory.label}  {_day(memory.created_at)}  {hit.score:.2f}",
            style="cyan",
        )
        text = " ".join(memory.content.split())
        if _begins_with_its_title(memory):
            out.line(f"  {text}", style="bold")
        else:
            out.line(f"  {_headline(hit.stored)}", style="bold")
            out.line(f"  {clip(text, 400)}")
        if out.detailed:
            out.line(f"  {', '.join(f'{name} {value:.2f}' for name, value in hit.parts.items())}", style="dim")
    _more(page, out)


def _list(page: Page[Stored], out: Out, now: datetime) -> None:
    if not page.items:
        out.remark("no memories here" if not page.total else f"nothing this far down; there are {page.total}")
        if not page.total:
            out.hint('limpet remember "…" stores one; --all shows forgotten ones too')
        return
    rows = [
        (
            _warned(stored) + (_short(stored.memory.id) if out.is_terminal else stored.memory.id),
            stored.memory.label + (" 📌" if stored.memory.pinned else ""),
            _day(stored.memory.created_at),
            "" if stored.status is Status.LIVE else stored.status.value,
            _headline(stored),
        )
        for stored in page.items
    ]
    out.table(("id", "kind", "date", "", "memory"), rows)
    _more(page, out)


def _timeline(timeline: Timeline, out: Out, now: datetime) -> None:
    """Oldest first; what a session or a long pause cuts apart stands apart."""
    if not timeline.episodes:
        out.remark("no memories here")
    for number, episode in enumerate(timeline.episodes):
        if number:
            out.line()
        session = f"  session {episode.session}" if episode.session else ""
        out.line(f"{_day(episode.started_at)}{session}", style="cyan")
        for stored in episode.memories:
            memory = stored.memory
            id = _short(memory.id) if out.is_terminal else memory.id
            start = f"  {_clock(memory.created_at)}  {_warned(stored)}{id}  {memory.label:<10}  "
            out.line(start + _headline(stored, out.room(len(start))))
    if timeline.has_more:
        out.hint("there is more: --limit shows more of it, --around ID what came before and after")


def _related(page: Page[Hit], out: Out, now: datetime) -> None:
    if not page.items:
        out.remark("nothing is related to it")
        return
    rows = [
        (
            _warned(hit.stored) + (_short(hit.memory.id) if out.is_terminal else hit.memory.id),
            hit.memory.label,
            ", ".join(part for part in hit.parts if part not in _SCORED),
            f"{hit.score:.2f}",
            _headline(hit.stored),
        )
        for hit in page.items
    ]
    out.table(("id", "kind", "why", "score", "memory"), rows)
    _more(page, out)


_SCORED = ("match", "recency", "strength", "trust")
"""Parts that every hit has; what else a related memory has is why it is related."""


def _more(page: Page[Any], out: Out) -> None:
    if page.has_more:
        following = page.offset + len(page.items)
        out.remark(f"{page.total - following} more: --offset {following}", style="dim")


def _show(shown: Shown, out: Out, now: datetime) -> None:
    stored, memory = shown.stored, shown.stored.memory
    out.line(f"{_warned(stored)}{memory.id}  {memory.label}", style="cyan")
    if not _begins_with_its_title(memory):
        out.line(memory.title, style="bold")
        if memory.subtitle:
            out.line(memory.subtitle)
        out.line()
    for row in memory.content.splitlines():
        out.line(row)
    if memory.content != memory.original_content:
        out.line()
        out.line("in full:", style="dim")
        for row in memory.original_content.splitlines():
            out.line(row)
    out.line()
    for warning in stored.warnings:
        out.line(f"⚠ {warning}", style="red")
    for name, value in _details(stored):
        if value:
            out.line(f"{name:<12}{value}", style="dim")
    for relation, to in shown.links:
        out.line(f"{relation:<12}{to}", style="dim")
    if len(shown.versions) > 1:
        out.line()
        for version in shown.versions:
            mark = "→" if version.memory.id == memory.id else " "
            start = f"{mark} v{version.memory.version} {_day(version.memory.created_at)} {version.status.value:<10} "
            start += f"{version.memory.id}  "
            out.line(start + _headline(version, out.room(len(start))))


def _begins_with_its_title(memory: Memory) -> bool:
    """Whether a short text has its own beginning for a title, so that it would be read twice."""
    text = " ".join(memory.content.split())
    return len(text) <= 240 and text.startswith(memory.title.removesuffix("…"))


def _details(stored: Stored) -> Iterator[tuple[str, str]]:
    memory, standing = stored.memory, stored.standing
    yield "status", stored.status.value + (f" by {memory.superseded_by}" if memory.superseded_by else "")
    yield "stored", f"{_minute(memory.created_at)} by {memory.origin}" + (", confirmed" if memory.confirmed else "")
    yield "scope", memory.app or (f"project {memory.project}" if memory.project else f"agent {memory.agent}")
    yield "type", memory.type.value
    yield "concepts", ", ".join(memory.concepts)
    yield "tags", ", ".join(memory.tags)
    yield "importance", f"{memory.importance:g}   confidence {memory.confidence:g}   difficulty {memory.difficulty:g}"
    yield "sensitivity", "" if memory.sensitivity is Sensitivity.PUBLIC else memory.sensitivity.value
    yield "expires", _minute(memory.expires_at) if memory.expires_at else ""
    yield "session", memory.session or ""
    yield "branch", f"{memory.branch} at {(memory.commit or '')[:10]}" if memory.branch else ""
    yield "files", ", ".join((*memory.files_read, *memory.files_modified))
    yield "cites", ", ".join(f"{each.path}:{each.start}-{each.end}" for each in memory.citations)
    yield "tokens", str(memory.token_count)
    yield "accesses", str(standing.access_count or "")
    yield "signature", stored.verdict.value if memory.signature else ""


def _forget(answer: Forgotten, out: Out, now: datetime) -> None:
    for stored in answer.memories:
        out.line(f"{'forgot' if answer.done else 'would forget'} {stored.memory.id}  {_headline(stored, 80)}")
    if not answer.memories:
        out.remark("nothing to forget")
    elif answer.done:
        several = len(answer.memories) > 1
        named = "ID" if several else _short(answer.memories[0].memory.id)
        out.hint(f"limpet restore {named} brings {'one' if several else 'it'} back")


def _restore(answer: Restored, out: Out, now: datetime) -> None:
    out.line(f"{answer.stored.memory.id}  {answer.how}")


def _purge(answer: Purged, out: Out, now: datetime) -> None:
    for id, title in zip(answer.ids, answer.titles, strict=True):
        out.line(f"purged {id}" if answer.done else f"would purge {id}  {title[:80]}")
    for fact in answer.facts:
        out.line(f"{'purged' if answer.done else 'would purge'} {fact}")
    if not answer.ids:
        out.remark("nothing to purge")


def _pin(answer: Pinned, out: Out, now: datetime) -> None:
    memory = answer.stored.memory
    out.line(f"{'pinned' if memory.pinned else 'unpinned'} {memory.id}  {_headline(answer.stored, 80)}")


def _confirm(answer: Confirmed, out: Out, now: datetime) -> None:
    for stored in answer.memories:
        out.line(f"confirmed {stored.memory.id}  {_headline(stored, 80)}")
    if answer.agent:
        out.line(f"in this project the agent is now {answer.agent}")


def _facts(answer: Facts, out: Out, now: datetime) -> None:
    if not answer.facts:
        out.remark("no facts")
        return
    rows = [
        (
            fact.id if not out.is_terminal else fact.id[:19],
            fact.subject,
            fact.predicate,
            fact.object,
            f"{fact.confidence:g}",
            _day(fact.valid_from),
            _day(fact.valid_to) if fact.valid_to else "",
        )
        for fact in answer.facts
    ]
    out.table(("id", "subject", "predicate", "object", "sure", "from", "to"), rows, wide=3)
    if answer.redacted:
        out.line(f"taken out: {', '.join(dict.fromkeys(answer.redacted))}", style="yellow")
    if answer.added:
        for fact in answer.closed:
            out.line(f"no longer holds: {fact.subject} {fact.predicate} {fact.object}", style="yellow")
    if answer.has_more:
        following = answer.offset + len(answer.facts)
        out.remark(f"{answer.total - following} more: --offset {following}", style="dim")


def _stats(stats: Stats, out: Out, now: datetime) -> None:
    counts = stats.counts
    live = counts["status"].get("live", 0)
    out.line(f"{stats.agent}{f' in {stats.project}' if stats.project else ''}: {_plural(live, 'memory')}", style="bold")
    for title, name in (
        ("status", "status"),
        ("kind", "kind"),
        ("impact", "impact"),
        ("type", "type"),
        ("region", "region"),
        ("origin", "origin"),
        ("sensitivity", "sensitivity"),
        ("phase", "phase"),
    ):
        named = {str(int(phase)): phase.name.lower() for phase in Phase} if name == "phase" else {}
        parts = [f"{named.get(key, key)} {count}" for key, count in counts[name].items()]
        if parts:
            out.line(f"  {title:<12}{', '.join(parts)}")
    for name in ("strength", "difficulty"):
        if counts[name]:
            out.line(f"  {name:<12}{', '.join(f'{key} {count}' for key, count in counts[name].items())}")
    captured = counts["captured"]
    if captured["seen"]:
        reasons = ", ".join(f"{reason} {count}" for reason, count in captured["dropped"].items())
        out.line(f"  {'captured':<12}{captured['kept']} of {captured['seen']} events; dropped: {reasons or 'none'}")
    out.line(f"  {'facts':<12}{counts['facts']}")
    out.line(f"  {'changes':<12}{counts['changes']}")
    out.line(f"  {'accesses':<12}{counts['accesses']}")
    sizes = ", ".join(f"{name} {_bytes(size)}" for name, size in stats.bytes.items())
    out.line(f"  {'on disk':<12}{sizes} in {stats.home}")
    if stats.projects:
        out.table(("project", "memories", "id"), [(name, str(count), id) for id, name, count in stats.projects], wide=0)


def _bytes(size: int) -> str:
    return f"{size} B" if size < 1024 else f"{size / 1024:.0f} kB" if size < 1 << 20 else f"{size / (1 << 20):.1f} MB"


def _graph(graph: Graph, out: Out, now: datetime) -> None:
    """The memories of a kind from the newest to the oldest, with what links them."""
    if not graph.nodes:
        out.remark("no memories here yet")
        return
    known = {stored.memory.id: stored for stored in graph.nodes}
    outgoing: dict[str, list[tuple[str, str]]] = {}
    for source, relation, target in graph.edges:
        outgoing.setdefault(source, []).append((relation, target))
    for kind in Kind:
        chain = [stored for stored in graph.nodes if stored.memory.kind is kind]
        if not chain:
            continue
        out.line(kind.value, style="cyan")
        for number, stored in enumerate(chain):
            last = number == len(chain) - 1
            gone = "" if stored.status is Status.LIVE else f" ({stored.status.value})"
            start = f"{'└─' if last else '├─'}● {_short(stored.memory.id)} {stored.memory.impact.code:<4} "
            out.line(f"{start}{_headline(stored, out.room(len(start + gone)))}{gone}")
            links = outgoing.get(stored.memory.id, [])
            following = chain[number + 1].memory.id if not last else None
            shown = [(relation, to) for relation, to in links if (relation, to) != ("follows", following)]
            for position, (relation, to) in enumerate(shown):
                branch = "└" if position == len(shown) - 1 else "├"
                start = f"{' ' if last else '│'}  {branch}─{relation}→ {_short(to)} "
                out.line(start + _headline(known[to], out.room(len(start))), style="dim")
    if graph.total > len(graph.nodes):
        out.remark(f"{graph.total - len(graph.nodes)} more: --limit {graph.total}", style="dim")


def _blame(blame: Blame, out: Out, now: datetime) -> None:
    from limpet.operations.blame import details

    if blame.stored is not None:
        memory = blame.stored.memory
        out.line(f"{_warned(blame.stored)}{memory.id}  {_headline(blame.stored, 80)}", style="bold")
        if memory.source is not None:
            source = memory.source
            place = source.transcript or source.file or source.commit or "nowhere"
            out.line(f"from {place}{f' line {source.line}' if source.line else ''}")
    for change in blame.changes:
        extra = ", ".join(f"{name} {value}" for name, value in details(change).items())
        about = "" if change.subject == blame.id else f" {_short(change.subject)}"
        out.line(
            f"{_minute(change.at)}  {change.kind:<9} by {change.actor} on {change.device}{about}"
            f"{f'  ({extra})' if extra else ''}"
        )


def _sign(answer: Signed, out: Out, now: datetime) -> None:
    if answer.new_key:
        out.line(f"made the key {answer.key_id}")
    out.line(f"signed {_plural(answer.signed, 'memory')}")
    for id in answer.left:
        out.line(f"⚠ left unsigned because its signature is wrong: {id}", style="red")


def _problem(problem: Problem, out: Out) -> None:
    about = " ".join(filter(None, (problem.subject, problem.where)))
    out.line(
        f"⚠ {problem.what}{f': {about}' if about else ''}{'  (--fix mends it)' if problem.fixable else ''}", style="red"
    )


def _verify(answer: Verified, out: Out, now: datetime) -> None:
    for problem in answer.problems:
        _problem(problem, out)
    verdict = "all is well" if not answer.problems else _plural(len(answer.problems), "problem")
    out.line(
        f"{verdict}: {_plural(answer.records, 'change')}, {_plural(answer.memories, 'memory')}, {answer.signed} signed",
        style="green" if not answer.problems else "red",
    )


def _doctor(answer: Diagnosis, out: Out, now: datetime) -> None:
    for name, value in answer.facts.items():
        out.line(f"{name:<10} {value}")
    for note in answer.notes:
        out.line(f"note: {note}", style="yellow")
    for text in answer.mended:
        out.line(f"mended: {text}", style="green")
    for text in answer.proved:
        out.line(f"proved: {text}", style="green")
    for problem in answer.problems:
        _problem(problem, out)
    if not answer.problems:
        out.line("all is well", style="green")


def _export(answer: Exported, out: Out, now: datetime) -> None:
    if answer.path is None:
        for record in answer.records:
            out.json(record)
    else:
        out.line(f"wrote {_plural(answer.memories, 'memory')} and {_plural(answer.facts, 'fact')} to {answer.path}")
    if answer.left_out:
        complain(f"left out {_plural(answer.left_out, 'private memory')}; --private takes them along")


def _import(answer: Imported, out: Out, now: datetime) -> None:
    verb = "would add" if answer.dry_run else "added"
    out.line(
        f"{verb} {_plural(answer.added, 'memory')} and {_plural(answer.facts, 'fact')}; "
        f"{answer.duplicates} known by their text, {answer.present} here already"
    )
    if answer.elsewhere:
        out.hint(f"{answer.elsewhere} of them in other projects; --here would give them to this one")
    for problem in answer.problems:
        complain(problem)


def _config(answer: Config, out: Out, now: datetime) -> None:
    rows = [(each.key, _shown(each.value), each.origin, each.help) for each in answer.settings]
    out.table(("setting", "value", "from", ""), rows)
    if answer.changed:
        out.hint(f"changed in {answer.home}/config.toml")


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_RENDERERS: Mapping[str, Callable[[Any, Out, datetime], None]] = {
    "remember": _remember,
    "correct": _remember,
    "recall": _recall,
    "list": _list,
    "timeline": _timeline,
    "related": _related,
    "show": _show,
    "forget": _forget,
    "restore": _restore,
    "purge": _purge,
    "pin": _pin,
    "confirm": _confirm,
    "facts": _facts,
    "stats": _stats,
    "graph": _graph,
    "blame": _blame,
    "sign": _sign,
    "verify": _verify,
    "doctor": _doctor,
    "export": _export,
    "import": _import,
    "config": _config,
}

# These stand in modules of their own, which are loaded when one is shown.
_ELSEWHERE = {
    "upkeep": "upkeep",
    "capture": "capture",
    "why": "why",
    "backfill": "backfill",
    "feedback": "why",
    "setup": "setup",
    "uninstall": "setup",
}


def announce(name: str, runtime: Runtime, values: dict[str, Any], chosen: Verb, out: Out) -> None:
    """Say what will be changed in files that are not ours, before it is."""
    if name in ("setup", "uninstall") and not values.get("dry_run"):
        from limpet.cli.views.setup import announce as announce_setup

        announce_setup(chosen.run(runtime, **{**values, "dry_run": True}), out)


def agreed(name: str, runtime: Runtime, values: dict[str, Any], chosen: Verb, out: Out) -> bool:
    """Ask before what cannot be undone, if there is somebody to ask."""
    if name != "purge" or values.get("yes") or values.get("dry_run") or runtime.caller.is_agent:
        return True
    if not is_terminal(sys.stdin):
        raise Refused("to purge memories without a terminal to ask on, add --yes")
    preview = chosen.run(runtime, **{**values, "dry_run": True})
    show(name, preview, out, runtime.now())
    if not preview.ids:
        return False
    sys.stderr.write(f"Erase {_plural(len(preview.ids), 'memory')} for good, from every file? [y/N] ")
    sys.stderr.flush()
    values["yes"] = sys.stdin.readline().strip().lower() in ("y", "yes")
    return bool(values["yes"])
