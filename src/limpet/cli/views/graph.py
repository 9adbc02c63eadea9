"""Draw the links between memories, with one tree for each kind."""

from __future__ import annotations

from limpet.cli.terminal import Output
from limpet.cli.views.format import format_headline, short_id, show_headline, show_rest
from limpet.model.change import Status
from limpet.model.memory import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.graph import GraphAnswer


def show(graph: GraphAnswer, out: Output) -> None:
    """Draw the memories of each kind from the newest to the oldest, with their links."""
    if not graph.nodes:
        out.remark(f"there are only {graph.total}; give a lower --offset" if graph.total else "no memories here yet")
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
            start = f"{'└─' if last else '├─'}● {short_id(stored.memory.id)} {stored.memory.impact.code:<4} "
            out.line(f"{start}{format_headline(stored.memory, out.width_left(len(start + gone)))}{gone}")
            links = outgoing.get(stored.memory.id, [])
            following = chain[number + 1].memory.id if not last else None
            shown = [(relation, to) for relation, to in links if (relation, to) != ("follows", following)]
            for position, (relation, to) in enumerate(shown):
                branch = "└" if position == len(shown) - 1 else "├"
                start = f"{' ' if last else '│'}  {branch}─{relation}→ {short_id(to)} "
                show_headline(start, known[to].memory, out, style="dim")
    show_rest(graph.offset + len(graph.nodes), graph.total, out)
