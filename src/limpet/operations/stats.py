"""Count memories, and measure the disk space that they take up."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from limpet.lean.record import pick, record, replace
from limpet.model.change import Status
from limpet.model.query import query_everything
from limpet.model.scope import Scope
from limpet.model.standing import strength
from limpet.operations.catalogue import Param, Verb, label
from limpet.operations.parameters import ALL_PROJECTS
from limpet.runtime import Runtime
from limpet.store.protocol import Reading
from limpet.system import walk_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class StatsAnswer:
    """The number of memories by several properties, and the number of bytes that they take up on disk."""

    agent: str
    project: str | None
    counts: dict[str, Any]
    bytes: dict[str, int]
    projects: tuple[tuple[str, str, int], ...]
    """The id, the name and the number of memories of each project, if the user asked for them."""
    home: str


def run(runtime: Runtime, *, all_projects: bool = False, projects: bool = False) -> StatsAnswer:
    reading = runtime.reading()
    now = runtime.now()
    listed = []
    if projects:
        runtime.scope(every_project=True)
        for project in reading.projects():
            counts = reading.counts(Scope(agent=runtime.agent_id, project=project.id), now)
            count = counts["region"].get("PROJECT", 0)
            # A project without memories of this agent is not shown, because other agents may work there.
            if count or (runtime.project and project.id == runtime.project.id):
                listed.append((project.id, project.name, count))
    home = runtime.store.home
    scope = runtime.scope(every_project=all_projects)
    return StatsAnswer(
        agent=runtime.agent[1],
        project=runtime.project.name if runtime.project else None,
        counts={**reading.counts(scope, now), **_count_ratings(reading, scope, now)},
        bytes={
            "journal": sum(os.path.getsize(path) for path in walk_files(os.path.join(home, "journal"))),
            "index": sum(os.path.getsize(path) for path in walk_files(home) if "index.db" in os.path.basename(path)),
            "backups": sum(os.path.getsize(path) for path in walk_files(os.path.join(home, "backups"))),
        },
        projects=tuple(listed),
        home=home,
    )


def _count_ratings(reading: Reading, scope: Scope, now: datetime) -> dict[str, Any]:
    """Return how many live memories have a high, medium and low strength, and the same for their difficulty."""
    page = reading.browse(replace(query_everything(scope, now=now), statuses=(Status.LIVE,)))
    if not page.items:
        return {"strength": {}, "difficulty": {}}
    strengths = [strength(stored.memory, stored.standing) for stored in page.items]
    difficulties = [stored.memory.difficulty for stored in page.items]
    return {"strength": _count_thirds(strengths), "difficulty": _count_thirds(difficulties)}


def _count_thirds(values: Sequence[float]) -> dict[str, int]:
    counted = Counter("high" if value >= 0.67 else "medium" if value >= 0.34 else "low" for value in values)
    return {name: counted[name] for name in ("high", "medium", "low") if counted[name]}


VERB = Verb(
    run=run,
    shape=lambda stats: {
        **pick(stats, "agent", "project", "home"),
        **stats.counts,
        "bytes": stats.bytes,
        "projects": label(stats.projects, "id", "name", "memories"),
    },
    params=(ALL_PROJECTS, Param(name="projects", help="Also list the projects.", kind="flag")),
    examples=("limpet stats", "limpet stats --projects"),
)
