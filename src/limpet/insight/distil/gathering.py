"""List the texts from which a language model may extract lines, each in the form that the model may see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from limpet.doors.governor import Passed, Way, Withheld, govern
from limpet.insight.distil.plan import choose_facts
from limpet.insight.distil.sources import Sources
from limpet.lean.record import record
from limpet.model.memory import Kind, Memory, Origin, Region, Sensitivity, Type
from limpet.model.query import Stored

STASH, OBJECTION, MEMORY = "stash", "objection", "memory"


@record
class GatheredText:
    """A text from which a model may extract lines."""

    id: str
    """The id of the memory or objection, or `stash:` with the name of the stash."""
    sort: str
    """What the text is: "stash", "objection" or "memory"."""
    text: str
    at: datetime

    def govern(self) -> Passed | Withheld:
        """Return what the governor lets a model see of the text. A stash or an objection is trusted like a file."""
        memory = Memory(
            id=self.id,
            agent="",
            region=Region.PROJECT,
            kind=Kind.LEARNINGS,
            type=Type.DISCOVERY,
            content=self.text,
            original_content=self.text,
            origin=Origin.AGENT if self.sort == MEMORY else Origin.FILE,
            sensitivity=Sensitivity.PUBLIC,
            created_at=self.at,
            updated_at=self.at,
        )
        return govern(Stored(memory=memory), way=Way.ASKED)

    def show(self) -> str:
        """Return the text in the form that a model may see, or an empty string if no model may see it."""
        passed = self.govern()
        return passed.text if isinstance(passed, Passed) else ""


def list_texts(
    sources: Sources, stored: Sequence[Stored], *, judge: Callable[[Stored], Stored], now: datetime
) -> list[GatheredText]:
    """Return the texts of the stashes, of the objections, and of the memories that may become facts.

    `judge` checks the signature of a memory.
    """
    chosen = {memory.id: memory for _, memory in choose_facts(stored, judge=judge, now=now)}
    return [
        *(GatheredText(id=f"stash:{each.name}", sort=STASH, text=each.text, at=now) for each in sources.stashes),
        *(GatheredText(id=each.id, sort=OBJECTION, text=each.text, at=now) for each in sources.objections),
        *(GatheredText(id=id, sort=MEMORY, text=memory.content, at=now) for id, memory in chosen.items()),
    ]
