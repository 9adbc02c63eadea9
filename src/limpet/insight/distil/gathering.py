"""List the texts that a model may extract from, and show each as a model may see it."""

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
    """A text that a model may extract from: its name, what it is, and the text."""

    id: str
    sort: str
    text: str
    at: datetime

    def govern(self) -> Passed | Withheld:
        """Return the text as it may be shown to a model; a stash or an objection counts as a text from a file."""
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
        """Return what a model may see of the text; empty if that is nothing."""
        passed = self.govern()
        return passed.text if isinstance(passed, Passed) else ""


def list_texts(
    sources: Sources, stored: Sequence[Stored], *, judge: Callable[[Stored], Stored], now: datetime
) -> list[GatheredText]:
    """Return the stashes, the objections, and the memories that may be facts."""
    chosen = {memory.id: memory for _, memory in choose_facts(stored, judge=judge, now=now)}
    return [
        *(GatheredText(id=f"stash:{each.name}", sort=STASH, text=each.text, at=now) for each in sources.stashes),
        *(GatheredText(id=each.id, sort=OBJECTION, text=each.text, at=now) for each in sources.objections),
        *(GatheredText(id=id, sort=MEMORY, text=memory.content, at=now) for id, memory in chosen.items()),
    ]
