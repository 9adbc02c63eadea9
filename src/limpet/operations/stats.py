"""Count memories and what they take."""

from __future__ import annotations

import os
from datetime import datetime

from limpet.model.scope import Scope
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS
from limpet.record import record
from limpet.runtime import Runtime
from limpet.system import walk_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class Stats:
    agent: str
    project: str | None
    counts: dict[str, Any]
    bytes: dict[str, int]
    projects: tuple[tuple[str, str, int], ...]
    home: str


def run(runtime: Runtime, *, all_projects: bool = False, projects: bool = False) -> Stats:
    reading = runtime.reading()
    now = runtime.now()
    listed = []
    if projects:
        runtime.scope(every_project=True)
        for project in reading.projects():
            counts = reading.counts(Scope(agent=runtime.agent_id, project=project.id), now)
            count = counts["region"].get("PROJECT", 0)
            # Projects in which only another agent works are that agent's.
            if count or (runtime.project and project.id == runtime.project.id):
                listed.append((project.id, project.name, count))
    home = runtime.store.home
    return Stats(
        agent=runtime.agent[1],
        project=runtime.project.name if runtime.project else None,
        counts=reading.counts(runtime.scope(every_project=all_projects), now),
        bytes={
            "journal": sum(os.path.getsize(path) for path in walk_files(os.path.join(home, "journal"))),
            "index": sum(os.path.getsize(path) for path in walk_files(home) if "index.db" in os.path.basename(path)),
            "backups": sum(os.path.getsize(path) for path in walk_files(os.path.join(home, "backups"))),
        },
        projects=tuple(listed),
        home=home,
    )


def to_json(stats: Stats, now: datetime) -> dict[str, Any]:
    return {
        "agent": stats.agent,
        "project": stats.project,
        "home": stats.home,
        **stats.counts,
        "bytes": stats.bytes,
        "projects": [{"id": id, "name": name, "memories": count} for id, name, count in stats.projects],
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(ALL_PROJECTS, Param(name="projects", help="List the projects too.", kind="flag")),
    examples=("limpet stats", "limpet stats --projects"),
)
