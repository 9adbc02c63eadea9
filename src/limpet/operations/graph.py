"""Return memories and the links between them, as a graph."""

from __future__ import annotations

from collections import deque

from limpet.lean.record import pick, record, replace
from limpet.model.change import Status
from limpet.model.memory import Sensitivity
from limpet.model.query import NO_LIMIT, Stored
from limpet.operations.catalogue import Param, Verb, label
from limpet.operations.parameters import ALL_PROJECTS, OFFSET, PRIVATE, build_query, limit_param
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible


@record
class GraphAnswer:
    """A graph of memories (the nodes) and of the links between them (the edges)."""

    nodes: tuple[Stored, ...]
    edges: tuple[tuple[str, str, str], ...]
    """The links: the id of one memory, the name of the relation, and the id of the other memory."""
    total: int
    """The total number of memories, including those beyond the limit."""
    offset: int = 0
    """The number of memories that were skipped."""


def run(
    runtime: Runtime,
    *,
    id: str | None = None,
    limit: int = 50,
    offset: int = 0,
    all_projects: bool = False,
    private: bool = False,
) -> GraphAnswer:
    """Return the newest memories or, if `id` is given, those linked to that memory, and all links between them."""
    reading = runtime.reading()
    start = None
    if id is not None:
        start = find_visible(runtime, id, every_project=all_projects, reading=reading).memory
        private = private or start.sensitivity is not Sensitivity.PUBLIC
    statuses = (Status.LIVE, Status.SUPERSEDED)
    query = build_query(
        runtime, limit=limit, offset=offset, private=private, all_projects=all_projects, statuses=statuses
    )
    page = reading.browse(query if start is None else replace(query, limit=NO_LIMIT, offset=0))
    nodes = {stored.memory.id: runtime.signer.judge(stored) for stored in page.items}
    edges = [edge for stored in nodes.values() for edge in _list_version_edges(stored)]
    edges += reading.links(runtime.scope(every_project=all_projects))
    known = [edge for edge in dict.fromkeys(edges) if edge[0] in nodes and edge[2] in nodes]
    total = page.total
    if start is not None:
        wanted = _list_linked(start.id, known)
        total = len(wanted)
        nodes = {name: nodes[name] for name in nodes if name in wanted[offset : offset + limit]}
        known = [edge for edge in known if edge[0] in nodes and edge[2] in nodes]
    return GraphAnswer(nodes=tuple(nodes.values()), edges=tuple(known), total=total, offset=offset)


def _list_version_edges(stored: Stored) -> list[tuple[str, str, str]]:
    """Return the links from a memory to the version that it corrects, and to the previous memory of its kind."""
    memory = stored.memory
    edges = []
    if memory.corrects:
        edges.append((memory.id, "corrects", memory.corrects))
    if memory.previous_memory_id and memory.previous_memory_id != memory.corrects:
        edges.append((memory.id, "follows", memory.previous_memory_id))
    return edges


def _list_linked(start: str, edges: list[tuple[str, str, str]]) -> list[str]:
    """Return the ids of a memory and of all memories linked to it, directly or indirectly, nearest first."""
    beside: dict[str, list[str]] = {}
    for source, _, target in edges:
        beside.setdefault(source, []).append(target)
        beside.setdefault(target, []).append(source)
    reached = {start: None}
    queue = deque([start])
    while queue:
        for other in beside.get(queue.popleft(), ()):
            if other not in reached:
                reached[other] = None
                queue.append(other)
    return list(reached)


VERB = Verb(
    run=run,
    shape=lambda graph: {
        "nodes": [
            {**pick(stored.memory, "id", "kind", "impact", "title"), "status": stored.status} for stored in graph.nodes
        ],
        "edges": label(graph.edges, "from", "relation", "to"),
        "total": graph.total,
    },
    params=(
        Param(name="id", help="Only memories linked to this one, directly or not.", positional=True),
        limit_param(50),
        OFFSET,
        ALL_PROJECTS,
        PRIVATE,
    ),
    examples=("limpet graph", "limpet graph mem_01jz4"),
)
