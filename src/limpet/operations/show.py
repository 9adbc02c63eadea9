"""Show one memory with its versions and links."""

from __future__ import annotations

from datetime import datetime

from limpet.curating.history import describe_decision, find_decisions
from limpet.lean.record import record
from limpet.model.change import Change
from limpet.model.query import Stored
from limpet.operations.catalogue import Verb, label
from limpet.operations.parameters import ALL_PROJECTS, AT, ID
from limpet.operations.recall import record_access
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible, is_hidden


@record
class ShowAnswer:
    """A memory with its versions and its links to other memories."""

    stored: Stored
    versions: tuple[Stored, ...]
    links: tuple[tuple[str, str], ...]
    """The name of the relation and the id of the other memory, for each link."""
    decisions: tuple[Change, ...] = ()
    """The changes by which a person confirmed, dropped or restored the memory."""


def run(runtime: Runtime, *, id: str, all_projects: bool = False, at: datetime | None = None) -> ShowAnswer:
    reading = runtime.reading(at)
    stored = find_visible(runtime, id, every_project=all_projects, reading=reading)
    scope = runtime.scope(every_project=all_projects)
    memory = stored.memory
    links = [(relation, to) for source, relation, to in reading.links(scope) if source == memory.id]
    links += [(f"{relation} of", source) for source, relation, to in reading.links(scope) if to == memory.id]
    if runtime.caller.is_agent:
        # A link to a private memory would reveal that there is one about this subject.
        found = {to: reading.get(to) for _, to in links}
        links = [each for each in links if (other := found[each[1]]) is not None and not is_hidden(runtime, other)]
    shown = [version for version in reading.versions(memory.id) if not is_hidden(runtime, version)]
    versions = tuple(runtime.signer.judge(version) for version in shown)
    if at is None:
        record_access(runtime, [memory.id], way="show")
    return ShowAnswer(
        stored=stored, versions=versions, links=tuple(links), decisions=find_decisions(reading, memory.id)
    )


VERB = Verb(
    run=run,
    shape=lambda shown: {
        "memory": shown.stored,
        "versions": shown.versions,
        "links": label(shown.links, "relation", "id"),
        "decisions": [describe_decision(change) for change in shown.decisions],
    },
    params=(ID, ALL_PROJECTS, AT),
    examples=("limpet show mem_01jz4", "limpet show mem_01jz4 --json"),
)
