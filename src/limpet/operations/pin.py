"""Pin a memory, so that it does not fade, or let it fade again."""

from __future__ import annotations

from limpet.curating.versions import find_newest_version
from limpet.lean.record import replace
from limpet.model.change import ChangeKind
from limpet.model.query import Stored
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, ID
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible, require_visible


def run(runtime: Runtime, *, id: str, off: bool = False, all_projects: bool = False) -> Stored:
    named = find_visible(runtime, id, every_project=all_projects)
    stored = require_visible(runtime, find_newest_version(runtime, named)[0])
    memory = replace(stored.memory, pinned=not off)
    if memory != stored.memory:
        payload = {"pinned": memory.pinned, **runtime.signer.sign_again(stored, memory)}
        runtime.write([runtime.change(ChangeKind.PIN, memory, payload)])
    return runtime.reload(stored)


VERB = Verb(
    run=run,
    shape=lambda stored: {"memory": stored},
    params=(ID, Param(name="off", help="Let it fade again.", kind="flag"), ALL_PROJECTS),
    examples=("limpet pin mem_01jz4", "limpet pin --off mem_01jz4"),
)
