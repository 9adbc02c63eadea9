"""The answer of the verb `import`, for imports of Limpet's exports and of other tools' stores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import field, mutable, record


class Result(StrEnum):
    """The outcome of importing one object of another tool."""

    TAKEN = "taken"
    CHANGED = "changed"
    """It was imported with changes: some of it was altered or removed."""
    KNOWN = "known"
    """It is already stored here."""
    LEFT_OUT = "left out"
    """It is valid, but is not a memory of this agent or project."""
    REFUSED = "refused"
    """It is damaged, not allowed, or was erased here."""


@record
class ObjectReport:
    """The outcome of importing one object of another tool, and the reason."""

    store: str
    """The file or folder that it was read from."""
    name: str
    result: Result
    why: str = ""
    memory: str | None = None
    """The id of the memory or fact that was made from it, or that has the same content."""


@mutable
class ImportAnswer:
    """The result of an import: how many memories and facts were added or already known, and what went wrong."""

    added: int = 0
    duplicates: int = 0
    """How many texts were not added, because a memory here has the same text."""
    present: int = 0
    """How many memories and facts were not added, because they are already stored here."""
    facts: int = 0
    """How many facts were added."""
    unconfirmed: int = 0
    """How many of the added memories are told only when asked for until the user confirms them."""
    elsewhere: int = 0
    """How many of the added memories belong to other projects than this one."""
    proposed: list[str] = field(default_factory=list)
    """Changes that the file asks for and that only the user can make, each with the command that makes it."""
    problems: list[str] = field(default_factory=list)
    objects: list[ObjectReport] = field(default_factory=list)
    """One report per object, if the import was from another tool."""
    found: list[tuple[str, str]] = field(default_factory=list)
    """The stores of other tools on this machine, as pairs of format and path, if the user named nothing to import."""
    only_looked: bool = False
    """Whether the user named nothing to import, so that stores of other tools were listed and nothing was imported."""
    dry_run: bool = False
    stopped: bool = False
    """Whether Ctrl-C ended the import before everything was read."""

    def propose(self, number: int, sentences: Iterable[str]) -> None:
        """Add proposals that come from the line with this number in the file."""
        self.proposed += [f"line {number}: {sentence}" for sentence in sentences]

    def counts(self) -> dict[str, int]:
        """Return the number of objects with each result."""
        found = Counter(report.result for report in self.objects)
        return {result.value: found[result] for result in Result}
