"""The answer of `import`, which both kinds of import fill in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import field, mutable, record


class Result(StrEnum):
    """The outcome of importing an object."""

    TAKEN = "taken"
    CHANGED = "changed"
    """Taken, but altered; `why` says how."""
    KNOWN = "known"
    LEFT_OUT = "left out"
    """Nothing is wrong with it, but it does not belong here."""
    REFUSED = "refused"


@record
class ObjectReport:
    """The outcome for one object of another tool, and the reason."""

    store: str
    """The file or folder it was read from."""
    name: str
    result: Result
    why: str = ""
    memory: str | None = None
    """The id of the memory or fact that was made of it, or that says the same."""


@mutable
class ImportAnswer:
    """The numbers of memories and facts that were added, were known already, or could not be read."""

    added: int = 0
    duplicates: int = 0
    present: int = 0
    facts: int = 0
    elsewhere: int = 0
    """How many of the added memories belong to other projects than this one."""
    proposed: list[str] = field(default_factory=list)
    """Requests of the file that an import may not fulfil, with the command by which the owner can."""
    problems: list[str] = field(default_factory=list)
    objects: list[ObjectReport] = field(default_factory=list)
    """One report per object, for an import from another tool."""
    found: list[tuple[str, str]] = field(default_factory=list)
    """The stores of other tools on this machine, each with the name of its format, if nothing was imported."""
    dry_run: bool = False

    def propose(self, number: int, sentences: Iterable[str]) -> None:
        self.proposed += [f"line {number}: {sentence}" for sentence in sentences]

    def counts(self) -> dict[str, int]:
        """Return the number of objects with each result."""
        found = Counter(report.result for report in self.objects)
        return {result.value: found[result] for result in Result}
