"""Purge memories: erase their texts permanently from every file that Limpet has written."""

from __future__ import annotations

from limpet.care.purging import purge
from limpet.lean.record import pick
from limpet.operations.catalogue import Param, Verb, label
from limpet.operations.parameters import ALL_PROJECTS, CODE, IDS, SOURCE, YES

VERB = Verb(
    run=purge,
    shape=lambda answer: {
        "purged": answer.done,
        **pick(answer, "ids", "facts"),
        "total": len(answer.ids),
        "files": answer.files,
        "failed": label(answer.failed, "path", "problem"),
        "others": answer.others,
    },
    is_failure=lambda answer: answer.done and bool(answer.failed),
    params=(
        IDS,
        SOURCE,
        Param(name="dry_run", help="Only show what would be erased.", kind="flag"),
        YES,
        CODE,
        ALL_PROJECTS,
    ),
    details=(
        "Erases all versions of the memories and what was made of them from the store, its backups and its logs, and "
        "their texts from the files that Limpet wrote in the folders of the project: stashes, reports of friction, "
        "MEMORY.md and its block in CLAUDE.md, and shared files. Other text in these files stays. Recordings of the "
        "agent, commits of git and files that you exported are not touched."
    ),
    examples=("limpet purge mem_01jz4", "limpet purge --source session:7f3a --yes"),
)
