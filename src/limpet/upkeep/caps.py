"""Enforce the caps: the maximum numbers of memories per project and per agent that keep their full text."""

from __future__ import annotations

from limpet.model.change import Change
from limpet.model.memory import Phase
from limpet.model.query import Stored
from limpet.model.scope import Scope, Where
from limpet.recall.questions import Answers
from limpet.settings import StoreSettings
from limpet.store.protocol import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.upkeep.job import SignAgain

EVICTION_BATCH = 10


def enforce_caps(
    reading: Reading,
    where: Where,
    *,
    caps: StoreSettings,
    keep: frozenset[str],
    sign_again: SignAgain,
    answers: Answers,
) -> list[Change]:
    """Return the changes that condense the memories with the lowest priority if a project or agent exceeds its cap.

    At least `EVICTION_BATCH` memories are condensed at a time, so that the next write does not exceed the cap again.
    Memories whose ids are in `keep`, because they were just written, are not condensed.
    """
    chosen: dict[str, Stored] = {}
    tokens = Scope(agent=where.agent, project=where.project).tokens() if where.project else None
    for token, cap in (*((token, caps.project_cap) for token in (tokens or ())[:1]), (None, caps.agent_cap)):
        found = find_lowest_over_cap(reading, token, where.agent, cap, keep, at_least=EVICTION_BATCH)
        chosen.update((each.memory.id, each) for each in found)
    if not chosen:
        return []
    # Loaded here, because few writes exceed a cap.
    from limpet.upkeep.condense import condense_memory

    steps = (
        condense_memory(reading, stored, Phase.HINT, sign_again=sign_again, answers=answers.find)
        for stored in chosen.values()
    )
    return [step for step in steps if step is not None]


def find_lowest_over_cap(
    reading: Reading,
    token: str | None,
    agent: str,
    cap: int,
    keep: frozenset[str],
    *,
    phase: Phase = Phase.FULL,
    at_least: int = 1,
) -> list[Stored]:
    """Return the memories with the lowest priority that have to leave a phase, so that at most `cap` stay in it.

    The memories of one scope are counted, or all of the agent's if `token` is None. Memories whose ids are in `keep`
    are not returned. If the cap is exceeded, at least `at_least` memories are returned, if there are that many. A cap
    of 0 means no cap.
    """
    return list(reading.over_cap(token, agent, cap, phase, keep=keep, at_least=at_least)) if cap else []
