"""Restore a memory that was forgotten, merged, corrected, expired or shortened."""

from __future__ import annotations

from limpet.curating.restoring import restore
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, CODE, ID

VERB = Verb(
    run=restore,
    shape=lambda answer: {"memory": answer.stored, "how": answer.how},
    params=(
        ID,
        Param(name="archive", help="Only bring back what upkeep has shortened, merged or archived.", kind="flag"),
        CODE,
        ALL_PROJECTS,
    ),
    examples=("limpet restore mem_01jz4", "limpet restore --archive mem_01jz4"),
)
