"""Caps on memories at full length: over the cap those of lowest priority step down one phase, none is lost."""

from __future__ import annotations

from collections.abc import Callable

from limpet.model.change import Change, Verb
from limpet.model.memory import Memory, Phase
from limpet.model.query import Stored
from limpet.model.scope import Scope, Where
from limpet.record import replace
from limpet.settings import StoreSettings
from limpet.store.protocol import Reading
from limpet.text.tokens import count_tokens
from limpet.upkeep.condense import condense

BATCH = 10


Resign = Callable[[Stored, Memory], dict[str, object]]
"""The signature of a memory whose shown side changes, as the payload of the change says it."""


def step_down(
    reading: Reading, where: Where, *, caps: StoreSettings, keep: frozenset[str], resign: Resign
) -> list[Change]:
    """The changes that bring project and agent back under their caps, never touching what was just written.

    They go ten at a time, so that a full store does not pay for it at every write; after a big batch, as many as
    are over.
    """
    chosen: dict[str, Stored] = {}
    for token, cap in (*((token, caps.project_cap) for token in _project_token(where)), (None, caps.agent_cap)):
        if not cap:
            continue
        over = reading.over_cap(token, where.agent, cap)
        lowest = [each for each in over if each.memory.id not in keep]
        chosen.update((each.memory.id, each) for each in lowest[: max(BATCH, len(over) - cap)])
    return [lowered(stored, Phase.HINT, resign=resign) for stored in chosen.values()]


def _project_token(where: Where) -> tuple[str, ...]:
    tokens = Scope(agent=where.agent, project=where.project).tokens()
    return tokens[:1] if tokens and where.project else ()


def lowered(stored: Stored, phase: Phase, *, resign: Resign) -> Change:
    """One step of the ladder as a change."""
    memory = stored.memory
    content = condense(memory.original_content, phase)
    shorter = replace(memory, content=content, phase=phase, token_count=count_tokens(content))
    return Change(
        verb=Verb.CONDENSE,
        subject=memory.id,
        root=memory.root,
        lineage=memory.lineage,
        actor="limpet",
        payload={
            "content": content,
            "phase": int(phase),
            "token_count": shorter.token_count,
            **resign(stored, shorter),
        },
    )
