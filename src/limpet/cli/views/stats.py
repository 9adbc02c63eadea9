"""Show counts of memories and the size of the store."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.model.memory import Phase
from limpet.text.plural import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.stats import StatsAnswer

_LABEL = 14
"""The width in characters of the names before the counts."""


def show(stats: StatsAnswer, out: Output) -> None:
    counts = stats.counts
    live = counts["status"].get("live", 0)
    out.line(f"{stats.agent}{f' in {stats.project}' if stats.project else ''}: {plural(live, 'memory')}", style="bold")
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
            out.line(f"  {title:<12}{', '.join(parts)}", hang=_LABEL)
    for name in ("strength", "difficulty"):
        if counts[name]:
            out.line(f"  {name:<12}{', '.join(f'{key} {count}' for key, count in counts[name].items())}", hang=_LABEL)
    captured = counts["captured"]
    if captured["seen"]:
        reasons = ", ".join(f"{reason} {count}" for reason, count in captured["dropped"].items())
        kept = plural(captured["kept"], "memory")
        out.line(
            f"  {'captured':<12}{kept} from {plural(captured['seen'], 'event')}; dropped: {reasons or 'none'}",
            hang=_LABEL,
        )
    out.line(f"  {'facts':<12}{counts['facts']}")
    out.line(f"  {'changes':<12}{counts['changes']} in the whole store")
    out.line(f"  {'accesses':<12}{counts['accesses']}")
    sizes = ", ".join(f"{name} {_format_size(size)}" for name, size in stats.bytes.items())
    out.line(f"  {'on disk':<12}{sizes} in {stats.home}", hang=_LABEL)
    if stats.projects:
        out.table(("project", "memories", "id"), [(name, str(count), id) for id, name, count in stats.projects], wide=0)


def _format_size(size: int) -> str:
    return f"{size} B" if size < 1024 else f"{size / 1024:.0f} kB" if size < 1 << 20 else f"{size / (1 << 20):.1f} MB"
