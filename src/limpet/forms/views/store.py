"""Show the store and its settings: counts, checks, repairs, signatures, upkeep, costs, and what was erased."""

from __future__ import annotations

from limpet.forms.terminal import Output
from limpet.model.memory import Phase
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.care.diagnosis import DoctorAnswer
    from limpet.care.purging import PurgeAnswer
    from limpet.care.signing import SignAnswer, VerifyAnswer
    from limpet.operations.config import ConfigAnswer
    from limpet.operations.cost import CostAnswer
    from limpet.operations.stats import StatsAnswer
    from limpet.store.protocol import Problem
    from limpet.upkeep.round import Round

JOB_TEXTS = {
    "learning": "learnt from sessions",
    "curation": "kept by a model that has read their session",
    "repair": "merges completed or undone",
    "relocation": "captured for all projects, now in their own",
    "tiers": "noted or kept, as their use has shown",
    "deduplication": "duplicates merged",
    "expiry": "expired, now in the archive",
    "promotion": "promoted, as they proved useful",
    "decay": "faded to a shorter text",
    "compression": "merged into summaries",
    "eviction": "shortened to make room",
    "rescan": "scanned again with newer rules",
    "summarizing": "merged into summaries",
}
_COUNTED = ("status", "kind", "impact", "type", "region", "origin", "sensitivity", "phase", "strength", "difficulty")


def show_stats(stats: StatsAnswer, out: Output) -> None:
    counts = stats.counts
    live = plural(counts["status"].get("live", 0), "memory")
    out.line(f"{stats.agent}{f' in {stats.project}' if stats.project else ''}: {live}", style="bold")
    phases = {str(int(phase)): phase.name.lower() for phase in Phase}
    rows = []
    for name in _COUNTED:
        named = phases if name == "phase" else {}
        rows.append((name, ", ".join(f"{named.get(key, key)} {count}" for key, count in counts[name].items())))
    captured = counts["captured"]
    if captured["seen"]:
        reasons = ", ".join(f"{reason} {count}" for reason, count in captured["dropped"].items())
        kept = f"{plural(captured['kept'], 'memory')} from {plural(captured['seen'], 'event')}"
        rows.append(("captured", f"{kept}; dropped: {reasons or 'none'}"))
    rows += [("facts", counts["facts"]), ("changes", f"{counts['changes']} in the whole store")]
    sizes = ", ".join(f"{name} {_format_size(size)}" for name, size in stats.bytes.items())
    rows += [("accesses", counts["accesses"]), ("on disk", f"{sizes} in {stats.home}")]
    for name, text in rows:
        if text != "":
            out.line(f"  {name:<12}{text}", hang=14)
    if stats.projects:
        out.table(("project", "memories", "id"), [(name, str(count), id) for id, name, count in stats.projects], wide=0)


def _format_size(size: int) -> str:
    return f"{size} B" if size < 1024 else f"{size / 1024:.0f} kB" if size < 1 << 20 else f"{size / (1 << 20):.1f} MB"


def show_doctor(answer: DoctorAnswer, out: Output) -> None:
    for name, value in answer.facts.items():
        out.line(f"{name:<10} {value}", hang=11)
    for kind, texts, style in (
        ("note", answer.notes, "yellow"),
        ("warning", answer.warnings, "yellow"),
        ("repaired", answer.mended, "green"),
        ("proved", answer.proved, "green"),
    ):
        for text in texts:
            out.line(f"{kind}: {text}", style=style)
    for problem in answer.problems:
        _show_problem(problem, out)
    if not answer.problems and answer.warnings:
        out.line("nothing is damaged, but read the warning above", style="yellow")
    elif not answer.problems:
        out.line("all is well", style="green")


def _show_problem(problem: Problem, out: Output) -> None:
    about = " ".join(filter(None, (problem.subject, problem.where)))
    remedy = "  (--fix repairs it)" if problem.fixable else ""
    out.line(f"⚠ {problem.what}{f': {about}' if about else ''}{remedy}", style="red")


def show_verify(answer: VerifyAnswer, out: Output) -> None:
    for problem in answer.problems:
        _show_problem(problem, out)
    verdict = plural(len(answer.problems), "problem") if answer.problems else "all is well"
    checked = f"{plural(answer.records, 'change')}, {plural(answer.memories, 'memory')}, {answer.signed} signed"
    out.line(f"{verdict}: {checked}", style="red" if answer.problems else "green")


def show_sign(answer: SignAnswer, out: Output) -> None:
    if answer.new_key:
        out.line(f"created key {answer.key_id}")
    out.line(f"signed {plural(answer.signed, 'memory')}")
    for id in answer.left:
        out.line(f"⚠ not signed, because its present signature is wrong: {id}", style="red")


def show_purge(answer: PurgeAnswer, out: Output) -> None:
    for id, title in zip(answer.ids, answer.titles, strict=True):
        out.line(f"purged {id}" if answer.done else f"would purge {id}  {title[:80]}")
    for fact in answer.facts:
        out.line(f"{'purged' if answer.done else 'would purge'} {fact}")
    for path in answer.files:
        out.line(f"{'erased the text' if answer.done else 'would erase the text'} in {path}")
    for path, problem in answer.failed:
        out.remark(f"{path} still holds the text: {problem}; remove it there yourself", style="red")
    for id in answer.others:
        out.remark(f"{id} repeats a sentence of it and stays; to erase it too: limpet purge {id}", style="yellow")
    if not answer.ids:
        out.remark("nothing to purge")


def show_upkeep(answer: Round, out: Output) -> None:
    if answer.busy:
        out.remark("another upkeep is running; nothing was done")
        return
    for name, count in answer.done.items():
        out.line(f"{count:>6}  {JOB_TEXTS[name]}")
    for notice in answer.notices:
        out.line(notice, style="yellow")
    if answer.dry_run:
        out.remark("dry run: nothing was changed")
    elif not answer.done and not answer.notices:
        out.remark("nothing to do")


def show_cost(answer: CostAnswer, out: Output) -> None:
    if answer.days:
        rows = [(day, str(calls), f"{tokens:,}") for day, calls, tokens in answer.days]
        out.table(("day", "calls", "tokens"), rows)
    else:
        out.remark("no language model was asked")
    if answer.provider and answer.daily_tokens:
        out.line(f"{answer.provider}: {answer.left:,} of today's {answer.daily_tokens:,} tokens are left")
    elif answer.provider:
        out.remark(f"{answer.provider} may not be asked; to allow it: limpet config llm.daily_tokens 60000")
    else:
        out.remark("no model may be asked; to allow it: limpet config llm.provider claude, and llm.daily_tokens")


def show_config(answer: ConfigAnswer, out: Output) -> None:
    rows = [
        (each.key, str(each.value).lower() if isinstance(each.value, bool) else str(each.value), each.origin, each.help)
        for each in answer.settings
    ]
    out.table(("setting", "value", "from", ""), rows)
    if answer.changed:
        out.hint(f"changed in {answer.home}/config.toml")
    if answer.was_unset:
        out.remark(f"{answer.was_unset} was not set in {answer.home}/config.toml; nothing was changed")
