"""Hide memories; `restore` brings them back."""

from __future__ import annotations

from limpet.curating.forgetting import forget
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, IDS, SOURCE

VERB = Verb(
    run=forget,
    shape=lambda answer: {
        "forgotten": answer.done,
        "memories": answer.memories,
        "total": len(answer.memories),
        "restored": [stored.memory.id for stored in answer.restored],
    },
    params=(
        IDS,
        SOURCE,
        Param(name="reason", help="The reason, which is kept in the journal."),
        Param(name="dry_run", help="Only show what would be forgotten.", kind="flag"),
        ALL_PROJECTS,
    ),
    examples=("limpet forget mem_01jz4", "limpet forget --source origin:external --dry-run"),
)
